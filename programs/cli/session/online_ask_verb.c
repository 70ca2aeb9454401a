/* online_ask_verb.c - sfumato online ask: answers at points; the answer at a point never changes.
 *
 * An answer is durable in the session before it is printed.  Points that arrive on a pipe are
 * answered as they come: those that are there, then a flush, then the next ones. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/core/paths.h"
#include "cli/core/signals.h"
#include "cli/io/points.h"
#include "cli/io/value_table.h"
#include "session_info.h"

static const cli_option options_table[] = {
    {"at", "POINTS",
     "one variable: numbers separated by commas (31,32); several variables: points separated by "
     "semicolons ('-74,40.7;-73.9,40.8')"},
    {"points", "FILE",
     "CSV whose header names the variables (without a header: cells in the order of the "
     "variables), or NPY of shape (points, variables); - is standard input, answered line by line"},
    {"format", "csv|json|npy",
     "csv: variables and value, one line per point, as soon as it is known; json: {\"points\": "
     "[[..]], \"values\": [..]}, at the end; npy: the values as float64, at the end",
     "csv", CLI_WORDS("csv", "json", "npy")},
    {0},
};

enum { CSV, JSON, NPY };

/* A session, the points it is asked for, and its answers. */
typedef struct ask_run {
  sfm_online *session;
  point_domain domain;
  unsigned format;
  value_table table;       /* csv: the answers of one batch; else all of them */
  double *places, *values; /* json and npy: what the table shows */
  size_t capacity;
} ask_run;

static void ask_run_clear(ask_run *a) {
  free(a->places);
  free(a->values);
  sfm_online_close(a->session);
}

static sfm_status show(FILE *out, sfm_error *error) {
  if (fflush(out) == 0 && !ferror(out)) return SFM_OK;
  return cli_fail(error, SFM_IO,
                  "cannot write standard output: %s; the session keeps the answers; ask again",
                  strerror(errno));
}

/* Room for more answers that are shown at the end. */
static sfm_status make_room(ask_run *a, size_t more, sfm_error *error) {
  const size_t wanted = a->table.count + more, d = a->domain.dimension;
  if (wanted <= a->capacity) return SFM_OK;
  const size_t capacity = wanted > 2 * a->capacity ? wanted : 2 * a->capacity;
  double *places = realloc(a->places, capacity * d * sizeof *places);
  if (places) a->places = places;
  double *values = realloc(a->values, capacity * sizeof *values);
  if (values) a->values = values;
  if (!places || !values) return cli_fail_memory(error);
  a->capacity = capacity;
  return SFM_OK;
}

/* Up to POINT_STREAM_MAX points, all of the domain: answered, and in csv printed. */
static sfm_status answer_batch(ask_run *a, const double *at, size_t count, sfm_error *error) {
  const size_t d = a->domain.dimension;
  static double values[POINT_STREAM_MAX];
  sfm_status status = a->format == CSV ? SFM_OK : make_room(a, count, error);
  if (!status) status = sfm_online_ask(a->session, values, at, count, error);
  if (status) return status;
  if (a->format != CSV) {
    memcpy(a->places + a->table.count * d, at, count * d * sizeof *at);
    memcpy(a->values + a->table.count, values, count * sizeof *values);
    a->table.count += count;
    return SFM_OK;
  }
  a->table.points = at;
  a->table.values = values;
  a->table.count = count;
  value_table_write_lines(&a->table, stdout);
  return show(stdout, error);
}

/* A signal that comes meanwhile ends the command after this batch. */
static sfm_status answer(ask_run *a, const double *at, size_t count, sfm_error *error) {
  signals_defer("a batch of answers is being stored", "ask again: stored answers stay the same");
  const sfm_status status = answer_batch(a, at, count, error);
  signals_settle();
  return status;
}

/* All of count points, in batches. */
static sfm_status answer_all(ask_run *a, const double *at, size_t count, sfm_error *error) {
  sfm_status status = SFM_OK;
  for (size_t done = 0, batch; !status && done < count && !signals_came(); done += batch) {
    batch = count - done < POINT_STREAM_MAX ? count - done : POINT_STREAM_MAX;
    status = answer(a, at + done * a->domain.dimension, batch, error);
  }
  return status;
}

/* The answers that wait for the end, also of lines before a wrong one. */
static sfm_status finish(ask_run *a, bool failed, sfm_error *error) {
  if (a->format == CSV || (failed && !a->table.count)) return SFM_OK;
  a->table.points = a->places;
  a->table.values = a->values;
  (a->format == JSON ? value_table_write_json : value_table_write_npy)(&a->table, stdout);
  return show(stdout, error);
}

