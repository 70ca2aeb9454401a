#include "planner/bank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/normal.h"
#include "estimators/energy.h"
#include "features/bump.h"
#include "planner/ensemble.h"
#include "planner/harmony.h"
#include "planner/margin.h"
#include "planner/process.h"
#include "planner/prospect.h"
#include "planner/settings.h"
#include "planner/trellis.h"
#include "privacy/calibration.h"
#include "releases/contents.h"

/* Bandwidths to choose from, in deviations of the shape: from as wide as the domain down to
 * NARROWEST, by the number of columns; their ratio. */
static const double NARROWEST[] = {1e-3, 4e-3, 2e-2, 5e-2}, RATIO[] = {1.06, 1.06, 1.08, 1.12};

typedef struct lattice_item {
  double rho;
  unsigned order;
  sfmi_errors errors; /* noise per variance of a mass */
  double energy;      /* of one row, for normal noise */
} lattice_item;

typedef struct harmony_item {
  bool known;
  sfmi_errors errors;
  double noise; /* 0: not known yet */
} harmony_item;

/* Forecasts of a method by frequencies at one bandwidth. */
typedef struct harmonies {
  sfmi_harmony *harmony;
  harmony_item *items;
} harmonies;

/* One candidate of a kind that has no further parameters. */
typedef struct single {
  bool tried, fits;
  sfmi_errors errors;
  double even; /* random features: see ensemble.h */
} single;

/* A bandwidth. */
typedef struct node {
  double *bandwidth;
  bool blurred[SFMI_FAMILY];
  sfmi_blur *blur; /* of every view */
  bool drifted[SFMI_FAMILY];
  sfmi_drift drift[SFMI_FAMILY];
  lattice_item *lattices;
  size_t lattice_count;
  bool latticed;
  harmonies harmonies[3]; /* fourier, body, hull */
  single singles[SFMI_KINDS];
} node;

struct sfmi_bank {
  sfmi_design design; /* its bandwidth is that of the node looked at */
  const sfm_density_settings *settings;
  sfm_density_settings gp; /* the same asked of gp */
  bool robust;             /* no shape was given: the scenes are the family */
  sfmi_scene *scenes[SFMI_FAMILY];
  sfmi_view views[SFMI_FAMILY];
  double volume, values;
  double mu; /* at the settings' epsilon; 0 without a delta */
  const char *absent[SFMI_KINDS];
  unsigned bits;
  double energies[SFMI_SPLINE_MAX + 1][SFM_PERIODIC + 1][12]; /* by min(cells, 11); 0: unknown */
  node *nodes;
  size_t count;
  size_t hint[SFMI_KINDS]; /* the last best of a kind, and 1 more; 0: none yet */
  double alike;            /* sobolev's noise for 1 record and bandwidths of 1, narrow ones */
};

/* ---- what can be had ---- */

bool sfmi_bank_hardened(sfmi_kind kind) {
  return kind <= SFMI_KIND_FOURIER;
}

static bool lattice_kind(sfmi_kind kind) {
  return kind == SFMI_KIND_LAPLACE || kind == SFMI_KIND_NORMAL;
}

static bool harmonic_kind(sfmi_kind kind) {
  return kind == SFMI_KIND_FOURIER || kind == SFMI_KIND_BODY || kind == SFMI_KIND_HULL;
}

/* Of normal noise: what is divided by is mu. */
static bool normal_kind(sfmi_kind kind) {
  return kind != SFMI_KIND_LAPLACE && !harmonic_kind(kind);
}

static sfm_density_method method_of(sfmi_kind kind) {
  static const sfm_density_method methods[] = {
      SFM_DENSITY_LATTICE, SFM_DENSITY_LATTICE,         SFM_DENSITY_GP,
      SFM_DENSITY_GP,      SFM_DENSITY_FOURIER_LAPLACE, SFM_DENSITY_GP,
      SFM_DENSITY_SOBOLEV, SFM_DENSITY_CARATHEODORY,    SFM_DENSITY_CARATHEODORY};
  return methods[kind];
}

/* The engine that gp stands for. */
static sfmi_kind gp_kind(const sfmi_bank *bank) {
  return sfmi_settings_random(&bank->gp)   ? SFMI_KIND_RANDOM
         : sfmi_settings_placed(&bank->gp) ? SFMI_KIND_PLACED
                                           : SFMI_KIND_SPECTRAL;
}

bool sfmi_bank_names(const sfmi_bank *bank, sfmi_kind kind) {
  const sfm_density_method method = method_of(kind), asked = bank->settings->method;
  if (method == SFM_DENSITY_GP && kind != gp_kind(bank)) return false;
  if (asked == SFM_DENSITY_AUTO) return true;
  if (asked == SFM_DENSITY_CARATHEODORY && method == asked)
    return (kind == SFMI_KIND_HULL) == (bank->settings->body == SFM_BODY_HULL);
  return method == asked;
}

