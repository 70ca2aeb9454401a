/* extension.c - L by panels of PANEL rows: panel b holds rows PANEL b .. of L up to the diagonal
 * block, PANEL (b + 1) numbers a row, so that rows never move as L grows.
 *
 * New rows are computed where they will lie, up to a panel of them at a time: K between the new
 * places and the old ones, then block by block
 *   R_b := (R_b - sum_{c<b} R_c L_bc') L_bb^-',
 * which is L^-1 k for each row, then the triangle among the new ones.  For one place that is a
 * product with a vector a block, for many a matrix product.
 *
 * Rounding is that of gram.c, i (i + 4) u S after i places: half of the nugget up to 65,000 of
 * them, whose rows would take 17 GB. */
#include "fields/extension.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linear.h"
#include "fields/engines.h"

enum { PANEL = 64 };

struct sfmi_extension {
  sfm_kernel kernel;
  double *bandwidth; /* the kernel's own; NULL when it has none */
  double nugget;
  size_t count, capacity;   /* places there are and may be; capacity is a multiple of PANEL */
  double *points, *normals; /* capacity */
  double **panels;          /* capacity/PANEL; NULL where there are no rows yet */
};

sfm_status sfmi_extension_create(sfmi_extension **out, const sfm_kernel *kernel, double nugget,
                                 sfm_error *error) {
  assert(nugget > 0);
  *out = NULL;
  const size_t bytes = kernel->dimension * sizeof *kernel->bandwidth;
  sfmi_extension *extension = sfmi_alloc(1, sizeof *extension);
  if (!extension) return sfmi_fail_memory(error);
  extension->kernel = *kernel;
  extension->nugget = nugget;
  if (sfmi_kernel_stationary(kernel->family)) {
    extension->bandwidth = malloc(bytes);
    if (!extension->bandwidth) {
      sfmi_extension_destroy(extension);
      return sfmi_fail_memory(error);
    }
    memcpy(extension->bandwidth, kernel->bandwidth, bytes);
    extension->kernel.bandwidth = extension->bandwidth;
  }
  *out = extension;
  return SFM_OK;
}

/* The normals are the latent state; everything else is public. */
static void drop_normals(double *normals, size_t count) {
  if (normals) explicit_bzero(normals, count * sizeof *normals);
  free(normals);
}

void sfmi_extension_destroy(sfmi_extension *extension) {
  if (!extension) return;
  for (size_t b = 0; b < extension->capacity / PANEL; b++) free(extension->panels[b]);
  free(extension->panels);
  free(extension->points);
  drop_normals(extension->normals, extension->capacity);
  free(extension->bandwidth);
  free(extension);
}

size_t sfmi_extension_count(const sfmi_extension *extension) {
  return extension->count;
}

/* Room for count places; at least twice as many as before, so that growing costs little. */
static sfm_status reserve(sfmi_extension *extension, size_t count, sfm_error *error) {
  const size_t old = extension->capacity, d = extension->kernel.dimension;
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
    memcpy(points, extension->points, extension->count * d * sizeof *points);
    memcpy(normals, extension->normals, extension->count * sizeof *normals);
    memcpy(table, extension->panels, old / PANEL * sizeof *table);
  }
  free(extension->points);
  drop_normals(extension->normals, old);
  free(extension->panels);
  extension->points = points;
  extension->normals = normals;
  extension->panels = table;
  extension->capacity = capacity;
  return SFM_OK;
}

/* A row of L, and as much of the rows behind it as lies in the same panel. */
static sfmi_block row_of(const sfmi_extension *extension, size_t i) {
  const size_t b = i / PANEL, stride = PANEL * (b + 1);
  return (sfmi_block){extension->panels[b] + i % PANEL * stride, stride};
}

/* count rows from the first new one on: the part that lies under the old rows. */
static void solve(const sfmi_extension *extension, size_t count) {
  const size_t old = extension->count;
  const sfmi_block rows = row_of(extension, old);
  for (size_t start = 0; start < old; start += PANEL) {
    const size_t width = old - start < PANEL ? old - start : PANEL;
    const sfmi_block lower = row_of(extension, start), out = {rows.data + start, rows.stride};
    sfmi_block_subtract(out, rows, lower, count, width, start);
    sfmi_block_solve(out, (sfmi_block){lower.data + start, lower.stride}, count, width);
  }
  sfmi_block_subtract((sfmi_block){rows.data + old, rows.stride}, rows, rows, count, count, old);
}

