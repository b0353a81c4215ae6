/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "syntax/option-scanner.h"

#include <string.h>

static PlgScannerScript *
read_text (const char *data, gsize size, GError **error)
{
  return plg_scanner_read (data, size, error);
}

/* Returns "line:word" for each word; an unknown word has a "?". */
static char *
words_of (const PlgScannerScript *text)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < text->words->len; i++)
    {
      const PlgScannerWord *word = text->words->pdata[i];

      g_string_append_printf (all, "%s%d:%s%s", i > 0 ? "|" : "", word->line, word->text,
                              word->unknown != NULL ? "?" : "");
    }
  return g_string_free (all, FALSE);
}

static const struct
{
  const char *name;
  const char *text;
  const char *words;
} scripts[] = {
  { "words", "run --a 1 --b=2", "1:run|1:--a|1:1|1:--b=2" },
  { "continued", "run \\\n  --a 1 \\\r\n  --b 2\n", "1:run|2:--a|2:1|3:--b|3:2" },
  { "quotes", "run 'a b' \"c d\" e\\ f ''", "1:run|1:a b|1:c d|1:e f|1:" },
  { "quotes inside", "x'$A'\"y\"z", "1:x$Ayz" },
  { "comments", "# no\nrun a#b # no\n", "2:run|2:a#b" },
  { "operators", "a; b && c | d > e\n(f)", "1:a|1:b|1:c|1:d|1:e|2:f" },
  { "variables", "A=1\nB=x$A\nrun ${B}y \"$A\"", "3:run|2:x1y|1:1" },
  { "a variable that is split", "A=\"--x 1\n --y 2\"\nrun $A", "3:run|1:--x|1:1|2:--y|2:2" },
  { "a variable that is quoted", "A='x y'\nrun \"$A\"", "2:run|1:x y" },
  { "arrays", "A=(\n --x 1 # first\n --y \"2 3\"\n)\nrun \"${A[@]}\" $A",
    "5:run|2:--x|2:1|3:--y|3:2 3|2:--x" },
  { "arrays that grow", "A=(a)\nA+=(b)\nrun ${A[@]}", "3:run|1:a|2:b" },
  { "text that grows", "A=a\nA+=b\nrun $A", "3:run|1:ab" },
  { "a joined array", "A=(a b)\nrun \"${A[*]}\"", "2:run|1:a b" },
  { "a default", "run ${A:-1} ${A-${B:-2}} ${1:-3}", "1:run|1:1|1:2|1:3" },
  { "a default that is not needed", "A=4\nrun ${A:-1} ${A:=2} ${A:?none}", "2:run|1:4|1:4|1:4" },
  { "an empty value", "A=\nrun $A \"$A\" ${A:-1} ${A-2}", "2:run|2:|2:1" },
  { "arithmetic", "A=8\nrun $((A * 2)) $(($A*(1+${A})/3%5)) $((-A + 10)) $((A>=8))",
    "2:run|2:16|2:4|2:2|2:1" },
  { "no arithmetic", "run $((1/0)) $((X)) $((9999999999*1)) $((1<<2))",
    "1:run|1:$((1/0))?|1:$((X))?|1:$((9999999999*1))?|1:$((1<<2))?" },
  { "unknown", "run $A ${B} $1 \"$@\" $(reboot) `id` x$C",
    "1:run|1:$A?|1:${B}?|1:$1?|1:$@?|1:$(reboot)?|1:`id`?|1:x$C?" },
  { "unknown through a variable", "A=$(nproc)\nrun --n $A --m $((A))",
    "2:run|2:--n|1:$(nproc)?|2:--m|2:$((A))?" },
  { "export", "export A=1 B=2\nX=3 run $A $B $X", "1:export|2:run|1:1|1:2|2:3" },
  { "no assignment", "run A=1", "1:run|1:A=1" },
  { "an unused array", "A=(--x 1)\n", "1:--x|1:1" },
  { "unused text", "A=\"--x 1\"\nB=\"no option\"\n", "1:--x|1:1" },
  { "a quoted command line", "A=\"--x 1\"\nC=\"python t.py ${A}\"\nsrun sh -c \"cd d; $C\"",
    "3:srun|3:sh|3:-c|3:cd|3:d;|2:python|2:t.py|1:--x|1:1" },
  { "a batch job", "#SBATCH --nodes=4 -N 4\n# SBATCH --nodes=5\nrun",
    "1:--nodes=4|1:-N|1:4|3:run" },
  { "an apostrophe in a command", "A=$(echo \"it's\")\nrun", "2:run" },
  { "a dollar alone", "run $ a$ \"$\"", "1:run|1:$|1:a$|1:$" },
  { "a backslash at the end", "run a\\", "1:run|1:a\\" },
  { "quotes in a command line", "A=\"--freq '[0]*3' --x \\\"1\\\"\"\nrun $A",
    "2:run|1:--freq|1:[0]*3|1:--x|1:1" },
  { "words that are only printed",
    "A=\"--x 1\"\necho \"set --tp 8\" $A; grep -q \"--pp 4\" f && run\n", "2:run|1:--x|1:1" },
  { "a comment after a line that goes on", "run --a 2 \\\n# --a 8 \\\n", "1:run|1:--a|1:2" },
  { "a comment in an array after a line that goes on", "A=(--a 2 \\\n# --a 8\n)\n", "1:--a|1:2" },
  { "redirections", "run --a 1 >x 2>&1 --b &> y; b", "1:run|1:--a|1:1|1:x|1:2|1:1|1:--b|1:y|1:b" },
  { "a command that does not run", "A=0\n[ $A = 1 ] && run --a 8 || run --a 4", "2:run|2:--a|2:4" },
  { "a subshell", "T=4\n(T=8; run $T) | tee\nrun $T", "2:run|2:8|2:tee|3:run|1:4" },
  { "a function nobody calls", "f() {\nrun --a 8\n}\nrun --a 4", "1:f|4:run|4:--a|4:4" },
  { "a function that is called", "f() {\nrun --a 8\n}\nf", "1:f|2:run|2:--a|2:8|4:f" },
  { "nothing", "\n\n# only this\n", "" },
};

