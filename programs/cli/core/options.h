/* options.h - what each verb accepts, declared once: the parser, the help and the manual page all
 * read the same table, so that none of them can say something else.
 *
 * An option is written `--name value` or `--name=value`; the value may start with one dash (a
 * negative number, or `-` for standard input) but not with two.  An option given twice is an
 * error, never a silent choice, unless its placeholder ends in `...`: options_get then has the
 * values joined by commas, as if they had been written as one list, and options_next one after the
 * other.
 *
 * A verb may have two words: those that share the first are a family. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sfumato/status.h"
#include "sfumato/words.h"

#define CLI_MAX_OPTIONS 48
/* Operands beyond the second, of verbs that do not take many. */
#define CLI_MAX_MORE 62

/* What the value of an option is. */
typedef enum cli_kind {
  OPTION_TEXT, /* any; without an argument: a flag */
  OPTION_NUMBER,
  OPTION_POSITIVE, /* finite and above zero */
  OPTION_FRACTION, /* strictly between 0 and 1 */
  OPTION_COUNT,    /* a whole number from least to most */
  OPTION_CHOICE,   /* one of words, or of those of an enumeration */
  OPTION_SEED,     /* a count, for a context */
} cli_kind;

typedef struct cli_option {
  const char *name;     /* without the dashes */
  const char *argument; /* the placeholder, NULL for a flag; ending in `...`: may be repeated */
  const char *help;     /* one sentence, with the unit */
  const char *fallback; /* the default in words, NULL when there is none */
  char letter;          /* the one-letter form, or 0 */
  cli_kind kind;
  const char *example; /* a number that would do */
  uint64_t least, most;
  sfm_enumeration enumeration;
  const char *const *words; /* ended by NULL; NULL: those of the enumeration */
  const char *missing;      /* what it is and what to write, if it must be given */
  /* Another option, with the help and the fallback above if they are set; or a list of them. */
  const struct cli_option *same, *group;
} cli_option;

#define CLI_NUMBER(usual) .kind = OPTION_NUMBER, .example = usual
#define CLI_POSITIVE(usual) .kind = OPTION_POSITIVE, .example = usual
#define CLI_FRACTION(usual) .kind = OPTION_FRACTION, .example = usual
#define CLI_COUNT(from, to) .kind = OPTION_COUNT, .least = from, .most = to
#define CLI_CHOICE(of) .kind = OPTION_CHOICE, .enumeration = of
#define CLI_WORDS(...)                                                                             \
  .kind = OPTION_CHOICE, .words = (const char *const[]) {                                          \
    __VA_ARGS__, NULL                                                                              \
  }
#define CLI_SAME(of)                                                                               \
  { .same = &option_##of }
#define CLI_GROUP(of)                                                                              \
  { .group = options_##of }

/* Where the value of an option goes: a member of a struct. */
typedef struct cli_field {
  const char *name;
  size_t at, size;
} cli_field;
#define CLI_FIELD(name, type, member)                                                              \
  { name, offsetof(type, member), sizeof(((type *)0)->member) }

typedef struct cli_options cli_options;

typedef struct cli_verb {
  const char *name; /* "show", or two words: "ledger create" */
  const char *summary;
  const char *usage;        /* what follows `sfumato NAME` */
  const char *operand;      /* the placeholder of its operand; NULL: it takes none */
  const char *operand_help; /* NULL: what option_help.c says of that placeholder */
  const char *second; /* the placeholder of another one after it, or NULL; ending in `...`: more may
                         follow; in [brackets]: need not be there */
  const char *second_help;
  const char *instead;       /* an option that stands for the operand; NULL: there is none */
  bool line;                 /* instead of operands: -- and another verb with its own words */
  bool many;                 /* any number of operands may follow the second */
  const cli_option *options; /* ended by an entry that is all zero */
  const cli_option *refused; /* names it has no option for, with why in `help`; or NULL */
  const char *about;         /* paragraphs below the options, separated by newlines; or NULL */
  const char *example;       /* commands, one per line */
  bool makes;                /* a ledger, session or anchor that is not there is made */
  bool publishes_nothing;    /* what it prints is no release and no answer, as of plans */
  sfm_status (*run)(const cli_options *options, sfm_error *error);
  const struct release_command *command; /* of a verb that releases, which has no run; and of one
                                            that makes a part of its sums, which has one */
  const struct plan_request *plan;       /* of a verb that plans a release */
} cli_verb;

struct cli_options {
  const cli_verb *verb;
  cli_option list[CLI_MAX_OPTIONS + 1]; /* the verb's, groups unfolded; ended as there */
  const char *operand, *second;         /* NULL when the verb takes none or help is asked for */
  char *const *line;                    /* what follows --, of a verb that takes a line; or NULL */
  int line_count;
  int *exit_code;    /* what the command ends with where status is SFM_OK */
  const char **more; /* owned: those after the second */
  size_t more_count;
  const char *values[CLI_MAX_OPTIONS]; /* in the verb's order; NULL: not given; "" for a flag */
  char *joined[CLI_MAX_OPTIONS];       /* owned: where a value was joined from several */
  struct cli_given *given; /* owned: all options with their values, in the order given */
  size_t given_count;
  bool help;
};

/* Formats a message into error and returns status, as the library's own functions do. */
sfm_status cli_fail(sfm_error *error, sfm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for SFM_INVALID: an option, a path or a file is wrong. */
sfm_status cli_misuse(sfm_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
sfm_status cli_fail_memory(sfm_error *error);

/* Reads what follows the verb's name.  Strings are borrowed from argv.  Clear with options_clear,
 * also after a failure. */
SFM_MUST_CHECK sfm_status options_parse(cli_options *options, const cli_verb *verb, int count,
                                        char *const *words, sfm_error *error);
void options_clear(cli_options *options);

/* Unfolds a table into list, which has room for CLI_MAX_OPTIONS + 1; returns their number. */
size_t options_unfold(cli_option *list, const cli_option *table);

/* Whether it may be given more than once. */
bool options_may_repeat(const cli_option *option);

/* The value given for an option, or NULL.  The name must be one that the verb declares. */
const char *options_get(const cli_options *options, const char *name);
bool options_has(const cli_options *options, const char *name);
/* Whether the verb declares an option of that name; and its value, or NULL where it does not. */
bool options_declared(const cli_options *options, const char *name);
const char *options_given(const cli_options *options, const char *name);
/* Whether the verb is one of `plan`, which needs no names of what only rows have. */
bool options_of_plan(const cli_options *options);

/* The values of an option that may be repeated, one per call, in the order in which they were
 * given; NULL after the last.  *at is 0 at first. */
const char *options_next(const cli_options *options, const char *name, size_t *at);

/* Fills the members of a struct from the options of those names, in the order of fields, which ends
 * with a name NULL.  A member stays as it is where the option was not given, or the verb has none.
 * Messages name the option, quote what was written and show something that would do. */
SFM_MUST_CHECK sfm_status options_fill(void *out, const cli_field *fields,
                                       const cli_options *options, sfm_error *error);
/* One option, into *out: a double, a uint64_t or an enumeration, as it says; likewise. */
SFM_MUST_CHECK sfm_status options_take(const cli_options *options, void *out, const char *name,
                                       sfm_error *error);

/* The word of candidates (count of them) nearest to word, or NULL when none is near. */
const char *options_nearest(const char *word, const char *const *candidates, size_t count);

#endif
