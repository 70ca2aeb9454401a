/* histogram.c - private rows in, noisy counts of cells out.  Order of events as in density.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/billing.h"
#include "mechanisms/tabulating.h"

/* One release under way. */
typedef struct making {
  const sfm_histogram_settings *settings;
  sfm_rows *rows;
  sfmi_bill bill;
  sfmi_tableau tableau;
  sfmi_noise_law law;
  sfmi_hardener *hardener;
  sfm_release *release;
  sfmi_tabulation tabulation; /* PRIVATE */
  uint8_t fingerprint[SFMI_DIGEST_BYTES];
} making;

/* Where squares add up, normal noise at a delta costs a small part of what a pure epsilon does, so
 * that auto then means it. */
static sfm_status choose_noise(making *m, sfm_error *error) {
  sfm_histogram_settings normal = *m->settings;
  if (!m->bill.charge || m->bill.accounting == SFM_ACCOUNTING_BASIC ||
      !sfmi_tableau_free(m->settings) || m->tableau.method == SFMI_TABLE_NORMAL)
    return SFM_OK;
  normal.noise = SFM_HISTOGRAM_NORMAL;
  sfmi_tableau_clear(&m->tableau);
  const sfm_status status = sfmi_tableau_init(&m->tableau, &normal, error);
  return status == SFM_OK ? sfmi_tabulating_law(&m->law, &m->tableau, error) : status;
}

/* All public checks, and the noise ready to be drawn. */
static sfm_status begin(making *m, sfm_rows *rows, const sfm_histogram_settings *settings,
                        sfm_error *error) {
  uint64_t count = 0;
  *m = (making){.settings = settings, .rows = rows};
  sfm_status status = sfmi_tableau_init(&m->tableau, settings, error);
  if (status == SFM_OK) status = sfmi_tabulating_law(&m->law, &m->tableau, error);
  if (status == SFM_OK) status = sfmi_tabulating_begin(m->tableau.cells, rows, settings, error);
  if (status == SFM_OK)
    status = sfmi_bill_ready(&m->bill, settings->charge, settings->seeded,
                             sfm_schema_person(settings->schema), error);
  if (status == SFM_OK) status = choose_noise(m, error);
  if (status == SFM_OK) status = sfmi_tabulating_count(&count, rows, settings, error);
  if (status == SFM_OK)
    status = sfmi_tableau_outline(&m->release, &m->tableau, settings, count, m->law.scale, error);
  if (status == SFM_OK)
    status = sfmi_hardener_create(&m->hardener, &m->law,
                                  (sfmi_seed){settings->seeded, settings->seed}, error);
  return status;
}

/* Parameters. */

static json_t *margins_json(const sfmi_cells *cells) {
  json_t *margins = json_array();
  for (size_t i = 0; i < cells->margin_count; i++)
    json_array_append_new(margins, json_sprintf("%llx", (unsigned long long)cells->margins[i]));
  return margins;
}

/* What was asked for, as the ledger remembers it. */
static json_t *parameters_json(const making *m) {
  const sfm_release *release = m->release;
  const sfmi_cells *cells = release->cells;
  const sfm_histogram_settings *s = m->settings;
  const char *person = sfm_schema_person(s->schema);
  json_t *all = sfmi_bill_parameters("histogram", &release->guarantee, release->neighbours,
                                     release->contributions, s->confidence);
  json_object_set_new(all, "columns", sfmi_tabulating_columns(cells, s->schema));
  if (s->margins) json_object_set_new(all, "margins", margins_json(cells));
  json_object_set_new(all, "method", json_string(sfmi_method_name(release->method)));
  if (sfmi_tableau_free(s)) {
    json_object_set_new(all, "noise", json_string("auto"));
    json_object_set_new(all, "allowed", json_real(s->delta));
  }
  if (s->occupied) json_object_set_new(all, "occupied", json_integer((json_int_t)s->occupied));
  json_object_set_new(all, "person", person ? json_string(person) : json_null());
  json_object_set_new(all, "outside", json_string(s->outside == SFM_CLAMP ? "clamp" : "drop"));
  return all;
}

/* The release from counts. */

/* Hands the list over to the release; what was raised of the threshold is too. */
static void take_listing(sfm_release *release, sfmi_listing *listing, int64_t before, int64_t tau) {
  free(release->integers);
  release->integers = listing->values;
  release->length = listing->count;
  if (tau > before) release->cells->threshold = (double)tau;
  listing->values = NULL;
}

static sfm_status draw_sparse(making *m, sfm_error *error) {
  const sfmi_occupancy *o = &m->tabulation.occupancy;
  sfm_release *release = m->release;
  const int64_t before = (int64_t)floor(release->cells->threshold);
  int64_t tau = before;
  sfmi_listing listing = {0};
  sfm_status status = sfmi_tabulating_thin(m->hardener, &listing, o->keys, o->counts, o->count,
                                           m->tableau.size, tau, error);
  if (status == SFM_OK) status = sfmi_listing_cap(&listing, &tau, SFMI_LISTED_MAX, NULL, 0, error);
  if (status == SFM_OK) {
    take_listing(release, &listing, before, tau);
    release->cells->keys = listing.keys;
    listing.keys = NULL;
  }
  sfmi_listing_clear(&listing);
  return status;
}