static bool reflects(const sfmi_design *design) {
  for (size_t a = 0; a < design->dimension; a++)
    if (design->boundary[a] == SFM_REFLECT) return true;
  return false;
}

static const char *why_not_lattice(const sfmi_bank *bank, sfmi_kind kind) {
  const sfm_density_settings *s = bank->settings;
  if (kind == SFMI_KIND_LAPLACE && s->noise == SFM_DENSITY_NOISE_NORMAL)
    return "normal noise was asked for";
  if (kind == SFMI_KIND_NORMAL && s->noise == SFM_DENSITY_NOISE_LAPLACE)
    return "laplace noise was asked for";
  return s->dimension > SFMI_LATTICE_DIMENSIONS ? "is for up to 12 columns" : NULL;
}

static const char *why_not_harmonic(const sfmi_bank *bank, sfmi_kind kind) {
  const sfm_density_settings *s = bank->settings;
  if (kind != SFMI_KIND_FOURIER && s->dimension > 1) return "is for one column";
  if (s->dimension > SFMI_LATTICE_DIMENSIONS) return "is for up to 12 columns";
  if (bank->design.neighbours != SFM_REPLACE) return "takes the number of records as public";
  if (reflects(&bank->design)) return "does not reflect";
  return s->noise != SFM_DENSITY_NOISE_AUTO ? "has a noise of its own" : NULL;
}

/* gp and sobolev. */
static const char *why_not_process(const sfmi_bank *bank, sfmi_kind kind) {
  const sfm_density_settings *s = bank->settings;
  const bool places = s->release_points || s->release_grid[0];
  if (!sfmi_settings_open(s)) return "has no boundaries but open ones";
  if (s->noise == SFM_DENSITY_NOISE_LAPLACE) return "has normal noise";
  if (kind != SFMI_KIND_PLACED && kind != SFMI_KIND_SOBOLEV) return NULL;
  if (bank->design.neighbours != SFM_REPLACE) return "takes the number of records as public";
  if (s->dimension > 3 && !places) return "has no usual grid in more than three columns";
  return s->dimension > SFMI_MASSES_DIMENSIONS ? "is for up to 8 columns" : NULL;
}

static const char *why_not(const sfmi_bank *bank, sfmi_kind kind) {
  if (!lattice_kind(kind) && bank->settings->by_count) return "has no groups";
  if (normal_kind(kind) && !(bank->settings->delta > 0)) return "normal noise needs a delta";
  if (lattice_kind(kind)) return why_not_lattice(bank, kind);
  return harmonic_kind(kind) ? why_not_harmonic(bank, kind) : why_not_process(bank, kind);
}

const char *sfmi_bank_absent(const sfmi_bank *bank, sfmi_kind kind) {
  return bank->absent[kind];
}

/* How far neighbours move a lattice in row masses, in l1, or in l2 at most. */
static double moved(const sfmi_bank *bank, sfmi_kind kind) {
  const double one = bank->design.neighbours == SFM_REPLACE ? 2 : 1;
  return (kind == SFMI_KIND_NORMAL ? sqrt(one) : one) * bank->design.contributions;
}

/* What only numbers show: bits, places. */
static const char *why_not_numbers(sfmi_bank *bank, sfmi_kind kind, double rows) {
  const sfm_density_settings *s = bank->settings;
  sfm_error ignored;
  if (lattice_kind(kind)) {
    const double rate = kind == SFMI_KIND_NORMAL ? bank->mu : s->epsilon;
    unsigned bits = 0;
    sfm_status status = sfmi_trellis_bits(&bits, &bank->design, s->epsilon,
                                          moved(bank, kind) / rate, rows, &ignored);
    if (kind == SFMI_KIND_NORMAL) bank->bits = bits;
    return status == SFM_OK ? NULL : "cannot count so many records beside so much noise";
  }
  if (kind != SFMI_KIND_SOBOLEV && kind != SFMI_KIND_PLACED) return NULL;
  sfmi_places places;
  sfm_status status =
      sfmi_places_choose(&places, s->dimension, bank->design.lower, bank->design.upper,
                         s->release_points, s->release_count, s->release_grid, &ignored);
  bank->values = (double)places.count;
  return status == SFM_OK ? NULL : "cannot have its values at such points";
}

/* ---- noise ---- */

/* P(N > a) over the density at a. */
static double mills(double a) {
  static const double FAR = 6;
  double tail = a;
  if (a < FAR) return sfmi_normal_tail(a) * sqrt(2 * M_PI) * exp(a * a / 2);
  for (int k = 60; k > 0; k--) tail = a + k / tail;
  return 1 / tail;
}