static void
test_scripts (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (PlgScannerScript)
                     text = read_text (scripts[i].text, strlen (scripts[i].text), &error);
      g_autofree char *words = NULL;

      g_assert_no_error (error);
      words = words_of (text);
      if (g_strcmp0 (words, scripts[i].words) != 0)
        g_error ("%s: “%s” instead of “%s”", scripts[i].name, words, scripts[i].words);
    }
}

static void
test_variables (void)
{
  static const char script[] = "GPUS=8\nNODES=${NODES:-4}\nWORLD=$((GPUS * NODES))\nL=(1 2)\n"
                               "if [ -f x ]; then\n  GPUS=4\nfi\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (PlgScannerScript) text = read_text (script, strlen (script), &error);
  const PlgScannerWord *world = plg_scanner_script_get_variable (text, "WORLD");

  g_assert_cmpstr (world->text, ==, "32");
  g_assert_cmpint (world->line, ==, 3);
  g_assert_null (world->unknown);
  g_assert_cmpstr (plg_scanner_script_get_variable (text, "GPUS")->text, ==, "4");
  g_assert_null (plg_scanner_script_get_variable (text, "L"));
  g_assert_null (plg_scanner_script_get_variable (text, "none"));
  g_assert_cmpint (text->choice, ==, 6);
}

static char *
repeat (const char *start, const char *part, int n)
{
  GString *text = g_string_new (start);

  for (int i = 0; i < n; i++)
    g_string_append (text, part);
  return g_string_free (text, FALSE);
}

/* The words “a”, “b” and “c” that are read in "A=1 … if TEST; then a; elif [ "$A" = 2 ]; then b;
 * else c; fi", and whether the result is open. */