/* The texts of the listed entries. */
static sfm_status copy_texts(sfmi_cells *cells, const sfmi_lexicon *lexicon,
                             const sfmi_listing *listing, sfm_error *error) {
  cells->texts = sfmi_alloc(listing->count * cells->count, sizeof *cells->texts);
  if (!cells->texts) return sfmi_fail_memory(error);
  for (size_t e = 0; e < listing->count; e++) {
    const char *text = lexicon->bytes + lexicon->entries[listing->keys[e]].offset;
    for (size_t i = 0; i < cells->count; i++, text += strlen(text) + 1)
      if (!(cells->texts[e * cells->count + i] = sfmi_copy_string(text)))
        return sfmi_fail_memory(error);
  }
  return SFM_OK;
}

/* Leaves what the file can hold, whatever the texts are: each is quoted, some of its characters
 * with a backslash before them, and 32 bytes are enough for a count and what stands around it. */
static sfm_status cap_undeclared(sfmi_listing *listing, int64_t *tau, const sfmi_lexicon *lexicon,
                                 size_t columns, sfm_error *error) {
  const size_t values = SFMI_LISTED_VALUES / (columns + 1),
               most = values < SFMI_LISTED_MAX ? values : SFMI_LISTED_MAX;
  uint64_t *sizes = sfmi_alloc(listing->count, sizeof *sizes);
  if (!sizes) return sfmi_fail_memory(error);
  for (size_t e = 0; e < listing->count; e++)
    sizes[e] = 2 * (uint64_t)lexicon->entries[listing->keys[e]].length + 4 * columns + 32;
  const sfm_status status = sfmi_listing_cap(listing, tau, most, sizes, SFMI_LISTED_BYTES, error);
  free(sizes);
  return status;
}

static sfm_status draw_undeclared(making *m, sfm_error *error) {
  const sfmi_lexicon *lexicon = &m->tabulation.lexicon;
  sfm_release *release = m->release;
  const int64_t before = (int64_t)floor(release->cells->threshold);
  int64_t tau = before;
  sfmi_listing listing = {0};
  uint64_t *counts = sfmi_alloc(lexicon->count, sizeof *counts);
  if (!counts) return sfmi_fail_memory(error);
  for (size_t e = 0; e < lexicon->count; e++) counts[e] = lexicon->entries[e].count;
  sfm_status status =
      sfmi_tabulating_screen(m->hardener, &listing, counts, lexicon->count, tau, error);
  if (status == SFM_OK)
    status = cap_undeclared(&listing, &tau, lexicon, release->cells->count, error);
  if (status == SFM_OK) {
    take_listing(release, &listing, before, tau);
    status = copy_texts(release->cells, lexicon, &listing, error);
  }
  explicit_bzero(counts, lexicon->count * sizeof *counts);
  free(counts);
  sfmi_listing_clear(&listing);
  return status;
}

static sfm_status draw(making *m, sfm_error *error) {
  const sfmi_cells *cells = m->release->cells;
  if (m->release->method == SFMI_TABLE_UNDECLARED) return draw_undeclared(m, error);
  if (m->release->method == SFMI_TABLE_SPARSE) return draw_sparse(m, error);
  sfmi_tabulating_add(m->hardener, m->release->integers, m->tabulation.counts, m->tabulation.length,
                      cells->exact, cells->exact_to);
  return SFM_OK;
}

/* From the charged release to the finished one: rows, noise, band. */
static sfm_status finish(making *m, sfm_error *error) {
  sfm_release *release = m->release;
  sfmi_rows_set_key(m->rows, sfmi_bill_key(&m->bill));
  sfm_status status =
      sfmi_tabulating_read(&m->tabulation, release->cells, m->rows, m->settings, error);
  if (status == SFM_OK) status = draw(m, error);
  if (status != SFM_OK) return status;
  if (m->settings->charge) sfmi_rows_fingerprint(m->rows, m->fingerprint);
  status = sfmi_cells_band(&release->band, release, m->settings->confidence, error);
  if (status != SFM_OK) return status;
  return sfmi_release_write_sentence(release) ? SFM_OK : sfmi_fail_memory(error);
}

static void clear(making *m) {
  sfmi_tabulation_clear(&m->tabulation);
  sfmi_tableau_clear(&m->tableau);
  sfmi_hardener_destroy(m->hardener);
  sfm_release_destroy(m->release);
}

sfm_status sfm_histogram_release(sfm_release **out, sfm_rows *rows,
                                 const sfm_histogram_settings *settings, sfm_error *error) {
  sfm_release *stored = NULL;
  making m;
  *out = NULL;
  sfm_status status = begin(&m, rows, settings, error);
  if (status == SFM_OK)
    status = sfmi_bill_charge(&m.bill, &stored, m.release,
                              settings->charge ? parameters_json(&m) : NULL, error);
  if (status == SFM_OK && !stored) {
    status = finish(&m, error);
    if (status == SFM_OK) status = sfmi_bill_store(&m.bill, &m.release, m.fingerprint, error);
  }
  status = sfmi_bill_end(&m.bill, status, error);
  if (status == SFM_OK && !stored) {
    stored = m.release;
    m.release = NULL;
  }
  clear(&m);
  *out = stored;
  return status;
}