/* mu at (epsilon, delta) to nine digits: with a = epsilon/mu - mu/2 and b = a + mu,
 * delta = density(a) (mills(a) - mills(b)). */
static double quick_mu(double epsilon, double delta) {
  double low = log(1e-12), high = log(1e3);
  for (int i = 0; i < 80; i++) {
    const double middle = (low + high) / 2, mu = exp(middle), a = epsilon / mu - mu / 2;
    /* Far below zero the first tail is 1. */
    const double got = a < -30 ? 1 : exp(-a * a / 2) / sqrt(2 * M_PI) * (mills(a) - mills(a + mu));
    *(got < delta ? &low : &high) = middle;
  }
  return exp(low);
}

static double rate_of(const sfmi_bank *bank, sfmi_kind kind, double epsilon) {
  const sfm_density_settings *s = bank->settings;
  if (!normal_kind(kind)) return epsilon;
  if (epsilon == s->epsilon) return bank->mu;
  /* The classical calibration ends at 1. */
  return s->calibration == SFM_CALIBRATION_CLASSICAL
             ? bank->mu * fmin(epsilon, 1) / fmin(s->epsilon, 1)
             : quick_mu(epsilon, s->delta);
}

/* ---- bandwidths ---- */

static sfm_status add_node(sfmi_bank *bank, const double *bandwidth, sfm_error *error) {
  const size_t d = bank->design.dimension;
  node *n = &bank->nodes[bank->count];
  n->bandwidth = sfmi_alloc(d, sizeof *n->bandwidth);
  if (!n->bandwidth) return sfmi_fail_memory(error);
  bank->count++;
  memcpy(n->bandwidth, bandwidth, d * sizeof *bandwidth);
  return SFM_OK;
}

/* To three digits, much finer than bandwidths lie, so that a person can write what was chosen. Both
 * steps are exact or correctly rounded within 10^22, so the decimal is the number. */
static double rounded(double width) {
  const int exponent = (int)floor(log10(width)) - 2;
  if (exponent < -22 || exponent > 19) return width;
  const double unit = pow(10, abs(exponent));
  return exponent < 0 ? round(width * unit) / unit : round(width / unit) * unit;
}

/* A bandwidth of about c deviations, but no wider than the domain; false where doubles could not
 * tell places apart. */
static bool scaled(const sfmi_bank *bank, const double *deviation, double c, double *bandwidth) {
  const sfmi_design *d = &bank->design;
  for (size_t a = 0; a < d->dimension; a++) {
    bandwidth[a] = fmin(rounded(c * deviation[a]), d->upper[a] - d->lower[a]);
    if (sfmi_gaussian_unfit(d->lower[a], d->upper[a], bandwidth[a])) return false;
  }
  return true;
}

static sfm_status lay_nodes(sfmi_bank *bank, bool every, sfm_error *error) {
  const sfmi_design *d = &bank->design;
  const size_t by = d->dimension < 4 ? d->dimension - 1 : 3;
  double deviation[SFM_MAX_DIMENSION], bandwidth[SFM_MAX_DIMENSION], widest = 0;
  const bool stated = bank->settings->bandwidth && !every;
  if (stated || bank->settings->kernel == SFM_KERNEL_OWN) {
    bank->nodes = sfmi_alloc(1, sizeof *bank->nodes);
    return bank->nodes ? add_node(bank, d->bandwidth, error) : sfmi_fail_memory(error);
  }
  for (size_t a = 0; a < d->dimension; a++) {
    const double width = d->upper[a] - d->lower[a];
    deviation[a] = fmax(sfmi_scene_deviation(bank->scenes[0], a), 1e-6 * width);
    widest = fmax(widest, width / deviation[a]);
  }
  const size_t room = 2 + (size_t)(log(widest / NARROWEST[by]) / log(RATIO[by]));
  bank->nodes = sfmi_alloc(room, sizeof *bank->nodes);
  if (!bank->nodes) return sfmi_fail_memory(error);
  sfm_status status = SFM_OK;
  for (double c = widest; c >= NARROWEST[by] && bank->count < room && status == SFM_OK;
       c /= RATIO[by])
    if (scaled(bank, deviation, c, bandwidth)) status = add_node(bank, bandwidth, error);
  /* Where the domain itself is all but too narrow, rounding leaves none. */
  return status == SFM_OK && bank->count == 0 ? add_node(bank, d->bandwidth, error) : status;
}