static const struct
{
  const char *test;
  const char *read;
  gboolean open;
} tests[] = {
  { "[ $A = 1 ]", "a", FALSE },
  { "[ $A = 2 ]", "c", FALSE },
  { "[ $A == 1 ]", "a", FALSE },
  { "[ $A != 1 ]", "c", FALSE },
  { "! [ $A = 1 ]", "c", FALSE },
  { "[ ! $A = 2 ]", "a", FALSE },
  { "[[ \"$A\" == \"1\" ]]", "a", FALSE },
  { "[ $A -eq 01 ]", "a", FALSE },
  { "[ $A -gt 1 ]", "c", FALSE },
  { "[ $A -ge 1 ]", "a", FALSE },
  { "[ $A -lt -1 ]", "c", FALSE },
  { "[ $A -le 1 ]", "a", FALSE },
  { "[ $A -ne 1 ]", "c", FALSE },
  { "[ $A -gt x ]", "ac", TRUE },
  { "[ -z $NOBODYS ]", "a", FALSE },
  { "[ -z \"${NOBODYS}\" ]", "a", FALSE },
  { "[ -n \"$NOBODYS\" ]", "c", FALSE },
  { "[ -z $1 ]", "ac", TRUE },
  { "[ -n \"$(hostname)\" ]", "ac", TRUE },
  { "[ $NOBODYS -gt 1 ]", "ac", TRUE },
  { "[ $A ]", "a", FALSE },
  { "[ -f $A ]", "ac", TRUE },
  { "[ $A = 1 ] && [ $A = 2 ]", "c", FALSE },
  { "[ $A = 2 ] || [ $A = 1 ]", "a", FALSE },
  { "[ $A = 2 ] && hostname", "c", FALSE },
  { "[ $A = 1 ] && hostname", "ac", TRUE },
  { "[[ $A == 1 && -z $NOBODYS ]]", "a", FALSE },
  { "[[ $A == 2 || $A == 3 ]]", "c", FALSE },
  { "[[ $A == 1* ]]", "ac", TRUE },
  { "[[ $A < 2 ]]", "ac", TRUE },
  { "(( A > 0 ))", "a", FALSE },
  { "(( A++ ))", "ac", TRUE },
  { "(( A = 2 ))", "ac", TRUE },
  { "(( NOBODYS ))", "ac", TRUE },
  { "! (( (A != 1) + 2 > A + 1 ))", "a", FALSE },
  { "grep -q --x <<< $A", "ac", TRUE },
  { "hostname", "ac", TRUE },
  { "", "ac", TRUE },
};

static void
test_branches (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char
          *script = g_strdup_printf ("A=1\nif %s; then\n  X=a; a\nelif [ \"$A\" = 2 ]\nthen"
                                     "\n  X=b; b\nelse\n  if [ $A = 1 ]; then X=c; c; fi"
                                     "\nfi\n",
                                     tests[i].test);
      g_autoptr (PlgScannerScript) text = read_text (script, strlen (script), NULL);
      g_autoptr (GString) read = g_string_new (NULL);

      for (guint j = 0; j < text->words->len; j++)
        g_string_append (read, ((const PlgScannerWord *) text->words->pdata[j])->text);
      if (!g_str_equal (read->str, tests[i].read) || (text->choice > 0) != tests[i].open)
        g_error ("%s: “%s”, line %d", tests[i].test, read->str, text->choice);
      g_assert_cmpstr (plg_scanner_script_get_variable (text, "X")->text, ==,
                       read->str + strlen (read->str) - 1);
    }
}

/* The value of T after "T=4 …", as in bash 5.2 if the script determines the value, and whether
 * the script leaves the value open. */
