/* release_write.c - a release as JSON: everything but the coefficients through the library, and the
 * coefficients one by one, since there may be millions. */
#include "release_write.h"

#include <jansson.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/c_locale.h"
#include "base/system/file.h"
#include "base/text/json.h"
#include "release_format.h"
#include "release_kind.h"

/* NULL when a text is not UTF-8. */
static json_t *guarantee_json(const sfm_release *release) {
  const sfm_guarantee *g = &release->guarantee;
  json_t *object = json_object();
  json_object_set_new(object, "kind", json_string(sfm_guarantee_kind_name(g->kind)));
  json_object_set_new(object, "epsilon", sfmi_json_number(g->epsilon));
  json_object_set_new(object, "delta", sfmi_json_number(g->delta));
  json_object_set_new(object, "mu", g->kind == SFM_GDP ? sfmi_json_number(g->mu) : json_null());
  json_object_set_new(object, "rho", g->kind == SFM_ZCDP ? sfmi_json_number(g->rho) : json_null());
  if (g->kind == SFM_RANDOM_DP) json_object_set_new(object, "gamma", sfmi_json_number(g->gamma));
  json_object_set_new(object, "neighbours", json_string(sfm_neighbours_name(release->neighbours)));
  json_object_set_new(object, "contributions", json_integer(release->contributions));
  json_object_set_new(object, "contributions_enforced", json_boolean(release->enforced));
  bool good =
      !release->person || json_object_set_new(object, "person", json_string(release->person)) == 0;
  if (release->person_numbers) json_object_set_new(object, "person_ids", json_string("number"));
  good = json_object_set_new(object, "sentence", json_string(release->sentence)) == 0 && good;
  if (good) return object;
  json_decref(object);
  return NULL;
}

static json_t *charged_json(const sfm_release *release) {
  if (!release->dataset)
    return json_pack("{s:n, s:n, s:n, s:s}", "dataset", "request", "accounting", "sentence",
                     release->refined.combined
                         ? "Where its parts were charged they say themselves."
                         : "Not charged anywhere: no ledger counts what this and other releases of "
                           "the same rows cost together.");
  const char *accounting = sfm_accounting_name(release->accounting);
  return json_pack("{s:s, s:s, s:s, s:o}", "dataset", release->dataset, "request", release->request,
                   "accounting", accounting, "sentence",
                   json_sprintf("Charged to the dataset %s of its owner's ledger (%s accounting), "
                                "before a row was read.",
                                release->dataset, accounting));
}

static json_t *noise_json(const sfm_release *release) {
  json_t *object = json_object();
  json_object_set_new(object, "law", json_string(sfm_noise_law_name(release->law)));
  json_object_set_new(object, "scale", sfmi_json_number(release->scale));
  json_object_set_new(object, "step",
                      release->hardened ? sfmi_json_number(release->step) : json_null());
  json_object_set_new(object, "sensitivity", sfmi_json_number(release->sensitivity));
  if (release->summed > 1)
    json_object_set_new(object, "summed", json_integer((json_int_t)release->summed));
  if (release->factor != 1)
    json_object_set_new(object, "factor", sfmi_json_number(release->factor));
  if (isfinite(release->range))
    json_object_set_new(object, "range", sfmi_json_number(release->range));
  return object;
}

static json_t *band_json(const sfm_band *band) {
  json_t *object = json_object();
  json_object_set_new(object, "confidence", sfmi_json_number(band->confidence));
  json_object_set_new(object, "half_width", sfmi_json_number(band->half_width));
  json_object_set_new(object, "pointwise", sfmi_json_number(band->pointwise));
  json_object_set_new(object, "systematic", sfmi_json_number(band->systematic));
  return object;
}

static void set_grid(json_t *object, const sfm_release *release) {
  json_t *grid = json_array();
  for (size_t a = 0; a < release->dimension; a++)
    json_array_append_new(grid, json_integer((json_int_t)release->places.counts[a]));
  json_object_set_new(object, "grid", grid);
}

