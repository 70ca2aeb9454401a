#include "density_errors.h"

#include <math.h>

#include "base/math/elementary.h"
#include "base/system/arena.h"
#include "planner/forecast/forecast.h"
#include "releases/core/release_data.h"

/* The share of people who are in a heap of some column. */
static const double HEAPED = 1.0 / 40;

/* Axes with more cells than this are computed from an axis with this many cells of the same
 * spacing: edges add to the rest, and sums over frequencies are the same integrals.  Odd, so that
 * no frequency of a ring is lost. */
static const size_t CELLS_MAX = 41;

/* Squares of the kernel's transform below this are ignored. */
static const double NOTHING = 1e-14;

typedef struct axis_integrals {
  double noise;                  /* int over the domain of sum_k psi(q - x_k)^2 */
  double kept, alias, cut;       /* of one row at a random place */
  double shape_alias, shape_cut; /* of the shape, on the line or the whole ring */
} axis_integrals;

/* sum over k of the integral over the domain of psi(q - x_k)^2, with psi(q) = sum over |j| <= P/2
 * of transfer_j cos(2 pi j q/Ps) sampled FINE times a spacing. */
static sfm_status noise_integral(double *out, const sfmi_lattice_axis *axis, const double *transfer,
                                 size_t P, sfmi_arena *arena, sfm_error *error) {
  enum { FINE = 4 };
  const size_t G = FINE * P;
  double *cosine = sfmi_arena_doubles(arena, G), *square = sfmi_arena_doubles(arena, G);
  if (!cosine || !square) return sfmi_fail_memory(error);
  for (size_t i = 0; i < G; i++) cosine[i] = cos(2 * M_PI * (double)i / (double)G);
  for (size_t i = 0; i <= G / 2; i++) {
    double psi = transfer[0];
    for (size_t j = 1, at = i; j <= P / 2; j++, at = at + i < G ? at + i : at + i - G)
      psi += 2 * transfer[j] * cosine[at];
    square[i] = square[(G - i) % G] = psi * psi;
  }
  /* The domain holds cells FINE + 1 samples; x_k sits FINE k - shift samples after the first.
   * Running sums over two periods make a point's share of the domain one difference. */
  const long period = (long)G, samples = (long)(axis->cells * FINE);
  const long shift = lround(axis->margin / axis->spacing * FINE);
  double sum = 0, *running = sfmi_arena_doubles(arena, 2 * G + 1);
  if (!running) return sfmi_fail_memory(error);
  for (size_t i = 0; i < 2 * G; i++) running[i + 1] = running[i] + square[i % G];
  for (size_t k = 0; k < axis->points; k++) {
    long at = (shift - (long)(k * FINE)) % period;
    if (at < 0) at += period;
    sum += running[at + samples + 1] - running[at] -
           0.5 * (square[at] + square[(at + samples) % period]);
  }
  *out = sum * axis->spacing / FINE;
  return SFM_OK;
}

/* Of one axis of a lattice, as small as it may be: its ring of N places, and W its length. */
typedef struct ring {
  sfmi_lattice lattice; /* of one axis */
  size_t N, P;
  double W, h;
} ring;

static void lay_ring(ring *out, const sfmi_lattice *lattice, size_t a, double h) {
  const sfmi_lattice_axis *axis = &lattice->axis[a];
  const size_t cells = axis->cells < CELLS_MAX ? axis->cells : CELLS_MAX;
  *out = (ring){.lattice = {.dimension = 1, .order = lattice->order}, .h = h};
  sfmi_lattice_set_axis(&out->lattice, 0, 0, axis->spacing * (double)cells, cells, axis->boundary);
  out->N = sfmi_lattice_padded(&out->lattice.axis[0], h);
  out->P = sfmi_lattice_modes(out->N);
  out->W = (double)out->N * axis->spacing;
}