static const struct
{
  const char *script;
  const char *value;
  gboolean open;
} flows[] = {
  { "U=0; [ \"$U\" = 1 ] && T=8", "4", FALSE },
  { "U=1; [ \"$U\" = 1 ] && T=8", "8", FALSE },
  { "U=0; [ \"$U\" = 1 ] || T=8", "8", FALSE },
  { "U=0; [[ $U == 1 ]] && T=\"$T 8\"", "4", FALSE },
  { "U=0; [[ $U == 1 ]] &&\n # then\n T=8", "4", FALSE },
  { "U=0; [ $U = 1 ] && T=8; T=2", "2", FALSE },
  { "U=0; [ $U = 1 ] && T=8\nT=2", "2", FALSE },
  { "U=0; [ $U = 1 ] && T=8 || T=2", "2", FALSE },
  { "U=0; [ $U = 0 ] && T=8 || T=2", "8", FALSE },
  { "U=0; [ $U = 0 ] || T=8 && T=2", "2", FALSE },
  { "U=0; ! [ $U = 1 ] && T=8", "8", FALSE },
  { "U=0; if [ $U = 1 ] || true; then T=8; fi", "8", FALSE },
  { "U=0; if [ $U = 0 ]; then [ $U = 1 ] && T=8; T=2; fi", "2", FALSE },
  { "U=0; [ $U = 1 ] && { T=8; }", "4", FALSE },
  { "U=0; [ $U = 1 ] && export T=8", "4", FALSE },
  { "U=0; { [ $U = 1 ] && T=8; }; T=\"$T$U\"", "40", FALSE },
  { "false && T=8", "4", FALSE },
  { "false | true && T=8", "8", FALSE },
  { "echo 8 >&2 && T=8", "8", FALSE },
  { "[ -f x ] && T=8", "8", TRUE },
  { "hostname || T=8", "8", TRUE },
  { "U=$(false) && T=8", "8", TRUE },
  { "U=1 && T=8", "8", FALSE },
  { "A=2; (( A == 2 )) && T=2 || T=8", "2", FALSE },
  { "A=2; ((A == (2))) && T=2", "2", FALSE },
  { "A=1; B=0; C=0; if [[ $A = 1 || $B = 1 && $C = 1 ]]; then T=2; else T=8; fi", "2", FALSE },
  { "A=1; B=0; C=0; if [[ $C = 1 && $B = 1 || $A = 1 ]]; then T=2; else T=8; fi", "2", FALSE },
  { "A=1; B=0; [[ ( $A = 1 || $B = 1 ) && $B = 1 ]] && T=8", "8", TRUE },
  { "f() {\nT=8\n}\n", "4", FALSE },
  { "f ()\n{\nT=8\n}\nT=2", "2", FALSE },
  { "function f {\nT=8\n}\n", "4", FALSE },
  { "function f() { T=8; }", "4", FALSE },
  { "f() {\nif true; then T=8; fi\n}\n", "4", FALSE },
  { "f() {\nT=8\n}\nf", "8", TRUE },
  { "(T=8)", "4", FALSE },
  { "(T=8)\nT=2", "2", FALSE },
  { "(T+=8; (T=2; U=1); T+=8)", "4", FALSE },
  { "(T=8; if true; then T=2; fi) && T=\"$T$T\"", "44", TRUE },
  { "for i in 1 2; do T=8; done", "8", TRUE },
  { "U=1; case $U in (1) T=8;; 2) T=2;; esac; U=2", "8", FALSE },
  { "U=7b; case $U in 7b) T=8 ;; 70b) T=2 ;; esac", "8", FALSE },
  { "U=70b; case \"$U\" in\n 7b | 8b )\n T=8;;\n 13b|70b) T=2\n ;;\n *) T=1;; esac", "2", FALSE },
  { "U=70b; case $U in 7*) T=8;; *b) T=2;; esac", "8", FALSE },
  { "U=70b; case x$U in 7*) T=8;; x?0b) T=2;; esac", "2", FALSE },
  { "U=3; case $U in 1) T=8;; *) T=2;; esac", "2", FALSE },
  { "U=3; case $U in 1) T=8;; 2) T=2;; esac", "4", FALSE },
  { "U=3; V=3; case $U in $V) T=8;; *) T=2;; esac", "8", FALSE },
  { "U='*'; case $U in '*') T=8;; *) T=2;; esac", "2", TRUE },
  { "U=a; case $U in [ab]) T=8;; c) T=2;; esac", "8", TRUE },
  { "U=b; case $U in !(a|b)) T=8;; *) T=2;; esac", "2", TRUE },
  { "U=1; case $U in 1) T=8;& 2) T=2;; 3) T=4;; esac", "4", TRUE },
  { "U=1; case $U in 1) case $U in 2) T=2;; *) T=8;; esac;; *) T=4;; esac", "8", FALSE },
  { "U=1; case $U in 2) exit;; esac; T=8", "8", FALSE },
  { "U=1; case $U in 1) T=8; exit;; esac; T=2", "8", FALSE },
  { "case $1 in 1) T=8;; *) T=2;; esac", "2", TRUE },
  { "while false; do T=8; done", "8", TRUE },
};