/* The blur of a view. */
static sfm_status blur_node(sfmi_bank *bank, node *n, size_t view, sfm_error *error) {
  if (n->blurred[view]) return SFM_OK;
  if (!n->blur) n->blur = sfmi_alloc(bank->robust ? SFMI_FAMILY : 1, sizeof *n->blur);
  if (!n->blur) return sfmi_fail_memory(error);
  sfm_status status = SFM_OK;
  /* A kernel of the caller's own estimates a function of its own, which is no density. */
  if (bank->settings->kernel != SFM_KERNEL_OWN)
    status = sfmi_blur_init(&n->blur[view], &bank->views[view], n->bandwidth, error);
  n->blurred[view] = status == SFM_OK;
  return status;
}

/* ---- lattices ---- */

static double energy_of(sfmi_bank *bank, const sfmi_lattice *lattice) {
  double product = 1;
  for (size_t a = 0; a < lattice->dimension; a++) {
    const sfmi_lattice_axis *axis = &lattice->axis[a];
    const size_t cells = axis->cells < 11 ? axis->cells : 11;
    double *known = &bank->energies[lattice->order][axis->boundary][cells];
    if (!(*known > 0)) *known = sfmi_energy_axis(lattice, a);
    product *= *known;
  }
  return fmin(product, 1);
}

static bool same_cells(const sfmi_lattice *a, const sfmi_lattice *b) {
  bool same = true;
  for (size_t i = 0; i < a->dimension; i++) same &= a->axis[i].cells == b->axis[i].cells;
  return same;
}

/* Lower orders only where higher ones do not fit: they save a twentieth of the noise and cost half
 * of the band, which is of the worst case. */
static sfm_status fill_lattices(sfmi_bank *bank, node *n, sfm_error *error) {
  const unsigned lowest = sfmi_trellis_lowest(bank->design.dimension);
  const size_t spacings =
      1 + (size_t)(log(SFMI_SPACING_MAX / SFMI_SPACING_MIN) / log(SFMI_SPACING_RATIO));
  sfmi_lattice last = {0};
  sfm_status status = SFM_OK;
  if (n->latticed) return SFM_OK;
  n->lattices = sfmi_alloc(spacings, sizeof *n->lattices);
  if (!n->lattices) return sfmi_fail_memory(error);
  double rho = SFMI_SPACING_MAX;
  for (size_t i = 0; i < spacings && status == SFM_OK; i++, rho /= SFMI_SPACING_RATIO) {
    sfmi_lattice lattice = {.dimension = bank->design.dimension,
                            .order = sfmi_trellis_order(bank->design.dimension),
                            .bits = bank->bits};
    bool fits = sfmi_trellis_lay(&lattice, &bank->design, n->bandwidth, rho);
    for (; !fits && lattice.order > lowest;
         fits = sfmi_trellis_lay(&lattice, &bank->design, n->bandwidth, rho))
      lattice.order--;
    if (!fits || (last.order == lattice.order && same_cells(&lattice, &last))) continue;
    lattice_item *item = &n->lattices[n->lattice_count++];
    *item = (lattice_item){.rho = rho, .order = lattice.order};
    item->energy = bank->bits ? energy_of(bank, &lattice) : 1;
    status = sfmi_forecast_lattice(&item->errors, &lattice, n->bandwidth, bank->views, n->blur,
                                   bank->robust, error);
    last = lattice;
  }
  n->latticed = status == SFM_OK;
  return status;
}

/* ---- predicted errors ---- */

static void predict(const sfmi_bank *bank, sfm_forecast *f, const sfmi_errors *e, double rows,
                    double rate) {
  const double strength = rows * rate;
  *f = (sfm_forecast){.privacy = e->noise / (strength * strength),
                      .sampling = e->row / rows,
                      .smoothing = e->smoothing,
                      .truncation = e->cut_law + e->cut_row / rows,
                      .aliasing = e->alias_law + e->alias_row / rows};
  sfmi_forecast_sum(f, bank->volume, sfmi_scene_peak(bank->scenes[0]));
}

/* Takes errors for the pick if they are less than its own. */
static bool offer(const sfmi_bank *bank, sfmi_pick *pick, const node *n, const sfmi_errors *errors,
                  double rows, double rate) {
  sfm_forecast f;
  predict(bank, &f, errors, rows, rate);
  if (!(f.total < pick->forecast.total)) return false;
  pick->forecast = f;
  pick->errors = *errors;
  pick->rate = rate;
  pick->node = (size_t)(n - bank->nodes);
  memcpy(pick->bandwidth, n->bandwidth, bank->design.dimension * sizeof *n->bandwidth);
  return true;
}

