/* progression.c - the plan of a series: one entry for every basis and noise. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planner/expanse.h"
#include "planner/mimic.h"
#include "planner/prospect.h"
#include "planner/scatter.h"
#include "planner/settings.h"
#include "privacy/calibration.h"
#include "releases/expansion.h"

enum { BASES = SFM_BASIS_EIGEN + 1, NOISES = SFM_VECTOR_GAMMA + 1 };
/* Most records, and most that are drawn for a simulation. */
static const double ROWS_MAX = (double)((UINT64_C(1) << SFMI_MOMENTS_ROWS_BITS) - 1);
static const uint64_t DRAWN_MAX = (uint64_t)1 << 20;

static const char *const noise_names[NOISES] = {"laplace", "normal", "gamma"};

/* A basis and a noise. */
typedef struct line {
  sfm_series_settings settings;
  sfmi_repertoire repertoire;
  sfmi_scatter **scatters; /* scene by scene, by the number of functions; NULL: not made yet */
} line;

typedef struct progression {
  line lines[BASES * NOISES];
  size_t count;
  sfmi_scene *scenes[SFMI_FAMILY]; /* the shape; where none is given, a family of them */
  size_t scene_count;
  bool named; /* the basis is: where no shape is given the column suits it */
  double width;
  uint64_t rows;
  double epsilon, mu; /* what was last asked of the calibration, which takes its time, and said */
} progression;

static void line_clear(line *l, size_t scenes) {
  const size_t sizes = scenes * (l->repertoire.sketch.count + 1);
  for (size_t i = 0; l->scatters && i < sizes; i++) free(l->scatters[i]);
  free(l->scatters);
  sfmi_repertoire_clear(&l->repertoire);
}

static void destroy(void *context) {
  progression *p = context;
  for (size_t i = 0; i < p->count; i++) line_clear(&p->lines[i], p->scene_count);
  for (size_t i = 0; i < p->scene_count; i++) sfmi_scene_destroy(p->scenes[i]);
  free(p);
}

/* ---- one line ---- */

/* What the sensitivity is divided by.  What is private with epsilon 1 is so with more. */
static sfm_status rate_at(double *rate, progression *p, const sfm_series_settings *s,
                          double epsilon, sfm_error *error) {
  const bool classical = s->calibration == SFM_CALIBRATION_CLASSICAL;
  const double asked = classical ? fmin(epsilon, 1) : epsilon;
  *rate = epsilon;
  if (s->noise != SFM_VECTOR_NORMAL) return SFM_OK;
  sfm_status status = asked == p->epsilon
                          ? SFM_OK
                          : sfmi_gdp_mu_for(&p->mu, asked, s->delta, s->calibration, error);
  p->epsilon = status == SFM_OK ? asked : 0;
  *rate = p->mu;
  return status;
}

/* The scatter of so many functions over a scene, made when it is first asked for. */
static sfm_status scatter_of(const sfmi_scatter **out, const progression *p, line *l, size_t scene,
                             size_t count, sfm_error *error) {
  sfmi_scatter **kept = &l->scatters[scene * (l->repertoire.sketch.count + 1) + count];
  sfmi_basis *basis = NULL;
  sfm_status status = SFM_OK;
  if (!*kept) {
    *kept = sfmi_alloc(1, sizeof **kept);
    status =
        *kept ? sfmi_repertoire_basis(&basis, &l->settings, count, error) : sfmi_fail_memory(error);
    if (status == SFM_OK) status = sfmi_scatter_init(*kept, basis, p->scenes[scene], error);
    if (status != SFM_OK) {
      free(*kept);
      *kept = NULL;
    }
  }
  sfmi_basis_destroy(basis);
  *out = *kept;
  return status;
}

/* The forecast of what was chosen; intervals cover all scenes. */
static sfm_status predict(const progression *p, sfm_forecast *f, line *l,
                          const sfm_series_plan *plan, double n, sfm_error *error) {
  sfm_status status = SFM_OK;
  *f = (sfm_forecast){
      .privacy = plan->privacy, .sampling = plan->sampling, .truncation = plan->truncation};
  sfmi_forecast_sum(f, p->width, sfmi_scene_peak(p->scenes[0]));
  f->low = f->high = f->total;
  f->cost_low = f->cost_high = f->cost;
  for (size_t i = 0; status == SFM_OK && i < p->scene_count; i++) {
    const sfmi_scatter *scatter;
    double total[2], cost[2];
    status = scatter_of(&scatter, p, l, i, plan->coefficients, error);
    if (status != SFM_OK) break;
    sfmi_scatter_odds(scatter, total, cost, l->settings.noise, plan->scale / n, n);
    f->low = fmin(f->low, total[0]);
    f->high = fmax(f->high, total[1]);
    f->cost_low = fmin(f->cost_low, cost[0]);
    f->cost_high = fmax(f->cost_high, cost[1]);
  }
  return status;
}

