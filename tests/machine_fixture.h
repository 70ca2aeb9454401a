/* machine_fixture.h - machines made by hand, without rows: what the tests of files, values, bands
 * and scores share. */
#ifndef TEST_MACHINE_FIXTURE_H
#define TEST_MACHINE_FIXTURE_H

#include "releases/core/release_kind.h"
#include "releases/kinds/machine_model.h"
#include "releases/core/release_write.h"
#include "test_support.h"

/* What is to be made; zeros are a linear binary machine of two columns, rounded-normal noise. */
typedef struct machine_spec {
  sfm_task task;
  size_t classes; /* of one-vs-rest */
  sfmi_feature_map_form form;
  sfm_kernel_family kernel;
  double bandwidth;
  unsigned degree;
  double shift, constant;
  size_t frequencies;
  size_t dimension; /* > 0: sparse rows, within [-1, 1] */
  bool categories;  /* a third column, sex: F, M */
  bool drop, unbounded;
  double clip;          /* 0: none */
  const char *law;      /* NULL: rounded-normal */
  double scale;         /* 0: 0.01 */
  const double *places; /* points: place_count of them, in coordinates */
  size_t place_count;
  sfmi_method fitted; /* of points, whose noise is then of integers: tddl, tdil, interactive */
} machine_spec;

static inline char *machine_text(const char *text) {
  char *copy = strdup(text);
  assert_non_null(copy);
  return copy;
}

static inline void machine_encoding(sfmi_encoding *encoding, const machine_spec *plan) {
  static const double upper[] = {10, 1};
  sfm_error error;
  *encoding = (sfmi_encoding){.clip = plan->clip > 0 ? plan->clip : INFINITY, .drop = plan->drop};
  if (plan->dimension > 0) {
    encoding->dimension = plan->dimension;
    encoding->bounded = !plan->unbounded;
    encoding->lower = -1;
    encoding->upper = 1;
    encoding->scaling = SFM_SCALING_NONE;
  } else {
    encoding->input_count = plan->categories ? 3 : 2;
    encoding->inputs = sfmi_alloc(encoding->input_count, sizeof *encoding->inputs);
    for (size_t i = 0; i < 2; i++)
      encoding->inputs[i] = (sfmi_input){.name = machine_text(i ? "b" : "a"),
                                         .bounded = !plan->unbounded,
                                         .lower = 0,
                                         .upper = upper[i]};
    encoding->scaling = plan->unbounded ? SFM_SCALING_NONE : SFM_SCALING_UNIT;
  }
  if (plan->dimension == 0 && plan->categories) {
    sfmi_input *sex = &encoding->inputs[2];
    *sex = (sfmi_input){.name = machine_text("sex"), .category_count = 2};
    sex->categories = sfmi_alloc(2, sizeof *sex->categories);
    sex->categories[0] = machine_text("F");
    sex->categories[1] = machine_text("M");
  }
  assert_ok(sfmi_encoding_complete(encoding, &error), &error);
}

static inline void machine_lift(sfmi_feature_map **map, const sfmi_encoding *encoding,
                                const machine_spec *plan) {
  const size_t d = encoding->dimension;
  sfm_error error;
  sfmi_feature_map stated = {.form = plan->form,
                             .dimension = d,
                             .radius = encoding->radius,
                             .kernel = plan->form == SFMI_FEATURE_MAP_LINEAR ? SFM_KERNEL_LINEAR
                                       : plan->form == SFMI_FEATURE_MAP_MONOMIALS
                                           ? SFM_KERNEL_POLYNOMIAL
                                           : plan->kernel,
                             .bandwidth = plan->bandwidth,
                             .degree = plan->degree,
                             .shift = plan->shift,
                             .constant = plan->constant,
                             .frequencies = plan->frequencies,
                             .seed = 5};
  if (plan->form == SFMI_FEATURE_MAP_TORUS) {
    stated.lower = sfmi_alloc(d, sizeof *stated.lower);
    stated.upper = sfmi_alloc(d, sizeof *stated.upper);
    for (size_t a = 0; a < d; a++)
      sfmi_encoding_range(encoding, &stated.lower[a], &stated.upper[a], a);
  }
  if (plan->form == SFMI_FEATURE_MAP_POINTS) {
    size_t nonzeros = 0;
    stated.point_starts = sfmi_alloc(plan->place_count + 1, sizeof *stated.point_starts);
    stated.point_indices = sfmi_alloc(plan->place_count * d, sizeof *stated.point_indices);
    stated.point_values = sfmi_alloc(plan->place_count * d, sizeof *stated.point_values);
    stated.point_count = plan->place_count;
    for (size_t i = 0; i < plan->place_count * d; i++) {
      stated.point_indices[nonzeros] = (uint32_t)(i % d);
      stated.point_values[nonzeros] = plan->places[i];
      nonzeros += plan->places[i] != 0;
      stated.point_starts[i / d + 1] = nonzeros;
    }
  }
  assert_ok(sfmi_feature_map_create(map, &stated, &error), &error);
}