/* What aliases of order l = 1, 2 to both sides lay on frequency j. */
static double aliased(const ring *r, const sfmi_kde_problem *problem, size_t a, size_t j) {
  const double u = (double)j / (double)r->N, spacing = r->lattice.axis[0].spacing;
  double sum = 0;
  for (int l = -2; l <= 2 && j; l++)
    if (l)
      sum += sfmi_power(u / (u + l) * (u / (u + l)), r->lattice.order) *
             sfmi_shape_model_power(problem->shape_model, a, problem->boundary[a],
                                    fabs(u + l) / spacing);
  return sum;
}

/* The shape's, by its power. */
static void integrate_shape(axis_integrals *out, const ring *r, const sfmi_kde_problem *problem,
                            size_t a) {
  for (size_t j = 1;; j++) {
    const double f = (double)j / r->W, kernel = sfmi_gaussian_transform(f, r->h);
    const double square = 2 * kernel * kernel / r->W;
    if (kernel * kernel < NOTHING) return;
    if (j <= r->P / 2)
      out->shape_alias += square * aliased(r, problem, a, j);
    else
      out->shape_cut +=
          square * sfmi_shape_model_power(problem->shape_model, a, problem->boundary[a], f);
  }
}

static sfm_status integrate(axis_integrals *out, const sfmi_lattice *lattice, size_t a, double h,
                            const sfmi_kde_problem *problem, sfmi_arena *arena, sfm_error *error) {
  const sfmi_lattice_axis *axis = &lattice->axis[a];
  const bool open = axis->boundary == SFM_BOUNDARY_OPEN,
             reflect = axis->boundary == SFM_BOUNDARY_REFLECT;
  const double width = axis->upper - axis->lower;
  ring r;
  lay_ring(&r, lattice, a, h);
  double *transfer = sfmi_arena_doubles(arena, r.P / 2 + 1), squares = 0;
  if (!transfer) return sfmi_fail_memory(error);
  *out = (axis_integrals){0};
  for (size_t j = 0; j <= r.P / 2; j++) {
    const double u = (double)j / (double)r.N, pair = j ? 2 : 1;
    const double kernel = sfmi_gaussian_transform((double)j / r.W, h);
    const double energy = pair * kernel * kernel / r.W;
    transfer[j] = kernel / r.W / sfmi_power(sfmi_sinc(u), lattice->order);
    squares += pair * transfer[j] * transfer[j];
    out->kept += energy;
    if (energy > 0) out->alias += energy * sfmi_spline_alias(lattice->order, u, 2);
  }
  const double whole =
      open ? sfmi_kde_square_line(h) : sfmi_kde_square_ring(reflect ? 2 * width : width, h);
  out->cut = fmax(whole - out->kept, 0);
  /* A row and its mirror image are in phase at frequency 0 and on the mean at no other. */
  if (reflect) out->kept += 1 / (2 * width);
  if (problem) integrate_shape(out, &r, problem, a);
  /* Of a mass all over the ring, and the cells' worth of them. */
  const double one = squares * r.W;
  out->noise = one * (double)axis->cells + (reflect ? 1 / (2 * axis->spacing) : 0);
  if (!open) return SFM_OK;
  double some = 0;
  sfm_status status = noise_integral(&some, &r.lattice.axis[0], transfer, r.P, arena, error);
  if (!status) out->noise = some + one * (double)(axis->cells - r.lattice.axis[0].cells);
  return status;
}

/* The share heaped in one column of d, independently. */
static double heap(size_t dimension) {
  return 1 - pow(1 - HEAPED, 1 / (double)dimension);
}

/* int g^2 for a column's law g = (1 - share) even + share kernel, given the kernel's part. */
static double column_square(double kernel_square, double width, double share) {
  return (1 - share * share) / width + share * share * kernel_square;
}

