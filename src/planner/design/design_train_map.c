#include "design_train_map.h"

#include <math.h>

#include "data/schema/category.h"
#include "design_tddl.h"
#include "design_tddl_gram.h"
#include "design_tdil.h"
#include "design_train.h"
#include "features/kernels/kernel.h"
#include "data/schema/schema.h"

/* ---- encoding ---- */

static bool copy_categories(sfmi_input *input, const char *const *categories, size_t count) {
  input->categories = sfmi_copy_strings(categories, count);
  input->category_count = count;
  return input->categories != NULL;
}

static bool copy_input(sfmi_input *input, const char *name, const sfm_column *column) {
  input->name = sfmi_copy_string(name);
  if (!input->name) return false;
  size_t count = 0;
  const char *const *categories = column ? sfmi_column_categories(column, &count) : NULL;
  if (count) return copy_categories(input, categories, count);
  if (column && column->has_bounds) {
    input->bounded = true;
    input->lower = column->lower;
    input->upper = column->upper;
  }
  return true;
}

static const char *why_bounds(const sfm_train_settings *s) {
  return sfmi_kernel_stationary(s->kernel)
             ? "the phases of random and torus features need a domain"
             : "without them one record could have any length, and move the machine by any amount";
}

/* Refuses a column without a domain. */
static sfm_status check_bounded(const sfm_train_settings *s, const char *name,
                                const sfm_column *column, sfm_error *error) {
  const bool text = column && column->type == SFM_COLUMN_TYPE_STRING,
             boolean = column && column->type == SFM_COLUMN_TYPE_BOOLEAN;
  if (text && !column->category_count)
    return sfmi_fail(error, SFM_INVALID,
                     "the column '%s' holds texts and has no categories; they must be public: "
                     "state schema.categories",
                     name);
  if (s->clip_norm > 0 || boolean || (column && (column->has_bounds || column->category_count)))
    return SFM_OK;
  return sfmi_fail(
      error, SFM_INVALID,
      "no bounds for column '%s': %s. Bounds must be public knowledge that you state, never read "
      "from the rows; state schema.bounds. "
      "settings.clip_norm = R would do too, but without bounds columns are not scaled, and rows "
      "are shortened to R in the columns' own units",
      name, why_bounds(s));
}

static sfm_status take_inputs(sfmi_encoding *encoding, const sfm_train_settings *s,
                              sfm_error *error) {
  encoding->inputs = sfmi_alloc(s->feature_count, sizeof *encoding->inputs);
  if (!encoding->inputs) return sfmi_fail_memory(error);
  for (size_t i = 0; i < s->feature_count; i++) {
    const sfm_column *column = sfm_schema_find(s->context.schema, s->features[i]);
    const sfm_status status = check_bounded(s, s->features[i], column, error);
    if (status) return status;
    encoding->input_count = i + 1;
    if (!copy_input(&encoding->inputs[i], s->features[i], column)) return sfmi_fail_memory(error);
  }
  return SFM_OK;
}

static sfm_status take_sparse(sfmi_encoding *encoding, const sfm_train_settings *s,
                              size_t dimension, sfm_error *error) {
  if (!s->sparse_bounded && s->clip_norm == 0)
    return sfmi_fail(error, SFM_INVALID,
                     "no bounds for the numbers of the rows: %s. State settings.sparse_bounded, "
                     "_lower and _upper (of "
                     "every coordinate), or settings.clip_norm = 1, which shortens rows to that "
                     "length; both are public knowledge that you state, never read from the rows",
                     why_bounds(s));
  encoding->dimension = dimension;
  encoding->bounded = s->sparse_bounded;
  encoding->lower = s->sparse_lower;
  encoding->upper = s->sparse_upper;
  return SFM_OK;
}

sfm_status sfmi_design_train_encoding(sfmi_encoding *encoding, const sfm_train_settings *s,
                                      size_t dimension, sfm_error *error) {
  *encoding = (sfmi_encoding){.scaling = s->features ? s->scaling : SFM_SCALING_NONE,
                              .clip = s->clip_norm > 0 ? s->clip_norm : INFINITY,
                              .drop = s->outside == SFM_OUTSIDE_DROP};
  const sfm_status status =
      s->features ? take_inputs(encoding, s, error) : take_sparse(encoding, s, dimension, error);
  if (!status) return sfmi_encoding_complete(encoding, error);
  sfmi_encoding_clear(encoding);
  return status;
}

/* ---- features ---- */

