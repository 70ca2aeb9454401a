#include "machine_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/duplicate_name.h"
#include "base/system/c_locale.h"
#include "base/text/json.h"
#include "features/bases/random_basis.h"
#include "features/kernels/kernel.h"
#include "machine_model.h"

/* Most labels, lambdas to choose from, and numbers among the frequencies of random features. */
static const size_t CLASSES_MAX = 1000, CANDIDATES_MAX = 1000, TURNS_MAX = (size_t)1 << 28;
/* Stated and computed numbers are this near, relative: another machine's logarithm. */
static const double AGREES = 1e-9;

static sfm_status read_once(const sfmi_parse_context *at, const char *const *texts, size_t count,
                            const char *key) {
  size_t twice;
  sfm_status status = sfmi_duplicate_name(&twice, texts, count, at->error);
  if (status) return status;
  return twice == count ? SFM_OK : sfmi_parse_wrong(at, key, "made of texts, none of them twice");
}

/* Two numbers, the first below the second. */
static sfm_status read_pair(const sfmi_parse_context *at, double *lower, double *upper,
                            const json_t *root, const char *key) {
  double bounds[2];
  if (!sfmi_json_numbers(bounds, json_object_get(root, key), 2) || !(bounds[0] < bounds[1]))
    return sfmi_parse_wrong(at, key, "[lower, upper], finite and lower < upper");
  *lower = bounds[0];
  *upper = bounds[1];
  return SFM_OK;
}

static sfm_status read_null(const sfmi_parse_context *at, const json_t *root, const char *key,
                            const char *why) {
  return json_is_null(json_object_get(root, key)) ? SFM_OK : sfmi_parse_wrong(at, key, why);
}

static sfm_status read_labels(const sfmi_parse_context *at, sfmi_machine_model *model,
                              const json_t *root) {
  sfm_status status = sfmi_members_read(at, model, root, sfmi_machine_label_members);
  if (status) return status;
  if (model->task == SFM_TASK_REGRESSION) {
    status = read_null(at, root, "classes", "null for regression");
    if (status) return status;
    return read_pair(at, &model->lower, &model->upper, root, "label_bounds");
  }
  status = read_null(at, root, "label_bounds", "null but for regression");
  if (!status)
    status = sfmi_parse_texts(at, &model->classes, &model->class_count, root, "classes",
                              CLASSES_MAX, false);
  if (status) return status;
  const bool good =
      model->task == SFM_TASK_BINARY ? model->class_count == 2 : model->class_count >= 2;
  if (!good)
    return sfmi_parse_wrong(at, "classes", "two labels for binary, two or more for one-vs-rest");
  return read_once(at, (const char *const *)model->classes, model->class_count, "classes");
}

static sfm_status read_candidates(const sfmi_parse_context *at, sfmi_machine_model *model,
                                  const json_t *root) {
  const json_t *array = json_object_get(root, "lambda_candidates");
  const size_t count = json_array_size(array);
  if (json_is_null(array)) return SFM_OK;
  if (count < 1 || count > CANDIDATES_MAX)
    return sfmi_parse_wrong(at, "lambda_candidates", "null, or an array of 1 to 1000 numbers");
  model->candidates = sfmi_alloc(count, sizeof *model->candidates);
  if (!model->candidates) return sfmi_fail_memory(at->error);
  model->candidate_count = model->chosen = count;
  bool good = sfmi_json_numbers(model->candidates, array, count);
  for (size_t i = 0; i < count; i++) {
    good = good && model->candidates[i] > 0;
    if (!good) return sfmi_parse_wrong(at, "lambda_candidates", "made of positive numbers");
    if (model->chosen == count && model->candidates[i] == model->lambda) model->chosen = i;
  }
  return model->chosen < count ? SFM_OK
                               : sfmi_parse_wrong(at, "lambda", "one of \"lambda_candidates\"");
}

static sfm_status read_objective(const sfmi_parse_context *at, sfmi_machine_model *model,
                                 const json_t *root) {
  model->parameter = NAN;
  sfm_status status = sfmi_members_read(at, model, root, sfmi_machine_objective_members);
  if (status) return status;
  if (model->loss <= SFM_MACHINE_LOSS_LOGISTIC && model->task == SFM_TASK_REGRESSION)
    return sfmi_parse_wrong(at, "loss", "huber, epsilon-insensitive or squared for regression");
  if (isnan(model->parameter))
    status = read_null(at, root, "loss_parameter", "null: this loss has none");
  return status ? status : read_candidates(at, model, root);
}

