#include "loss_atoms.h"

#include <stdlib.h>
#include <string.h>

#include "exponential_tilt.h"

#define UNIT 0x1p-53
/* As many are listed: 2 MB, and a few milliseconds a sum. */
#define ATOMS_MAX ((size_t)1 << 16)
/* Steps of one law's own list, and of the convolutions that make it. */
#define MASS_GRID_MAX ((size_t)1 << 12)
/* Tilted mass below which an atom is dropped and counted as lost. */
#define NEGLIGIBLE_MASS 1e-28
/* A lattice normal is listed to so many sigmas: what lies beyond is below e^-60. */
#define LATTICE_REACH 11.0
#define LATTICE_LOST 1e-25
/* The exponents of its masses are below 80, and known to a few units. */
#define LATTICE_ERROR (512 * UNIT)

/* The atoms of one law, count times: mass[i] at (first + i) steps below its base. */
typedef struct mass_grid {
  double *mass;
  size_t count;
  double first;
  sfmi_dd step;
  double error, lost;
} mass_grid;

static void mass_grid_clear(mass_grid *l) {
  free(l->mass);
  *l = (mass_grid){0};
}

static bool mass_grid_set(mass_grid *l, const sfmi_tilt *tilt) {
  if (tilt->shape == SFMI_LATTICE_NORMAL) {
    const double reach = ceil(LATTICE_REACH * tilt->parameter) + 2;
    if (2 * reach + 1 > (double)MASS_GRID_MAX) return true;
    *l = (mass_grid){.count = (size_t)(2 * reach) + 1, .first = -reach, .step = tilt->spacing};
    l->error = LATTICE_ERROR;
    l->lost = LATTICE_LOST;
    l->mass = sfmi_alloc(l->count, sizeof *l->mass);
    if (l->mass) sfmi_tilt_lattice_masses(l->mass, tilt, (int)reach);
    return l->mass != NULL;
  }
  const bool three = tilt->shape == SFMI_THREE_POINTS;
  *l = (mass_grid){.count = three ? 3 : 2, .error = 8 * UNIT};
  l->step.hi = three ? tilt->parameter : 2 * tilt->parameter;
  l->mass = sfmi_alloc(l->count, sizeof *l->mass);
  if (!l->mass) return false;
  l->mass[0] = (double)((tilt->even + tilt->odd) / 2);
  if (three) l->mass[1] = (double)tilt->zero;
  l->mass[l->count - 1] = (double)tilt->minus;
  return true;
}

/* Drops dust at both ends. */
static void mass_grid_trim(mass_grid *l) {
  size_t begin = 0, end = l->count;
  while (end > begin + 1 && l->mass[end - 1] < NEGLIGIBLE_MASS) l->lost += l->mass[--end];
  while (end > begin + 1 && l->mass[begin] < NEGLIGIBLE_MASS) l->lost += l->mass[begin++];
  memmove(l->mass, l->mass + begin, (end - begin) * sizeof *l->mass);
  l->first += (double)begin;
  l->count = end - begin;
}

/* out = a * b; false when memory is short.  All terms are positive: the relative error of a sum of
 * n products is what its factors had and n + 1 roundings. */
static bool convolve(mass_grid *out, const mass_grid *a, const mass_grid *b) {
  mass_grid c = {.count = a->count + b->count - 1, .first = a->first + b->first, .step = a->step};
  c.mass = sfmi_alloc(c.count, sizeof *c.mass);
  if (!c.mass) return false;
  for (size_t i = 0; i < a->count; i++)
    for (size_t j = 0; j < b->count; j++) c.mass[i + j] += a->mass[i] * b->mass[j];
  const size_t terms = a->count < b->count ? a->count : b->count;
  c.error = a->error + b->error + (double)(terms + 2) * UNIT;
  c.lost = a->lost + b->lost;
  mass_grid_trim(&c);
  *out = c;
  return true;
}

static bool replace(mass_grid *l, const mass_grid *a, const mass_grid *b) {
  mass_grid c;
  if (!convolve(&c, a, b)) return false;
  mass_grid_clear(l);
  *l = c;
  return true;
}

/* The law of count releases; an empty mass_grid when it is too long.  False: no memory. */
static bool mass_grid_power(mass_grid *out, mass_grid *one, uint64_t count) {
  *out = (mass_grid){.count = 1, .step = one->step};
  out->mass = sfmi_alloc(1, sizeof *out->mass);
  if (!out->mass) return false;
  out->mass[0] = 1;
  while (count) {
    if (out->count + one->count > MASS_GRID_MAX) {
      mass_grid_clear(out);
      return true;
    }
    if (count & 1 && !replace(out, out, one)) return false;
    count >>= 1;
    if (!count) break;
    if (2 * one->count > MASS_GRID_MAX) {
      mass_grid_clear(out);
      return true;
    }
    if (!replace(one, one, one)) return false;
  }
  return true;
}

