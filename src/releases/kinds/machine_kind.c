/* machine_kind.c - a trained classifier or regression (kind "machine"). */
#include <string.h>

#include "base/system/c_locale.h"
#include "features/kernels/kernel.h"
#include "releases/core/release_kind.h"
#include "machine_values.h"
#include "machine_model.h"
#include "machine_read.h"

#define MODEL(field) .offset = offsetof(sfmi_machine_model, field)

static bool takes_parameter(const void *model) {
  const sfm_machine_loss loss = ((const sfmi_machine_model *)model)->loss;
  return loss == SFM_MACHINE_LOSS_HUBER || loss == SFM_MACHINE_LOSS_EPSILON_INSENSITIVE;
}

const sfmi_member sfmi_machine_label_members[] = {
    {"task", SFMI_MEMBER_WORD, MODEL(task), .words = SFM_ENUMERATION_TASK},
    {"label", SFMI_MEMBER_NULLABLE_TEXT, MODEL(label)},
    {0}};
const sfmi_member sfmi_machine_objective_members[] = {
    {"loss", SFMI_MEMBER_WORD, MODEL(loss), .words = SFM_ENUMERATION_MACHINE_LOSS},
    {"loss_parameter", SFMI_MEMBER_NUMBER, MODEL(parameter), .sign = SFMI_NOT_NEGATIVE,
     .there = takes_parameter, .null = true},
    {"lambda", SFMI_MEMBER_NUMBER, MODEL(lambda), .sign = SFMI_POSITIVE},
    {0}};
const sfmi_member sfmi_machine_encoding_members[] = {
    {"scaling", SFMI_MEMBER_WORD, .offset = offsetof(sfmi_encoding, scaling),
     .words = SFM_ENUMERATION_SCALING},
    {"clip_norm", SFMI_MEMBER_WIDTH, .offset = offsetof(sfmi_encoding, clip),
     .sign = SFMI_POSITIVE},
    {0}};
const sfmi_member sfmi_machine_map_members[] = {
    {"constant", SFMI_MEMBER_NUMBER, .offset = offsetof(sfmi_feature_map, constant),
     .sign = SFMI_NOT_NEGATIVE},
    {"form", SFMI_MEMBER_WORD, .offset = offsetof(sfmi_feature_map, form),
     .names = sfmi_feature_map_forms},
    {0}};
const sfmi_member sfmi_machine_sensitivity_members[] = {
    {"bound", SFMI_MEMBER_NUMBER, MODEL(bound)},
    {"certificate", SFMI_MEMBER_NUMBER, MODEL(certificate)},
    {"used", SFMI_MEMBER_NUMBER, MODEL(used)},
    {0}};

/* The fewest digits that are read back as the same number, with a point whatever the locale. */
static void print_shortest(char *text, size_t size, double value) {
  for (int digits = 1; digits <= 17; digits++) {
    sfmi_snprintf(text, size, "%.*g", digits, value);
    if (sfmi_strtod(text, NULL) == value) break;
  }
  char *comma = strchr(text, ',');
  if (comma) *comma = '.';
}

/* As it is typed: "gaussian:0.5", "polynomial:3:1", "linear". */
static void print_kernel(char *text, size_t size, const sfmi_feature_map *map) {
  char parameter[32];
  const char *name = sfm_kernel_family_name(map->kernel);
  if (sfmi_kernel_stationary(map->kernel)) {
    print_shortest(parameter, sizeof parameter, map->bandwidth);
    sfmi_snprintf(text, size, "%s:%s", name, parameter);
  } else if (map->kernel == SFM_KERNEL_POLYNOMIAL) {
    print_shortest(parameter, sizeof parameter, map->shift);
    sfmi_snprintf(text, size, "%s:%u:%s", name, map->degree, parameter);
  } else {
    sfmi_snprintf(text, size, "%s", name);
  }
}

static bool set_labels(json_t *object, const sfmi_machine_model *model) {
  bool good = sfmi_members_set(object, model, sfmi_machine_label_members);
  if (model->classes)
    good = sfmi_json_set_texts(object, "classes", model->classes, model->class_count) && good;
  else
    json_object_set_new(object, "classes", json_null());
  json_object_set_new(object, "label_bounds",
                      model->task == SFM_TASK_REGRESSION
                          ? json_pack("[f, f]", model->lower, model->upper)
                          : json_null());
  return good;
}