static void
test_flows (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (flows); i++)
    {
      g_autofree char *script = g_strconcat ("T=4\n", flows[i].script, "\n", NULL);
      g_autoptr (PlgScannerScript) text = read_text (script, strlen (script), NULL);
      const char *value = plg_scanner_script_get_variable (text, "T")->text;

      if (!g_str_equal (value, flows[i].value) || (text->choice > 0) != flows[i].open)
        g_error ("%s: “%s”, line %d", flows[i].script, value, text->choice);
    }
}

/* The value of T after "T=4 …", and the line that changes T in a way that the scanner does not
 * follow. */
static const struct
{
  const char *script;
  const char *value;
  int blind;
} changes[] = {
  { "read T <<< 8", "4", 2 },
  { "read U <<< 8", "4", 0 },
  { "let T=8", "4", 2 },
  { "let 'T = 8'", "4", 2 },
  { "unset T", "4", 2 },
  { "unset NOBODYS", "4", 0 },
  { "(( T++ ))", "4", 2 },
  { "(( T <<= 1 ))", "4", 2 },
  { "(( T = 8 ))", "4", 2 },
  { "(( T == 8 || T <= 4 ))", "4", 0 },
  { "U=$(( T++ ))", "4", 2 },
  { "T[0]=8", "4", 2 },
  { "for T in 8; do :; done", "4", 2 },
  { "for (( T = 0; T < 8; T++ )); do :; done", "4", 2 },
  { "printf -v T %s 8", "4", 2 },
  { "printf '%s' T", "4", 0 },
  { "mapfile -t T <<< 8", "4", 2 },
  { "eval T=8", "4", 2 },
  { "eval hostname $T", "4", 0 },
  { "T=8 hostname", "8", 2 },
  { "env T=8 hostname", "8", 2 },
  { "export T=8 U", "8", 0 },
  { "source env.sh", "4", 2 },
  { ". env.sh", "4", 2 },
  { "set -- 8; T=${1:-4}", "4", 2 },
  { "set -eo pipefail", "4", 0 },
  { "read T <<< 8; T=2", "2", 0 },
  { "if false; then read T; fi", "4", 0 },
  { "echo $U; read U; [ -z $U ] && T=2", "2", 2 },
  { "read U; T=$T${U:-8}", "48", 2 },
  { ": ${T:=8} ${U:=2}; T=$T$U", "42", 0 },
  { "exit; T=8", "4", 0 },
  { "[ $T = 4 ] && exit 1\nT=8", "4", 0 },
  { "[ $T = 8 ] && exit 1\nT=2", "2", 0 },
  { "(exit; T=2); T=8", "8", 0 },
  { "cat <<END\nT=8\nEND\n", "4", 0 },
  { "cat << 'E F' > x; T=2\nT=8\nE F\n", "2", 0 },
  { "cat <<-END\n\tT=8\n\tEND\nT=2", "2", 0 },
  { "cat <<A <<B\nT=8\nA\nit's\nB\nT=2", "2", 0 },
  { "cat <<END\nT=8\n", "4", 0 },
  { "bash <<END\nT=8\nrun --a\nEND\n", "4", 0 },
};

static void
test_changes (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *script = g_strconcat ("T=4\n", changes[i].script, "\n", NULL);
      g_autoptr (PlgScannerScript) text = read_text (script, strlen (script), NULL);
      const char *value = plg_scanner_script_get_variable (text, "T")->text;

      if (!g_str_equal (value, changes[i].value) || text->blind != changes[i].blind)
        g_error ("%s: “%s”, line %d", changes[i].script, value, text->blind);
    }
}

/* A word is uncertain if only a running shell can know whether the word is read. */
static void
test_uncertain_words (void)
{
  static const char script[] = "run --a\nif hostname; then run --b; fi\nf() { run --c; }\nf\n"
                               "if run --d; then :; fi\nbash <<E\nrun --e\nE\n";
  g_autoptr (PlgScannerScript) text = read_text (script, strlen (script), NULL);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < text->words->len; i++)
    {
      const PlgScannerWord *word = text->words->pdata[i];

      if (word->text[0] == '-')
        g_string_append_printf (found, "%s%s", word->text, word->maybe ? "? " : " ");
    }
  g_assert_cmpstr (found->str, ==, "--a --b? --c? --d --e? ");
}

