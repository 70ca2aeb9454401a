/* train_release.c - private rows in, a kernel machine out.
 *
 * What noise is added to are the weights of finite or random features (hardened, but for gamma
 * noise), values at public places (gp of a kernel without finite features: idealised), or the
 * objective (a baseline, idealised).  Proof: docs/proofs/machine.md. */
#include <math.h>
#include <stdlib.h>

#include "base/system/sized_struct.h"
#include "lambda_tuning.h"
#include "tdil.h"
#include "train_run.h"

static sfm_status prepare(sfmi_release_run *run, sfm_error *error) {
  sfmi_train_run *m = (sfmi_train_run *)run;
  const sfm_status status =
      sfmi_train_problem_begin(&m->train_problem, run->rows, m->settings, run->seed, error);
  return status ? status : sfmi_train_run_outline(m, error);
}

static json_t *parameters(const sfmi_release_run *run) {
  return sfmi_train_run_parameters((const sfmi_train_run *)run);
}

/* The noise of every machine, over n lambda: what its weights are shifted by. */
static double *draw_shifts(sfmi_train_run *m) {
  const sfmi_design_train *t = &m->train_problem.training;
  const double unit = m->base.release->scale / ((double)t->rows * t->lambda);
  double *shifts = sfmi_alloc(m->base.release->length, sizeof *shifts),
         *zeros = sfmi_alloc(t->features, sizeof *zeros);
  for (size_t k = 0; shifts && zeros && k < t->machines; k++)
    sfmi_vector_idealise(shifts + k * t->features, zeros, t->features,
                         sfmi_design_train_noise(m->settings) == SFM_VECTOR_NOISE_GAMMA, unit, NULL,
                         m->noise.stream);
  if (!zeros) {
    free(shifts);
    shifts = NULL;
  }
  free(zeros);
  return shifts;
}

/* (lambda/2)|w|^2 + <b, w>/n = (lambda/2)|v|^2 - a constant, v = w + b/(n lambda): solved for v, of
 * which the loss sees v - b/(n lambda). */
static sfm_status perturb(sfmi_train_run *m, sfm_error *error) {
  sfmi_design_train t = m->train_problem.training;
  const size_t length = m->base.release->length;
  double *shifts = draw_shifts(m), square = 0;
  if (!shifts) return sfmi_fail_memory(error);
  for (size_t i = 0; i < length; i++) {
    shifts[i] = -shifts[i];
    square += shifts[i] * shifts[i];
  }
  t.target =
      sfmi_design_train_target(&t, sfmi_train_problem_width(&m->train_problem), sqrt(square));
  sfm_status status = sfmi_train_problem_solve(m->base.release->reals, &m->train_problem, &t,
                                               m->examples, 0, (size_t)t.rows, shifts, error);
  for (size_t i = 0; i < length; i++) m->base.release->reals[i] += shifts[i];
  sfmi_wipe_free(shifts, length, sizeof *shifts);
  return status;
}

/* The machines, and noise on their numbers. */
static sfm_status solve(sfmi_train_run *m, sfm_error *error) {
  const sfmi_design_train *t = &m->train_problem.training;
  const size_t size = t->machines * m->train_problem.numbers;
  double *numbers = sfmi_alloc(size, sizeof *numbers);
  if (!numbers) return sfmi_fail_memory(error);
  sfm_status status = sfmi_train_problem_solve(numbers, &m->train_problem, t, m->examples, 0,
                                               (size_t)t->rows, NULL, error);
  if (!status) status = sfmi_train_run_add_noise(m, numbers, error);
  sfmi_wipe_free(numbers, size, sizeof *numbers);
  return status;
}

static sfm_status draw(sfmi_release_run *run, sfm_error *error) {
  sfmi_train_run *m = (sfmi_train_run *)run;
  const bool objective = m->settings->method == SFM_TRAIN_OBJECTIVE;
  const sfm_status status = objective ? perturb(m, error) : solve(m, error);
  if (!status) sfmi_train_run_complete(m);
  return status;
}

static const sfmi_release_steps steps = {.prepare = prepare,
                                         .parameters = parameters,
                                         .read = sfmi_train_run_read,
                                         .draw = draw,
                                         .fingerprint = sfmi_train_run_fingerprint};

sfm_status sfm_train_release(sfm_release **out, sfm_rows *rows, const sfm_train_settings *given,
                             sfm_error *error) {
  sfm_train_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE(sfm_train_settings, &taken, given, error);
  if (status) return status;
  if (taken.method == SFM_TRAIN_TDIL) return sfmi_tdil_release(out, rows, &taken, error);
  if (taken.lambda_count) return sfmi_tuning_release(out, rows, &taken, error);
  sfmi_train_run m = sfmi_train_run_of(rows, &taken);
  m.base.steps = &steps;
  status = sfmi_release_run_all(out, &m.base, error);
  sfmi_train_run_clear(&m);
  sfmi_train_problem_clear(&m.train_problem);
  return status;
}