/* The laws of a lattice's errors where a shape is given. */
static void shaped_laws(sfmi_density_errors *out, const axis_integrals *axes,
                        const sfmi_kde_risk *kde_risk, size_t dimension) {
  const double share = heap(dimension), heaped = share * share;
  double law[SFM_MAX_DIMENSION], alias[SFM_MAX_DIMENSION], smooth[SFM_MAX_DIMENSION],
      bare[SFM_MAX_DIMENSION], cut[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < dimension; a++) {
    const double inside = kde_risk->axis[a].inside;
    smooth[a] = kde_risk->axis[a].kk;
    bare[a] = inside * axes[a].shape_alias;
    cut[a] = inside * axes[a].shape_cut;
    law[a] = (1 - heaped) * smooth[a] + heaped * inside * axes[a].kept;
    alias[a] = (1 - heaped) * bare[a] + heaped * inside * axes[a].alias;
  }
  out->alias_law = sfmi_first_difference(law, alias, dimension);
  out->alias_bare = sfmi_first_difference(smooth, bare, dimension);
  out->cut_law = out->cut_bare = sfmi_first_difference(smooth, cut, dimension);
}

/* Where none is. */
static void robust_laws(sfmi_density_errors *out, const axis_integrals *axes, const double *width,
                        size_t dimension) {
  const double share = heap(dimension), heaped = share * share;
  double law[SFM_MAX_DIMENSION], alias[SFM_MAX_DIMENSION], cut[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < dimension; a++) {
    law[a] = column_square(axes[a].kept, width[a], share);
    alias[a] = heaped * axes[a].alias;
    cut[a] = heaped * axes[a].cut;
  }
  out->alias_law = sfmi_first_difference(law, alias, dimension);
  out->cut_law = sfmi_first_difference(law, cut, dimension);
}

/* A row's own error, less that of the law. */
static double beyond(double row, double law) {
  return fmax(row - law, 0);
}

sfm_status sfmi_density_errors_lattice(sfmi_density_errors *out, const sfmi_lattice *lattice,
                                       const double *bandwidth, const sfmi_kde_problem *problem,
                                       const sfmi_kde_risk *kde_risk, bool robust,
                                       sfm_error *error) {
  const size_t d = lattice->dimension;
  axis_integrals axes[SFM_MAX_DIMENSION];
  double kept[SFM_MAX_DIMENSION], alias[SFM_MAX_DIMENSION], cut[SFM_MAX_DIMENSION],
      width[SFM_MAX_DIMENSION], inside = 1;
  *out = (sfmi_density_errors){.noise = 1,
                               .smoothing = kde_risk->smoothing,
                               .row = kde_risk->row - kde_risk->square,
                               .spread = kde_risk->row - kde_risk->square};
  for (size_t a = 0; a < d; a++) {
    sfmi_arena arena = {0};
    sfm_status status =
        integrate(&axes[a], lattice, a, bandwidth[a], robust ? NULL : problem, &arena, error);
    sfmi_arena_clear(&arena);
    if (status) return status;
    kept[a] = axes[a].kept;
    alias[a] = axes[a].alias;
    cut[a] = axes[a].cut;
    width[a] = lattice->axis[a].upper - lattice->axis[a].lower;
    inside *= robust ? 1 : kde_risk->axis[a].inside;
    out->noise *= axes[a].noise;
  }
  if (robust)
    robust_laws(out, axes, width, d);
  else
    shaped_laws(out, axes, kde_risk, d);
  out->alias_row = beyond(inside * sfmi_first_difference(kept, alias, d), out->alias_law);
  out->cut_row = beyond(inside * sfmi_first_difference(kept, cut, d), out->cut_law);
  out->bias = kde_risk->smoothing + out->alias_bare + out->cut_bare;
  return SFM_OK;
}

