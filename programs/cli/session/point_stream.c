#include "point_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/core/text.h"
#include "cli/io/points.h"

/* A line is shorter than this. */
enum { BUFFER = 1 << 16 };

sfm_status point_domain_check(const point_domain *domain, const double *point, const char *place,
                              sfm_error *error) {
  for (size_t a = 0; a < domain->dimension; a++)
    if (!(point[a] >= domain->lower[a] && point[a] <= domain->upper[a]))
      return cli_misuse(error, "%.300s: %.300s is %.10g, but the domain is from %.10g to %.10g",
                        place, domain->names[a], point[a], domain->lower[a], domain->upper[a]);
  return SFM_OK;
}

sfm_status point_stream_open(point_stream *q, const char *path, const point_domain *domain,
                             sfm_error *error) {
  const bool standard = strcmp(path, "-") == 0;
  *q = (point_stream){.domain = domain, .name = standard ? "standard input" : path};
  q->buffer = malloc(BUFFER);
  if (!q->buffer) return cli_fail_memory(error);
  q->descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (q->descriptor < 0) return cli_misuse(error, "cannot open %s: %s", path, strerror(errno));
  return SFM_OK;
}

void point_stream_clear(point_stream *q) {
  if (q->buffer && q->descriptor > STDIN_FILENO) close(q->descriptor);
  free(q->buffer);
  *q = (point_stream){0};
}

/* More bytes behind those that are there, once some have arrived. */
static sfm_status wait_for_more(point_stream *q, sfm_error *error) {
  memmove(q->buffer, q->buffer + q->start, q->end - q->start);
  q->end -= q->start;
  q->start = 0;
  if (q->end == BUFFER)
    return cli_fail(error, SFM_FORMAT, "%s, line %zu is longer than %d bytes: it is not a point",
                    q->name, q->line + 1, BUFFER);
  ssize_t got;
  do got = read(q->descriptor, q->buffer + q->end, BUFFER - q->end);
  while (got < 0 && errno == EINTR);
  if (got < 0) return cli_fail(error, SFM_IO, "cannot read %s: %s", q->name, strerror(errno));
  q->ended = got == 0;
  q->end += (size_t)got;
  return SFM_OK;
}

/* The next complete line and the byte after it; false when none has arrived.  At the end of the
 * input what is left is a line. */
static bool find_line(const point_stream *q, csv_line *line, size_t *after) {
  const char *from = q->buffer + q->start, *newline = memchr(from, '\n', q->end - q->start);
  if (!newline && !(q->ended && q->end > q->start)) return false;
  *line = (csv_line){from, newline ? newline : q->buffer + q->end};
  *after = (size_t)(line->end - q->buffer) + (newline != NULL);
  if (line->end > line->at && line->end[-1] == '\r') line->end--;
  return true;
}

/* The first line: names, or a point already.  *names says which. */
static sfm_status read_first(point_stream *q, csv_line *line, bool *names, sfm_error *error) {
  const point_domain *domain = q->domain;
  double point[SFM_MAX_DIMENSION];
  char list[256];
  if (line->end - line->at >= 3 && memcmp(line->at, "\xEF\xBB\xBF", 3) == 0) line->at += 3;
  if (line->at < line->end && *line->at == '\x93')
    return cli_misuse(error, "%s is not text; an NPY array of points must be a file: --points FILE",
                      q->name);
  /* Numbers are a point, also where variables are called 0 and 1. */
  for (size_t a = 0; a < domain->dimension; a++) q->places[a] = (long)a;
  q->bare = csv_count_cells(*line) == domain->dimension &&
            points_read_line(point, *line, q->places, domain->dimension);
  *names = !q->bare &&
           !points_find_columns(q->places, *line, q->name, domain->names, domain->dimension, error);
  if (*names || q->bare) return SFM_OK;
  text_join(list, sizeof list, domain->names, domain->dimension);
  return cli_fail(
      error, SFM_FORMAT,
      "%.300s, line 1 is neither a point nor a header with the names of the variables: %s", q->name,
      list);
}

/* Takes one line; *taken: it was a point, now in point. */
static sfm_status take_line(point_stream *q, csv_line line, double *point, bool *taken,
                            sfm_error *error) {
  const point_domain *domain = q->domain;
  char place[400];
  bool names = false;
  *taken = false;
  if (q->line == 0) {
    sfm_status status = read_first(q, &line, &names, error);
    if (status || names) return status;
  }
  if (line.at == line.end) return SFM_OK;
  snprintf(place, sizeof place, "%.300s, line %zu", q->name, q->line + 1);
  if (q->bare && csv_count_cells(line) != domain->dimension)
    return cli_fail(
        error, SFM_FORMAT,
        "%s: %zu numbers, but the session has %zu variable%s (write decimals with a point, 40.3)",
        place, (size_t)csv_count_cells(line), domain->dimension, domain->dimension == 1 ? "" : "s");
  if (!points_read_line(point, line, q->places, domain->dimension))
    return cli_fail(error, SFM_FORMAT, "%s: a coordinate is missing or not a number", place);
  *taken = true;
  return point_domain_check(domain, point, place, error);
}

sfm_status point_stream_next(point_stream *q, double *at, size_t *count, sfm_error *error) {
  const size_t dimension = q->domain->dimension;
  *count = 0;
  while (*count < POINT_STREAM_MAX) {
    csv_line line;
    size_t after;
    bool taken;
    if (!find_line(q, &line, &after)) {
      if (*count || q->ended) return SFM_OK;
      sfm_status status = wait_for_more(q, error);
      if (status) return status;
      continue;
    }
    sfm_status status = take_line(q, line, at + *count * dimension, &taken, error);
    if (status) return *count ? SFM_OK : status;
    *count += taken;
    q->start = after;
    q->line++;
  }
  return SFM_OK;
}
