#include "working_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/wipe.h"

/* Of coordinate ascent between two steps on a face: they cost little. */
enum { PASSES = 8 };

struct sfmi_working_set_workspace {
  size_t count, face;
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
  sfmi_working_set_workspace *room = sfmi_alloc(1, sizeof *room);
  if (!room) return NULL;
  const size_t face = count < SFMI_WORKING_SET_NEWTON_MAX ? count : SFMI_WORKING_SET_NEWTON_MAX;
  room->count = count;
  room->face = face;
  room->places = sfmi_alloc(face, sizeof *room->places);
  room->slopes = sfmi_alloc(face, sizeof *room->slopes);
  room->least = sfmi_alloc(face, sizeof *room->least);
  room->most = sfmi_alloc(face, sizeof *room->most);
  room->curvature = sfmi_alloc(face, sizeof *room->curvature);
  room->step = sfmi_alloc(face, sizeof *room->step);
  room->way = sfmi_alloc(face, sizeof *room->way);
  room->image = sfmi_alloc(face, sizeof *room->image);
  room->matrix = sfmi_alloc(face * sfmi_dense_products_gram_stride(face), sizeof *room->matrix);
  room->face_rows = sfmi_alloc(face, sizeof *room->face_rows);
  room->change = sfmi_alloc(face, sizeof *room->change);
  room->moved = sfmi_alloc(count, sizeof *room->moved);
  room->rows = sfmi_alloc(face, sizeof *room->rows);
  if (room->places && room->slopes && room->least && room->most && room->curvature && room->step &&
      room->way && room->image && room->matrix && room->face_rows && room->change && room->moved &&
      room->rows)
    return room;
  sfmi_working_set_workspace_destroy(room);
  return NULL;
}

void sfmi_working_set_workspace_destroy(sfmi_working_set_workspace *room) {
  if (!room) return;
  const size_t face = room->face;
  sfmi_wipe_free(room->places, face, sizeof *room->places);
  sfmi_wipe_free(room->slopes, face, sizeof *room->slopes);
  sfmi_wipe_free(room->least, face, sizeof *room->least);
  sfmi_wipe_free(room->most, face, sizeof *room->most);
  sfmi_wipe_free(room->curvature, face, sizeof *room->curvature);
  sfmi_wipe_free(room->step, face, sizeof *room->step);
  sfmi_wipe_free(room->way, face, sizeof *room->way);
  sfmi_wipe_free(room->image, face, sizeof *room->image);
  sfmi_wipe_free(room->matrix, face * sfmi_dense_products_gram_stride(face), sizeof *room->matrix);
  free(room->face_rows);
  sfmi_wipe_free(room->change, face, sizeof *room->change);
  sfmi_wipe_free(room->moved, room->count, sizeof *room->moved);
  free(room->rows);
  free(room);
}

double sfmi_working_set_dual_step(const sfmi_loss *loss, double t, double a, double q, double y) {
  return q > 0 ? sfmi_loss_step(loss, t, a, q, y) : -sfmi_loss_slope(loss, t, y);
}

bool sfmi_working_set_is_loose(const sfmi_loss *loss, double t, double a, double q, double y,
                               double margin) {
  if (loss->kind == SFM_MACHINE_LOGISTIC || loss->kind == SFM_MACHINE_SQUARED) return true;
  return sfmi_working_set_dual_step(loss, t - margin, a, q, y) != a ||
         sfmi_working_set_dual_step(loss, t + margin, a, q, y) != a;
}

double sfmi_working_set_pass(const sfmi_working_set *f, bool back) {
  double sum = 0;
  for (size_t j = 0; j < f->count; j++) {
    const size_t i = back ? f->count - 1 - j : j;
    const double to = sfmi_working_set_dual_step(f->loss, f->values[i], f->duals[i],
                                                 f->scale * f->squares[i], f->labels[i]);
    const double change = to - f->duals[i];
    if (change == 0) continue;
    f->duals[i] = to;
    sfmi_dense_products_axpy(f->strips, f->values, f->gram + i * f->stride, f->scale * change,
                             f->count);
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
  case SFM_MACHINE_HINGE:
    *slope = -y;
    break;
  case SFM_MACHINE_SQUARED_HINGE:
    *slope = -y + a / 2;
    *curvature = 0.5;
    break;
  case SFM_MACHINE_EPSILON_INSENSITIVE:
    *slope = -y + (a > 0 ? loss->parameter : -loss->parameter);
    break;
  case SFM_MACHINE_HUBER:
  case SFM_MACHINE_SQUARED:
    *slope = a - y;
    *curvature = 1;
    break;
  case SFM_MACHINE_LOGISTIC:
    *slope = y * log(fabs(a) / (1 - fabs(a)));
    *curvature = 1 / (fabs(a) * (1 - fabs(a)));
    *least += SFMI_LOSS_LOGISTIC_MARGIN * (a - *least);
    *most -= SFMI_LOSS_LOGISTIC_MARGIN * (*most - a);
    break;
  }
  return a > *least && a < *most;
}

/* Of more duals a Newton step is not worth it, but of losses that bend: most of their duals have no
 * corners to go to. */
static const size_t FACE_USUAL = 2048;

