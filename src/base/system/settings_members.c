#include "settings_members.h"

#include <string.h>

#include "status.h"
#include "sfumato/sfumato.h"

typedef enum member_kind {
  MEMBERS_END,
  MEMBER_VALUE,  /* of an enumeration: 0 to last */
  MEMBER_VALUES, /* a list of them, or NULL */
  MEMBER_TEXT,   /* not NULL */
  MEMBER_LIST,   /* not NULL if it has elements */
  MEMBER_TEXTS,  /* the same, and every element begins with a text */
  MEMBER_NAMES,  /* the same, or NULL */
} member_kind;

typedef struct settings_member {
  member_kind kind;
  const char *name, *count_name;
  size_t offset, count_offset;
  size_t step; /* bytes of an element of texts */
  int last;
  size_t most; /* elements that are looked at; others are refused elsewhere */
} settings_member;

#define VALUE(type, member, constant)                                                              \
  { MEMBER_VALUE, #member, NULL, offsetof(type, member), 0, 0, constant, 0 }
#define VALUES(type, member, count, constant, most)                                                \
  {                                                                                                \
    MEMBER_VALUES, #member, #count, offsetof(type, member), offsetof(type, count), 0, constant,    \
        most                                                                                       \
  }
#define TEXT(type, member)                                                                         \
  { MEMBER_TEXT, #member, NULL, offsetof(type, member), 0, 0, 0, 0 }
#define LIST(type, member, count)                                                                  \
  { MEMBER_LIST, #member, #count, offsetof(type, member), offsetof(type, count), 0, 0, 0 }
#define TEXTS(kind, type, member, count, element, most)                                            \
  { kind, #member, #count, offsetof(type, member), offsetof(type, count), sizeof(element), 0, most }
#define END                                                                                        \
  { MEMBERS_END, NULL, NULL, 0, 0, 0, 0, 0 }

static const settings_member choose_members[] = {
    VALUE(sfm_choose_settings, neighbours, SFM_NEIGHBOURS_ADD_REMOVE), END};
static const settings_member combine_members[] = {
    VALUE(sfm_combine_settings, weights, SFM_COMBINE_WEIGHTS_OWN), END};
static const settings_member curve_members[] = {
    TEXTS(MEMBER_NAMES, sfm_curve_settings, columns, count, const char *, SFM_CURVE_POINTS_MAX),
    VALUE(sfm_curve_settings, kernel, SFM_KERNEL_OWN),
    VALUE(sfm_curve_settings, calibration, SFM_CALIBRATION_CLASSICAL), END};
static const settings_member density_members[] = {
    TEXTS(MEMBER_TEXTS, sfm_density_settings, columns, dimension, const char *, SFM_MAX_DIMENSION),
    VALUE(sfm_density_settings, method, SFM_DENSITY_CARATHEODORY),
    VALUE(sfm_density_settings, kernel, SFM_KERNEL_OWN),
    VALUE(sfm_density_settings, engine, SFM_ENGINE_RANDOM),
    LIST(sfm_density_settings, release_points, release_count),
    VALUES(sfm_density_settings, boundary, dimension, SFM_BOUNDARY_PERIODIC, SFM_MAX_DIMENSION),
    TEXTS(MEMBER_TEXTS, sfm_density_settings, by, by_count, const char *, SFM_TABLE_COLUMNS_MAX),
    VALUE(sfm_density_settings, noise, SFM_DENSITY_NOISE_NORMAL),
    VALUE(sfm_density_settings, body, SFM_DENSITY_BODY_HULL),
    LIST(sfm_density_settings, candidates, candidate_count),
    VALUE(sfm_density_settings, outside, SFM_OUTSIDE_DROP),
    VALUE(sfm_density_settings, calibration, SFM_CALIBRATION_CLASSICAL),
    END};
static const settings_member function_members[] = {
    LIST(sfm_function_settings, points, count),
    VALUE(sfm_function_settings, engine, SFM_ENGINE_RANDOM),
    VALUE(sfm_function_settings, neighbours, SFM_NEIGHBOURS_ADD_REMOVE),
    VALUE(sfm_function_settings, calibration, SFM_CALIBRATION_CLASSICAL), END};
static const settings_member histogram_members[] = {
    TEXTS(MEMBER_TEXTS, sfm_histogram_settings, columns, count, sfm_histogram_column,
          SFM_TABLE_COLUMNS_MAX),
    LIST(sfm_histogram_settings, margins, margin_count),
    VALUE(sfm_histogram_settings, form, SFM_HISTOGRAM_UNDECLARED),
    VALUE(sfm_histogram_settings, noise, SFM_HISTOGRAM_NOISE_NORMAL),
    VALUE(sfm_histogram_settings, calibration, SFM_CALIBRATION_CLASSICAL),
    VALUE(sfm_histogram_settings, exact, SFM_HISTOGRAM_EXACT_EMPTY),
    VALUE(sfm_histogram_settings, outside, SFM_OUTSIDE_DROP),
    END};
static const settings_member interact_members[] = {
    VALUE(sfm_interact_settings, update, SFM_INTERACT_UPDATE_STEP), END};
static const settings_member limits_members[] = {
    VALUE(sfm_limits_settings, neighbours, SFM_NEIGHBOURS_ADD_REMOVE), END};
static const settings_member linear_members[] = {
    TEXTS(MEMBER_NAMES, sfm_linear_settings, names, queries, const char *, SFM_LINEAR_NUMBERS_MAX),
    VALUE(sfm_linear_settings, method, SFM_LINEAR_KNORM), END};
static const settings_member mean_members[] = {TEXT(sfm_mean_settings, column), END};
static const settings_member optimal_members[] = {
    VALUE(sfm_optimal_settings, loss, SFM_OPTIMAL_LOSS_OWN),
    VALUE(sfm_optimal_settings, objective, SFM_OPTIMAL_OBJECTIVE_EQUALISER), END};
static const settings_member range_members[] = {
    LIST(sfm_range_settings, quantiles, count),
    VALUE(sfm_range_settings, outside, SFM_OUTSIDE_DROP), END};
static const settings_member series_members[] = {
    VALUE(sfm_series_settings, basis, SFM_BASIS_EIGEN),
    VALUE(sfm_series_settings, kernel, SFM_KERNEL_OWN),
    VALUE(sfm_series_settings, noise, SFM_VECTOR_NOISE_KNORM),
    VALUE(sfm_series_settings, outside, SFM_OUTSIDE_DROP),
    VALUE(sfm_series_settings, calibration, SFM_CALIBRATION_CLASSICAL),
    END};
static const settings_member train_members[] = {
    TEXTS(MEMBER_NAMES, sfm_train_settings, features, feature_count, const char *, SIZE_MAX),
    VALUE(sfm_train_settings, outside, SFM_OUTSIDE_DROP),
    TEXTS(MEMBER_TEXTS, sfm_train_settings, labels, class_count, const char *, SIZE_MAX),
    VALUE(sfm_train_settings, kernel, SFM_KERNEL_OWN),
    VALUE(sfm_train_settings, scaling, SFM_SCALING_NONE),
    VALUE(sfm_train_settings, loss, SFM_MACHINE_LOSS_SQUARED),
    LIST(sfm_train_settings, lambdas, lambda_count),
    VALUE(sfm_train_settings, method, SFM_TRAIN_TDIL),
    LIST(sfm_train_settings, places, place_count),
    VALUE(sfm_train_settings, shape, SFM_NOISE_SHAPE_ISOTROPIC),
    VALUE(sfm_train_settings, noise, SFM_VECTOR_NOISE_KNORM),
    VALUE(sfm_train_settings, calibration, SFM_CALIBRATION_CLASSICAL),
    END};
static const settings_member vector_members[] = {
    VALUE(sfm_vector_settings, norm, SFM_VECTOR_NORM_BODY),
    LIST(sfm_vector_settings, vertices, vertex_count),
    VALUE(sfm_vector_settings, neighbours, SFM_NEIGHBOURS_ADD_REMOVE),
    VALUE(sfm_vector_settings, noise, SFM_VECTOR_NOISE_KNORM),
    VALUE(sfm_vector_settings, calibration, SFM_CALIBRATION_CLASSICAL),
    END};

static const struct {
  const char *type;
  const settings_member *members;
} types[] = {
    {"sfm_choose_settings", choose_members},     {"sfm_combine_settings", combine_members},
    {"sfm_curve_settings", curve_members},       {"sfm_density_settings", density_members},
    {"sfm_function_settings", function_members}, {"sfm_histogram_settings", histogram_members},
    {"sfm_interact_settings", interact_members}, {"sfm_limits_settings", limits_members},
    {"sfm_linear_settings", linear_members},     {"sfm_mean_settings", mean_members},
    {"sfm_optimal_settings", optimal_members},   {"sfm_range_settings", range_members},
    {"sfm_series_settings", series_members},     {"sfm_train_settings", train_members},
    {"sfm_vector_settings", vector_members},
};

static sfm_status no_value(const settings_member *m, int value, sfm_error *error) {
  return sfmi_fail(error, SFM_INVALID,
                   "there is no settings.%s number %d: write a constant of its enumeration",
                   m->name, value);
}

static sfm_status check_value(const settings_member *m, const char *at, sfm_error *error) {
  int value;
  memcpy(&value, at, sizeof value);
  return value >= 0 && value <= m->last ? SFM_OK : no_value(m, value, error);
}

static sfm_status check_list(const settings_member *m, const char *settings, sfm_error *error) {
  const char *list;
  size_t count;
  memcpy(&list, settings + m->offset, sizeof list);
  memcpy(&count, settings + m->count_offset, sizeof count);
  if (!list)
    return count > 0 && (m->kind == MEMBER_LIST || m->kind == MEMBER_TEXTS)
               ? sfmi_fail(error, SFM_INVALID, "settings.%s is NULL, and settings.%s is %zu",
                           m->name, m->count_name, count)
               : SFM_OK;
  if (m->kind == MEMBER_LIST) return SFM_OK;
  sfm_status status = SFM_OK;
  for (size_t i = 0; !status && i < count && i < m->most; i++) {
    const char *text;
    if (m->kind == MEMBER_VALUES) {
      status = check_value(m, list + i * sizeof(int), error);
      continue;
    }
    memcpy(&text, list + i * m->step, sizeof text);
    if (!text)
      status =
          sfmi_fail(error, SFM_INVALID, "settings.%s[%zu] has no name: it is NULL", m->name, i);
  }
  return status;
}

static sfm_status check_member(const settings_member *m, const char *settings, sfm_error *error) {
  const char *text;
  if (m->kind == MEMBER_VALUE) return check_value(m, settings + m->offset, error);
  if (m->kind != MEMBER_TEXT) return check_list(m, settings, error);
  memcpy(&text, settings + m->offset, sizeof text);
  return text ? SFM_OK
              : sfmi_fail(error, SFM_INVALID, "settings.%s is NULL: it must be set", m->name);
}

sfm_status sfmi_settings_check_members(const void *settings, const char *type, sfm_error *error) {
  const settings_member *m = NULL;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].type, type) == 0) m = types[i].members;
  sfm_status status = SFM_OK;
  for (; m && !status && m->kind != MEMBERS_END; m++) status = check_member(m, settings, error);
  return status;
}
