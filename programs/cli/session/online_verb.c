/* online_verb.c - sfumato online open, status, close: a function that answers any number of
 * questions.
 *
 * A session is one file, for its owner alone.  It is read and written by the library and by nothing
 * else. */
#include <string.h>

#include "cli/core/signals.h"
#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/result_output.h"
#include "cli/ledger/ledger_options.h"
#include "cli/report/report.h"
#include "cli/request/boundary_option.h"
#include "cli/request/progress_line.h"
#include "cli/request/remark_line.h"
#include "cli/request/row_options.h"
#include "session_close.h"
#include "session_info.h"

static const cli_option open_table[] = {
    CLI_GROUP(columns),
    {"bandwidth", "H[,H...]",
     "width of the kernel in the column's unit: one number for all columns, or one per column; "
     "public. Start with a twentieth of the width of the domain"},
    CLI_SAME(kernel),
    {"engine", "auto|spectral|markov|gram",
     "how the noise is drawn. spectral: gaussian kernel, the whole function at once; markov: "
     "laplacian and matern kernels of one variable; gram: any kernel, each answer slower than the "
     "last, 65536 at most; auto: the first of these that is possible",
     "auto", CLI_WORDS("auto", "spectral", "", "markov", "gram")},
    CLI_GROUP(online),
    CLI_SAME(expect),
    CLI_GROUP(charge),
    {"anchor", "FILE",
     "gram without a ledger: a small file, kept elsewhere, that records the state of the session "
     "and reveals an older copy"},
    CLI_SAME(seed),
    {"json", NULL, "after opening, print what `online status --json` prints"},
    {0},
};

static sfm_status read_settings(sfm_density_settings *s, schema_options *f, double *h,
                                boundaries *edges, const cli_options *options, sfm_error *error) {
  sfm_status status = row_options_read(s, f, options, error);
  if (!status) status = row_options_read_bandwidth(s, f, h, false, options, error);
  if (!status) status = boundary_option_read(s, edges, options, error);
  if (status) return status;
  s->method = SFM_DENSITY_GP;
  if (s->engine == SFM_ENGINE_SPECTRAL && s->kernel != SFM_KERNEL_GAUSSIAN)
    return cli_misuse(error, "--engine spectral is for the gaussian kernel only; leave it out, or "
                             "write --engine markov or gram");
  if (options_has(options, "anchor") && options_has(options, "ledger"))
    return cli_misuse(error, "--anchor is for a session without a ledger: with --ledger the ledger "
                             "records its state; leave out one of them");
  return SFM_OK;
}

static sfm_status create(const char *path, const char *rows_path, const char *anchor,
                         const sfm_density_settings *settings, sfm_error *error) {
  sfm_rows *rows = NULL;
  sfm_density_settings s = *settings;
  progress_line line;
  progress_line_begin(&line, &s.context);
  remark_line_begin(&s.context, &verb_online_open);
  sfm_status status = sfm_rows_open(&rows, rows_path, error);
  if (!status)
    signals_defer("the session is being made",
                  "repeat the command: it removes the unfinished session and starts again");
  if (!status) status = sfm_online_create(path, rows, &s, anchor, error);
  progress_line_end(&line);
  sfm_rows_destroy(rows);
  return status;
}

static void report_opened(const sfm_online *session, const char *path, bool charged) {
  text_say(stderr, "opened", "%.300s: PRIVATE, mode 0600. %s", path,
           sfm_online_about(session).engine == SFM_ENGINE_SPECTRAL
               ? "It contains all answers: keep it with the rows"
               : "It contains the function without noise and the state of the noise: whoever reads "
                 "it can undo the protection");
  session_info_print(stderr, session);
  if (!charged) report_uncharged(stderr, false);
  text_say(stderr, "next", "sfumato online ask %.500s --at ...", path);
}

/* What happens at the bounds, where nobody said it. */
static void report_bounds(const sfm_online *session, const sfm_density_settings *settings) {
  const bool spectral = sfm_online_about(session).engine == SFM_ENGINE_SPECTRAL;
  if (settings->boundary) return;
  text_say(stderr, "bounds", "%s; what smoothing carries beyond them is %s",
           settings->outside == SFM_OUTSIDE_DROP ? "a row outside them is ignored"
                                                 : "a value outside them is replaced by the bound",
           spectral ? "folded back (--boundary open: it is cut off)" : "cut off");
}

static sfm_status run_open(const cli_options *options, sfm_error *error) {
  const char *path = options->operand;
  schema_options f = {0};
  charge c = {0};
  sfm_density_settings settings;
  sfm_online *session = NULL;
  double h[SFM_MAX_DIMENSION];
  boundaries edges;
  sfm_status status = read_settings(&settings, &f, h, &edges, options, error);
  if (!status && strcmp(path, "-") == 0)
    status = cli_misuse(error, "a session must be a file; write a path instead of -");
  if (!status) status = charge_open(&c, options, error);
  if (!status) {
    settings.context.charge = c.use;
    status = create(path, options->second, options_get(options, "anchor"), &settings, error);
  }
  /* Closed before the session opens the ledger by itself. */
  charge_close(&c);
  if (!status) status = sfm_online_open(&session, path, error);
  if (status) goto cleanup;
  if (settings.context.seeded) report_seeded(stderr, "online open");
  report_opened(session, path, options_has(options, "ledger"));
  report_bounds(session, &settings);
  row_options_warn(settings.context.schema);
  if (options_has(options, "json")) status = session_info_print_json(session, error);
cleanup:
  sfm_online_close(session);
  schema_options_clear(&f);
  return status;
}