static sfm_status take_box(sfmi_feature_map *stated, const sfmi_encoding *encoding,
                           sfm_error *error) {
  stated->lower = sfmi_alloc(encoding->dimension, sizeof *stated->lower);
  stated->upper = sfmi_alloc(encoding->dimension, sizeof *stated->upper);
  if (!stated->lower || !stated->upper) return sfmi_fail_memory(error);
  for (size_t i = 0; i < encoding->dimension; i++)
    sfmi_encoding_range(encoding, &stated->lower[i], &stated->upper[i], i);
  return SFM_OK;
}

/* The places as coordinates u. */
static sfm_status take_places(sfmi_feature_map *stated, const sfmi_encoding *encoding,
                              const sfm_train_settings *s, sfm_error *error) {
  const size_t inputs = encoding->input_count;
  const sfm_status status =
      sfmi_feature_map_make_points(stated, s->place_count, s->place_count * inputs, error);
  if (status) return status;
  for (size_t p = 0; p < s->place_count; p++) {
    const size_t at = stated->point_starts[p];
    const size_t count = sfmi_encoding_row(encoding, stated->point_indices + at,
                                           stated->point_values + at, s->places + p * inputs);
    if (count == SFMI_NO_ROW)
      return sfmi_fail(error, SFM_INVALID,
                       "place %zu has a cell without a value, or one outside its bounds", p + 1);
    stated->point_starts[p + 1] = at + count;
  }
  return SFM_OK;
}

/* tdil: the points among which it chooses. */
static sfm_status take_net(sfmi_feature_map *stated, const sfmi_encoding *encoding,
                           const sfm_train_settings *s, sfm_error *error) {
  sfmi_net net;
  const sfm_status status = sfmi_design_tdil_net(&net, encoding, s, error);
  if (status) return status;
  stated->point_count = net.count;
  stated->point_starts = net.starts;
  stated->point_indices = net.indices;
  stated->point_values = net.values;
  return SFM_OK;
}

static sfm_status take_form(sfmi_feature_map *stated, const sfmi_encoding *encoding,
                            const sfm_train_settings *s, uint64_t seed, sfm_error *error) {
  switch (stated->form) {
  case SFMI_FEATURE_MAP_RANDOM:
    stated->frequencies = s->rff_features / 2;
    stated->seed = seed;
    return SFM_OK;
  case SFMI_FEATURE_MAP_TORUS:
    return take_box(stated, encoding, error);
  case SFMI_FEATURE_MAP_POINTS:
    return s->method == SFM_TRAIN_TDIL ? take_net(stated, encoding, s, error)
                                       : take_places(stated, encoding, s, error);
  default:
    return SFM_OK;
  }
}

sfmi_feature_map sfmi_design_train_stated(const sfmi_encoding *encoding,
                                          const sfm_train_settings *s, sfmi_feature_map_form form) {
  sfmi_feature_map stated = {.form = form,
                             .dimension = encoding->dimension,
                             .radius = encoding->radius,
                             .kernel = s->kernel,
                             .constant = s->constant};
  if (sfmi_kernel_stationary(s->kernel)) stated.bandwidth = s->bandwidth;
  if (s->kernel == SFM_KERNEL_POLYNOMIAL) {
    stated.degree = s->degree;
    stated.shift = s->shift;
  }
  return stated;
}

static sfm_status make_map(sfmi_feature_map **map, const sfmi_encoding *encoding,
                           const sfm_train_settings *s, sfmi_feature_map_form form, uint64_t seed,
                           sfm_error *error) {
  sfmi_feature_map stated = sfmi_design_train_stated(encoding, s, form);
  *map = NULL;
  const sfm_status status = take_form(&stated, encoding, s, seed, error);
  if (!status) return sfmi_feature_map_create(map, &stated, error);
  sfmi_feature_map_clear(&stated);
  return status;
}

/* Where there are too many finite features, those of tddl and tdil are the points. */
sfm_status sfmi_design_train_map(sfmi_feature_map **map, const sfmi_encoding *encoding,
                                 const sfm_train_settings *s, uint64_t seed, sfm_error *error) {
  const sfmi_feature_map_form form = sfmi_design_train_form(s);
  size_t count;
  sfm_error why;
  if (s->method != SFM_TRAIN_TDDL && s->method != SFM_TRAIN_TDIL)
    return make_map(map, encoding, s, form, seed, error);
  if (!s->gram && form != SFMI_FEATURE_MAP_POINTS && !make_map(map, encoding, s, form, 0, &why))
    return SFM_OK;
  if (s->method == SFM_TRAIN_TDIL)
    return make_map(map, encoding, s, SFMI_FEATURE_MAP_POINTS, 0, error);
  const sfm_status status = sfmi_design_tddl_count(&count, s, error);
  if (!status && s->gram) return sfmi_tddl_gram_map(map, encoding, s, count, true, error);
  return !status ? sfmi_design_tddl_map(map, encoding, s, count, error) : status;
}