/* Of values at places; a list of points is written by print_points. */
static void set_places(json_t *object, const sfm_release *release) {
  if (release->method == SFMI_SOBOLEV) {
    json_t *gamma = json_array();
    for (size_t a = 0; a < release->dimension; a++)
      json_array_append_new(gamma, sfmi_json_number(release->gamma[a]));
    json_object_set_new(object, "gamma", gamma);
  }
  if (release->kernel == SFM_KERNEL_POLYNOMIAL) {
    json_object_set_new(object, "degree", json_integer(release->degree));
    json_object_set_new(object, "constant", sfmi_json_number(release->constant));
  }
  json_object_set_new(object, "sup", sfmi_json_number(release->sup));
  json_object_set_new(object, "nugget", sfmi_json_number(release->nugget));
  if (!release->places.points) set_grid(object, release);
}

/* False when a text is not UTF-8 or memory is short. */
static bool set_groups(json_t *object, const sfmi_partition *by) {
  bool good = true;
  if (by->count == 0) return true;
  json_t *groups = json_array();
  for (size_t i = 0; i < by->count; i++) {
    json_t *categories = json_array();
    for (size_t k = 0; k < by->sizes[i]; k++)
      good = json_array_append_new(categories, json_string(by->labels[i][k])) == 0 && good;
    json_t *column = json_object();
    good = json_object_set_new(column, "column", json_string(by->columns[i])) == 0 && good;
    json_object_set_new(column, "categories", categories);
    json_array_append_new(groups, column);
  }
  json_object_set_new(object, "groups", groups);
  return good;
}

/* How large the groups are: what readers of a summary need of the coefficients, and of a refined
 * release all that is left. */
static void set_sizes(json_t *object, const sfm_release *release) {
  const size_t groups = sfm_release_group_count(release);
  double size = NAN, deviation = NAN;
  if (groups == 0) return;
  json_t *sizes = json_array();
  for (size_t g = 0; g < groups; g++) {
    sfm_release_group_size(release, &size, &deviation, g);
    json_array_append_new(sizes, sfmi_json_number(size));
  }
  json_object_set_new(object, "sizes", sizes);
  json_object_set_new(object, "size_error", sfmi_json_number(deviation));
}

static void set_refined(json_t *object, const sfm_release *release) {
  const sfmi_refinement *r = &release->refined;
  json_t *done = json_pack("{s:b, s:b, s:b, s:b}", "shrink", r->shrunk, "nonnegative",
                           r->nonnegative, "normalise", r->normalised, "combine", r->combined);
  if (r->combined && r->parts) {
    json_object_set_new(done, "parts", json_integer((json_int_t)r->parts));
    json_object_set_new(done, "disjoint", json_boolean(r->disjoint));
    json_object_set_new(done, "parts_disjoint", json_boolean(r->parts_disjoint));
  }
  json_object_set_new(object, "refined", done);
  set_grid(object, release);
  set_sizes(object, release);
}

/* A table is written by print_table. */
static void set_basis(json_t *object, const sfm_release *release) {
  const sfmi_basis *basis = release->basis;
  json_t *stated = json_object();
  json_object_set_new(stated, "family", json_string(sfmi_basis_family_name(basis->family)));
  json_object_set_new(
      stated, "terms",
      json_integer((json_int_t)(basis->count + sfmi_basis_family_has_constant(basis->family))));
  if (basis->family == SFMI_HERMITE)
    json_object_set_new(stated, "unit", sfmi_json_number(basis->unit));
  if (basis->family == SFMI_EIGEN)
    json_object_set_new(stated, "nodes", json_integer((json_int_t)basis->nodes));
  if (basis->family == SFMI_RANDOM)
    json_object_set_new(stated, "seed", json_integer((json_int_t)basis->seed));
  if (basis->family == SFMI_SPAN) {
    json_t *points = json_array();
    for (size_t i = 0; i < basis->nodes; i++)
      json_array_append_new(points, sfmi_json_number(basis->points[i]));
    json_object_set_new(stated, "points", points);
  }
  json_object_set_new(object, "basis", stated);
  if (release->method != SFMI_CURVE) return;
  json_object_set_new(object, "clip", sfmi_json_number(release->clip));
  json_object_set_new(object, "ridge", sfmi_json_number(release->ridge));
}