/* The face: as many rows as there is room for.  Returns how many, or 0 when there are more. */
static size_t find_face(const sfmi_working_set *f, sfmi_working_set_workspace *room) {
  const bool bends =
      f->loss->kind != SFM_MACHINE_HINGE && f->loss->kind != SFM_MACHINE_EPSILON_INSENSITIVE;
  const size_t most_rows = bends || room->face < FACE_USUAL ? room->face : FACE_USUAL;
  size_t count = 0;
  for (size_t i = 0; i < f->count; i++) {
    double least, most, slope, curvature;
    if (!(f->squares[i] > 0) ||
        !inside(f->loss, f->duals[i], f->labels[i], &least, &most, &slope, &curvature))
      continue;
    if (count == most_rows) return 0;
    room->places[count] = i;
    room->rows[count] = f->gram + i * f->stride;
    room->least[count] = least;
    room->most[count] = most;
    room->curvature[count] = curvature;
    room->slopes[count++] = -(slope + f->values[i]);
  }
  return count;
}

/* The diagonal of what is solved for. */
static double diagonal(const sfmi_working_set *f, const sfmi_working_set_workspace *room,
                       size_t i) {
  return f->scale * f->squares[room->places[i]] + room->curvature[i];
}

/* step := about the one that would bring the slopes to zero, by conjugate gradients in units of the
 * diagonal, until what is left of them is a small part.  That many rounds: directions in which the
 * rows are nearly dependent come last, and there a step would only lead out of the pieces. */
static void descend(const sfmi_working_set *f, sfmi_working_set_workspace *room, size_t count) {
  enum { ROUNDS = 40 };
  const size_t stride = sfmi_dense_products_gram_stride(count);
  double *left = room->slopes, *step = room->step, *way = room->way, *image = room->image;
  double square = 0;
  for (size_t i = 0; i < count; i++) {
    float *row = room->matrix + i * stride;
    for (size_t k = 0; k < count; k++) row[k] = room->rows[i][room->places[k]];
    room->face_rows[i] = row;
    step[i] = 0;
    way[i] = left[i] / diagonal(f, room, i);
    square += left[i] * way[i];
  }
  const double enough = 1e-6 * square;
  for (int round = 0; round < ROUNDS && square > enough; round++) {
    sfmi_dense_products_dots(f->strips, f->pool, image, room->face_rows, count, way, count);
    double bend = 0, next = 0;
    for (size_t i = 0; i < count; i++) {
      image[i] = f->scale * image[i] + room->curvature[i] * way[i];
      bend += way[i] * image[i];
    }
    if (!(bend > 0)) break;
    for (size_t i = 0; i < count; i++) {
      step[i] += square / bend * way[i];
      left[i] -= square / bend * image[i];
      next += left[i] * left[i] / diagonal(f, room, i);
    }
    for (size_t i = 0; i < count; i++)
      way[i] = left[i] / diagonal(f, room, i) + next / square * way[i];
    square = next;
  }
}

/* The changes that a part `theta` of the step makes within the pieces, and what they move. */
static void project(const sfmi_working_set *f, sfmi_working_set_workspace *room, size_t count,
                    double theta) {
  for (size_t i = 0; i < count; i++) {
    const double a = f->duals[room->places[i]], to = a + theta * room->step[i];
    room->change[i] = fmin(fmax(to, room->least[i]), room->most[i]) - a;
  }
  memset(room->moved, 0, f->count * sizeof *room->moved);
  sfmi_dense_products_add(f->strips, f->pool, room->moved, room->rows, room->change, count,
                          f->count);
  for (size_t i = 0; i < f->count; i++) room->moved[i] *= f->scale;
}

/* What the changes gain: l*(-a) grows by d slope + d^2 curvature/2 where it is a parabola, and, of
 * logistic, by d slope and the slack of a + d at the value where a is best, -slope. */
static double gain(const sfmi_working_set *f, const sfmi_working_set_workspace *room,
                   size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t place = room->places[i];
    double least, most, slope, curvature;
    (void)inside(f->loss, f->duals[place], f->labels[place], &least, &most, &slope, &curvature);
    const double d = room->change[i];
    const double bent =
        f->loss->kind == SFM_MACHINE_LOGISTIC
            ? sfmi_loss_slack(f->loss, -slope, f->duals[place] + d, f->labels[place])
            : d * d * curvature / 2;
    sum -= d * (slope + f->values[place] + room->moved[place] / 2) + bent;
  }
  return sum;
}

static void take(const sfmi_working_set *f, const sfmi_working_set_workspace *room, size_t count) {
  for (size_t i = 0; i < count; i++) {
    double *a = &f->duals[room->places[i]];
    *a = fmin(fmax(*a + room->change[i], room->least[i]), room->most[i]);
  }
  for (size_t i = 0; i < f->count; i++) f->values[i] += room->moved[i];
}

/* Takes the longest of the steps 1, 1/2, ... that gains. */
static void newton_step(const sfmi_working_set *f, sfmi_working_set_workspace *room) {
  enum { HALVINGS = 10 };
  const size_t count = find_face(f, room);
  if (count == 0) return;
  descend(f, room, count);
  double theta = 1;
  for (int i = 0; i < HALVINGS; i++, theta /= 2) {
    project(f, room, count, theta);
    if (gain(f, room, count) > 0) {
      take(f, room, count);
      return;
    }
  }
}

static double slacks(const sfmi_working_set *f) {
  double sum = 0;
  for (size_t i = 0; i < f->count; i++)
    if (f->squares[i] > 0) sum += sfmi_loss_slack(f->loss, f->values[i], f->duals[i], f->labels[i]);
  return sum;
}

void sfmi_working_set_solve(const sfmi_working_set *focus, sfmi_working_set_workspace *room,
                            double goal, int rounds) {
  for (int i = 0; i < rounds && !(slacks(focus) <= goal); i++) {
    for (int pass = 0; pass < PASSES; pass++) (void)sfmi_working_set_pass(focus, pass % 2 == 1);
    newton_step(focus, room);
  }
}
