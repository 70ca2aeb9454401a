/* sequential_field.c - L by panels of PANEL rows: panel b holds rows PANEL b .. of L up to the
 * diagonal block, PANEL (b + 1) numbers per row, so that rows never move as L grows.
 *
 * New rows are computed where they will lie, up to a panel of them at a time: K between the new
 * places and the old ones, then block by block
 *   R_b := (R_b - sum_{c<b} R_c L_bc') L_bb^-',
 * which is L^-1 k for each row, then the triangle among the new ones.  For one place that is a
 * product with a vector per block, for many a matrix product.
 *
 * Rounding is that of gram_engine.c, i (i + 4) u S after i places: half of the nugget up to 65,000
 * of them, whose rows would take 17 GB. */
#include "sequential_field.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math/linear_algebra.h"
#include "gram_engine.h"

enum { PANEL = 64 };

struct sfmi_sequential_field {
  sfm_kernel kernel;
  double *bandwidth; /* the kernel's own; NULL when it has none */
  double nugget;
  size_t count, capacity;   /* places there are and may be; capacity is a multiple of PANEL */
  double *points, *normals; /* capacity; the normals are latent, everything else is public */
  double **panels;          /* capacity/PANEL; NULL where there are no rows yet */
};

sfm_status sfmi_sequential_field_create(sfmi_sequential_field **out, const sfm_kernel *kernel,
                                        double nugget, sfm_error *error) {
  assert(nugget > 0);
  *out = NULL;
  const size_t bytes = kernel->dimension * sizeof *kernel->bandwidth;
  sfmi_sequential_field *field = sfmi_alloc(1, sizeof *field);
  if (!field) return sfmi_fail_memory(error);
  field->kernel = *kernel;
  field->nugget = nugget;
  if (sfmi_kernel_stationary(kernel->family)) {
    field->bandwidth = malloc(bytes);
    if (!field->bandwidth) {
      sfmi_sequential_field_destroy(field);
      return sfmi_fail_memory(error);
    }
    memcpy(field->bandwidth, kernel->bandwidth, bytes);
    field->kernel.bandwidth = field->bandwidth;
  }
  *out = field;
  return SFM_OK;
}

void sfmi_sequential_field_destroy(sfmi_sequential_field *field) {
  if (!field) return;
  for (size_t b = 0; b < field->capacity / PANEL; b++) free(field->panels[b]);
  free(field->panels);
  free(field->points);
  sfmi_wipe_free(field->normals, field->capacity, sizeof *field->normals);
  free(field->bandwidth);
  free(field);
}

size_t sfmi_sequential_field_count(const sfmi_sequential_field *field) {
  return field->count;
}

/* Room for count places; at least twice as many as before, so that growing costs little. */
static sfm_status reserve(sfmi_sequential_field *field, size_t count, sfm_error *error) {
  const size_t old = field->capacity, d = field->kernel.dimension;
  if (count <= old) return SFM_OK;
  const size_t wanted = count > 2 * old ? count : 2 * old;
  const size_t panels = (wanted + PANEL - 1) / PANEL, capacity = panels * PANEL;
  double *points = sfmi_alloc(capacity * d, sizeof *points);
  double *normals = sfmi_alloc(capacity, sizeof *normals);
  double **table = sfmi_alloc(panels, sizeof *table);
  if (!points || !normals || !table) {
    free(points);
    free(normals);
    free(table);
    return sfmi_fail_memory(error);
  }
  if (old) {
    memcpy(points, field->points, field->count * d * sizeof *points);
    memcpy(normals, field->normals, field->count * sizeof *normals);
    memcpy(table, field->panels, old / PANEL * sizeof *table);
  }
  free(field->points);
  sfmi_wipe_free(field->normals, old, sizeof *field->normals);
  free(field->panels);
  field->points = points;
  field->normals = normals;
  field->panels = table;
  field->capacity = capacity;
  return SFM_OK;
}

/* A row of L, and as much of the rows behind it as lies in the same panel. */
static sfmi_block row_of(const sfmi_sequential_field *field, size_t i) {
  const size_t b = i / PANEL, stride = PANEL * (b + 1);
  return (sfmi_block){field->panels[b] + i % PANEL * stride, stride};
}