/* The largest possible number of branches is read quickly and does not exhaust the stack. */
static void
test_many_branches (void)
{
  g_autofree char *negations = repeat ("if [ ", "! ", 200000);
  g_autofree char *opened = g_strconcat (negations, "1 ]; then a; fi\n", NULL);
  g_autofree char *ifs = repeat (opened, "if ", 300000);
  g_autoptr (PlgScannerScript) text = read_text (ifs, strlen (ifs), NULL);

  g_assert_cmpuint (text->words->len, ==, 1);
}

static void
test_many_brackets (void)
{
  static const char *const parts[] = { "(",     ")",     "((", "((a ", "f() ",
                                       "(T=1;", "[[ ( ", "{ ", "<<E ", "<<E\n--x <<E\n" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *script = repeat ("T=4\n", parts[i], 100000);
      g_autoptr (PlgScannerScript) text = read_text (script, strlen (script), NULL);

      g_assert_nonnull (text);
    }
}

/* Branches that end without a beginning, and branches that begin without an end. */
static void
test_odd_branches (void)
{
  static const char *const odd[] = { "fi\nfi\n--x",         "then --x",
                                     "else\n--x",           "elif then --x",
                                     "if [ 1 ]\nthen\n--x", "fi; fi; then then --x" };

  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autoptr (PlgScannerScript) text = read_text (odd[i], strlen (odd[i]), NULL);

      g_assert_cmpuint (text->words->len, ==, 1);
    }
}

static void
test_wrong (void)
{
  const struct
  {
    char *text; /* freed here */
    const char *says;
  } wrong[] = {
    { g_strdup ("run\nA='x\n"), "2: ' is opened here and never closed" },
    { g_strdup ("run \"x\n\n"), "1: \" is opened here" },
    { g_strdup ("\nA=(1 2\n"), "2: ( is opened here" },
    { g_strdup ("run ${A"), "1: ${ is opened here" },
    { g_strdup ("run $(x"), "1: $( is opened here" },
    { g_strdup ("run $((x)"), "1: $( is opened here" },
    { g_strdup ("run `x"), "1: ` is opened here" },
    { g_strdup ("run \xFF"), "1: Byte 0xFF" },
    { repeat ("A=0123456789\n", "A=$A$A\n", 40), "expand to more than 4 MiB" },
    { repeat ("A=(1 2 3)\n", "A+=(\"${A[@]}\" \"${A[@]}\")\n", 40), "expand to more than 4 MiB" },
    { repeat ("", "a ", 200000), "more than 131072 words" },
    { repeat ("run ", "${A:-", 2000), "1: ${ is opened here" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *script = wrong[i].text;
      g_autoptr (GError) error = NULL;

      g_assert_null (read_text (script, strlen (script), &error));
      if (strstr (error->message, wrong[i].says) == NULL)
        g_error ("“%s” instead of “%s”", error->message, wrong[i].says);
    }
}

/* More than 16 nested values are refused, and so are more than 16384 variables. */
static void
test_nesting_limits (void)
{
  g_autofree char *opened = repeat ("run ", "${A:-", 20);
  g_autofree char *deep = repeat (opened, "}", 20);
  g_autoptr (GString) many = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (read_text (deep, strlen (deep), &error));
  g_assert_nonnull (strstr (error->message, "1: Values are nested more than 16 levels deep"));
  g_clear_error (&error);
  for (int i = 0; i < 20000; i++)
    g_string_append_printf (many, "V%d=1\n", i);
  g_assert_null (read_text (many->str, many->len, &error));
  g_assert_nonnull (strstr (error->message, "more than 16384 variables"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/option-scanner/scripts", test_scripts);
  g_test_add_func ("/option-scanner/variables", test_variables);
  g_test_add_func ("/option-scanner/branches", test_branches);
  g_test_add_func ("/option-scanner/flows", test_flows);
  g_test_add_func ("/option-scanner/changes", test_changes);
  g_test_add_func ("/option-scanner/uncertain-words", test_uncertain_words);
  g_test_add_func ("/option-scanner/many-brackets", test_many_brackets);
  g_test_add_func ("/option-scanner/odd-branches", test_odd_branches);
  g_test_add_func ("/option-scanner/many-branches", test_many_branches);
  g_test_add_func ("/option-scanner/wrong", test_wrong);
  g_test_add_func ("/option-scanner/nesting-limits", test_nesting_limits);
  return g_test_run ();
}
