/* linear_release.c - private rows in, noisy answers to linear queries of their table out.
 *
 * The method `table` is a histogram.  The others count the rows in the cells, which is private, and
 * add noise to what the matrix makes of the counts: to integers, or (k-norm) to real numbers. */
#include <stdlib.h>

#include "mechanisms/core/release_run.h"
#include "mechanisms/core/request_json.h"
#include "mechanisms/core/rows_pass.h"
#include "mechanisms/core/vector_noise.h"
#include "histogram_counts.h"
#include "planner/design/design_vector.h"
#include "planner/design/design_linear.h"
#include "planner/plan/plan_linear.h"
#include "releases/core/release_kind.h"

/* One release under way. */
typedef struct linear_run {
  sfmi_release_run base;
  const sfmi_linear_request *settings;
  sfm_linear_method method;
  sfmi_design_table table_design;
  sfmi_workload workload;            /* laplace, normal */
  double *vertices;                  /* k-norm */
  sfmi_hardener *hardener;           /* laplace, normal */
  sfmi_stream *stream;               /* k-norm */
  sfmi_histogram_counts cell_counts; /* PRIVATE */
} linear_run;

/* Of integers: their noise, and the release without them. */
static sfm_status begin_integers(linear_run *m, sfm_error *error) {
  const sfm_histogram_settings *table = &m->settings->table;
  const bool normal = m->method == SFM_LINEAR_NORMAL;
  sfmi_noise_law law;
  sfm_release *release = m->base.release =
      sfmi_release_begin(&sfmi_vector_kind, normal ? SFMI_NORMAL : SFMI_LAPLACE, &table->context);
  if (!release) return sfmi_fail_memory(error);
  sfm_status status = sfmi_workload_init(&m->workload, m->settings, m->table_design.rate, error);
  if (status) return status;
  const double moved =
      (normal ? m->workload.l2 : m->workload.l1) * sfm_schema_contributions(table->context.schema);
  status = normal ? sfmi_harden_normal(&law, moved, m->table_design.rate, error)
                  : sfmi_harden_laplace(&law, moved, m->table_design.rate, error);
  if (!status) status = sfmi_hardener_create(&m->hardener, &law, m->base.seed, error);
  if (status) return status;
  release->hardened = true;
  release->guarantee = m->table_design.guarantee;
  release->length = m->settings->queries;
  release->step = m->workload.step;
  release->sensitivity = moved * m->workload.step;
  release->scale = sfmi_noise_scale(&law) * m->workload.step;
  release->law = normal ? SFM_NOISE_LAW_ROUNDED_NORMAL : SFM_NOISE_LAW_DISCRETE_LAPLACE;
  release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  return release->integers ? SFM_OK : sfmi_fail_memory(error);
}

/* Of real numbers: the body, and the release without them. */
static sfm_status begin_reals(linear_run *m, sfm_error *error) {
  sfm_vector_settings vector;
  sfmi_design_vector vector_design;
  sfm_status status = sfmi_design_linear_body(&vector, &m->vertices, m->settings, error);
  if (!status)
    status = sfmi_design_vector_init(&vector_design, &vector, m->settings->queries, error);
  if (!status)
    status = sfmi_design_vector_template(&m->base.release, &vector_design, &vector,
                                         vector_design.scale, error);
  return status ? status : sfmi_seed_stream(&m->stream, m->base.seed, error);
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  linear_run *m = (linear_run *)run;
  const sfm_histogram_settings *table = &m->settings->table;
  uint64_t count;
  sfm_status status = sfmi_design_linear_check(&m->table_design, m->settings, error);
  if (!status) status = sfmi_histogram_counts_check(m->table_design.cells, run->rows, table, error);
  if (!status) status = sfmi_public_rows(&count, run->rows, table->context.schema, error);
  if (!status)
    status = m->method == SFM_LINEAR_KNORM ? begin_reals(m, error) : begin_integers(m, error);
  if (status) return status;
  run->release->neighbours = sfm_schema_neighbours(table->context.schema);
  run->release->contributions = sfm_schema_contributions(table->context.schema);
  if (!sfmi_release_take_person(run->release, table->context.schema))
    return sfmi_fail_memory(error);
  if (m->settings->names && !sfmi_release_set_labels(run->release, m->settings->names))
    return sfmi_fail_memory(error);
  return SFM_OK;
}