/* Two groups, each at one place: of share s each is s k high, k = sum_j b_j^2 there, and 1/k wide;
 * 2/k apart the release is about zero between them.  There and at each the errors of the noise and
 * of the other records are v k and k f/n, f the density's mean. */
static sfm_status set_apart(const progression *p, sfm_plan_entry *entry, line *l,
                            const sfm_series_plan *plan, double n, sfm_error *error) {
  const sfmi_scatter *s;
  sfm_status status = scatter_of(&s, p, l, 0, plan->coefficients, error);
  if (status != SFM_OK) return status;
  const double v = sfmi_series_variance(l->settings.noise, (double)s->count, plan->scale / n);
  entry->apart = 2 / s->kernel;
  entry->share = 2 * sqrt(2 * (v + s->square / n) / s->kernel);
  return SFM_OK;
}

/* ---- forecasts ---- */

static sfm_status forecast(void *context, sfm_forecast *out, double rows, double epsilon,
                           sfm_error *error) {
  progression *p = context;
  const double n = fmin(rows, ROWS_MAX);
  bool any = false;
  line *best = NULL;
  sfm_series_plan plan, least = {.total = INFINITY};
  for (size_t i = 0; i < p->count; i++)
    if (p->lines[i].settings.noise != SFM_VECTOR_GAMMA) any = true;
  for (size_t i = 0; i < p->count; i++) {
    line *l = &p->lines[i];
    double rate;
    if (any && l->settings.noise == SFM_VECTOR_GAMMA) continue;
    sfm_status status = rate_at(&rate, p, &l->settings, epsilon, error);
    if (status == SFM_OK)
      status = sfmi_repertoire_choose(&l->repertoire, &plan, n, rate, least.total, error);
    if (status != SFM_OK) return status;
    if (!(plan.total < least.total)) continue;
    best = l;
    least = plan;
  }
  return best ? predict(p, out, best, &least, n, error)
              : sfmi_fail(error, SFM_INVALID, "there is no series to plan");
}

static sfm_status shape(void *context, double *values, const double *points, size_t count,
                        sfm_error *error) {
  const progression *p = context;
  (void)error;
  sfmi_scene_at(p->scenes[0], values, points, count);
  return SFM_OK;
}

/* ---- simulated releases ---- */

/* Sums over as many records drawn from the scene, in units of b_j. */
static sfm_status simulate(double *values, const progression *p, const sfmi_moments *moments,
                           size_t count, sfmi_prng *prng, sfm_error *error) {
  const uint64_t drawn = p->rows < DRAWN_MAX ? p->rows : DRAWN_MAX;
  const double unit = ldexp((double)p->rows / (double)drawn, -sfmi_moments_fine(moments));
  sfmi_i128 *masses = sfmi_alloc(sfmi_moments_length(moments), sizeof *masses),
            *sums = sfmi_alloc(count, sizeof *sums);
  sfmi_batch batch = {.columns = 1,
                      .values = sfmi_alloc(SFMI_BATCH_ROWS, sizeof(double)),
                      .keep = sfmi_alloc(SFMI_BATCH_ROWS, 1)};
  const bool room = masses && sums && batch.values && batch.keep;
  if (room) memset(batch.keep, 1, SFMI_BATCH_ROWS);
  for (uint64_t done = 0; room && done < drawn; done += batch.rows) {
    batch.rows = drawn - done < SFMI_BATCH_ROWS ? (size_t)(drawn - done) : SFMI_BATCH_ROWS;
    sfmi_scene_draw(p->scenes[0], batch.values, batch.rows, prng);
    sfmi_moments_add(moments, masses, &batch);
  }
  if (room) sfmi_moments_sum(moments, sums, masses);
  for (size_t j = 0; room && j < count; j++) values[j] = (double)sums[j] * unit;
  free(masses);
  free(sums);
  free(batch.values);
  free(batch.keep);
  return room ? SFM_OK : sfmi_fail_memory(error);
}