static inline void machine_classes(sfmi_machine_model *model, const machine_spec *plan) {
  static const char *const names[] = {"no", "yes", "maybe", "who knows"};
  model->task = plan->task;
  model->lower = 10;
  model->upper = 30;
  if (plan->task == SFM_TASK_REGRESSION) return;
  model->class_count = plan->task == SFM_TASK_BINARY ? 2 : plan->classes;
  model->classes = sfmi_alloc(model->class_count, sizeof *model->classes);
  for (size_t i = 0; i < model->class_count; i++) model->classes[i] = machine_text(names[i]);
}

/* Weights: of hardened noise small integers, else reals, all from a generator. */
static inline void machine_weights(sfm_release *release) {
  sfmi_prng prng;
  sfmi_prng_init(&prng, 17);
  const bool integers = release->hardened && !sfmi_method_fitted(release->method);
  if (integers)
    release->integers = sfmi_alloc(release->length, sizeof *release->integers);
  else
    release->reals = sfmi_alloc(release->length, sizeof *release->reals);
  for (size_t i = 0; i < release->length; i++) {
    const double w = sfmi_prng_normal(&prng);
    if (integers)
      release->integers[i] = llround(w / release->step);
    else
      release->reals[i] = w;
  }
}

/* Everything but the band.  The caller destroys it. */
static inline sfm_release *machine_make(const machine_spec *plan) {
  sfm_release *release = sfmi_release_create(&sfmi_machine_kind);
  sfmi_machine_model *model = release->model = sfmi_alloc(1, sizeof *model);
  const char *law = plan->law ? plan->law : "rounded-normal";
  sfm_error error;
  machine_encoding(&model->encoding, plan);
  machine_lift(&model->map, &model->encoding, plan);
  machine_classes(model, plan);
  model->label = plan->dimension ? NULL : machine_text("y");
  model->loss = plan->task == SFM_TASK_REGRESSION ? SFM_MACHINE_LOSS_HUBER : SFM_MACHINE_LOSS_HINGE;
  model->parameter = plan->task == SFM_TASK_REGRESSION ? 2 : NAN;
  model->lambda = 0.01;
  model->tolerance = 0.1;
  model->bound = 0.02;
  model->certificate = 0.004;
  model->used = 0.024;
  const bool fitted = sfmi_method_fitted(plan->fitted),
             points = plan->form == SFMI_FEATURE_MAP_POINTS && !fitted;
  model->fit = sfmi_fit_of(SFMI_FIT_KERNEL);
  model->fit.answers = plan->place_count;
  model->fit.radius = 2.5;
  release->method = fitted                                  ? plan->fitted
                    : points                                ? SFMI_MACHINE_GP
                    : plan->form == SFMI_FEATURE_MAP_RANDOM ? SFMI_MACHINE_RFF
                                                            : SFMI_MACHINE_FINITE;
  release->hardened = strcmp(law, "rounded-normal") == 0 || strcmp(law, "discrete-laplace") == 0;
  release->is_private = false;
  release->guarantee = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = 1};
  release->contributions = 1;
  release->has_rows = true;
  release->rows = 1000;
  release->law = law_named(law);
  release->scale = plan->scale > 0 ? plan->scale : 0.01;
  release->step = release->hardened ? 0x1p-16 : 0;
  release->sensitivity = model->used;
  release->model->nugget = points ? 1e-8 : 0;
  release->length = sfmi_machine_model_functions(model) * model->map->count;
  machine_weights(release);
  assert_true(sfmi_release_write_sentence(release));
  assert_ok(sfmi_release_check(release, "made", &error), &error);
  assert_ok(sfm_release_band_at(release, &release->band, 0.95, &error), &error);
  return release;
}

/* The same, written and read back. */
static inline sfm_release *machine_again(const sfm_release *release) {
  char *bytes = NULL;
  size_t length = 0;
  sfm_error error;
  sfm_release *again = NULL;
  assert_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  assert_ok(sfm_release_parse(&again, bytes, length, "again", &error), &error);
  free(bytes);
  return again;
}

#endif
