/* eval_function.c - the values of a released function at points or on a grid. */
#include "cli/report/kind_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/io/points.h"
#include "cli/io/value_table.h"
#include "sfumato/density.h"

/* What is asked for, and the arrays behind it. */
typedef struct request {
  const sfm_release *release;
  const group_selection *chosen; /* the groups asked for; none where there are none */
  const char **labels;           /* theirs */
  double *sizes;
  const char *by[8];
  bool gridded;
  points asked;
  double *places;          /* the points of a grid, when they are printed */
  double *values, *widths; /* widths: of the band, when it is asked for */
  size_t counts[SFM_MAX_DIMENSION];
  const char *names[SFM_MAX_DIMENSION];
  value_table table;
} request;

static void request_clear(request *r) {
  free(r->places);
  free(r->values);
  free(r->widths);
  free(r->labels);
  free(r->sizes);
  points_clear(&r->asked);
}

/* Points of a grid; no eye or program wants more. */
static const size_t GRID_MOST = (size_t)1 << 30;

/* How many values a point has. */
static size_t sheets(const request *r) {
  return r->chosen->count ? r->chosen->count : 1;
}

static sfm_status locate_grid(request *r, const char *text, bool places, sfm_error *error) {
  size_t dimension = sfm_release_dimension(r->release), total;
  sfm_status status = points_grid_counts(r->counts, &total, text, "grid", dimension, error);
  if (status) return status;
  if (total > GRID_MOST / sheets(r))
    return cli_misuse(error,
                      "--grid %s has %zu points in %zu variables%s, more than %zu: name the points "
                      "that you need (--points FILE)",
                      text, total, dimension, r->chosen->count ? " for every group" : "",
                      GRID_MOST);
  if (places) {
    double lower[SFM_MAX_DIMENSION], upper[SFM_MAX_DIMENSION];
    for (size_t a = 0; a < dimension; a++) sfm_release_bounds(r->release, &lower[a], &upper[a], a);
    r->places = malloc(total * dimension * sizeof *r->places);
    if (!r->places) return cli_fail_memory(error);
    points_fill_grid(r->places, r->counts, lower, upper, dimension);
  }
  r->table.points = r->places;
  r->gridded = true;
  r->table.count = total;
  r->table.shape = r->counts;
  r->table.axes = dimension;
  return SFM_OK;
}

/* The places of a release that is values, all of them. */
static sfm_status list_places(request *r, sfm_error *error) {
  const size_t count = sfm_release_length(r->release), d = sfm_release_dimension(r->release);
  r->asked.owned = malloc((count * d + 1) * sizeof *r->asked.owned);
  if (!r->asked.owned) return cli_fail_memory(error);
  for (size_t i = 0; i < count; i++) sfm_release_place(r->release, r->asked.owned + i * d, i);
  r->asked.at = r->asked.owned;
  r->asked.count = count;
  return SFM_OK;
}

static sfm_status locate_points(request *r, const cli_options *options, sfm_error *error) {
  const char *at = options_get(options, "at"), *file = options_get(options, "points");
  const size_t dimension = sfm_release_dimension(r->release);
  sfm_status status;
  if (at)
    status = points_from_text(&r->asked, at, dimension, error);
  else if (file)
    status = points_from_file(&r->asked, file, r->names, dimension, error);
  else
    status = list_places(r, error);
  if (status) return status;
  r->table.points = r->asked.at;
  r->table.count = r->counts[0] = r->asked.count;
  r->table.shape = r->counts;
  r->table.axes = 1;
  return SFM_OK;
}

/* A word on points between the places of a release that is values. */
static void note_between(const request *r, const sfm_evaluator *evaluator) {
  const value_table *t = &r->table;
  const size_t between = t->points ? sfm_evaluator_interpolated(evaluator, t->points, t->count) : 0;
  const bool own = sfm_release_kernel(r->release) == SFM_KERNEL_OWN;
  if (between)
    fprintf(stderr, "note: %zu of %zu points are not points of this release; %s\n", between,
            t->count,
            own ? "there is no value there, because the kernel was the owner's own"
                : "values there are interpolated by its kernel");
}

/* The values of one release at the points, and the widths of its band where they are asked for. */
static sfm_status evaluate(const request *r, const sfm_release *release, double *values,
                           double *widths, double total, sfm_error *error) {
  const value_table *t = &r->table;
  sfm_evaluator *evaluator = NULL;
  sfm_status status = sfm_evaluator_create(&evaluator, release, total, error);
  if (!status)
    status = r->gridded ? sfm_evaluator_grid(evaluator, values, r->counts, error)
                        : sfm_evaluator_at(evaluator, values, t->points, t->count, error);
  if (!status) note_between(r, evaluator);
  if (!status && widths && t->points)
    status = sfm_evaluator_widths(evaluator, widths, t->points, t->count, error);
  for (size_t i = 0; !status && widths && !t->points && i < t->count; i++)
    widths[i] = sfm_release_band(release).half_width;
  sfm_evaluator_destroy(evaluator);
  return status;
}