static sfm_status try_lattices(sfmi_bank *bank, sfmi_pick *pick, node *n, double rows, double rate,
                               sfm_error *error) {
  const double records = moved(bank, pick->kind);
  sfm_status status = fill_lattices(bank, n, error);
  for (size_t i = 0; i < n->lattice_count && status == SFM_OK; i++) {
    const lattice_item *item = &n->lattices[i];
    sfmi_errors errors = item->errors;
    errors.noise *= records * records * (pick->kind == SFMI_KIND_NORMAL ? item->energy : 2);
    if (!offer(bank, pick, n, &errors, rows, rate)) continue;
    pick->rho = item->rho;
    pick->order = item->order;
  }
  return status;
}

static sfm_status open_harmonies(sfmi_bank *bank, harmonies *h, node *n, sfmi_kind kind,
                                 sfm_error *error) {
  if (h->harmony) return SFM_OK;
  const sfmi_harmony_question question = {.design = &bank->design,
                                          .bandwidth = n->bandwidth,
                                          .method = method_of(kind),
                                          .body = kind == SFMI_KIND_HULL ? SFM_BODY_HULL
                                                                         : SFM_BODY_EXACT,
                                          .terms = bank->settings->terms,
                                          .views = bank->views,
                                          .view_count = bank->robust ? SFMI_FAMILY : 1,
                                          .blur = n->blur};
  sfm_status status = sfmi_harmony_create(&h->harmony, &question, error);
  if (status != SFM_OK) return status;
  h->items = sfmi_alloc(sfmi_harmony_count(h->harmony), sizeof *h->items);
  return h->items ? SFM_OK : sfmi_fail_memory(error);
}

static size_t place_of(sfmi_kind kind) {
  return kind == SFMI_KIND_FOURIER ? 0 : kind == SFMI_KIND_BODY ? 1 : 2;
}

/* Until the noise alone is more than all of what was found. */
static sfm_status try_harmonies(sfmi_bank *bank, sfmi_pick *pick, node *n, double rows, double rate,
                                sfm_error *error) {
  harmonies *h = &n->harmonies[place_of(pick->kind)];
  sfm_status status = open_harmonies(bank, h, n, pick->kind, error);
  for (size_t i = 0; status == SFM_OK && i < sfmi_harmony_count(h->harmony); i++) {
    harmony_item *item = &h->items[i];
    if (!(item->noise > 0)) status = sfmi_harmony_noise(h->harmony, &item->noise, i, error);
    if (status != SFM_OK) break;
    const double noise = item->noise / (rows * rate * rows * rate);
    if (noise > pick->forecast.total) break;
    /* What is cut off is at least what is cut off of a row, over n; what is not cut off is sampled.
     */
    const double lost = item->known ? 0 : sfmi_harmony_lost(h->harmony, i);
    if (!item->known &&
        noise + n->blur->smoothing + fmax(n->blur->row - n->blur->square - lost, lost) / rows >
            pick->forecast.total)
      continue;
    if (!item->known) status = sfmi_harmony_errors(h->harmony, &item->errors, i, error);
    if (status != SFM_OK) break;
    item->known = true;
    const sfmi_pick before = *pick;
    if (!offer(bank, pick, n, &item->errors, rows, rate)) continue;
    pick->terms = sfmi_harmony_terms(h->harmony, i);
    pick->item = i;
    for (size_t a = 0; a < bank->design.dimension; a++)
      pick->along[a] = sfmi_harmony_terms_along(h->harmony, i, a);
    if (sfmi_harmony_fits(h->harmony, i)) continue;
    *pick = before;
    break;
  }
  return status;
}

/* No more than the noise of the engine spectral, which a certificate makes slow to know where there
 * are many frequencies: one row's features are of norm one, but for one in a hundred. */
static double spectrum_noise(const sfmi_bank *bank, const node *n) {
  const sfmi_design *d = &bank->design;
  double noise =
      (d->neighbours == SFM_REPLACE ? 2 : 1) * 0.98 * d->contributions * (double)d->contributions;
  for (size_t a = 0; a < d->dimension; a++)
    noise *= 0.98 * (d->upper[a] - d->lower[a]) / (2 * M_PI * n->bandwidth[a] * n->bandwidth[a]);
  return noise;
}

static bool spectrum_errors(sfmi_bank *bank, node *n, sfmi_errors *out) {
  sfmi_design *d = &bank->design;
  sfm_error ignored;
  if (sfmi_spectrum_init(&d->spectrum, d->lower, d->upper, n->bandwidth, d->dimension, &ignored) !=
          SFM_OK ||
      d->spectrum.length > SFMI_RELEASE_MAX || d->spectrum.lattice.length > SFMI_PADDED_MAX)
    return false;
  const double s = sfmi_design_spectrum_sensitivity(d);
  sfmi_forecast_spectrum(out, &d->spectrum, n->bandwidth, n->blur);
  out->noise *= s * s;
  return true;
}