/* count rows from the first new one on: the part that lies under the old rows. */
static void solve(const sfmi_sequential_field *field, size_t count) {
  const size_t old = field->count;
  const sfmi_block rows = row_of(field, old);
  for (size_t start = 0; start < old; start += PANEL) {
    const size_t width = old - start < PANEL ? old - start : PANEL;
    const sfmi_block lower = row_of(field, start), out = {rows.data + start, rows.stride};
    sfmi_block_subtract(out, rows, lower, count, width, start);
    sfmi_block_solve(out, (sfmi_block){lower.data + start, lower.stride}, count, width);
  }
  sfmi_block_subtract((sfmi_block){rows.data + old, rows.stride}, rows, rows, count, count, old);
}

/* The triangle among the new rows.  The exact d^2 is at least the nugget.  Where rounding took from
 * it, it is raised to half the nugget.  A kernel that is not positive definite can take more. */
static sfm_status finish(const sfmi_sequential_field *field, size_t count, sfm_error *error) {
  const sfmi_block rows = row_of(field, field->count);
  for (size_t i = 0; i < count; i++) {
    double *a = rows.data + i * rows.stride + field->count;
    for (size_t j = 0; j <= i; j++) {
      const double *b = rows.data + j * rows.stride + field->count;
      for (size_t k = 0; k < j; k++) a[j] -= a[k] * b[k];
      if (j < i) a[j] /= b[j];
    }
    if (!(a[i] > -field->nugget))
      return sfmi_fail(error, SFM_INVALID,
                       "the %s kernel is not positive definite at these places; a kernel must be "
                       "symmetric and have v'Kv >= 0 for every v",
                       sfm_kernel_family_name(field->kernel.family));
    a[i] = sqrt(fmax(a[i], field->nugget / 2));
  }
  return SFM_OK;
}

/* Adds up to what is left of a panel. */
static sfm_status add_rows(sfmi_sequential_field *field, double *values, size_t count,
                           sfm_error *error) {
  const size_t old = field->count, b = old / PANEL;
  if (!field->panels[b])
    field->panels[b] = sfmi_alloc((size_t)PANEL * PANEL * (b + 1), sizeof(double));
  if (!field->panels[b]) return sfmi_fail_memory(error);
  for (size_t i = old; i < old + count; i++) {
    sfm_status status = sfmi_gram_row(row_of(field, i).data, field->points, i, &field->kernel,
                                      field->nugget, error);
    if (status) return status;
  }
  solve(field, count);
  sfm_status status = finish(field, count, error);
  if (status) return status;
  field->count += count;
  for (size_t i = 0; values && i < count; i++) {
    const double *row = row_of(field, old + i).data;
    values[i] = 0;
    for (size_t j = 0; j <= old + i; j++) values[i] += row[j] * field->normals[j];
  }
  return SFM_OK;
}

/* All of the places or none. */
static sfm_status append(sfmi_sequential_field *field, double *values, const double *points,
                         const double *normals, size_t count, sfm_error *error) {
  const size_t old = field->count, d = field->kernel.dimension;
  sfm_status status = reserve(field, old + count, error);
  if (status || count == 0) return status;
  memcpy(field->points + old * d, points, count * d * sizeof *points);
  memcpy(field->normals + old, normals, count * sizeof *normals);
  for (size_t done = 0, chunk; done < count && !status; done += chunk) {
    const size_t room = PANEL - field->count % PANEL;
    chunk = count - done < room ? count - done : room;
    status = add_rows(field, values ? values + done : NULL, chunk, error);
  }
  if (status) field->count = old;
  return status;
}

sfm_status sfmi_sequential_field_load(sfmi_sequential_field *field, const double *points,
                                      const double *normals, size_t count, sfm_error *error) {
  assert(field->count == 0);
  return append(field, NULL, points, normals, count, error);
}

sfm_status sfmi_sequential_field_add(sfmi_sequential_field *field, double *values,
                                     const double *points, const double *normals, size_t count,
                                     sfm_error *error) {
  return append(field, values, points, normals, count, error);
}

void sfmi_sequential_field_truncate(sfmi_sequential_field *field, size_t count) {
  assert(count <= field->count);
  const size_t gone = field->count - count;
  if (gone) explicit_bzero(field->normals + count, gone * sizeof *field->normals);
  field->count = count;
}