static void set_geometry(json_t *object, const sfm_release *release) {
  json_t *sizes = json_array(), *geometry = json_object();
  const bool lattice = release->method == SFMI_LATTICE;
  for (size_t a = 0; a < release->dimension; a++)
    json_array_append_new(sizes, json_integer((json_int_t)(lattice ? release->lattice.axis[a].cells
                                                                   : release->torus[a].terms)));
  if (lattice) {
    json_object_set_new(geometry, "order", json_integer(release->lattice.order));
    json_object_set_new(geometry, "bits", json_integer(release->lattice.bits));
  }
  json_object_set_new(geometry, lattice ? "cells" : "terms", sizes);
  json_object_set_new(object, lattice ? "lattice" : "torus", geometry);
  if (release->method == SFMI_CARATHEODORY)
    json_object_set_new(object, "body", json_string(sfm_density_body_name(release->body)));
}

static void set_choice(json_t *object, const sfm_release *release) {
  const sfmi_bandwidth_choice *choice = &release->choice;
  json_t *candidates = json_array();
  for (size_t i = 0; i < choice->count; i++) {
    json_t *one = json_array();
    for (size_t a = 0; a < release->dimension; a++)
      json_array_append_new(one, sfmi_json_number(choice->candidates[i * release->dimension + a]));
    json_array_append_new(candidates, one);
  }
  const sfm_guarantee *rest = &choice->rest;
  json_object_set_new(object, "choice",
                      json_pack("{s:o, s:I, s:f, s:f, s:{s:s, s:f, s:f, s:o}}", "candidates",
                                candidates, "chosen", (json_int_t)choice->index, "share",
                                choice->share, "epsilon", choice->epsilon, "rest", "kind",
                                sfm_guarantee_kind_name(rest->kind), "epsilon", rest->epsilon,
                                "delta", rest->delta, "mu",
                                rest->kind == SFM_GDP ? sfmi_json_number(rest->mu) : json_null()));
}

/* False when a text is not UTF-8 or memory is short. */
static bool set_function(json_t *object, const sfm_release *release) {
  bool good = true;
  if (release->has_rows)
    json_object_set_new(object, "rows", json_integer((json_int_t)release->rows));
  json_t *domain = json_array(), *bandwidth = json_array();
  for (size_t a = 0; a < release->dimension; a++) {
    json_t *column = json_object();
    good = json_object_set_new(column, "column", json_string(release->columns[a])) == 0 && good;
    json_object_set_new(column, "lower", sfmi_json_number(release->lower[a]));
    json_object_set_new(column, "upper", sfmi_json_number(release->upper[a]));
    if (release->boundary[a] != SFM_OPEN)
      json_object_set_new(column, "boundary", json_string(sfm_boundary_name(release->boundary[a])));
    json_array_append_new(domain, column);
    json_array_append_new(bandwidth, sfmi_json_number(release->bandwidth[a]));
  }
  json_object_set_new(object, "domain", domain);
  if (release->dropped)
    json_object_set_new(object, "dropped", json_integer((json_int_t)release->dropped));
  if (release->density)
    json_object_set_new(object, "outside", json_string(sfm_outside_name(release->outside)));
  /* A series has a kernel only when it is one's eigenfunctions. */
  const bool kernel =
      release->method != SFMI_SERIES || (release->basis && release->basis->family == SFMI_EIGEN);
  if (kernel)
    json_object_set_new(object, "kernel", json_string(sfm_kernel_family_name(release->kernel)));
  if (kernel && sfmi_kernel_stationary(release->kernel))
    json_object_set_new(object, "bandwidth", bandwidth);
  else
    json_decref(bandwidth);
  if (release->choice.count) set_choice(object, release);
  if (release->engine != SFM_ENGINE_AUTO)
    json_object_set_new(object, "engine", json_string(sfm_engine_name(release->engine)));
  good = set_groups(object, &release->by) && good;
  if (release->refined.done)
    set_refined(object, release);
  else if (sfmi_release_placed(release))
    set_places(object, release);
  else if (release->basis)
    set_basis(object, release);
  else
    set_geometry(object, release);
  return good;
}