static sfm_status read_input(const sfmi_parse_context *at, sfmi_input *input,
                             const json_t *object) {
  if (!json_is_object(object)) return sfmi_parse_wrong(at, "inputs", "an array of objects");
  sfm_status status = sfmi_parse_text(at, &input->name, object, "column");
  if (status) return status;
  if (json_object_get(object, "categories")) {
    status = sfmi_parse_texts(at, &input->categories, &input->category_count, object, "categories",
                              SFMI_ENCODING_MAX, false);
    if (status) return status;
    return read_once(at, (const char *const *)input->categories, input->category_count,
                     "categories");
  }
  input->bounded = json_object_get(object, "lower") || json_object_get(object, "upper");
  if (!input->bounded) return SFM_OK;
  status = sfmi_parse_number(at, &input->lower, object, "lower");
  if (status) return status;
  return sfmi_parse_number(at, &input->upper, object, "upper");
}

/* What is read of it is owned by it, also on failure. */
static sfm_status read_stated(const sfmi_parse_context *at, sfmi_encoding *encoding,
                              uint64_t *dimension, const json_t *root) {
  const json_t *inputs = json_object_get(root, "inputs");
  const size_t count = json_array_size(inputs);
  unsigned word = 0;
  sfm_status status = sfmi_parse_count(at, dimension, root, "dimension", SFMI_ENCODING_MAX);
  if (!status) status = sfmi_members_read(at, encoding, root, sfmi_machine_encoding_members);
  if (!status) status = sfmi_parse_value(at, &word, root, "outside", SFM_ENUMERATION_OUTSIDE);
  if (status) return status;
  encoding->drop = word == 1;
  if (json_is_null(inputs)) {
    encoding->dimension = (size_t)*dimension;
    encoding->bounded = !json_is_null(json_object_get(root, "coordinate_bounds"));
    return encoding->bounded
               ? read_pair(at, &encoding->lower, &encoding->upper, root, "coordinate_bounds")
               : SFM_OK;
  }
  if (count < 1 || count > SFMI_ENCODING_MAX)
    return sfmi_parse_wrong(at, "inputs", "null, or an array of columns");
  encoding->inputs = sfmi_alloc(count, sizeof *encoding->inputs);
  if (!encoding->inputs) return sfmi_fail_memory(at->error);
  encoding->input_count = count;
  for (size_t i = 0; i < count; i++) {
    status = read_input(at, &encoding->inputs[i], json_array_get(inputs, i));
    if (status) return status;
  }
  const char **names = sfmi_alloc(count, sizeof *names);
  if (!names) return sfmi_fail_memory(at->error);
  for (size_t i = 0; i < count; i++) names[i] = encoding->inputs[i].name;
  status = read_once(at, names, count, "inputs");
  free(names);
  return status;
}

bool sfmi_machine_agrees(double stated, double computed) {
  return fabs(stated - computed) <= AGREES * fabs(computed);
}

static sfm_status read_encoding(const sfmi_parse_context *at, sfmi_encoding *encoding,
                                const json_t *root) {
  uint64_t dimension = 0;
  double radius = 0;
  sfm_error why;
  sfm_status status = read_stated(at, encoding, &dimension, root);
  if (status) {
    sfmi_encoding_clear(encoding);
    return status;
  }
  if (sfmi_encoding_complete(encoding, &why))
    return sfmi_fail(at->error, SFM_FORMAT, "%s: \"inputs\": %s", at->name, why.message);
  if (encoding->dimension != dimension)
    return sfmi_parse_wrong(at, "dimension", "as many coordinates as \"inputs\" make");
  status = sfmi_parse_number(at, &radius, root, "radius");
  if (status) return status;
  return sfmi_machine_agrees(radius, encoding->radius)
             ? SFM_OK
             : sfmi_parse_wrong(at, "radius", "what bounds and clip_norm make it");
}

/* The numbers behind a kernel's name, as JSON reads numbers (whatever the locale); returns how
 * many, or 0 when there are more than two or something else. */
static size_t kernel_numbers(double numbers[2], const char *text) {
  char list[64];
  if ((size_t)sfmi_snprintf(list, sizeof list, "[%s]", text) >= sizeof list) return 0;
  for (char *c = list; *c; c++) *c = *c == ',' ? '!' : *c == ':' ? ',' : *c;
  json_t *array = sfmi_json_loads(list, 0, NULL);
  const size_t count = json_array_size(array);
  bool good = count <= 2;
  for (size_t i = 0; good && i < count; i++) {
    good = json_is_number(json_array_get(array, i));
    numbers[i] = json_number_value(json_array_get(array, i));
  }
  json_decref(array);
  return good ? count : 0;
}

