/* histogram_release.c - private rows in, noisy counts of cells out. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/sized_struct.h"
#include "mechanisms/core/partial_run.h"
#include "mechanisms/core/release_run.h"
#include "mechanisms/core/request_json.h"
#include "mechanisms/core/rows_pass.h"
#include "histogram_counts.h"
#include "releases/core/release_kind.h"

/* One release under way. */
typedef struct histogram_run {
  sfmi_release_run base;
  const sfm_histogram_settings *settings;
  sfmi_design_table table_design;
  sfmi_noise_law law;
  sfmi_hardener *hardener;
  sfmi_histogram_counts cell_counts; /* PRIVATE */
} histogram_run;

/* Where squares add up, normal noise at a delta costs a small part of what a pure epsilon does, so
 * that auto then means it. */
static sfm_status choose_noise(histogram_run *m, sfm_error *error) {
  sfm_histogram_settings normal = *m->settings;
  if (!sfmi_protocol_squares(&m->base.protocol) || !sfmi_design_table_noise_free(m->settings) ||
      m->table_design.method == SFMI_TABLE_NORMAL)
    return SFM_OK;
  normal.noise = SFM_HISTOGRAM_NOISE_NORMAL;
  sfmi_design_table_clear(&m->table_design);
  const sfm_status status = sfmi_design_table_init(&m->table_design, &normal, error);
  return !status ? sfmi_histogram_noise_law(&m->law, &m->table_design, error) : status;
}

static sfm_status check(sfmi_release_run *run, sfm_error *error) {
  histogram_run *m = (histogram_run *)run;
  const sfm_status status = sfmi_design_table_init(&m->table_design, m->settings, error);
  return status ? status : sfmi_histogram_noise_law(&m->law, &m->table_design, error);
}

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  histogram_run *m = (histogram_run *)run;
  const sfm_histogram_settings *settings = m->settings;
  uint64_t count = 0;
  sfm_status status =
      sfmi_histogram_counts_check(m->table_design.cells, run->rows, settings, error);
  if (!status) status = choose_noise(m, error);
  if (!status) status = sfmi_public_rows(&count, run->rows, settings->context.schema, error);
  if (!status)
    status = sfmi_design_table_template(&run->release, &m->table_design, settings, count,
                                        m->law.scale, error);
  return status || run->summing ? status
                                : sfmi_hardener_create(&m->hardener, &m->law, run->seed, error);
}

static json_t *margins_json(const sfmi_cells *cells) {
  json_t *margins = json_array();
  for (size_t i = 0; i < cells->margin_count; i++)
    json_array_append_new(margins, json_sprintf("%llx", (unsigned long long)cells->margins[i]));
  return margins;
}

static json_t *parameters(const sfmi_release_run *run) {
  const sfm_release *release = run->release;
  const sfmi_cells *cells = release->cells;
  const sfm_histogram_settings *s = ((const histogram_run *)run)->settings;
  json_t *all = sfmi_request_parameters(run, "histogram");
  json_object_set_new(all, "columns", sfmi_histogram_columns_json(cells, s->context.schema));
  if (s->margins) json_object_set_new(all, "margins", margins_json(cells));
  sfmi_request_text(all, "method", sfmi_method_name(release->method));
  if (sfmi_design_table_noise_free(s)) {
    sfmi_request_text(all, "noise", "auto");
    sfmi_request_number(all, "allowed", s->delta);
  }
  if (s->occupied) sfmi_request_count(all, "occupied", s->occupied);
  sfmi_request_text(all, "person", run->person);
  sfmi_request_text(all, "outside", sfm_outside_name(s->outside));
  return all;
}

/* The release from counts. */

/* Hands the list over to the release; what was raised of the threshold is too. */
static void take_cell_list(sfm_release *release, sfmi_cell_list *list, int64_t before,
                           int64_t tau) {
  free(release->integers);
  release->integers = list->values;
  release->length = list->count;
  if (tau > before) release->cells->threshold = (double)tau;
  list->values = NULL;
}

static sfm_status draw_sparse(histogram_run *m, sfm_error *error) {
  const sfmi_occupied_cells *o = &m->cell_counts.occupied;
  sfm_release *release = m->base.release;
  const int64_t before = (int64_t)floor(release->cells->threshold);
  int64_t tau = before;
  sfmi_cell_list list = {0};
  sfm_status status = sfmi_histogram_noise_sparse(m->hardener, &list, o->keys, o->counts, o->count,
                                                  m->table_design.size, tau, error);
  if (!status) status = sfmi_cell_list_cap(&list, &tau, SFMI_LISTED_MAX, NULL, 0, error);
  if (!status) {
    take_cell_list(release, &list, before, tau);
    release->cells->keys = list.keys;
    list.keys = NULL;
  }
  sfmi_cell_list_clear(&list);
  return status;
}

/* The texts of the listed entries. */
static sfm_status copy_texts(sfmi_cells *cells, const sfmi_undeclared_cells *undeclared,
                             const sfmi_cell_list *list, sfm_error *error) {
  cells->texts = sfmi_alloc(list->count * cells->count, sizeof *cells->texts);
  if (!cells->texts) return sfmi_fail_memory(error);
  for (size_t e = 0; e < list->count; e++) {
    const char *text = undeclared->bytes + undeclared->entries[list->keys[e]].offset;
    for (size_t i = 0; i < cells->count; i++, text += strlen(text) + 1)
      if (!(cells->texts[e * cells->count + i] = sfmi_copy_string(text)))
        return sfmi_fail_memory(error);
  }
  return SFM_OK;
}