/* Of a group of which nothing is known there are no values. */
static void leave_out(const request *r, size_t k) {
  char label[200];
  double size, deviation;
  const size_t g = r->chosen->groups[k], count = r->table.count;
  group_label_text(label, sizeof label, r->release, g);
  sfm_release_group_size(r->release, &size, &deviation, g);
  text_say(stderr, "note",
           "group %s has too few records (noisy size %.4g, standard error %.3g): it has no values",
           label, size, deviation);
  for (size_t i = k * count; i < (k + 1) * count; i++) {
    r->values[i] = NAN;
    if (r->widths) r->widths[i] = NAN;
  }
}

/* The chosen groups, some at a time: each is a release of its own in memory. */
static sfm_status evaluate_groups(request *r, sfm_error *error) {
  enum { CHUNK = 256 };
  sfm_release *groups[CHUNK];
  const size_t count = r->table.count;
  sfm_status status = SFM_OK;
  for (size_t first = 0; !status && first < r->chosen->count; first += CHUNK) {
    const size_t left = r->chosen->count - first, n = left < CHUNK ? left : CHUNK;
    status = sfm_release_groups(groups, r->release, r->chosen->groups + first, n, error);
    if (status) break;
    for (size_t i = 0; i < n; i++) {
      const size_t k = first + i;
      if (!status && sfm_release_too_few(groups[i]))
        leave_out(r, k);
      else if (!status)
        status = evaluate(r, groups[i], r->values + k * count,
                          r->widths ? r->widths + k * count : NULL, 0, error);
      sfm_release_destroy(groups[i]);
    }
  }
  return status;
}

/* The names and sizes of the chosen groups. */
static sfm_status list_groups(request *r, sfm_error *error) {
  const size_t columns = sfm_release_by_count(r->release), count = r->chosen->count;
  double deviation = 0;
  r->labels = malloc((count * columns + 1) * sizeof *r->labels);
  r->sizes = malloc((count + 1) * sizeof *r->sizes);
  if (!r->labels || !r->sizes) return cli_fail_memory(error);
  for (size_t i = 0; i < columns; i++) r->by[i] = sfm_release_by(r->release, i);
  for (size_t k = 0; k < count; k++) {
    const size_t g = r->chosen->groups[k];
    sfm_release_group_size(r->release, &r->sizes[k], &deviation, g);
    for (size_t i = 0; i < columns; i++)
      r->labels[k * columns + i] = sfm_release_group_label(r->release, g, i);
  }
  r->table.by = (value_table_groups){r->by, columns, r->labels, r->sizes, deviation, count};
  return SFM_OK;
}

/* The options that depend on what the release is. */
static sfm_status check_request(const request *r, const cli_options *options, sfm_error *error) {
  const int given =
      options_has(options, "at") + options_has(options, "grid") + options_has(options, "points");
  double first[SFM_MAX_DIMENSION];
  const bool places = sfm_release_place(r->release, first, 0);
  if (given > 1 || (given == 0 && !places))
    return cli_misuse(
        error, "give one of --at POINTS, --grid N and --points FILE; for example --grid 101");
  if (options_has(options, "band") && sfm_release_refined(r->release))
    return cli_misuse(
        error, "%s is refined and has no band; only the raw release has one. Leave out --band",
        options->operand);
  if (options_has(options, "total") && sfm_release_neighbours(r->release) == SFM_NEIGHBOURS_REPLACE)
    return cli_misuse(error, "--total is for densities released under add-remove; leave it out");
  if (options_has(options, "total") && r->chosen->count)
    return cli_misuse(error,
                      "--total is not for groups: each group is divided by its own noisy size");
  if (options_has(options, "total") && options_has(options, "band"))
    return cli_misuse(
        error,
        "the band is for the release divided by its noisy total; leave out --total or --band");
  return SFM_OK;
}

static sfm_status evaluate_request(request *r, const cli_options *options, bool places,
                                   sfm_error *error) {
  const char *grid = options_get(options, "grid");
  const bool band = options_has(options, "band");
  double first[SFM_MAX_DIMENSION], total = 0;
  places = places || sfm_release_place(r->release, first, 0);
  for (size_t a = 0; a < sfm_release_dimension(r->release); a++)
    r->names[a] = sfm_release_column(r->release, a);
  r->table.names = r->names;
  r->table.dimension = sfm_release_dimension(r->release);
  sfm_status status = options_take(options, &total, "total", error);
  if (!status)
    status = grid ? locate_grid(r, grid, places, error) : locate_points(r, options, error);
  if (!status && r->chosen->count) status = list_groups(r, error);
  if (status) return status;
  const size_t room = sheets(r) * r->table.count + 1;
  r->table.values = r->values = malloc(room * sizeof *r->values);
  if (band) r->table.widths = r->widths = malloc(room * sizeof *r->widths);
  if (!r->values || (band && !r->widths)) return cli_fail_memory(error);
  return r->chosen->count ? evaluate_groups(r, error)
                          : evaluate(r, r->release, r->values, r->widths, total, error);
}

sfm_status eval_function(const sfm_release *release, const group_selection *chosen,
                         const cli_options *options, unsigned format, sfm_error *error) {
  request r = {.release = release, .chosen = chosen};
  sfm_status status = check_request(&r, options, error);
  if (!status) status = evaluate_request(&r, options, format != VALUES_NPY, error);
  if (!status) status = value_table_write(&r.table, format, options_get(options, "output"), error);
  request_clear(&r);
  return status;
}
