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
/* Operands beyond the second. */
#define CLI_MAX_MORE 62

typedef struct cli_option {
  const char *name;     /* without the dashes */
  const char *argument; /* the placeholder, NULL for a flag; ending in `...`: may be repeated */
  const char *help;     /* one sentence, with the unit */
  const char *fallback; /* the default in words, NULL when there is none */
  char letter;          /* the one-letter form, or 0 */
} cli_option;

typedef struct cli_options cli_options;

typedef struct cli_verb {
  const char *name; /* "show", or two words: "ledger create" */
  const char *summary;
  const char *usage;   /* what follows `sfumato NAME` */
  const char *operand; /* the placeholder of its operand; NULL: it takes none */
  const char *operand_help;
  const char *second; /* the placeholder of another one after it, or NULL; ending in `...`: more may
                         follow; in [brackets]: need not be there */
  const char *second_help;
  const cli_option *options; /* ended by an entry whose name is NULL */
  const char *about;         /* paragraphs below the options, separated by newlines; or NULL */
  const char *example;       /* commands, one per line */
  bool makes;                /* a ledger, session or anchor that is not there is made */
  bool publishes_nothing;    /* what it prints is no release and no answer: plans, and the owner's
                                own check */
  sfm_status (*run)(const cli_options *options, sfm_error *error);
} cli_verb;

struct cli_options {
  const cli_verb *verb;
  const char *operand, *second;   /* NULL when the verb takes none or help is asked for */
  const char *more[CLI_MAX_MORE]; /* those after the second */
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

/* The value given for an option, or NULL.  The name must be one that the verb declares. */
const char *options_get(const cli_options *options, const char *name);
bool options_has(const cli_options *options, const char *name);
/* Whether the verb declares an option of that name. */
bool options_declared(const cli_options *options, const char *name);

/* The values of an option that may be repeated, one per call, in the order in which they were
 * given; NULL after the last.  *at is 0 at first. */
const char *options_next(const cli_options *options, const char *name, size_t *at);

/* Each reads one option and, when it was not given, leaves *out as it is.  Messages name the
 * option, quote what was written and show something that would do. */
SFM_MUST_CHECK sfm_status options_number(const cli_options *options, double *out, const char *name,
                                         const char *example, sfm_error *error);
/* Finite and above zero. */
SFM_MUST_CHECK sfm_status options_positive(const cli_options *options, double *out,
                                           const char *name, const char *example, sfm_error *error);
/* Strictly between 0 and 1. */
SFM_MUST_CHECK sfm_status options_fraction(const cli_options *options, double *out,
                                           const char *name, const char *example, sfm_error *error);
/* A whole number from least to most. */
SFM_MUST_CHECK sfm_status options_count(const cli_options *options, uint64_t *out, const char *name,
                                        uint64_t least, uint64_t most, sfm_error *error);
/* The position of the value in words, a list ended by NULL; empty words keep a position and match
 * nothing. */
SFM_MUST_CHECK sfm_status options_choice(const cli_options *options, unsigned *out,
                                         const char *name, const char *const *words,
                                         sfm_error *error);

/* The word of candidates (count of them) nearest to word, or NULL when none is near. */
const char *options_nearest(const char *word, const char *const *candidates, size_t count);

/* Options that several verbs share. */
#define CLI_OPTION_JSON                                                                            \
  { "json", NULL, "print one JSON object on one line", NULL, 0 }
#define CLI_OPTION_SCHEMA                                                                          \
  {                                                                                                \
    "schema", "FILE",                                                                              \
        "Frictionless Table Schema (JSON) that states columns and bounds and, beside `fields`, "   \
        "person, neighbours and contributions; an option that states the same must agree with it", \
        NULL, 0                                                                                    \
  }
#define CLI_OPTION_NEIGHBOURS                                                                      \
  {                                                                                                \
    "neighbours", "replace|add-remove",                                                            \
        "what the guarantee hides: the replacement of a person's records (the number of records "  \
        "is public), or their presence (that number stays private)",                               \
        "replace", 0                                                                               \
  }
#define CLI_OPTION_CALIBRATION                                                                     \
  {                                                                                                \
    "calibration", "exact|classical",                                                              \
        "how normal noise is calibrated; classical is the formula of the papers: more noise, and " \
        "only up to epsilon 1",                                                                    \
        "exact", 0                                                                                 \
  }
#define CLI_OPTION_SEED                                                                            \
  {                                                                                                \
    "seed", "N", "for tests: noise that anyone can repeat; the release is then NOT private", NULL, \
        0                                                                                          \
  }
#define CLI_OPTION_TOTAL                                                                           \
  {                                                                                                \
    "total", "N",                                                                                  \
        "for a release under add-remove: a public number of records to divide by, instead of the " \
        "noisy total",                                                                             \
        NULL, 0                                                                                    \
  }

#endif