/* Leaves what the file can hold, whatever the texts are: each is quoted, some of its characters
 * with a backslash before them, and 32 bytes are enough for a count and what stands around it. */
static sfm_status cap_undeclared(sfmi_cell_list *list, int64_t *tau,
                                 const sfmi_undeclared_cells *undeclared, size_t columns,
                                 sfm_error *error) {
  const size_t values = SFMI_LISTED_VALUES / (columns + 1),
               most = values < SFMI_LISTED_MAX ? values : SFMI_LISTED_MAX;
  uint64_t *sizes = sfmi_alloc(list->count, sizeof *sizes);
  if (!sizes) return sfmi_fail_memory(error);
  for (size_t e = 0; e < list->count; e++)
    sizes[e] = 2 * (uint64_t)undeclared->entries[list->keys[e]].length + 4 * columns + 32;
  const sfm_status status = sfmi_cell_list_cap(list, tau, most, sizes, SFMI_LISTED_BYTES, error);
  free(sizes);
  return status;
}

static sfm_status draw_undeclared(histogram_run *m, sfm_error *error) {
  const sfmi_undeclared_cells *undeclared = &m->cell_counts.undeclared;
  sfm_release *release = m->base.release;
  const int64_t before = (int64_t)floor(release->cells->threshold);
  int64_t tau = before;
  sfmi_cell_list list = {0};
  uint64_t *counts = sfmi_alloc(undeclared->count, sizeof *counts);
  if (!counts) return sfmi_fail_memory(error);
  for (size_t e = 0; e < undeclared->count; e++) counts[e] = undeclared->entries[e].count;
  sfm_status status =
      sfmi_histogram_noise_undeclared(m->hardener, &list, counts, undeclared->count, tau, error);
  if (!status) status = cap_undeclared(&list, &tau, undeclared, release->cells->count, error);
  if (!status) {
    take_cell_list(release, &list, before, tau);
    status = copy_texts(release->cells, undeclared, &list, error);
  }
  sfmi_wipe_free(counts, undeclared->count, sizeof *counts);
  sfmi_cell_list_clear(&list);
  return status;
}

static sfm_status sum(sfmi_release_run *run, sfmi_sums *sums, sfm_rows *rows, sfm_error *error) {
  const histogram_run *m = (const histogram_run *)run;
  sfmi_histogram_counts counts = {0};
  sfm_status status =
      sfmi_histogram_counts_read(&counts, run->release->cells, rows, m->settings, error);
  if (!status) status = sfmi_histogram_counts_to_sums(sums, &counts, error);
  sfmi_histogram_counts_clear(&counts);
  return status;
}

static sfm_status take(sfmi_release_run *run, sfmi_sums *sums, sfm_error *error) {
  histogram_run *m = (histogram_run *)run;
  return sfmi_histogram_counts_from_sums(&m->cell_counts, sums, error);
}

static bool fits(const sfmi_release_run *run, const sfmi_sums *sums) {
  const histogram_run *m = (const histogram_run *)run;
  return sfmi_histogram_sums_fit(sums, m->table_design.size, run->release->cells->count);
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  histogram_run *m = (histogram_run *)run;
  const sfmi_cells *cells = run->release->cells;
  if (run->release->method == SFMI_TABLE_UNDECLARED) return draw_undeclared(m, error);
  if (run->release->method == SFMI_TABLE_SPARSE) return draw_sparse(m, error);
  sfmi_histogram_noise_dense(m->hardener, run->release->integers, m->cell_counts.counts,
                             m->cell_counts.length, cells->exact, cells->exact_to);
  return SFM_OK;
}

static const sfmi_release_steps steps = {.check = check,
                                         .prepare = prepare,
                                         .parameters = parameters,
                                         .sum = sum,
                                         .take = take,
                                         .fits = fits,
                                         .draw = draw};

static void clear(histogram_run *m) {
  sfmi_histogram_counts_clear(&m->cell_counts);
  sfmi_design_table_clear(&m->table_design);
  sfmi_hardener_destroy(m->hardener);
}

sfm_status sfm_histogram_release(sfm_release **out, sfm_rows *rows,
                                 const sfm_histogram_settings *given, sfm_error *error) {
  sfm_histogram_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_histogram_settings, &taken, given, error);
  if (status) return status;
  histogram_run m = {.base = sfmi_release_run_rows(&steps, rows, &taken.context),
                     .settings = &taken};
  status = sfmi_release_run_all(out, &m.base, error);
  clear(&m);
  return status;
}

static void clear_run(sfmi_release_run *run) {
  clear((histogram_run *)run);
}

static const sfmi_partial_kind partial_kind =
    SFMI_PARTIAL_KIND(steps, histogram_run, settings, clear_run);

sfm_status sfm_histogram_partial_create(sfm_partial **out, const sfm_histogram_settings *given,
                                        const sfm_part *part, sfm_error *error) {
  sfm_histogram_settings taken;
  *out = NULL;
  const sfm_status status = SFMI_TAKE(sfm_histogram_settings, &taken, given, error);
  return status ? status : sfmi_partial_create(out, &partial_kind, &taken, part, error);
}