/* The release of a line without its numbers, its basis taken from the expanse, and its band. */
static sfm_status outline(sfm_release **out, sfmi_expanse *e, progression *p, line *l,
                          sfm_error *error) {
  const uint64_t rows = p->rows;
  double rate;
  *e = (sfmi_expanse){0};
  *out = NULL;
  sfm_status status = rate_at(&rate, p, &l->settings, l->settings.epsilon, error);
  if (status == SFM_OK) status = sfmi_expanse_from(e, &l->repertoire, rows, rate, error);
  if (status == SFM_OK)
    status = sfmi_expanse_outline(out, e, &l->settings, rows, e->plan.scale, error);
  if (status != SFM_OK) return status;
  const double systematic = sfmi_expanse_systematic(e, (double)rows);
  (*out)->basis = e->basis;
  e->basis = NULL;
  return sfmi_band_expansion(&(*out)->band, *out, l->settings.confidence, systematic, error);
}

static line *line_of(progression *p, const sfm_plan_entry *entry) {
  for (size_t i = 0; i < p->count; i++) {
    line *l = &p->lines[i];
    const char *noise = NULL;
    for (size_t k = 0; k < entry->parameter_count; k++)
      if (strcmp(entry->parameters[k].name, "noise") == 0) noise = entry->parameters[k].text;
    if (strcmp(entry->method, sfm_basis_name(l->settings.basis)) == 0 && noise &&
        strcmp(noise, noise_names[l->settings.noise]) == 0)
      return l;
  }
  return NULL;
}

static sfm_status preview(void *context, sfm_release **out, const sfm_plan_entry *best,
                          uint64_t seed, sfm_error *error) {
  progression *p = context;
  line *l = line_of(p, best);
  sfm_release *release = NULL;
  sfmi_expanse e;
  sfmi_prng prng;
  sfmi_prng_init(&prng, seed);
  sfm_status status = outline(&release, &e, p, l, error);
  double *values = status == SFM_OK ? sfmi_alloc(release->length, sizeof *values) : NULL;
  if (status == SFM_OK && !values) status = sfmi_fail_memory(error);
  if (status == SFM_OK) status = simulate(values, p, e.moments, release->length, &prng, error);
  if (status == SFM_OK) status = sfmi_mimic_fill(release, values, l->settings.noise, &prng, error);
  if (status == SFM_OK && !sfmi_release_write_sentence(release)) status = sfmi_fail_memory(error);
  sfmi_expanse_clear(&e);
  free(values);
  if (status != SFM_OK) sfm_release_destroy(release);
  *out = status == SFM_OK ? release : NULL;
  return status;
}

static const sfmi_prospect_kind KIND = {
    .forecast = forecast, .preview = preview, .shape = shape, .destroy = destroy};

/* ---- the plan ---- */

static void set_parameters(sfm_plan_entry *entry, const line *l, const sfmi_expanse *e,
                           const sfmi_basis *basis) {
  const sfm_series_settings *s = &l->settings;
  sfmi_entry_text(entry, "basis", sfm_basis_name(s->basis), true);
  sfmi_entry_text(entry, "noise", noise_names[s->noise], true);
  sfmi_entry_number(entry, "terms", (double)e->plan.terms, true);
  if (s->basis == SFM_BASIS_HERMITE) sfmi_entry_number(entry, "unit", basis->unit, false);
  if (s->basis == SFM_BASIS_EIGEN) {
    sfmi_entry_text(entry, "kernel", sfm_kernel_name(s->kernel), false);
    sfmi_entry_number(entry, "bandwidth", s->bandwidth, false);
  }
  sfmi_entry_number(entry, "coefficients", (double)e->plan.coefficients, false);
  sfmi_entry_number(entry, "sensitivity", e->plan.sensitivity, false);
  sfmi_entry_number(entry, "scale", e->plan.scale, false);
}

