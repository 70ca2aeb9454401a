/* main.c - sfumato VERB [INPUT] [options]: finds the verb, reads its options, runs it.
 * Results go to standard output, messages to standard error.
 * Exit codes: 0, 1 failure, 2 misuse, 3 refused by the ledger or as an older copy of a session, 4
 * the rows do not fit (check); or by a signal (signals.h). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "cli/completion/completion.h"
#include "cli/core/field_words.h"
#include "cli/core/fonts.h"
#include "cli/core/options.h"
#include "cli/core/option_help.h"
#include "cli/core/paths.h"
#include "cli/core/signals.h"
#include "cli/core/terminal_filter.h"
#include "cli/core/text.h"
#include "cli/verb_list.h"
#include "cli/release/release_command.h"

enum { USAGE_WIDTH = 80 };

static void print_verb(FILE *out, const char *name, const char *summary, size_t width) {
  fprintf(out, "  %-*s", (int)width, name);
  text_print_wrapped(out, summary, width + 2, width + 2, USAGE_WIDTH);
}

static void print_usage(FILE *out) {
  fputs("sfumato - functions learned from private rows, released with differential privacy\n\n"
        "usage: sfumato VERB [INPUT] [options] [-o OUTPUT]\n",
        out);
  for (size_t i = 0; i < VERB_COUNT; i++) {
    const verb_group *group = verb_group_of(verb_list[i]);
    const verb_family *f = verb_family_of(verb_list[i]);
    if (group)
      fprintf(out, "\n%s%s%s\n", group->title, group->summary ? ": " : "",
              group->summary ? group->summary : "");
    if (f && i && verb_family_of(verb_list[i - 1]) == f) continue;
    print_verb(out, f ? f->name : verb_list[i]->name, f ? f->summary : verb_list[i]->summary, 11);
  }
  fputs("\n`sfumato VERB --help` explains a verb and its options; `sfumato --version` prints the\n"
        "version. A file called - is standard input.\n\n"
        "exit codes: 0 done, 1 failure, 2 misuse, 3 refused (by the ledger, or because a session\n"
        "is an older copy), 4 the rows do not fit what is stated about them (check)\n\n"
        "example:\n"
        "  sfumato density rows.csv --columns age --bounds 0:100 --bandwidth 4 --epsilon 1 "
        "-o age.sfm\n"
        "  sfumato plot age.sfm\n",
        out);
}

static void print_family(const verb_family *f, FILE *out) {
  size_t width = 16;
  fprintf(out, "sfumato %s - ", f->name);
  text_print_wrapped(out, f->summary, strlen(f->name) + 11, 2, USAGE_WIDTH);
  fputs("\nverbs:\n", out);
  for (size_t i = 0; i < VERB_COUNT; i++)
    if (verb_within(verb_list[i], f) && strlen(verb_list[i]->name) + 2 > width)
      width = strlen(verb_list[i]->name) + 2;
  for (size_t i = 0; i < VERB_COUNT; i++)
    if (verb_within(verb_list[i], f))
      print_verb(out, verb_list[i]->name, verb_list[i]->summary, width);
  fprintf(out, "\n`sfumato %s VERB --help` explains a verb and its options\n", f->name);
}

static void print_manual(FILE *out) {
  fprintf(
      out,
      ".\\\" Written by `sfumato --help-man`; do not edit.\n"
      ".TH SFUMATO 1 \"\" \"sfumato %s\" \"User Commands\"\n"
      ".SH NAME\nsfumato \\- functions learned from private rows, released with differential "
      "privacy\n"
      ".SH SYNOPSIS\n.B sfumato\n.I VERB\n.RI [ INPUT ]\n[options]\n[\\-o\n.IR OUTPUT ]\n"
      ".SH DESCRIPTION\n"
      "The owner of private rows runs\n.BR \"sfumato density\" ,\n.BR histogram ,\n.BR train "
      ",\n.B curve\nor another verb of the first group and gets a release: one file that may be "
      "published. Anyone may then\n.BR show ,\n.B eval\nand\n.B plot\nit as often as they like. "
      "A ledger\n.RB ( \"sfumato ledger create\" )\nadds up what the releases of a dataset cost "
      "and refuses a release that would exceed the total. A session\n.RB ( \"sfumato online "
      "open\" )\nis not published; it answers questions as they come. Results go to standard "
      "output, messages to standard error. A file called \\- is standard input.\n",
      sfm_version());
  for (size_t i = 0; i < VERB_COUNT; i++) {
    const verb_group *group = verb_group_of(verb_list[i]);
    if (group)
      fprintf(out, ".SH VERBS: %s\n%s%s", group->title, group->summary ? group->summary : "",
              group->summary ? ".\n" : "");
    options_print_manual(verb_list[i], out);
  }
  fputs(
      ".SH EXIT STATUS\n"
      ".TP\n.B 0\nThe work is done.\n"
      ".TP\n.B 1\nFailure: a file could not be read or written to its end, or memory ran out.\n"
      ".TP\n.B 2\nMisuse: an option, a path, a header, a schema or a release file is wrong. A "
      "value in a private row never causes this.\n"
      ".TP\n.B 3\nRefused: by the ledger, or because a session is an older copy.\n"
      ".TP\n.B 4\n.B check\nfound more rows that do not fit than --most-ignored allows, or the "
      "owner answered no to --check. Nothing was charged or released.\n"
      ".SH SIGNALS\n"
      "As long as nothing is charged, SIGINT, SIGTERM and SIGHUP end the command at once and "
      "remove its temporary files. After a ledger was charged, and while a session is made or "
      "asked, the first signal is announced and waits until the answer is stored and written. A "
      "second signal ends the command, which prints the request that completes the work under the "
      "same charge when it is repeated. In each case the signal itself terminates the command. If "
      "a "
      "reader closes the pipe (SIGPIPE) the command ends without a message unless something was "
      "charged. If something was charged, and at a limit of file sizes (SIGXFSZ), the write fails "
      "with exit status 1.\n"
      ".SH ENVIRONMENT\n"
      ".TP\n.B COLUMNS, LINES\nThe size of the terminal for\n.BR plot ,\n.B explain\nand\n.BR plan "
      ",\nif standard output is not a terminal.\n.B plan\ndraws only on a terminal, or if LINES is "
      "set.\n"
      ".TP\n.B NO_COLOR\nIf set, they draw without colour.\n",
      out);
}

/* The last word on standard output: a full disk must not look like success. */
static int finish(int code) {
  const char *how = signals_deferred();
  errno = 0;
  if (code == 0 && (fflush(stdout) || ferror(stdout))) {
    fprintf(stderr, "sfumato: cannot write standard output: %s%s%s\n",
            errno ? strerror(errno) : "it was cut off", how ? "; " : "", how ? how : "");
    return 1;
  }
  return code;
}

