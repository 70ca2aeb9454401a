/* machinetrial.h - machines made by hand, without rows: what the tests of files, values, bands and
 * scores share. */
#ifndef TEST_MACHINETRIAL_H
#define TEST_MACHINETRIAL_H

#include "releases/learned.h"
#include "trial.h"

/* What is to be made; zeros are a linear binary machine of two columns, rounded-normal noise. */
typedef struct machine_plan {
  sfm_task task;
  size_t classes; /* of one-vs-rest */
  sfmi_lift_form form;
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
} machine_plan;

static inline char *machine_text(const char *text) {
  char *copy = strdup(text);
  assert_non_null(copy);
  return copy;
}

static inline void machine_encoding(sfmi_encoding *encoding, const machine_plan *plan) {
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
  trial_ok(sfmi_encoding_complete(encoding, &error), &error);
}

static inline void machine_lift(sfmi_lift **lift, const sfmi_encoding *encoding,
                                const machine_plan *plan) {
  const size_t d = encoding->dimension;
  sfm_error error;
  sfmi_lift stated = {.form = plan->form,
                      .dimension = d,
                      .radius = encoding->radius,
                      .kernel = plan->form == SFMI_LIFT_LINEAR      ? SFM_KERNEL_LINEAR
                                : plan->form == SFMI_LIFT_MONOMIALS ? SFM_KERNEL_POLYNOMIAL
                                                                    : plan->kernel,
                      .bandwidth = plan->bandwidth,
                      .degree = plan->degree,
                      .shift = plan->shift,
                      .constant = plan->constant,
                      .frequencies = plan->frequencies,
                      .seed = 5};
  if (plan->form == SFMI_LIFT_TORUS) {
    stated.lower = sfmi_alloc(d, sizeof *stated.lower);
    stated.upper = sfmi_alloc(d, sizeof *stated.upper);
    for (size_t a = 0; a < d; a++)
      sfmi_encoding_range(encoding, &stated.lower[a], &stated.upper[a], a);
  }
  if (plan->form == SFMI_LIFT_POINTS) {
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
  trial_ok(sfmi_lift_create(lift, &stated, &error), &error);
}

static inline void machine_classes(sfmi_learned *learned, const machine_plan *plan) {
  static const char *const names[] = {"no", "yes", "maybe", "who knows"};
  learned->task = plan->task;
  learned->lower = 10;
  learned->upper = 30;
  if (plan->task == SFM_TASK_REGRESSION) return;
  learned->class_count = plan->task == SFM_TASK_BINARY ? 2 : plan->classes;
  learned->classes = sfmi_alloc(learned->class_count, sizeof *learned->classes);
  for (size_t i = 0; i < learned->class_count; i++) learned->classes[i] = machine_text(names[i]);
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
static inline sfm_release *machine_make(const machine_plan *plan) {
  sfm_release *release = sfmi_release_create();
  sfmi_learned *learned = release->learned = sfmi_alloc(1, sizeof *learned);
  const char *law = plan->law ? plan->law : "rounded-normal";
  sfm_error error;
  machine_encoding(&learned->encoding, plan);
  machine_lift(&learned->lift, &learned->encoding, plan);
  machine_classes(learned, plan);
  learned->label = plan->dimension ? NULL : machine_text("y");
  learned->loss = plan->task == SFM_TASK_REGRESSION ? SFM_MACHINE_HUBER : SFM_MACHINE_HINGE;
  learned->parameter = plan->task == SFM_TASK_REGRESSION ? 2 : NAN;
  learned->lambda = 0.01;
  learned->tolerance = 0.1;
  learned->bound = 0.02;
  learned->certificate = 0.004;
  learned->used = 0.024;
  const bool fitted = sfmi_method_fitted(plan->fitted),
             points = plan->form == SFMI_LIFT_POINTS && !fitted;
  learned->fit = sfmi_fit_none();
  learned->fit.shape = SFMI_FIT_KERNEL;
  learned->fit.answers = plan->place_count;
  learned->fit.radius = 2.5;
  release->method = fitted                          ? plan->fitted
                    : points                        ? SFMI_MACHINE_GP
                    : plan->form == SFMI_LIFT_WAVES ? SFMI_MACHINE_RFF
                                                    : SFMI_MACHINE_FINITE;
  release->hardened = strcmp(law, "rounded-normal") == 0 || strcmp(law, "discrete-laplace") == 0;
  release->is_private = false;
  release->guarantee = (sfm_guarantee){.kind = SFM_PURE, .epsilon = 1};
  release->contributions = 1;
  release->has_rows = true;
  release->rows = 1000;
  release->law = machine_text(law);
  release->scale = plan->scale > 0 ? plan->scale : 0.01;
  release->step = release->hardened ? 0x1p-16 : 0;
  release->sensitivity = learned->used;
  release->nugget = points ? 1e-8 : 0;
  release->length = sfmi_learned_functions(learned) * learned->lift->count;
  machine_weights(release);
  assert_true(sfmi_release_write_sentence(release));
  trial_ok(sfmi_release_check(release, "made", &error), &error);
  trial_ok(sfm_release_band_at(release, &release->band, 0.95, &error), &error);
  return release;
}

/* The same, written and read back. */
static inline sfm_release *machine_again(const sfm_release *release) {
  char *bytes = NULL;
  size_t length = 0;
  sfm_error error;
  sfm_release *again = NULL;
  trial_ok(sfmi_release_print(release, &bytes, &length, &error), &error);
  trial_ok(sfm_release_parse(&again, bytes, length, "again", &error), &error);
  free(bytes);
  return again;
}

#endif