/* Whether a stated gamma is within range at a bandwidth. */
static bool gamma_fits(const sfm_density_settings *s, const double *bandwidth) {
  for (size_t a = 0; s->gamma && a < s->dimension; a++) {
    const double rate = s->gamma[a] * bandwidth[a];
    if (!(rate >= SFMI_RATE_MIN && rate <= SFMI_RATE_MAX)) return false;
  }
  return true;
}

/* sobolev's noise at the design's bandwidth; where all are narrow it is the same but for units. */
static double guess_sobolev(sfmi_bank *bank) {
  const sfmi_design *d = &bank->design;
  const double *gamma = bank->settings->gamma;
  double units = 1;
  bool narrow = !gamma;
  for (size_t a = 0; a < d->dimension; a++) {
    units *= (d->upper[a] - d->lower[a]) / (d->bandwidth[a] * d->bandwidth[a]);
    narrow &= d->upper[a] - d->lower[a] >= SFMI_BUMPS_ALIKE * d->bandwidth[a];
  }
  if (!narrow) return sfmi_process_sobolev_guess(d, gamma);
  if (!(bank->alike > 0)) bank->alike = sfmi_process_sobolev_guess(d, NULL) / units;
  return bank->alike * units;
}

/* What is not seen between the places of sobolev. */
static bool miss_between(const sfmi_bank *bank, const node *n, sfmi_errors *out) {
  sfmi_gaps gaps;
  sfm_error ignored;
  if (sfmi_process_gaps(&gaps, &bank->design, bank->settings, &ignored) != SFM_OK) return false;
  out->noise *= gaps.noise;
  out->alias_law = out->alias_bare = gaps.law * n->blur->square;
  out->alias_row = fmax(gaps.row * n->blur->row - out->alias_law, 0);
  out->bias += out->alias_law;
  return true;
}

/* Values at places. */
static bool process_errors(sfmi_bank *bank, node *n, sfmi_kind kind, sfmi_errors *out) {
  sfm_density_settings s = *bank->settings;
  sfm_error ignored;
  const bool quick = kind == SFMI_KIND_SOBOLEV && bank->count > 1;
  s.method = method_of(kind);
  *out = (sfmi_errors){.smoothing = n->blur->smoothing,
                       .row = n->blur->row - n->blur->square,
                       .bias = n->blur->smoothing,
                       .spread = n->blur->row - n->blur->square};
  if (!gamma_fits(&s, n->bandwidth)) return false;
  if (quick) out->noise = guess_sobolev(bank);
  const bool known = quick || sfmi_process_noise_of(&out->noise, &bank->design, &s, bank->values,
                                                    &ignored) == SFM_OK;
  return known && (kind != SFMI_KIND_SOBOLEV || miss_between(bank, n, out));
}

static sfm_status try_single(sfmi_bank *bank, sfmi_pick *pick, node *n, double rows, double rate) {
  single *one = &n->singles[pick->kind];
  const sfm_density_settings *s = bank->settings;
  const bool random = pick->kind == SFMI_KIND_RANDOM;
  size_t features = 0;
  sfm_error ignored;
  if (pick->kind == SFMI_KIND_SPECTRAL && !one->tried &&
      spectrum_noise(bank, n) / (rows * rate * rows * rate) > pick->forecast.total)
    return SFM_OK;
  memcpy(bank->design.bandwidth, n->bandwidth, s->dimension * sizeof *n->bandwidth);
  if (!one->tried && random) {
    one->fits = sfmi_ensemble_check(&bank->design, s, &ignored) == SFM_OK;
    one->even = sfmi_ensemble_even(&bank->design, s->kernel);
  } else if (!one->tried) {
    one->fits = pick->kind == SFMI_KIND_SPECTRAL
                    ? spectrum_errors(bank, n, &one->errors)
                    : process_errors(bank, n, pick->kind, &one->errors);
  }
  one->tried = true;
  if (!one->fits) return SFM_OK;
  if (random) {
    features = sfmi_ensemble_features(&bank->design, s->features, one->even, rows, rate);
    sfmi_ensemble_errors(&one->errors, &bank->design, s->kernel, one->even, features, n->blur);
  }
  if (offer(bank, pick, n, &one->errors, rows, rate)) pick->features = features;
  return SFM_OK;
}

/* The best of a bandwidth, if it is better than the pick. */
/* Whether a lattice could have the bandwidth. */
static bool lattice_fits(const sfmi_bank *bank, const node *n) {
  const size_t dimension = bank->design.dimension;
  sfmi_lattice lattice = {.dimension = dimension, .order = sfmi_trellis_lowest(dimension)};
  return sfmi_trellis_lay(&lattice, &bank->design, n->bandwidth, SFMI_SPACING_MAX);
}