/* False when the column's name is not UTF-8 or memory is short. */
static bool set_range(json_t *object, const sfm_release *release) {
  json_t *quantiles = json_array(), *column = json_object(), *domain = json_array();
  if (release->has_rows)
    json_object_set_new(object, "rows", json_integer((json_int_t)release->rows));
  const bool good = json_object_set_new(column, "column", json_string(release->columns[0])) == 0;
  json_object_set_new(column, "lower", sfmi_json_number(release->lower[0]));
  json_object_set_new(column, "upper", sfmi_json_number(release->upper[0]));
  json_array_append_new(domain, column);
  json_object_set_new(object, "domain", domain);
  json_object_set_new(object, "outside", json_string(sfm_outside_name(release->outside)));
  for (size_t i = 0; i < release->length; i++)
    json_array_append_new(quantiles, sfmi_json_number(release->quantiles[i]));
  json_object_set_new(object, "quantiles", quantiles);
  return good;
}

/* What the numbers of a vector are; false when a text is not UTF-8 or memory is short. */
static bool set_labels(json_t *object, const sfm_release *release) {
  json_t *labels = json_array();
  bool good = labels != NULL;
  for (size_t i = 0; i < release->length; i++)
    good = json_array_append_new(labels, json_string(release->labels[i])) == 0 && good;
  return json_object_set_new(object, "labels", labels) == 0 && good;
}

/* All but the coefficients, or NULL. */
static json_t *header(const sfm_release *release) {
  json_t *object = json_object();
  json_object_set_new(object, "format", json_string(SFMI_FORMAT_NAME));
  json_object_set_new(object, "version", json_integer(SFMI_FORMAT_VERSION));
  json_object_set_new(object, "generator", json_sprintf("sfumato %s", sfm_version()));
  json_object_set_new(object, "kind", json_string(sfm_release_kind(release)));
  json_object_set_new(object, "method", json_string(sfm_release_method(release)));
  json_object_set_new(object, "hardened", json_boolean(release->hardened));
  json_object_set_new(object, "private", json_boolean(release->is_private));
  if (json_object_set_new(object, "guarantee", guarantee_json(release)) != 0) {
    json_decref(object);
    return NULL;
  }
  json_object_set_new(object, "charged", charged_json(release));
  json_object_set_new(object, "noise", noise_json(release));
  const bool range = release->method == SFMI_EXPONENTIAL;
  const sfmi_release_kind *release_kind = sfmi_release_kind_of(release->method);
  if ((release->function && !set_function(object, release)) ||
      (range && !set_range(object, release)) || (release->labels && !set_labels(object, release)) ||
      (release_kind && !release_kind->set(object, release))) {
    json_decref(object);
    return NULL;
  }
  json_object_set_new(object, "length", json_integer((json_int_t)release->length));
  const bool bandless = release->refined.done || (release_kind && release_kind->bandless);
  json_object_set_new(object, "band", bandless ? json_null() : band_json(&release->band));
  return object;
}

sfm_status sfm_release_summary(const sfm_release *release, char **json, sfm_error *error) {
  json_t *object = header(release);
  if (object) set_sizes(object, release);
  *json = object ? sfmi_json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(object);
  return *json ? SFM_OK : sfmi_fail_memory(error);
}