const cli_verb verb_online_open = {
    .name = "online open",
    .summary = "read private rows once and make a session that answers questions",
    .usage =
        "SESSION ROWS --columns NAMES --bounds A:B --bandwidth H --epsilon E --delta D [options]",
    .operand = "SESSION",
    .operand_help = "the file of the new session, usually named *.sfs: PRIVATE",
    .second = "ROWS",
    .options = open_table,
    .about =
        "A session is one random function: the density of the rows plus noise, defined at every "
        "place. It is charged once, here, for all answers that it will ever give.\n"
        "Its file is PRIVATE and readable by its owner alone (mode 0600). It contains the function "
        "without noise and the state of the noise (spectral: all answers), so whoever reads it can "
        "undo the protection. The answers may be published, the file never. `online close` wipes "
        "it.\n"
        "spectral is hardened. markov and gram are idealised, and for replace neighbours only. A "
        "gram session draws each answer given the earlier ones, so two copies must not continue "
        "separately: the ledger, or --anchor, records its state, and an older copy is refused.",
    .example = "sfumato online open s.sfs rows.csv --columns age --bounds 0:100 --bandwidth 4 "
               "--epsilon 1 --delta 1e-6\n"
               "sfumato online ask s.sfs --at 31,32\n"
               "sfumato online close s.sfs -o t.sfm",
    .run = run_open,
    .makes = true,
};

static const cli_option status_table[] = {CLI_SAME(json), {0}};

static sfm_status run_status(const cli_options *options, sfm_error *error) {
  sfm_online *session = NULL;
  sfm_status status = sfm_online_open(&session, options->operand, error);
  if (!status && options_has(options, "json"))
    status = session_info_print_json(session, error);
  else if (!status)
    session_info_print(stdout, session);
  sfm_online_close(session);
  return status;
}

const cli_verb verb_online_status = {
    .name = "online status",
    .summary = "show what is public of a session",
    .usage = "SESSION [--json]",
    .operand = "SESSION",
    .options = status_table,
    .about = "The JSON object has the keys engine, kernel, domain [{column, lower, upper}], "
             "answers (given so far; 0 for spectral, which counts none), next {work, bytes} (the "
             "multiplications and the bytes that the next answer takes) and guarantee {kind, "
             "epsilon, delta, mu, sentence}, which is for all answers together.",
    .example = "sfumato online status s.sfs\nsfumato online status s.sfs --json",
    .run = run_status,
};

static const cli_option close_table[] = {CLI_GROUP(session_close), {0}};

/* The transcript, durably, of a session that has answered. */
static sfm_status write_transcript(sfm_online *session, const char *path, sfm_error *error) {
  const sfm_online_facts about = sfm_online_about(session);
  sfm_release *release = NULL;
  if (about.engine != SFM_ENGINE_SPECTRAL && about.answers == 0)
    return cli_misuse(error, "this session has given no answers, so it has no transcript; "
                             "--discard wipes it without one");
  sfm_status status = session_close_check_paths(path, sfm_online_ledger(session),
                                                sfm_online_anchor(session), error);
  if (!status) status = sfm_online_transcript(session, &release, error);
  if (!status) status = output_release(release, path, error);
  if (!status) report_written(stderr, release, path, NULL);
  if (!status) report_next(stderr, release, path);
  sfm_release_destroy(release);
  return status;
}

static sfm_status run_close(const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "output");
  sfm_online *session = NULL;
  sfm_status status = session_close_check(options, error);
  signals_hold(); /* the transcript first, then the wipe, and both whole */
  if (!status && !path) status = sfm_online_discard(options->operand, error);
  if (!status && path) status = sfm_online_open(&session, options->operand, error);
  if (!status && path) status = write_transcript(session, path, error);
  if (!status && path) status = sfm_online_wipe(session, error);
  sfm_online_close(session);
  signals_release();
  if (status) return status;
  session_close_print(stderr, options->operand);
  return SFM_OK;
}

const cli_verb verb_online_close = {
    .name = "online close",
    .summary = "write all answers of a session to a file and wipe the session",
    .usage = "SESSION -o FILE | --discard",
    .operand = "SESSION",
    .options = close_table,
    .about =
        "The transcript is a release and may be published. For a spectral session it is the whole "
        "function, otherwise the points that were asked and their answers. Its band then holds for "
        "points that were chosen beforehand, without regard to earlier answers. When the "
        "transcript is on the disk, the file of the session is overwritten and removed. (Copies in "
        "backups, or that a disk or file system keeps elsewhere, are not.) A session without "
        "answers has no transcript unless it is spectral: use --discard.",
    .example = "sfumato online close s.sfs -o answers.sfm\nsfumato online close s.sfs --discard",
    .run = run_close,
};