/* What print_kernel printed. */
static bool parse_kernel(sfmi_feature_map *map, const char *text) {
  double numbers[2] = {0, 0};
  for (unsigned f = 0; f < SFM_KERNEL_OWN; f++) {
    const char *name = sfm_kernel_family_name((sfm_kernel_family)f);
    const size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || (text[length] && text[length] != ':')) continue;
    map->kernel = (sfm_kernel_family)f;
    const size_t count = text[length] ? kernel_numbers(numbers, text + length + 1) : 0;
    if (map->kernel == SFM_KERNEL_LINEAR) return text[length] == '\0';
    if (sfmi_kernel_stationary(map->kernel)) {
      map->bandwidth = numbers[0];
      return count == 1 && numbers[0] > 0;
    }
    if (count != 2 || !(numbers[0] >= 1 && numbers[0] <= SFM_MAX_DEGREE) ||
        numbers[0] != floor(numbers[0]))
      return false;
    map->degree = (unsigned)numbers[0];
    map->shift = numbers[1];
    return map->shift >= 0;
  }
  return false;
}

/* Adds a coordinate to the point that is being read. */
static sfm_status read_coordinate(const sfmi_parse_context *at, sfmi_feature_map *stated,
                                  size_t *end, uint64_t index, const json_t *value) {
  const double number = json_number_value(value);
  if (!json_is_number(value) || !isfinite(number))
    return sfmi_parse_wrong(at, "places", "made of finite numbers");
  if (number == 0) return SFM_OK;
  stated->point_indices[*end] = (uint32_t)index;
  stated->point_values[(*end)++] = number;
  return SFM_OK;
}

static sfm_status read_full(const sfmi_parse_context *at, sfmi_feature_map *stated, size_t *end,
                            const json_t *point) {
  sfm_status status;
  if (json_array_size(point) != stated->dimension)
    return sfmi_parse_wrong(at, "places", "made of points with one number per coordinate");
  for (size_t a = 0; a < stated->dimension; a++) {
    status = read_coordinate(at, stated, end, a, json_array_get(point, a));
    if (status) return status;
  }
  return SFM_OK;
}

static sfm_status read_sparse(const sfmi_parse_context *at, sfmi_feature_map *stated, size_t *end,
                              const json_t *point) {
  sfm_status status;
  const json_t *indices = json_object_get(point, "indices"),
               *values = json_object_get(point, "values");
  int64_t last = 0;
  if (!json_is_array(indices) || json_array_size(indices) != json_array_size(values))
    return sfmi_parse_wrong(at, "places", "made of indices and values, as many of both");
  for (size_t k = 0; k < json_array_size(indices); k++) {
    const int64_t index = json_integer_value(json_array_get(indices, k));
    if (index <= last || (uint64_t)index > stated->dimension)
      return sfmi_parse_wrong(at, "places", "made of indices that ascend, from 1 to the dimension");
    last = index;
    status = read_coordinate(at, stated, end, (uint64_t)index - 1, json_array_get(values, k));
    if (status) return status;
  }
  return SFM_OK;
}

/* How many numbers the places hold at most. */
static size_t count_cells(const json_t *places, size_t dimension, bool full) {
  size_t cells = 0;
  if (full) return json_array_size(places) * dimension;
  for (size_t i = 0; i < json_array_size(places); i++)
    cells += json_array_size(json_object_get(json_array_get(places, i), "values"));
  return cells;
}

static sfm_status read_places(const sfmi_parse_context *at, sfmi_feature_map *stated, bool full,
                              const json_t *root) {
  sfm_status status;
  const json_t *array = json_object_get(root, "places");
  const size_t count = json_array_size(array), d = stated->dimension;
  if (count < 1 || count > SFMI_FEATURE_MAP_MAX || (full && d > SFMI_VALUES_MAX / count))
    return sfmi_parse_wrong(at, "places", "an array of points");
  status = sfmi_feature_map_make_points(stated, count, count_cells(array, d, full), at->error);
  if (status) return status;
  for (size_t i = 0; i < count; i++) {
    size_t end = stated->point_starts[i];
    status = (full ? read_full : read_sparse)(at, stated, &end, json_array_get(array, i));
    if (status) return status;
    stated->point_starts[i + 1] = end;
  }
  return SFM_OK;
}

/* Of random features: half of those that are not the constant one. */
static sfm_status read_waves(const sfmi_parse_context *at, sfmi_feature_map *stated,
                             size_t features, const json_t *root) {
  const size_t waves = features - (stated->constant > 0);
  sfm_status status = sfmi_parse_count(at, &stated->seed, root, "seed", SFMI_FREQUENCY_SEEDS - 1);
  if (status) return status;
  if (waves < 2 || waves % 2)
    return sfmi_parse_wrong(at, "features", "even for random features, beside the constant one");
  stated->frequencies = waves / 2;
  return stated->frequencies <= TURNS_MAX / stated->dimension
             ? SFM_OK
             : sfmi_parse_wrong(at, "features", "fewer in so many dimensions");
}