/* The matrix and what its rows are called by their hash. */
static json_t *parameters(const sfmi_release_run *run) {
  const linear_run *m = (const linear_run *)run;
  const sfmi_linear_request *s = m->settings;
  const sfm_release *release = run->release;
  json_t *all = sfmi_request_parameters(run, "linear");
  json_object_set_new(all, "columns",
                      sfmi_histogram_columns_json(m->table_design.cells, s->table.context.schema));
  sfmi_request_count(all, "queries", s->queries);
  json_object_set_new(all, "matrix",
                      sfmi_request_hash(s->matrix, s->queries * s->cells * sizeof *s->matrix));
  if (release->vector->labels)
    json_object_set_new(
        all, "labels",
        sfmi_request_texts_hash((const char *const *)release->vector->labels, release->length));
  sfmi_request_text(all, "method", sfmi_method_name(release->method));
  sfmi_request_text(all, "person", run->person);
  sfmi_request_text(all, "outside", sfm_outside_name(s->table.outside));
  return all;
}

static sfm_status draw_integers(linear_run *m, sfm_error *error) {
  const size_t length = m->base.release->length;
  sfmi_i128 *sums = sfmi_alloc(length, sizeof *sums);
  if (!sums) return sfmi_fail_memory(error);
  sfmi_workload_apply(&m->workload, sums, m->cell_counts.counts);
  sfmi_hardener_add(m->hardener, m->base.release->integers, sums, length);
  sfmi_wipe_free(sums, length, sizeof *sums);
  return SFM_OK;
}

static sfm_status draw_reals(linear_run *m, sfm_error *error) {
  const sfmi_linear_request *s = m->settings;
  sfm_release *release = m->base.release;
  double *theta = sfmi_alloc(s->queries, sizeof *theta);
  if (!theta) return sfmi_fail_memory(error);
  for (size_t j = 0; j < s->queries; j++)
    for (size_t c = 0; c < s->cells; c++)
      theta[j] += s->matrix[j * s->cells + c] * (double)m->cell_counts.counts[c];
  const sfm_status status = sfmi_vector_knorm(release->reals, theta, s->queries, release->scale,
                                              release->vector->shape, m->stream, error);
  sfmi_wipe_free(theta, s->queries, sizeof *theta);
  return status;
}

static sfm_status read(sfmi_release_run *run, sfm_error *error) {
  linear_run *m = (linear_run *)run;
  return sfmi_histogram_counts_read(&m->cell_counts, m->table_design.cells, run->rows,
                                    &m->settings->table, error);
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  linear_run *m = (linear_run *)run;
  return m->method == SFM_LINEAR_KNORM ? draw_reals(m, error) : draw_integers(m, error);
}

static const sfmi_release_steps steps = {
    .prepare = prepare, .parameters = parameters, .read = read, .draw = draw};

sfm_status sfm_linear_release(sfm_release **out, sfm_rows *rows, const sfm_linear_settings *given,
                              sfm_error *error) {
  sfmi_linear_request taken;
  *out = NULL;
  sfm_status status = sfmi_linear_request_init(&taken, given, error);
  if (status) return status;
  sfmi_linear_request chosen;
  status = sfmi_plan_linear_choose(&chosen, &taken, error);
  if (status) return status;
  const sfm_histogram_settings *table = &chosen.table;
  if (chosen.method == SFM_LINEAR_TABLE) return sfm_histogram_release(out, rows, table, error);
  linear_run m = {.base = sfmi_release_run_rows(&steps, rows, &table->context),
                  .settings = &chosen,
                  .method = chosen.method};
  status = sfmi_release_run_all(out, &m.base, error);
  sfmi_histogram_counts_clear(&m.cell_counts);
  sfmi_workload_clear(&m.workload);
  sfmi_design_table_clear(&m.table_design);
  sfmi_hardener_destroy(m.hardener);
  sfmi_stream_destroy(m.stream);
  free(m.vertices);
  return status;
}
