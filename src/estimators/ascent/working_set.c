#include "working_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Passes of coordinate ascent between two Newton steps: they cost little. */
enum { PASSES = 8 };

struct sfmi_working_set_workspace {
  sfmi_arena memory;
  size_t face;
  size_t *places; /* of the duals of a Newton step */
  double *slopes; /* of the dual objective there */
  double *least, *most, *curvature;
  double *step, *way, *image;
  float *matrix;
  const float **face_rows;
  double *change, *moved; /* of duals, of values */
  const float **rows;
};

sfmi_working_set_workspace *sfmi_working_set_workspace_create(size_t count) {
  sfmi_working_set_workspace *workspace = sfmi_alloc(1, sizeof *workspace);
  if (!workspace) return NULL;
  const size_t face = count < SFMI_WORKING_SET_NEWTON_MAX ? count : SFMI_WORKING_SET_NEWTON_MAX;
  workspace->face = face;
  workspace->places = sfmi_arena_get(&workspace->memory, face, sizeof *workspace->places);
  sfmi_arena_arrays(&workspace->memory, face,
                    (double **[]){&workspace->slopes, &workspace->least, &workspace->most,
                                  &workspace->curvature, &workspace->step, &workspace->way,
                                  &workspace->image, &workspace->change, NULL});
  workspace->matrix = sfmi_arena_get(
      &workspace->memory, face * sfmi_dense_products_gram_stride(face), sizeof *workspace->matrix);
  workspace->face_rows = sfmi_arena_get(&workspace->memory, face, sizeof *workspace->face_rows);
  workspace->moved = sfmi_arena_get(&workspace->memory, count, sizeof *workspace->moved);
  workspace->rows = sfmi_arena_get(&workspace->memory, face, sizeof *workspace->rows);
  if (!workspace->memory.failed) return workspace;
  sfmi_working_set_workspace_destroy(workspace);
  return NULL;
}

void sfmi_working_set_workspace_destroy(sfmi_working_set_workspace *workspace) {
  if (!workspace) return;
  sfmi_arena_wipe(&workspace->memory);
  free(workspace);
}

void sfmi_working_set_reserve(sfmi_working_set *set, sfmi_arena *memory, size_t room) {
  const size_t wide = sfmi_dense_products_gram_stride(room);
  set->room = room;
  set->gram = sfmi_arena_get(memory, wide * wide, sizeof *set->gram);
  set->places = sfmi_arena_get(memory, room, sizeof *set->places);
  set->rows = sfmi_arena_get(memory, room, sizeof *set->rows);
  sfmi_arena_arrays(memory, room,
                    (double **[]){&set->squares, &set->labels, &set->duals, &set->values,
                                  &set->before, &set->steps, NULL});
}

double sfmi_working_set_dual_step(const sfmi_loss *loss, double t, double a, double q, double y) {
  return q > 0 ? sfmi_loss_step(loss, t, a, q, y) : -sfmi_loss_slope(loss, t, y);
}

bool sfmi_working_set_is_loose(const sfmi_loss *loss, double t, double a, double q, double y,
                               double margin) {
  if (loss->kind == SFM_MACHINE_LOSS_LOGISTIC || loss->kind == SFM_MACHINE_LOSS_SQUARED)
    return true;
  return sfmi_working_set_dual_step(loss, t - margin, a, q, y) != a ||
         sfmi_working_set_dual_step(loss, t + margin, a, q, y) != a;
}

double sfmi_working_set_pass(const sfmi_working_set *set, bool back) {
  double sum = 0;
  for (size_t j = 0; j < set->count; j++) {
    const size_t i = back ? set->count - 1 - j : j;
    const double to = sfmi_working_set_dual_step(set->loss, set->values[i], set->duals[i],
                                                 set->scale * set->squares[i], set->labels[i]);
    const double change = to - set->duals[i];
    if (change == 0) continue;
    set->duals[i] = to;
    sfmi_dense_products_axpy(set->loops, set->values, set->gram + i * set->stride,
                             set->scale * change, set->count);
    sum += fabs(change);
  }
  return sum;
}