/* A release given to a verb that takes numbers. */
static void print_hint(const cli_verb *verb, int count, char *const *words) {
  bool numbers = verb == &verb_account || verb == &verb_explain, given = false;
  for (int i = 0; i < count; i++) {
    const char *dot = strrchr(words[i], '.');
    given = given || (i == 0 && words[i][0] && words[i][0] != '-') || (dot && !strcmp(dot, ".sfm"));
  }
  if (numbers && given)
    fprintf(stderr, "sfumato %s: `sfumato show FILE` prints the numbers to give\n", verb->name);
}

/* The verbs that have an option which this one has not, where they are few. */
static void print_owners(const cli_verb *verb, const char *word) {
  enum { FEW = 3 };
  cli_option list[CLI_MAX_OPTIONS + 1];
  const size_t length = strcspn(word, "=");
  const char *found[FEW];
  size_t count = 0;
  for (const cli_option *o = verb->refused; o && o->name; o++)
    if (strlen(o->name) == length && strncmp(o->name, word, length) == 0) return;
  for (size_t i = 0; i < VERB_COUNT; i++) {
    options_unfold(list, verb_list[i]->options);
    const bool plan = strncmp(verb_list[i]->name, "plan ", 5) == 0,
               part = strncmp(verb_list[i]->name, "partial ", 8) == 0;
    for (const cli_option *o = list; o->name; o++)
      if (strlen(o->name) == length && strncmp(o->name, word, length) == 0) {
        if (verb_list[i] == verb) return;
        if (!plan && !part && count++ < FEW) found[count - 1] = verb_list[i]->name;
      }
  }
  if (count == 0 || count > FEW) return;
  fprintf(stderr, "sfumato %s: --%.*s is an option of", verb->name, (int)length, word);
  for (size_t i = 0; i < count; i++) fprintf(stderr, "%s `sfumato %s`", i ? "," : "", found[i]);
  fputc('\n', stderr);
}

/* Whether a newline begins an indented line: of those a message may have more, and nothing in one
 * that was copied from a name or a path can then pass for a line of its own. */
static bool begins_indented(const char *c) {
  return c[0] == '\n' && c[1] == ' ' && c[2] == ' ';
}

/* The files that are named are looked at first: no verb reads, charges or writes before. */
static sfm_status run_checked(const cli_options *options, sfm_error *error) {
  const cli_verb *verb = options->verb;
  sfm_status status = paths_check(options, error);
  if (!status) status = (verb->run ? verb->run : release_command_run)(options, error);
  if (sfm_status_exit_code(status) != 2) paths_note(options);
  return status;
}

static void print_message(const char *message) {
  while (*message) {
    const char *end = message + 1;
    while (*end && !begins_indented(end)) end++;
    if (begins_indented(message)) fputc(*message++, stderr);
    text_print(stderr, message, (size_t)(end - message));
    message = end;
  }
  fputc('\n', stderr);
}