static sfm_status try_node(sfmi_bank *bank, sfmi_pick *pick, size_t i, double rows, double rate,
                           sfm_error *error) {
  node *n = &bank->nodes[i];
  /* Unless they are asked for, a few frequencies are no answer to a bandwidth so narrow that no
   * memory holds it. */
  const bool asked = bank->settings->method != SFM_DENSITY_AUTO;
  if (pick->kind == SFMI_KIND_FOURIER && !asked && !lattice_fits(bank, n)) return SFM_OK;
  const double before = pick->forecast.total;
  sfm_status status = blur_node(bank, n, 0, error);
  if (status != SFM_OK) return status;
  /* Of what frequencies left out leave of sampling, one half or the other is part of the error. */
  const double sampling = (n->blur->row - n->blur->square) / rows;
  if (n->blur->smoothing + (harmonic_kind(pick->kind) ? sampling / 2 : sampling) > before)
    return SFM_OK;
  if (lattice_kind(pick->kind))
    status = try_lattices(bank, pick, n, rows, rate, error);
  else if (harmonic_kind(pick->kind))
    status = try_harmonies(bank, pick, n, rows, rate, error);
  else
    status = try_single(bank, pick, n, rows, rate);
  if (pick->forecast.total < before) bank->hint[pick->kind] = i + 1;
  return status;
}

/* The bandwidth that would be best without privacy, and 1 more. */
static sfm_status guess_node(sfmi_bank *bank, size_t *out, double rows, sfm_error *error) {
  double least = INFINITY;
  *out = 1;
  for (size_t i = 0; i < bank->count; i++) {
    sfm_status status = blur_node(bank, &bank->nodes[i], 0, error);
    if (status != SFM_OK) return status;
    const sfmi_blur *blur = bank->nodes[i].blur;
    const double sum = blur->smoothing + (blur->row - blur->square) / rows;
    if (!(sum < least)) continue;
    least = sum;
    *out = i + 1;
  }
  return SFM_OK;
}

/* The least predicted error of a kind, if it is below a limit. */
static sfm_status best_below(sfmi_bank *bank, sfmi_pick *pick, bool *found, sfmi_kind kind,
                             double rows, double epsilon, double limit, sfm_error *error) {
  sfm_status status = SFM_OK;
  *pick = (sfmi_pick){.kind = kind, .family = bank->settings->kernel, .forecast = {.total = limit}};
  *found = false;
  if (bank->absent[kind]) return SFM_OK;
  const double rate = rate_of(bank, kind, epsilon), each = rows / (double)bank->design.groups;
  /* The last best first: most others then need no second look. */
  size_t hint = bank->hint[kind];
  if (!hint) status = guess_node(bank, &hint, each, error);
  for (size_t i = 0; i <= bank->count && status == SFM_OK; i++)
    if (i == 0 || i != hint) status = try_node(bank, pick, i ? i - 1 : hint - 1, each, rate, error);
  *found = pick->forecast.total < limit;
  return status;
}

sfm_status sfmi_bank_best(sfmi_bank *bank, sfmi_pick *pick, bool *found, sfmi_kind kind,
                          double rows, double epsilon, sfm_error *error) {
  return best_below(bank, pick, found, kind, rows, epsilon, INFINITY, error);
}

sfm_status sfmi_bank_auto(sfmi_bank *bank, sfmi_pick *pick, bool *found, double rows,
                          double epsilon, sfm_error *error) {
  *found = false;
  for (int hardened = 1; hardened >= 0 && !*found; hardened--)
    for (sfmi_kind kind = 0; kind < SFMI_KINDS; kind++) {
      sfmi_pick one;
      bool has;
      if (sfmi_bank_hardened(kind) != (hardened == 1) || !sfmi_bank_names(bank, kind)) continue;
      sfm_status status = best_below(bank, &one, &has, kind, rows, epsilon,
                                     *found ? pick->forecast.total : INFINITY, error);
      if (status != SFM_OK) return status;
      if (!has) continue;
      *found = true;
      *pick = one;
    }
  return SFM_OK;
}

/* ---- intervals ---- */

/* The errors of a pick for a view, of whose law nothing is a heap's. */
static sfm_status errors_of_view(sfmi_bank *bank, sfmi_errors *errors, const sfmi_pick *pick,
                                 size_t view, sfm_error *error) {
  node *n = &bank->nodes[pick->node];
  *errors = pick->errors;
  if (view == 0) return SFM_OK;
  sfm_status status = blur_node(bank, n, view, error);
  if (status != SFM_OK) return status;
  const sfmi_blur *blur = &n->blur[view];
  errors->smoothing = blur->smoothing;
  errors->row = errors->spread = blur->row - blur->square;
  errors->bias = blur->smoothing + errors->cut_bare + errors->alias_bare;
  if (harmonic_kind(pick->kind))
    sfmi_harmony_view(n->harmonies[place_of(pick->kind)].harmony, errors, pick->item, view);
  return SFM_OK;
}