/* Whether a dual is strictly inside a piece [least, most] where l*(-a) has the slope `slope` at a
 * and the second derivative `curvature` (of logistic: at a alone). */
static bool inside(const sfmi_loss *loss, double a, double y, double *least, double *most,
                   double *slope, double *curvature) {
  *slope = *curvature = 0;
  if (!sfmi_loss_dual_is_free(loss, a, y, least, most)) return false;
  switch (loss->kind) {
  case SFM_MACHINE_LOSS_HINGE:
    *slope = -y;
    break;
  case SFM_MACHINE_LOSS_SQUARED_HINGE:
    *slope = -y + a / 2;
    *curvature = 0.5;
    break;
  case SFM_MACHINE_LOSS_EPSILON_INSENSITIVE:
    *slope = -y + (a > 0 ? loss->parameter : -loss->parameter);
    break;
  case SFM_MACHINE_LOSS_HUBER:
  case SFM_MACHINE_LOSS_SQUARED:
    *slope = a - y;
    *curvature = 1;
    break;
  case SFM_MACHINE_LOSS_LOGISTIC:
    *slope = y * log(fabs(a) / (1 - fabs(a)));
    *curvature = 1 / (fabs(a) * (1 - fabs(a)));
    *least += SFMI_LOSS_LOGISTIC_MARGIN * (a - *least);
    *most -= SFMI_LOSS_LOGISTIC_MARGIN * (*most - a);
    break;
  }
  return a > *least && a < *most;
}

/* Most duals of a Newton step, except for losses with curvature: most of their duals have no
 * corners to go to. */
static const size_t FACE_USUAL = 2048;

/* The rows of a Newton step.  Returns how many, or 0 when there are more than there is room for. */
static size_t find_face(const sfmi_working_set *set, sfmi_working_set_workspace *workspace) {
  const bool bends = set->loss->kind != SFM_MACHINE_LOSS_HINGE &&
                     set->loss->kind != SFM_MACHINE_LOSS_EPSILON_INSENSITIVE;
  const size_t most_rows = bends || workspace->face < FACE_USUAL ? workspace->face : FACE_USUAL;
  size_t count = 0;
  for (size_t i = 0; i < set->count; i++) {
    double least, most, slope, curvature;
    if (!(set->squares[i] > 0) ||
        !inside(set->loss, set->duals[i], set->labels[i], &least, &most, &slope, &curvature))
      continue;
    if (count == most_rows) return 0;
    workspace->places[count] = i;
    workspace->rows[count] = set->gram + i * set->stride;
    workspace->least[count] = least;
    workspace->most[count] = most;
    workspace->curvature[count] = curvature;
    workspace->slopes[count++] = -(slope + set->values[i]);
  }
  return count;
}

/* The diagonal of what is solved for. */
static double diagonal(const sfmi_working_set *set, const sfmi_working_set_workspace *workspace,
                       size_t i) {
  return set->scale * set->squares[workspace->places[i]] + workspace->curvature[i];
}

/* step := approximately the one that would bring the slopes to zero, by conjugate gradients in
 * units of the diagonal, until a small part of them is left, in at most ROUNDS rounds: directions
 * in which the rows are nearly dependent come last, and there a step would only lead out of the
 * pieces. */
static void descend(const sfmi_working_set *set, sfmi_working_set_workspace *workspace,
                    size_t count) {
  enum { ROUNDS = 40 };
  const size_t stride = sfmi_dense_products_gram_stride(count);
  double *left = workspace->slopes, *step = workspace->step, *way = workspace->way,
         *image = workspace->image;
  double square = 0;
  for (size_t i = 0; i < count; i++) {
    float *row = workspace->matrix + i * stride;
    for (size_t k = 0; k < count; k++) row[k] = workspace->rows[i][workspace->places[k]];
    workspace->face_rows[i] = row;
    step[i] = 0;
    way[i] = left[i] / diagonal(set, workspace, i);
    square += left[i] * way[i];
  }
  const double enough = 1e-6 * square;
  for (int round = 0; round < ROUNDS && square > enough; round++) {
    sfmi_dense_products_dots(set->loops, set->pool, image, workspace->face_rows, count, way, count);
    double bend = 0, next = 0;
    for (size_t i = 0; i < count; i++) {
      image[i] = set->scale * image[i] + workspace->curvature[i] * way[i];
      bend += way[i] * image[i];
    }
    if (!(bend > 0)) break;
    for (size_t i = 0; i < count; i++) {
      step[i] += square / bend * way[i];
      left[i] -= square / bend * image[i];
      next += left[i] * left[i] / diagonal(set, workspace, i);
    }
    for (size_t i = 0; i < count; i++)
      way[i] = left[i] / diagonal(set, workspace, i) + next / square * way[i];
    square = next;
  }
}