void sfmi_density_errors_spectrum(sfmi_density_errors *out, const sfmi_torus_sums *spectrum,
                                  const double *bandwidth, const sfmi_kde_risk *kde_risk) {
  double variance = 1, kernel2 = 1;
  for (size_t a = 0; a < spectrum->dimension; a++) {
    const sfmi_lattice_axis *axis = &spectrum->lattice.axis[a];
    const sfmi_torus *torus = &spectrum->torus[a];
    double density2 = 1 / (2 * M_PI * bandwidth[a] * bandwidth[a]), mean = torus->kappa2;
    if (torus->reflects) {
      /* Squared cosines are a half in the mean, and one at the bounds. */
      const double first = sfmi_torus_amplitude(torus, 0);
      mean = 0.5 * (torus->kappa2 + first * first);
      density2 = 1 / (torus->unit * torus->unit);
    }
    variance *= mean * density2 * (axis->upper - axis->lower);
    kernel2 *= density2;
  }
  /* The certificate bounds each row's error: as if all rows were heaped. */
  double rough = spectrum->defect * spectrum->kappa;
  *out = (sfmi_density_errors){.noise = variance,
                               .smoothing = kde_risk->smoothing,
                               .row = kde_risk->row - kde_risk->square,
                               .alias_law = HEAPED * HEAPED * rough * rough * kernel2,
                               .bias = kde_risk->smoothing,
                               .spread = kde_risk->row - kde_risk->square};
}

double sfmi_density_errors_spectrum_noise(const sfmi_design_density *d, const double *bandwidth) {
  double noise = (d->neighbours == SFM_NEIGHBOURS_REPLACE ? 2 : 1) * 0.98 * d->contributions *
                 (double)d->contributions;
  for (size_t a = 0; a < d->dimension; a++)
    noise *= 0.98 * (d->upper[a] - d->lower[a]) / (2 * M_PI * bandwidth[a] * bandwidth[a]);
  return noise;
}

/* What is not seen between the places of sobolev. */
static bool miss_between(sfmi_density_errors *out, const sfmi_design_density *design,
                         const sfm_density_settings *settings, const sfmi_kde_risk *kde_risk) {
  sfmi_gaps gaps;
  sfm_error ignored;
  if (sfmi_process_gaps(&gaps, design, settings, &ignored)) return false;
  out->noise *= gaps.noise;
  out->alias_law = out->alias_bare = gaps.law * kde_risk->square;
  out->alias_row = fmax(gaps.row * kde_risk->row - out->alias_law, 0);
  out->bias += out->alias_law;
  return true;
}

bool sfmi_density_errors_placed(sfmi_density_errors *out, const sfmi_design_density *design,
                                const sfm_density_settings *settings, double values,
                                const double *noise, const sfmi_kde_risk *kde_risk) {
  sfm_error ignored;
  *out = (sfmi_density_errors){.noise = noise ? *noise : 0,
                               .smoothing = kde_risk->smoothing,
                               .row = kde_risk->row - kde_risk->square,
                               .bias = kde_risk->smoothing,
                               .spread = kde_risk->row - kde_risk->square};
  if (!noise && sfmi_process_noise_of(&out->noise, design, settings, values, &ignored))
    return false;
  return settings->method != SFM_DENSITY_SOBOLEV || miss_between(out, design, settings, kde_risk);
}

sfm_forecast sfmi_density_errors_forecast(const sfmi_density_errors *e, double rows, double rate,
                                          double volume, double peak) {
  const double strength = rows * rate, cut = e->cut_law + e->cut_row / rows;
  sfm_forecast f = {.privacy = e->noise / (strength * strength),
                    .sampling = e->row / rows,
                    .smoothing = e->smoothing,
                    .truncation = e->few ? e->missed : cut,
                    .aliasing = e->alias_law + e->alias_row / rows};
  sfmi_forecast_sum(&f, volume, peak);
  if (e->few) f.cost = f.privacy + cut + f.aliasing;
  return f;
}

double sfmi_density_errors_truncation_row(const double *whole, const double *kept,
                                          size_t dimension) {
  double lost[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < dimension; a++) lost[a] = fmax(whole[a] - kept[a], 0);
  return sfmi_first_difference(kept, lost, dimension);
}

double sfmi_density_errors_truncation(const double *whole, const double *kept, const double *width,
                                      size_t dimension) {
  const double share = heap(dimension);
  double law[SFM_MAX_DIMENSION], lost[SFM_MAX_DIMENSION];
  for (size_t a = 0; a < dimension; a++) {
    law[a] = column_square(kept[a], width[a], share);
    lost[a] = share * share * fmax(whole[a] - kept[a], 0);
  }
  return sfmi_first_difference(law, lost, dimension);
}