sfm_status sfmi_bank_interval(sfmi_bank *bank, sfmi_pick *pick, double rows, sfm_error *error) {
  const double each = rows / (double)bank->design.groups;
  sfm_forecast *f = &pick->forecast;
  sfm_status status = SFM_OK;
  f->low = f->high = f->total;
  f->cost_low = f->cost_high = f->cost;
  for (size_t view = 0; view < (bank->robust ? SFMI_FAMILY : 1); view++) {
    sfmi_errors errors;
    sfmi_margin margin;
    status = errors_of_view(bank, &errors, pick, view, error);
    if (status != SFM_OK) return status;
    node *n = &bank->nodes[pick->node];
    if (!n->drifted[view] && bank->settings->kernel != SFM_KERNEL_OWN)
      status = sfmi_drift_init(&n->drift[view], &bank->views[view], n->bandwidth, error);
    if (status != SFM_OK) return status;
    n->drifted[view] = true;
    sfmi_margin_init(&margin, pick, &bank->design, bank->settings->gamma, &n->blur[view],
                     &n->drift[view]);
    sfmi_margin_widen(f, &margin, &errors, each, pick->rate);
  }
  return SFM_OK;
}

/* ---- the bank itself ---- */

const sfmi_scene *sfmi_bank_scene(const sfmi_bank *bank) {
  return bank->scenes[0];
}

double sfmi_bank_volume(const sfmi_bank *bank) {
  return bank->volume;
}

static void clear_nodes(sfmi_bank *bank) {
  for (size_t i = 0; i < bank->count; i++) {
    node *n = &bank->nodes[i];
    free(n->bandwidth);
    free(n->blur);
    free(n->lattices);
    for (size_t k = 0; k < 3; k++) {
      sfmi_harmony_destroy(n->harmonies[k].harmony);
      free(n->harmonies[k].items);
    }
  }
  free(bank->nodes);
  bank->nodes = NULL;
  bank->count = 0;
}

void sfmi_bank_destroy(sfmi_bank *bank) {
  if (!bank) return;
  clear_nodes(bank);
  for (size_t i = 0; i < SFMI_FAMILY; i++) sfmi_scene_destroy(bank->scenes[i]);
  free(bank);
}

static sfm_status set_views(sfmi_bank *bank, sfm_error *error) {
  const sfm_density_settings *s = bank->settings;
  const sfmi_design *d = &bank->design;
  sfm_status status = SFM_OK;
  for (size_t i = 0; i < (bank->robust ? SFMI_FAMILY : 1) && status == SFM_OK; i++) {
    status = bank->robust ? sfmi_scene_create_member(&bank->scenes[i], i, d->dimension, d->lower,
                                                     d->upper, error)
                          : sfmi_scene_create(&bank->scenes[i], s->shape, s->columns, d->dimension,
                                              d->lower, d->upper, error);
    bank->views[i] =
        (sfmi_view){bank->scenes[i], d->dimension, d->lower, d->upper, d->boundary, s->kernel};
  }
  return status;
}

sfm_status sfmi_bank_create(sfmi_bank **out, const sfmi_design *design,
                            const sfm_density_settings *settings, double rows, bool every,
                            sfm_error *error) {
  sfmi_bank *bank = sfmi_alloc(1, sizeof *bank);
  *out = NULL;
  if (!bank) return sfmi_fail_memory(error);
  bank->design = *design;
  bank->settings = settings;
  bank->gp = *settings;
  bank->gp.method = SFM_DENSITY_GP;
  bank->robust = !settings->shape;
  bank->volume = 1;
  for (size_t a = 0; a < design->dimension; a++)
    bank->volume *= design->upper[a] - design->lower[a];
  sfm_status status = set_views(bank, error);
  if (status == SFM_OK && settings->delta > 0)
    status = sfmi_gdp_mu_for(&bank->mu, settings->epsilon, settings->delta, settings->calibration,
                             error);
  if (status == SFM_OK) {
    for (sfmi_kind kind = 0; kind < SFMI_KINDS; kind++) {
      bank->absent[kind] = why_not(bank, kind);
      if (!bank->absent[kind]) bank->absent[kind] = why_not_numbers(bank, kind, rows);
    }
    status = lay_nodes(bank, every, error);
  }
  if (status == SFM_OK)
    *out = bank;
  else
    sfmi_bank_destroy(bank);
  return status;
}