static void write_coefficient(FILE *stream, const sfm_release *release, size_t i) {
  if (!release->integers) {
    sfmi_fprintf(stream, "%.17g", release->reals[i]);
    return;
  }
  int64_t value = release->integers[i];
  bool large = value >= SFMI_FORMAT_STRING_FROM || value <= -SFMI_FORMAT_STRING_FROM;
  sfmi_fprintf(stream, large ? "\"%" PRId64 "\"" : "%" PRId64, value);
}

static void print_points(FILE *stream, const sfm_release *release) {
  const size_t d = release->dimension;
  fputs(",\n \"points\": [", stream);
  for (size_t i = 0; i < release->places.count; i++) {
    fputs(i == 0 ? "\n  " : i % 6 == 0 ? ",\n  " : ", ", stream);
    for (size_t a = 0; a < d; a++)
      sfmi_fprintf(stream, a ? ", %.17g" : "[%.17g", release->places.points[i * d + a]);
    fputc(']', stream);
  }
  fputs("\n ]", stream);
}

static void print_table(FILE *stream, const sfmi_basis *basis) {
  fputs(",\n \"table\": [", stream);
  /* Plus zero: -0 would be read back as the integer 0. */
  for (size_t i = 0; i < basis->count * basis->nodes; i++)
    sfmi_fprintf(stream, "%s%.17g",
                 i == 0       ? "\n  "
                 : i % 6 == 0 ? ",\n  "
                              : ", ",
                 basis->table[i] + 0.0);
  fputs("\n ]", stream);
}

static sfm_status print(const sfm_release *release, FILE *stream, sfm_error *error) {
  json_t *object = header(release);
  char *text = object ? sfmi_json_dumps(object, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(object);
  if (!text) return sfmi_fail_memory(error);
  /* The object without its closing "\n}". */
  sfmi_fprintf(stream, "%.*s", (int)strlen(text) - 2, text);
  if (release->places.points) print_points(stream, release);
  if (release->basis && release->basis->table) print_table(stream, release->basis);
  const sfmi_release_kind *release_kind = sfmi_release_kind_of(release->method);
  if (release_kind && release_kind->print) release_kind->print(stream, release);
  fputs(",\n \"coefficients\": [", stream);
  for (size_t i = 0; i < release->length; i++) {
    fputs(i == 0 ? "\n  " : i % 12 == 0 ? ",\n  " : ", ", stream);
    write_coefficient(stream, release, i);
  }
  fputs("\n ]\n}\n", stream);
  free(text);
  return SFM_OK;
}

sfm_status sfmi_release_print(const sfm_release *release, char **bytes, size_t *length,
                              sfm_error *error) {
  *bytes = NULL;
  FILE *stream = open_memstream(bytes, length);
  if (!stream) return sfmi_fail_memory(error);
  sfm_status status = print(release, stream, error);
  bool failed = ferror(stream) != 0;
  failed = fclose(stream) != 0 || failed;
  if (!status && failed) status = sfmi_fail_memory(error);
  if (status) {
    free(*bytes);
    *bytes = NULL;
  }
  return status;
}

sfm_status sfm_release_write(const sfm_release *release, const char *path, sfm_error *error) {
  sfmi_file file;
  sfm_status status = sfmi_file_check_output(path, error);
  if (!status) status = sfmi_file_begin(&file, path, error);
  if (status) return status;
  if (release->stored)
    fwrite(release->stored, 1, release->stored_length, file.stream);
  else
    status = print(release, file.stream, error);
  if (!status) return sfmi_file_commit(&file, error);
  sfmi_file_abandon(&file);
  return status;
}

sfm_status sfm_output_check(const char *path, sfm_error *error) {
  const sfm_status status = sfmi_file_check_output(path, error);
  return status ? status : sfmi_file_check_folder(path, error);
}