static int run_verb(const cli_verb *verb, int count, char **words) {
  sfm_error error = {SFM_OK, ""};
  cli_options options;
  int code = 0;
  sfm_status status = options_parse(&options, verb, count, words, &error);
  bool parsed = !status;
  options.exit_code = &code;
  if (!status && options.help)
    options_print_help(verb, stdout);
  else if (!status)
    status = run_checked(&options, &error);
  if (status) {
    char message[SFM_MESSAGE_MAX];
    field_words(message, sizeof message, error.message, verb, verb_list);
    fprintf(stderr, "sfumato %s: ", verb->name);
    print_message(message);
    if (!parsed) print_hint(verb, count, words);
    for (int i = 0; !parsed && i < count; i++)
      if (strncmp(words[i], "--", 2) == 0 && words[i][2]) print_owners(verb, words[i] + 2);
  }
  options_clear(&options);
  return finish(status ? sfm_status_exit_code(status) : code);
}

/* Words that people use for a verb. */
static const char *other_name(const char *word) {
  static const char *const words[][2] = {
      {"kde", "density"},        {"crosstab", "histogram"},  {"table", "histogram"},
      {"counts", "histogram"},   {"svm", "train"},           {"classify", "train"},
      {"regression", "train"},   {"fit", "train"},           {"predict", "eval"},
      {"quantiles", "range"},    {"median", "range"},        {"synthesize", "sample"},
      {"synthetic", "sample"},   {"info", "show"},           {"print", "show"},
      {"cat", "show"},           {"draw", "plot"},           {"budget", "ledger status"},
      {"marginals", "marginal"}, {"validate", "check"},      {"compose", "account"},
      {"release", "density"},    {"merge", "partial merge"}, {"heatmap", "plot"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i][0], word) == 0) return words[i][1];
  return NULL;
}

static int unknown_verb(const char *word) {
  const char *names[VERB_COUNT], *other = other_name(word);
  for (size_t i = 0; i < VERB_COUNT; i++) {
    const verb_family *f = verb_family_of(verb_list[i]);
    names[i] = f ? f->name : verb_list[i]->name;
  }
  const char *nearest = other ? other : options_nearest(word, names, VERB_COUNT);
  fputs("sfumato: there is no verb '", stderr);
  text_print(stderr, word, strlen(word));
  fputc('\'', stderr);
  if (nearest)
    fprintf(stderr, "; did you mean %s?\n", nearest);
  else
    fputs("; `sfumato --help` lists the verbs\n", stderr);
  return 2;
}

/* A family by its name alone (word is NULL), asked for help, or with a second word it lacks. */
static int about_family(const verb_family *f, const char *word, bool help) {
  const char *names[VERB_COUNT];
  size_t count = 0;
  if (help || (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0))) {
    print_family(f, stdout);
    return finish(0);
  }
  for (size_t i = 0; i < VERB_COUNT; i++)
    if (verb_within(verb_list[i], f)) names[count++] = verb_within(verb_list[i], f);
  const char *nearest = word ? options_nearest(word, names, count) : NULL;
  if (nearest)
    fprintf(stderr, "sfumato: there is no verb '%s %s'; did you mean %s %s?\n\n", f->name, word,
            f->name, nearest);
  else if (word)
    fprintf(stderr, "sfumato: there is no verb '%s %s'\n\n", f->name, word);
  print_family(f, stderr);
  return 2;
}

/* words: what follows `sfumato`, or `sfumato help`. */
static int dispatch(int count, char **words, bool help) {
  int used;
  const cli_verb *verb = verb_find(count, words, &used);
  if (verb && help) {
    options_print_help(verb, stdout);
    return finish(0);
  }
  if (verb) return run_verb(verb, count - used, words + used);
  const verb_family *f = verb_family_named(words[0]);
  if (!f) return unknown_verb(words[0]);
  return about_family(f, count > 1 ? words[1] : NULL, help && count == 1);
}

/* Rows, sums and noise lie in the memory of this process: no core dump holds them, and no other
 * process of the same user reads them.  (A leak check under the address sanitizer makes the process
 * traceable again by itself, at its end.) */
static void guard_memory(void) {
  const struct rlimit none = {0, 0};
  (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  (void)setrlimit(RLIMIT_CORE, &none);
}

static int run(int count, char **words) {
  const char *first = count > 1 ? words[1] : "";
  terminal_filter_start();
  if (count < 2) {
    print_usage(stderr);
    return 2;
  }
  if (strcmp(first, "help") == 0 && count > 2) return dispatch(count - 2, words + 2, true);
  if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0) {
    print_usage(stdout);
    return finish(0);
  }
  if (strcmp(first, "--version") == 0) {
    printf("sfumato %s\n", sfm_version());
    return finish(0);
  }
  if (strcmp(first, "--help-man") == 0) {
    print_manual(stdout);
    return finish(0);
  }
  if (strcmp(first, "--complete") == 0) {
    completion_print(count - 2, words + 2);
    return finish(0);
  }
  return dispatch(count - 1, words + 1, false);
}

int main(int count, char **words) {
  guard_memory();
  fonts_find();
  signals_start();
  return signals_finish(run(count, words));
}