/* Every atom so far with every step of the mass_grid.  *full: too many.  False: no memory. */
static bool extend(sfmi_atoms *atoms, const mass_grid *l, bool *full) {
  size_t room = atoms->count * l->count, kept = 0;
  if (room > 16 * ATOMS_MAX) {
    *full = true;
    return true;
  }
  sfmi_atom *list = sfmi_alloc(room, sizeof *list);
  if (!list) return false;
  for (size_t i = 0; i < atoms->count; i++)
    for (size_t j = 0; j < l->count; j++) {
      const double mass = atoms->list[i].mass * l->mass[j];
      if (mass < NEGLIGIBLE_MASS) {
        atoms->lost += mass;
        continue;
      }
      const sfmi_dd down = sfmi_dd_scale(l->step, l->first + (double)j);
      list[kept++] = (sfmi_atom){sfmi_dd_add(atoms->list[i].offset, down), mass};
    }
  free(atoms->list);
  atoms->list = list;
  atoms->count = kept;
  atoms->error += l->error + 2 * UNIT;
  atoms->lost += l->lost;
  *full = kept > ATOMS_MAX;
  return true;
}

/* Adds one law to the list; as extend. */
static bool add_law(sfmi_atoms *atoms, const sfmi_loss_law *law, bool *full) {
  sfmi_tilt tilt;
  mass_grid one = {0}, all = {0};
  sfmi_tilt_init(&tilt, law, atoms->lambda);
  bool good = mass_grid_set(&one, &tilt);
  if (good && one.mass) good = mass_grid_power(&all, &one, law->count);
  if (good && all.mass) {
    good = extend(atoms, &all, full);
  } else {
    *full = true;
  }
  const double count = (double)law->count;
  if (law->shape == SFMI_LATTICE_NORMAL) {
    atoms->base = sfmi_dd_add(atoms->base, sfmi_dd_scale(tilt.centre, count));
    atoms->reach += tilt.centre.hi * count;
  }
  atoms->reach += one.step.hi * ((double)all.count + fabs(all.first));
  mass_grid_clear(&one);
  mass_grid_clear(&all);
  return good;
}

sfm_status sfmi_atoms_init(sfmi_atoms *atoms, const sfmi_total_loss *total, double lambda,
                           sfm_error *error) {
  *atoms = (sfmi_atoms){.lambda = lambda, .base = total->top, .reach = total->top.hi};
  atoms->list = sfmi_alloc(1, sizeof *atoms->list);
  bool good = atoms->list != NULL, full = false;
  atoms->count = 1;
  if (good) atoms->list[0].mass = 1;
  for (size_t i = 0; good && !full && i < total->count; i++)
    good = add_law(atoms, &total->laws[i], &full);
  if (!good || full) sfmi_atoms_clear(atoms);
  return good ? SFM_OK : sfmi_fail_memory(error);
}

void sfmi_atoms_clear(sfmi_atoms *atoms) {
  free(atoms->list);
  *atoms = (sfmi_atoms){0};
}

void sfmi_atoms_delta(const sfmi_atoms *atoms, double epsilon, double *lower, double *upper,
                      double *fall) {
  const sfmi_dd above = sfmi_dd_add(atoms->base, (sfmi_dd){-epsilon, 0});
  /* What a place is known to: 2^-100 of all it was added from, and rounding to a double. */
  const double place = 0x1p-98 * (atoms->reach + epsilon);
  const double lambda = atoms->lambda;
  long double low = 0, high = 0, slope = 0;
  for (size_t i = 0; i < atoms->count; i++) {
    const double mass = atoms->list[i].mass;
    const double x = sfmi_dd_add(above, sfmi_dd_negate(atoms->list[i].offset)).hi;
    const double left = x - place - 2 * UNIT * fabs(x), right = x + place + 2 * UNIT * fabs(x);
    if (right <= 0 || lambda * left > 700) continue;
    /* q e^(-lambda x) (1 - e^-x): one factor falls with x, the other rises. */
    const double off = (16 + 8 * lambda * right) * UNIT;
    if (left > 0) low += (long double)(-mass * exp(-lambda * right) * expm1(-left) * (1 - off));
    high += (long double)(-mass * exp(-lambda * fmax(left, 0)) * expm1(-right) * (1 + off));
    if (x > 0) slope += (long double)(mass * exp(-(lambda + 1) * x));
  }
  const double off = atoms->error + 16 * UNIT;
  /* No atom pays more than 1/(lambda + 1); those skipped above, less than e^-700. */
  const double rest = (atoms->lost + 1e-300 * (double)atoms->count) / (lambda + 1);
  *lower = (double)low * (1 - off);
  *upper = (double)high * (1 + off) + rest;
  *fall = (double)slope;
}