static void set_objective(json_t *object, const sfmi_machine_model *model) {
  sfmi_members_set(object, model, sfmi_machine_objective_members);
  if (model->candidates)
    sfmi_json_set_numbers(object, "lambda_candidates", model->candidates, model->candidate_count);
  else
    json_object_set_new(object, "lambda_candidates", json_null());
}

static bool set_inputs(json_t *object, const sfmi_encoding *encoding) {
  json_t *inputs = encoding->inputs ? json_array() : json_null();
  bool good = true;
  for (size_t i = 0; encoding->inputs && i < encoding->input_count; i++) {
    const sfmi_input *input = &encoding->inputs[i];
    const double bounds[] = {input->lower, input->upper};
    json_array_append_new(inputs,
                          sfmi_json_column(input->name, input->categories, input->category_count,
                                           input->bounded ? bounds : NULL, &good));
  }
  json_object_set_new(object, "inputs", inputs);
  json_object_set_new(object, "dimension", json_integer((json_int_t)encoding->dimension));
  if (!encoding->inputs)
    json_object_set_new(object, "coordinate_bounds",
                        encoding->bounded ? json_pack("[f, f]", encoding->lower, encoding->upper)
                                          : json_null());
  sfmi_members_set(object, encoding, sfmi_machine_encoding_members);
  json_object_set_new(
      object, "outside",
      json_string(sfm_outside_name(encoding->drop ? SFM_OUTSIDE_DROP : SFM_OUTSIDE_CLAMP)));
  json_object_set_new(object, "radius", json_real(encoding->radius));
  return good;
}

static void set_lift(json_t *object, const sfm_release *release) {
  const sfmi_feature_map *map = release->model->map;
  char kernel[96];
  print_kernel(kernel, sizeof kernel, map);
  json_object_set_new(object, "kernel", json_string(kernel));
  sfmi_members_set(object, map, sfmi_machine_map_members);
  json_object_set_new(object, "features", json_integer((json_int_t)map->count));
  if (map->form == SFMI_FEATURE_MAP_RANDOM)
    json_object_set_new(object, "seed", json_integer((json_int_t)map->seed));
  if (map->form == SFMI_FEATURE_MAP_POINTS)
    json_object_set_new(object, "nugget", json_real(release->model->nugget));
  json_object_set_new(object, "kappa", json_real(map->kappa));
}

static bool set_members(json_t *object, const sfm_release *release) {
  const sfmi_machine_model *model = release->model;
  json_object_set_new(object, "rows", json_integer((json_int_t)release->rows));
  bool good = set_labels(object, model);
  set_objective(object, model);
  set_lift(object, release);
  good = set_inputs(object, &model->encoding) && good;
  if (sfmi_method_fitted(release->method))
    sfmi_members_set_object(object, "fit", &model->fit, sfmi_fit_members);
  json_object_set_new(object, "tolerance", json_real(model->tolerance));
  return sfmi_members_set_object(object, "sensitivity", model, sfmi_machine_sensitivity_members) &&
         good;
}

/* A place of columns: one number per coordinate.  Plus zero: -0 would be read back as the integer
 * 0. */
static void print_full(FILE *stream, const sfmi_feature_map *map, size_t i) {
  size_t k = map->point_starts[i];
  for (size_t a = 0; a < map->dimension; a++) {
    const bool there = k < map->point_starts[i + 1] && map->point_indices[k] == a;
    sfmi_fprintf(stream, a ? ", %.17g" : "[%.17g", there ? map->point_values[k] + 0.0 : 0.0);
    k += there;
  }
  fputc(']', stream);
}

/* A sparse row: its coordinates, from 1 as in libsvm text, and their numbers. */
static void print_sparse(FILE *stream, const sfmi_feature_map *map, size_t i) {
  const size_t first = map->point_starts[i], last = map->point_starts[i + 1];
  fputs("{\"indices\": [", stream);
  for (size_t k = first; k < last; k++)
    sfmi_fprintf(stream, "%s%llu", k > first ? ", " : "", map->point_indices[k] + 1ULL);
  fputs("], \"values\": [", stream);
  for (size_t k = first; k < last; k++)
    sfmi_fprintf(stream, "%s%.17g", k > first ? ", " : "", map->point_values[k] + 0.0);
  fputs("]}", stream);
}

