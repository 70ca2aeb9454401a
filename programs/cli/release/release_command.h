/* release_command.h - what every verb that releases does, in this order: read the options, check
 * the output path, open the ledger, open the rows (or read the parts of --partials), release,
 * write, report.
 *
 * Until the library charges, nothing private is read: it checks header, count of lines and all that
 * is public first, then charges, and only then reads rows. */
#ifndef CLI_RELEASE_COMMAND_H
#define CLI_RELEASE_COMMAND_H

#include "cli/core/options.h"
#include "sfumato/context.h"
#include "sfumato/partial.h"
#include "sfumato/release.h"
#include "sfumato/rows.h"

/* The options at the end of a table: of verbs that write a release, and of those that print an
 * answer. */
extern const cli_option options_release[], options_answer[];
/* --check, of those that read columns of rows. */
extern const cli_option option_check;

/* A run of such a verb. */
typedef struct release_task {
  const cli_options *options;
  const char *path; /* -o, or NULL */
  void *request;    /* a struct of the verb with settings and what they borrow, all zero at first */
  sfm_context *context; /* that of the settings */
  sfm_schema *schema;   /* owned; NULL: none was loaded */
  sfm_release *release;
} release_task;

/* The type of the request, and the sfm_context in it. */
#define RELEASE_REQUEST(type, member) .size = sizeof(type), .context = offsetof(type, member)

/* What a verb has of its own. */
typedef struct release_command {
  size_t size, context; /* of the request, and where its sfm_context is */
  const char *output;   /* an example for -o */
  bool answers;         /* it prints an answer, and need not write a release */
  bool alone;           /* it opens its rows by itself, in `release` */
  const char *band;     /* of an answer: the label of its band; NULL: it has none */
  bool warns;           /* and whether an epsilon and contributions in doubt are noted below it */
  sfm_status (*read)(release_task *task, sfm_error *error);
  /* Opens rows that are not a table; NULL: sfm_rows_open. */
  sfm_status (*open)(sfm_rows **rows, const release_task *task, const char *path, sfm_error *error);
  sfm_status (*release)(release_task *task, sfm_rows *rows, sfm_error *error);
  /* Of sums (partial_command.h): the partial of the release, else NULL; and what is looked
   * at in rows that are at hand, or NULL. */
  sfm_status (*partial)(sfm_partial **out, const release_task *task, const sfm_part *part,
                        sfm_error *error);
  sfm_status (*check_rows)(const release_task *task, const sfm_rows *rows, sfm_error *error);
  /* The answer in words; and what --json prints (NULL: the summary of the release). */
  void (*print)(const release_task *task);
  sfm_status (*json)(const release_task *task, sfm_error *error);
  /* On standard error: what was made, what is promised, and how near it is.  Of an answer what
   * stands below its guarantee and its band, or NULL. */
  void (*report)(const release_task *task);
  void (*clear)(void *request);
} release_command;

/* Opens a table, or libsvm text of so many coordinates (0: a table). */
SFM_MUST_CHECK sfm_status release_command_open(sfm_rows **rows, const char *path, size_t dimension,
                                               sfm_compression compression, sfm_error *error);
/* Loads the schema that options state into the task, and hands it to the settings. */
SFM_MUST_CHECK sfm_status release_command_schema(release_task *task, sfm_error *error);
/* Runs the command of the verb. */
SFM_MUST_CHECK sfm_status release_command_run(const cli_options *options, sfm_error *error);

#endif