/* The triangle among the new ones.  The exact d^2 is at least the nugget; what rounding takes from
 * it is put back up to half of it.  A kernel that is not positive definite can take more. */
static sfm_status finish(const sfmi_extension *extension, size_t count, sfm_error *error) {
  const sfmi_block rows = row_of(extension, extension->count);
  for (size_t i = 0; i < count; i++) {
    double *a = rows.data + i * rows.stride + extension->count;
    for (size_t j = 0; j <= i; j++) {
      const double *b = rows.data + j * rows.stride + extension->count;
      for (size_t k = 0; k < j; k++) a[j] -= a[k] * b[k];
      if (j < i) a[j] /= b[j];
    }
    if (!(a[i] > -extension->nugget))
      return sfmi_fail(error, SFM_INVALID,
                       "the %s kernel is not positive definite at these places; a kernel must be "
                       "symmetric and have v'Kv >= 0 for every v",
                       sfm_kernel_name(extension->kernel.family));
    a[i] = sqrt(fmax(a[i], extension->nugget / 2));
  }
  return SFM_OK;
}

/* Adds up to what is left of a panel. */
static sfm_status add_rows(sfmi_extension *extension, double *values, size_t count,
                           sfm_error *error) {
  const size_t old = extension->count, b = old / PANEL;
  if (!extension->panels[b])
    extension->panels[b] = sfmi_alloc((size_t)PANEL * PANEL * (b + 1), sizeof(double));
  if (!extension->panels[b]) return sfmi_fail_memory(error);
  for (size_t i = old; i < old + count; i++) {
    sfm_status status = sfmi_gram_row(row_of(extension, i).data, extension->points, i,
                                      &extension->kernel, extension->nugget, error);
    if (status != SFM_OK) return status;
  }
  solve(extension, count);
  sfm_status status = finish(extension, count, error);
  if (status != SFM_OK) return status;
  extension->count += count;
  for (size_t i = 0; values && i < count; i++) {
    const double *row = row_of(extension, old + i).data;
    values[i] = 0;
    for (size_t j = 0; j <= old + i; j++) values[i] += row[j] * extension->normals[j];
  }
  return SFM_OK;
}

/* All of the places or none. */
static sfm_status append(sfmi_extension *extension, double *values, const double *points,
                         const double *normals, size_t count, sfm_error *error) {
  const size_t old = extension->count, d = extension->kernel.dimension;
  sfm_status status = reserve(extension, old + count, error);
  if (status != SFM_OK || count == 0) return status;
  memcpy(extension->points + old * d, points, count * d * sizeof *points);
  memcpy(extension->normals + old, normals, count * sizeof *normals);
  for (size_t done = 0, chunk; done < count && status == SFM_OK; done += chunk) {
    const size_t room = PANEL - extension->count % PANEL;
    chunk = count - done < room ? count - done : room;
    status = add_rows(extension, values ? values + done : NULL, chunk, error);
  }
  if (status != SFM_OK) extension->count = old;
  return status;
}

sfm_status sfmi_extension_load(sfmi_extension *extension, const double *points,
                               const double *normals, size_t count, sfm_error *error) {
  assert(extension->count == 0);
  return append(extension, NULL, points, normals, count, error);
}

sfm_status sfmi_extension_add(sfmi_extension *extension, double *values, const double *points,
                              const double *normals, size_t count, sfm_error *error) {
  return append(extension, values, points, normals, count, error);
}

void sfmi_extension_truncate(sfmi_extension *extension, size_t count) {
  assert(count <= extension->count);
  const size_t gone = extension->count - count;
  if (gone) explicit_bzero(extension->normals + count, gone * sizeof *extension->normals);
  extension->count = count;
}

/* Half of the square of the rows so far, and as many for the value. */
double sfmi_extension_work(const sfmi_extension *extension) {
  const double n = (double)extension->count;
  return n * (n + 1) / 2 + n + 1;
}

/* A row of L, a place and its normal. */
double sfmi_extension_bytes(const sfmi_extension *extension) {
  return (double)((extension->count + extension->kernel.dimension + 2) * sizeof(double));
}