/* Adds the entry of the last line. */
static sfm_status add_line(sfm_plan *plan, progression *p, sfm_error *error) {
  line *l = &p->lines[p->count - 1];
  sfm_plan_entry entry = {.method = sfm_basis_name(l->settings.basis),
                          .hardened = l->settings.noise != SFM_VECTOR_GAMMA};
  sfm_release *release = NULL;
  sfmi_expanse e = {0};
  sfm_status status = sfmi_repertoire_init(&l->repertoire, &l->settings, p->named, error);
  if (status != SFM_OK) return status;
  l->scatters = sfmi_alloc(p->scene_count * (l->repertoire.sketch.count + 1), sizeof *l->scatters);
  if (!l->scatters) return sfmi_fail_memory(error);
  const double n = (double)p->rows;
  status = outline(&release, &e, p, l, error);
  if (status == SFM_OK) status = predict(p, &entry.predicted, l, &e.plan, n, error);
  if (status == SFM_OK) status = set_apart(p, &entry, l, &e.plan, n, error);
  if (status == SFM_OK) {
    set_parameters(&entry, l, &e, release->basis);
    entry.guarantee = release->guarantee;
    entry.band = release->band;
    status = sfmi_prospect_add(plan, &entry, error);
  }
  sfm_release_destroy(release);
  sfmi_expanse_clear(&e);
  return status;
}

/* A basis and noise, or why they cannot be had; first: the reason of the first that cannot. */
static sfm_status add(sfm_plan *plan, progression *p, const sfm_series_settings *s,
                      sfm_error *first, sfm_error *error) {
  sfm_error why = {SFM_OK, ""};
  double rate;
  sfm_status status = sfmi_expanse_check(&rate, s, &why);
  if (status == SFM_INVALID) {
    const sfm_plan_entry entry = {.method = sfm_basis_name(s->basis), .absent = why.message};
    if (first->status == SFM_OK) *first = why;
    return sfmi_prospect_add(plan, &entry, error);
  }
  if (status != SFM_OK) return sfmi_fail(error, status, "%s", why.message);
  p->lines[p->count++] = (line){.settings = *s};
  return add_line(plan, p, error);
}

/* The bounds, which everything else needs, and the scenes over them. */
static sfm_status set_scenes(progression *p, const sfm_series_settings *s, sfm_error *error) {
  double lower, upper;
  if (!s->schema || !s->column)
    return sfmi_fail(error, SFM_INVALID, "a series needs a schema and a column");
  sfm_status status = sfmi_settings_bounds(&lower, &upper, s->schema, s->column, 1, error);
  if (status == SFM_OK && !(lower < upper))
    status = sfmi_fail(error, SFM_INVALID, "the bounds of \"%s\" must ascend", s->column);
  p->width = upper - lower;
  const size_t wanted = s->shape ? 1 : SFMI_FAMILY;
  while (status == SFM_OK && p->scene_count < wanted) {
    sfmi_scene **scene = &p->scenes[p->scene_count];
    status = s->shape ? sfmi_scene_create(scene, s->shape, &s->column, 1, &lower, &upper, error)
                      : sfmi_scene_create_member(scene, p->scene_count, 1, &lower, &upper, error);
    if (status == SFM_OK) p->scene_count++;
  }
  return status;
}

static sfm_status add_all(sfm_plan *plan, progression *p, const sfm_series_settings *settings,
                          bool every_basis, bool every_noise, sfm_error *error) {
  sfm_series_settings s = *settings;
  sfm_error first = {SFM_OK, ""};
  sfm_status status = SFM_OK;
  for (int basis = 0; status == SFM_OK && basis < BASES; basis++)
    for (int noise = 0; status == SFM_OK && noise < NOISES; noise++) {
      if (!every_basis && basis != (int)settings->basis) continue;
      if (!every_noise && noise != (int)settings->noise) continue;
      s.basis = (sfm_basis)basis;
      s.noise = (sfm_vector_noise)noise;
      status = add(plan, p, &s, &first, error);
    }
  if (status == SFM_OK && p->count == 0)
    status = sfmi_fail(error, SFM_INVALID, "%s",
                       first.status ? first.message : "there is no such basis or noise");
  return status;
}

sfm_status sfm_plan_series(sfm_plan **out, const sfm_series_settings *settings, bool every_basis,
                           bool every_noise, uint64_t rows, sfm_error *error) {
  *out = NULL;
  progression *p = sfmi_alloc(1, sizeof *p);
  if (!p) return sfmi_fail_memory(error);
  p->rows = rows;
  p->named = !every_basis;
  sfm_status status = set_scenes(p, settings, error);
  if (status != SFM_OK) {
    destroy(p);
    return status;
  }
  status = sfmi_prospect_create(out, &KIND, p, (double)rows, settings->epsilon, error);
  if (status != SFM_OK) return status;
  status = add_all(*out, p, settings, every_basis, every_noise, error);
  if (status == SFM_OK) {
    sfmi_prospect_sort(*out);
    return SFM_OK;
  }
  sfm_plan_destroy(*out);
  *out = NULL;
  return status;
}