/* The changes that a part `theta` of the step makes within the pieces, and what they move. */
static void project(const sfmi_working_set *set, sfmi_working_set_workspace *workspace,
                    size_t count, double theta) {
  for (size_t i = 0; i < count; i++) {
    const double a = set->duals[workspace->places[i]], to = a + theta * workspace->step[i];
    workspace->change[i] = fmin(fmax(to, workspace->least[i]), workspace->most[i]) - a;
  }
  memset(workspace->moved, 0, set->count * sizeof *workspace->moved);
  sfmi_dense_products_add(set->loops, set->pool, workspace->moved, workspace->rows,
                          workspace->change, count, set->count);
  for (size_t i = 0; i < set->count; i++) workspace->moved[i] *= set->scale;
}

/* The gain of the changes: l*(-a) grows by d slope + d^2 curvature/2 where it is a parabola, and
 * for logistic by d slope and the slack of a + d at the value where a is best, -slope. */
static double gain(const sfmi_working_set *set, const sfmi_working_set_workspace *workspace,
                   size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t place = workspace->places[i];
    double least, most, slope, curvature;
    (void)inside(set->loss, set->duals[place], set->labels[place], &least, &most, &slope,
                 &curvature);
    const double d = workspace->change[i];
    const double bent =
        set->loss->kind == SFM_MACHINE_LOSS_LOGISTIC
            ? sfmi_loss_slack(set->loss, -slope, set->duals[place] + d, set->labels[place])
            : d * d * curvature / 2;
    sum -= d * (slope + set->values[place] + workspace->moved[place] / 2) + bent;
  }
  return sum;
}

static void take(const sfmi_working_set *set, const sfmi_working_set_workspace *workspace,
                 size_t count) {
  for (size_t i = 0; i < count; i++) {
    double *a = &set->duals[workspace->places[i]];
    *a = fmin(fmax(*a + workspace->change[i], workspace->least[i]), workspace->most[i]);
  }
  for (size_t i = 0; i < set->count; i++) set->values[i] += workspace->moved[i];
}

/* Takes the longest of the steps 1, 1/2, ... that gains. */
static void newton_step(const sfmi_working_set *set, sfmi_working_set_workspace *workspace) {
  enum { HALVINGS = 10 };
  const size_t count = find_face(set, workspace);
  if (count == 0) return;
  descend(set, workspace, count);
  double theta = 1;
  for (int i = 0; i < HALVINGS; i++, theta /= 2) {
    project(set, workspace, count, theta);
    if (gain(set, workspace, count) > 0) {
      take(set, workspace, count);
      return;
    }
  }
}

static double slacks(const sfmi_working_set *set) {
  double sum = 0;
  for (size_t i = 0; i < set->count; i++)
    if (set->squares[i] > 0)
      sum += sfmi_loss_slack(set->loss, set->values[i], set->duals[i], set->labels[i]);
  return sum;
}

void sfmi_working_set_solve(const sfmi_working_set *set, sfmi_working_set_workspace *workspace,
                            double goal, int rounds) {
  for (int i = 0; i < rounds && !(slacks(set) <= goal); i++) {
    for (int pass = 0; pass < PASSES; pass++) (void)sfmi_working_set_pass(set, pass % 2 == 1);
    newton_step(set, workspace);
  }
}