static sfm_status read_box(const sfmi_parse_context *at, sfmi_feature_map *stated,
                           const sfmi_encoding *encoding) {
  if (stated->dimension > SFM_MAX_DIMENSION)
    return sfmi_parse_wrong(at, "form", "another in so many dimensions");
  stated->lower = sfmi_alloc(stated->dimension, sizeof *stated->lower);
  stated->upper = sfmi_alloc(stated->dimension, sizeof *stated->upper);
  if (!stated->lower || !stated->upper) return sfmi_fail_memory(at->error);
  for (size_t a = 0; a < stated->dimension; a++)
    sfmi_encoding_range(encoding, &stated->lower[a], &stated->upper[a], a);
  return SFM_OK;
}

/* What the file states of the features; box and points are filled as far as it got.  Before as many
 * are made, it is checked that there are coefficients for them. */
static sfm_status read_features(const sfmi_parse_context *at, sfmi_feature_map *stated,
                                const sfm_release *release, const json_t *root) {
  const sfmi_machine_model *model = release->model;
  const char *kernel = json_string_value(json_object_get(root, "kernel"));
  uint64_t features = 0;
  if (!kernel || !parse_kernel(stated, kernel))
    return sfmi_parse_wrong(at, "kernel",
                            "a kernel with its parameters, as gaussian:0.5, polynomial:3:1 or "
                            "linear");
  sfm_status status = sfmi_members_read(at, stated, root, sfmi_machine_map_members);
  if (!status) status = sfmi_parse_count(at, &features, root, "features", SFMI_FEATURE_MAP_MAX);
  if (status) return status;
  if (features == 0 || release->length % sfmi_machine_model_functions(model) != 0 ||
      release->length / sfmi_machine_model_functions(model) != features)
    return sfmi_parse_wrong(at, "features", "as many as there are coefficients of a function");
  if (stated->form == SFMI_FEATURE_MAP_RANDOM)
    return read_waves(at, stated, (size_t)features, root);
  if (stated->form == SFMI_FEATURE_MAP_TORUS) return read_box(at, stated, &model->encoding);
  return stated->form == SFMI_FEATURE_MAP_POINTS
             ? read_places(at, stated, model->encoding.inputs != NULL, root)
             : SFM_OK;
}

static sfm_status read_lift(const sfmi_parse_context *at, sfm_release *release,
                            const json_t *root) {
  sfmi_machine_model *model = release->model;
  sfmi_feature_map stated = {.dimension = model->encoding.dimension,
                             .radius = model->encoding.radius};
  double kappa = 0;
  sfm_error why;
  sfm_status status = read_features(at, &stated, release, root);
  if (status) {
    sfmi_feature_map_clear(&stated);
    return status;
  }
  if (sfmi_feature_map_create_lazy(&model->map, &stated, &why))
    return sfmi_fail(at->error, SFM_FORMAT, "%s: \"form\": %s", at->name, why.message);
  if (release->length / sfmi_machine_model_functions(model) != model->map->count)
    return sfmi_parse_wrong(at, "features", "as many as the kernel has in this form");
  status = sfmi_parse_number(at, &kappa, root, "kappa");
  if (status) return status;
  if (!sfmi_machine_agrees(kappa, model->map->kappa))
    return sfmi_parse_wrong(at, "kappa", "what kernel, constant and inputs make it");
  if (model->map->form != SFMI_FEATURE_MAP_POINTS) return SFM_OK;
  status = sfmi_parse_number(at, &model->nugget, root, "nugget");
  if (status) return status;
  return model->nugget >= 0 ? SFM_OK : sfmi_parse_wrong(at, "nugget", "a number >= 0");
}

sfm_status sfmi_machine_read(const sfmi_parse_context *at, sfm_release *release,
                             const json_t *root) {
  sfmi_machine_model *model = release->model = sfmi_alloc(1, sizeof *model);
  if (!model) return sfmi_fail_memory(at->error);
  model->fit = sfmi_fit_of(SFMI_FIT_VALUES);
  sfm_status status = sfmi_parse_count(at, &release->rows, root, "rows", INT64_MAX);
  release->has_rows = true;
  if (!status) status = read_labels(at, model, root);
  if (!status) status = read_objective(at, model, root);
  if (!status) status = read_encoding(at, &model->encoding, root);
  if (!status) status = read_lift(at, release, root);
  if (!status && sfmi_method_fitted(release->method))
    status = sfmi_members_read_object(at, &model->fit, root, "fit", sfmi_fit_members);
  if (!status) status = sfmi_parse_number(at, &model->tolerance, root, "tolerance");
  if (status) return status;
  return sfmi_members_read_object(at, model, root, "sensitivity", sfmi_machine_sensitivity_members);
}