/* --at: all of them, or none when one is outside. */
static sfm_status ask_text(ask_run *a, const char *text, sfm_error *error) {
  points list;
  const size_t d = a->domain.dimension;
  sfm_status status = points_from_text(&list, text, d, error);
  for (size_t i = 0; !status && i < list.count; i++)
    status = point_domain_check(&a->domain, list.at + i * d, "--at", error);
  if (!status && a->format == CSV) value_table_write_names(&a->table, stdout);
  if (!status) status = answer_all(a, list.at, list.count, error);
  points_clear(&list);
  return status;
}

/* An array: the rows before the first one outside are answered. */
static sfm_status ask_array(ask_run *a, const char *path, sfm_error *error) {
  points list;
  const size_t d = a->domain.dimension;
  size_t good = 0;
  char place[400];
  sfm_error outside;
  sfm_status wrong = SFM_OK, status = points_from_file(&list, path, a->domain.names, d, error);
  while (!status && good < list.count && !wrong) {
    snprintf(place, sizeof place, "%.300s, row %zu", path, good + 1);
    wrong = point_domain_check(&a->domain, list.at + good * d, place, &outside);
    good += !wrong;
  }
  if (!status && a->format == CSV) value_table_write_names(&a->table, stdout);
  if (!status) status = answer_all(a, list.at, good, error);
  points_clear(&list);
  if (status || !wrong) return status;
  *error = outside;
  return wrong;
}

/* Lines as they arrive. */
static sfm_status ask_lines(ask_run *a, const char *path, sfm_error *error) {
  double *batch = malloc(POINT_STREAM_MAX * a->domain.dimension * sizeof *batch);
  point_stream q;
  size_t count = 1;
  sfm_status status = point_stream_open(&q, path, &a->domain, error);
  if (!status && !batch) status = cli_fail_memory(error);
  if (!status && a->format == CSV) {
    value_table_write_names(&a->table, stdout);
    status = show(stdout, error);
  }
  while (!status && count && !signals_came()) {
    status = point_stream_next(&q, batch, &count, error);
    if (!status && count) status = answer(a, batch, count, error);
  }
  point_stream_clear(&q);
  free(batch);
  return status;
}

static bool is_array(const char *path) {
  char magic[6] = "";
  struct stat about;
  if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return false;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  bool is = descriptor >= 0 && pread(descriptor, magic, sizeof magic, 0) == sizeof magic &&
            memcmp(magic, "\x93NUMPY", sizeof magic) == 0;
  if (descriptor >= 0) close(descriptor);
  return is;
}

/* What the next answer costs where it costs more each time, for the person at the terminal. */
static void tell_cost(const sfm_online *session) {
  const sfm_online_facts facts = sfm_online_about(session);
  char text[160];
  if (facts.engine != SFM_ENGINE_GRAM || !isatty(STDERR_FILENO)) return;
  session_info_cost(text, sizeof text, &facts);
  fprintf(stderr, "%s\n", text);
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  const char *at = options_get(options, "at"), *path = options_get(options, "points");
  ask_run a = {0};
  sfm_status status = options_take(options, &a.format, "format", error);
  if (!status && !at == !path)
    status = cli_misuse(error, "give one of --at POINTS and --points FILE; for example --at 31,32");
  if (!status && a.format == NPY && isatty(STDOUT_FILENO))
    status =
        cli_misuse(error, "npy is binary and standard output is a terminal; use a file or a pipe");
  if (!status) status = sfm_online_open(&a.session, options->operand, error);
  if (status) return status;
  paths_note(options);
  session_info_domain(&a.domain, a.session);
  a.table = (value_table){
      .names = a.domain.names, .dimension = a.domain.dimension, .shape = &a.table.count, .axes = 1};
  status = at               ? ask_text(&a, at, error)
           : is_array(path) ? ask_array(&a, path, error)
                            : ask_lines(&a, path, error);
  sfm_error after;
  sfm_status shown = finish(&a, status, &after);
  if (!status && shown) {
    status = shown;
    *error = after;
  }
  tell_cost(a.session);
  ask_run_clear(&a);
  return status;
}

const cli_verb verb_online_ask = {
    .name = "online ask",
    .summary = "ask a session for values of its function at points",
    .usage = "SESSION --at POINTS | --points FILE [--format csv|json|npy]",
    .operand = "SESSION",
    .options = options_table,
    .about = "Answers cost no privacy: all of them were paid for when the session was opened. The "
             "same point always has the same answer, in whatever order points come. An answer is "
             "on the disk before it is printed, so it can never change after it was seen.\n"
             "With --points - every complete line that has arrived is answered before the command "
             "waits for more. A line that is not a point of the domain ends the command with exit "
             "code 2 and a message that names the line; the answers to earlier lines stay valid. "
             "An older copy of a gram session is refused with exit code 3. Each answer of a gram "
             "session takes longer than the one before; on a terminal the command prints how long.",
    .example = "sfumato online ask s.sfs --at 31,32\n"
               "producer | sfumato online ask s.sfs --points - | consumer",
    .run = run,
};