static void print_lists(FILE *stream, const sfm_release *release) {
  const sfmi_feature_map *map = release->model->map;
  if (map->form != SFMI_FEATURE_MAP_POINTS) return;
  fputs(",\n \"places\": [", stream);
  for (size_t i = 0; i < map->point_count; i++) {
    fputs(i == 0 ? "\n  " : ",\n  ", stream);
    if (release->model->encoding.inputs)
      print_full(stream, map, i);
    else
      print_sparse(stream, map, i);
  }
  fputs("\n ]", stream);
}

/* Weights that are integers have a noise of integers; reals have real noise.  Values at places are
 * real.  What coefficients were fitted to had either. */
static bool law_fits(const sfm_release *release) {
  const bool exact = release->law == SFM_NOISE_LAW_ROUNDED_NORMAL ||
                     release->law == SFM_NOISE_LAW_DISCRETE_LAPLACE;
  const bool points = release->model->map->form == SFMI_FEATURE_MAP_POINTS;
  if (sfmi_method_fitted(release->method)) return points && (exact || !release->hardened);
  return release->hardened ? exact && !points && release->method != SFMI_MACHINE_OBJECTIVE : !exact;
}

static sfm_status check_release(const sfm_release *release, const char *name, sfm_error *error) {
  const sfmi_machine_model *model = release->model;
  if (release->neighbours != SFM_NEIGHBOURS_REPLACE || release->rows == 0 || release->factor != 1 ||
      release->summed != 1)
    return sfmi_fail(
        error, SFM_FORMAT,
        "%s: a machine states its rows, has replace neighbours and one noise per weight", name);
  if (!law_fits(release))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: a machine with integers for weights has noise that is rounded-normal or "
                     "discrete-laplace, others have real noise",
                     name);
  if (!(model->tolerance >= 0 && model->bound >= 0 && model->certificate >= 0 && model->used >= 0))
    return sfmi_fail(error, SFM_FORMAT, "%s: tolerance and sensitivity are made of numbers >= 0",
                     name);
  const double used = release->contributions * model->bound + model->certificate;
  if (release->method != SFMI_MACHINE_OBJECTIVE && !sfmi_machine_agrees(model->used, used))
    return sfmi_fail(error, SFM_FORMAT,
                     "%s: the sensitivity used is contributions times the bound plus the "
                     "certificate, %.15g, and not %.15g",
                     name, used, model->used);
  return SFM_OK;
}

static void destroy_data(sfm_release *release) {
  sfmi_machine_model_destroy(release->model);
}

/* Whether private matrices come from a kernel is not checked: a refusal would reveal something of
 * them. */
static const char *gram_assumption(const sfm_release *release) {
  return sfmi_machine_model_from_gram(release->model)
             ? " This rests on the owner's assumption that the Gram matrices come from one kernel, "
               "also if any record is replaced by any other: together with the public points they "
               "are positive semi-definite. For other matrices it does not hold."
             : "";
}

const sfmi_release_kind sfmi_machine_kind = {
    .kind = SFM_KIND_MACHINE,
    .at = offsetof(sfm_release, model),
    .methods = SFMI_METHODS(MACHINE_GP) | SFMI_METHODS(MACHINE_FINITE) | SFMI_METHODS(MACHINE_RFF) |
               SFMI_METHODS(MACHINE_OBJECTIVE) | SFMI_METHODS(MACHINE_TDDL) |
               SFMI_METHODS(MACHINE_TDIL) | SFMI_METHODS(MACHINE_INTERACTIVE),
    .verbs = "sfm_machine_at and sfm_machine_decide tell its values and classes",
    .set = set_members,
    .print = print_lists,
    .read = sfmi_machine_read,
    .check = check_release,
    .assumption = gram_assumption,
    .destroy = destroy_data,
    .band = sfmi_machine_band,
};
