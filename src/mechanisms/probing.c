/* probing.c - the release of the method tdil.  Order of events as in density.c. */
#include "mechanisms/probing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimators/solver.h"
#include "releases/learned.h"

/* One release under way. */
typedef struct making {
  sfmi_machining machining; /* what all machines have; its learning is ours */
  sfmi_net net;             /* empty: the ball */
  sfmi_prober prober;
  /* Machine after machine, round after round: numbers of points of the net, or points. */
  size_t *chosen;
  double *points;
  double *coefficients;
} making;

/* ---- public ---- */

static sfm_status check_size(const making *m, sfm_error *error) {
  const size_t rounds = m->prober.probes.rounds, machines = m->machining.learning.training.machines;
  const size_t points = rounds * machines;
  const size_t numbers = m->net.count ? points : points * m->machining.learning.lift->dimension;
  if (points * machines <= SFMI_RELEASE_MAX && numbers <= SFMI_RELEASE_MAX) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID,
                   "%zu rounds for each of %zu machines are more numbers than a release can have "
                   "(%zu): write fewer --rounds",
                   rounds, machines, (size_t)SFMI_RELEASE_MAX);
}

static void foresee(const making *m) {
  const sfm_train_settings *s = m->machining.settings;
  const sfm_probes probes = sfmi_probes_public(&m->prober.probes, &m->net, s);
  if (s->foreseen) s->foreseen(s->foreseen_context, &probes);
}

static sfm_status plan(making *m, sfm_error *error) {
  const sfmi_learning *l = &m->machining.learning;
  const sfm_train_settings *s = m->machining.settings;
  sfmi_lessons lessons;
  sfmi_probes probes;
  sfm_status status = sfmi_probes_lessons(&lessons, &l->encoding, l->lift, s, error);
  if (status != SFM_OK) return status;
  status = sfmi_probes_init(
      &probes, s, &l->training, &lessons, sfmi_probing_rounding(l),
      m->machining.bill.charge ? m->machining.bill.accounting : SFM_ACCOUNTING_BASIC, error);
  sfmi_lessons_clear(&lessons);
  if (status == SFM_OK && !probes.ball) status = sfmi_probes_net(&m->net, &l->encoding, s, error);
  if (status == SFM_OK)
    status = sfmi_prober_init(&m->prober, &probes, (sfmi_seed){s->seeded, s->seed}, error);
  if (status == SFM_OK) status = check_size(m, error);
  if (status == SFM_OK) foresee(m);
  return status;
}

static sfmi_fit fit_of(const sfmi_probes *p) {
  sfmi_fit fit = sfmi_fit_none();
  fit.shape = SFMI_FIT_VALUES;
  fit.answers = fit.rounds = p->rounds;
  fit.ridge = p->ridge;
  fit.choosing = p->choosing;
  fit.answering = p->answering;
  return fit;
}

/* The release but for its points and coefficients. */
static sfm_status outline(making *m, sfm_error *error) {
  const sfmi_probes *p = &m->prober.probes;
  const sfm_train_settings *s = m->machining.settings;
  sfm_release *release = m->machining.release = sfmi_release_create();
  if (!release) return sfmi_fail_memory(error);
  release->hardened = !p->ball;
  release->is_private = !s->seeded;
  release->neighbours = SFM_REPLACE;
  release->guarantee = p->guarantee;
  release->sensitivity = p->moves * p->step;
  release->scale = p->scale;
  release->step = p->step;
  release->law = sfmi_copy_string("discrete-laplace");
  if (!release->law) return sfmi_fail_memory(error);
  const sfm_status status = sfmi_machining_describe(&m->machining, error);
  if (status == SFM_OK) release->learned->fit = fit_of(p);
  return status;
}

static sfm_status begin(making *m, sfm_rows *rows, const sfm_train_settings *s, sfm_error *error) {
  sfmi_machining *shared = &m->machining;
  *m = (making){.machining = {.settings = s, .rows = rows}};
  sfm_status status =
      sfmi_bill_ready(&shared->bill, s->charge, s->seeded, sfm_schema_person(s->schema), error);
  if (status == SFM_OK)
    status =
        sfmi_learning_begin(&shared->learning, rows, s, (sfmi_seed){s->seeded, s->seed}, error);
  if (status == SFM_OK) status = plan(m, error);
  return status == SFM_OK ? outline(m, error) : status;
}

/* What was asked for and what follows from it, as the ledger remembers it. */
static json_t *parameters_json(const making *m) {
  json_t *all = sfmi_machining_parameters(&m->machining);
  json_object_set_new(all, "rounds", json_integer((json_int_t)m->prober.probes.rounds));
  json_object_set_new(all, "net", json_integer((json_int_t)m->net.count));
  return all;
}

/* ---- private ---- */

enum { BLOCK = 64 };

/* Finite features, block by block. */
static sfm_status at_net(double *values, const sfmi_lift *lift, const sfmi_net *net,
                         const double *weights, sfm_error *error) {
  double *phi = sfmi_alloc(BLOCK * lift->count, sizeof *phi);
  if (!phi) return sfmi_fail_memory(error);
  for (size_t first = 0; first < net->count; first += BLOCK) {
    const size_t rows = net->count - first < BLOCK ? net->count - first : BLOCK;
    size_t starts[BLOCK + 1];
    const size_t base = net->starts[first];
    for (size_t i = 0; i <= rows; i++) starts[i] = net->starts[first + i] - base;
    sfmi_lift_dense(lift, phi, starts, net->indices + base, net->values + base, rows);
    for (size_t i = 0; i < rows; i++) {
      double sum = 0;
      for (size_t k = 0; k < lift->count; k++) sum += phi[i * lift->count + k] * weights[k];
      values[first + i] = sum;
    }
  }
  free(phi);
  return SFM_OK;
}

sfm_status sfmi_probing_values(double *values, const sfmi_learning *l, const sfmi_net *net,
                               const double *numbers, sfm_error *error) {
  if (l->form != SFMI_EXAMPLES_KERNEL) return at_net(values, l->lift, net, numbers, error);
  memcpy(values, numbers, net->count * sizeof *values);
  return SFM_OK;
}

double sfmi_probing_rounding(const sfmi_learning *l) {
  return l->form == SFMI_EXAMPLES_KERNEL ? sfmi_learning_rounding(l)
                                         : sfmi_probes_rounding(&l->training);
}

static sfm_status probe_net(making *m, size_t machine, const double *numbers, sfmi_refit *model,
                            sfm_error *error) {
  const sfmi_learning *l = &m->machining.learning;
  const sfmi_probes *p = &m->prober.probes;
  const size_t count = m->net.count;
  double *values = sfmi_alloc(count, sizeof *values);
  int64_t *integers = sfmi_alloc(count, sizeof *integers);
  sfm_status status = values && integers ? SFM_OK : sfmi_fail_memory(error);
  if (status == SFM_OK) status = sfmi_probing_values(values, l, &m->net, numbers, error);
  if (status == SFM_OK) {
    sfmi_prober_integers(integers, values, count, p->step);
    status = sfmi_prober_net(&m->prober, m->chosen + machine * p->rounds, model, integers, &m->net,
                             l->lift, error);
  }
  if (values) explicit_bzero(values, count * sizeof *values);
  if (integers) explicit_bzero(integers, count * sizeof *integers);
  free(values);
  free(integers);
  return status;
}

/* All rounds of a machine, of its numbers: weights, or values at the net. */
static sfm_status probe(making *m, size_t machine, const double *numbers, sfm_error *error) {
  const sfmi_learning *l = &m->machining.learning;
  const sfmi_probes *p = &m->prober.probes;
  sfmi_refit model;
  sfm_status status = sfmi_refit_init(&model, p->rounds, p->ridge, error);
  if (status == SFM_OK)
    status =
        p->ball ? sfmi_prober_ball(&m->prober, m->points + machine * p->rounds * l->lift->dimension,
                                   &model, numbers, l->lift, error)
                : probe_net(m, machine, numbers, &model, error);
  if (status == SFM_OK)
    memcpy(m->coefficients + machine * p->rounds, model.coefficients,
           p->rounds * sizeof *m->coefficients);
  sfmi_refit_clear(&model);
  return status;
}

static sfm_status probe_all(making *m, const sfmi_examples *examples, sfm_error *error) {
  const sfmi_learning *l = &m->machining.learning;
  const sfmi_training *t = &l->training;
  const size_t size = t->machines * l->numbers, all = t->machines * m->prober.probes.rounds;
  double *numbers = sfmi_alloc(size, sizeof *numbers);
  m->coefficients = sfmi_alloc(all, sizeof *m->coefficients);
  m->chosen = sfmi_alloc(all, sizeof *m->chosen);
  m->points = sfmi_alloc(m->net.count ? 1 : all * l->lift->dimension, sizeof *m->points);
  sfm_status status =
      numbers && m->coefficients && m->chosen && m->points ? SFM_OK : sfmi_fail_memory(error);
  if (status == SFM_OK)
    status = sfmi_learning_solve(numbers, l, t, examples, 0, (size_t)t->rows, NULL, error);
  for (size_t k = 0; status == SFM_OK && k < t->machines; k++)
    status = probe(m, k, numbers + k * l->numbers, error);
  if (numbers) explicit_bzero(numbers, size * sizeof *numbers);
  free(numbers);
  return status;
}

/* ---- public again: points and coefficients ---- */

/* places[r]: which of the distinct points choice r is; returns how many there are. */
static size_t distinct(const making *m, size_t *places, size_t *of, size_t all) {
  size_t count = 0;
  for (size_t r = 0; r < all; r++) {
    size_t k = m->net.count ? 0 : count;
    while (k < count && m->chosen[of[k]] != m->chosen[r]) k++;
    if (k == count) of[count++] = r;
    places[r] = k;
  }
  return count;
}

static void copy_chosen(sfmi_lift *stated, const making *m, const size_t *of) {
  const size_t d = stated->dimension;
  size_t end = 0;
  for (size_t k = 0; k < stated->point_count; k++) {
    const size_t r = of[k], from = m->net.count ? m->net.starts[m->chosen[r]] : 0,
                 to = m->net.count ? m->net.starts[m->chosen[r] + 1] : d;
    for (size_t i = from; i < to; i++) {
      const double u = m->net.count ? m->net.values[i] : m->points[r * d + i];
      if (u == 0) continue;
      stated->point_indices[end] = m->net.count ? m->net.indices[i] : (uint32_t)i;
      stated->point_values[end++] = u;
    }
    stated->point_starts[k + 1] = end;
  }
}

/* The chosen points, in the place of what the machine was learned with. */
static sfm_status take_points(making *m, const size_t *of, size_t count, sfm_error *error) {
  sfmi_learning *l = &m->machining.learning;
  const sfmi_lift *learned = l->lift;
  const size_t width = m->net.count ? m->net.axes : learned->dimension;
  sfmi_lift *lift, stated = {.form = SFMI_LIFT_POINTS,
                             .dimension = learned->dimension,
                             .radius = learned->radius,
                             .kernel = learned->kernel,
                             .bandwidth = learned->bandwidth,
                             .degree = learned->degree,
                             .shift = learned->shift,
                             .constant = learned->constant,
                             .point_count = count};
  stated.point_starts = sfmi_alloc(count + 1, sizeof *stated.point_starts);
  stated.point_indices = sfmi_alloc(count * width, sizeof *stated.point_indices);
  stated.point_values = sfmi_alloc(count * width, sizeof *stated.point_values);
  if (!stated.point_starts || !stated.point_indices || !stated.point_values) {
    sfmi_lift_drop(&stated);
    return sfmi_fail_memory(error);
  }
  copy_chosen(&stated, m, of);
  const sfm_status status = sfmi_lift_create(&lift, &stated, error);
  if (status != SFM_OK) return status;
  sfmi_lift_destroy(l->lift);
  l->lift = lift;
  return SFM_OK;
}

static sfm_status fill(making *m, sfm_error *error) {
  const size_t machines = m->machining.learning.training.machines, rounds = m->prober.probes.rounds,
               all = machines * rounds;
  sfm_release *release = m->machining.release;
  size_t *places = sfmi_alloc(all, sizeof *places), *of = sfmi_alloc(all, sizeof *of);
  sfm_status status = places && of ? SFM_OK : sfmi_fail_memory(error);
  if (status == SFM_OK) {
    const size_t count = distinct(m, places, of, all);
    status = take_points(m, of, count, error);
    release->length = machines * count;
    release->reals = sfmi_alloc(release->length, sizeof *release->reals);
    if (status == SFM_OK && !release->reals) status = sfmi_fail_memory(error);
    for (size_t r = 0; status == SFM_OK && r < all; r++)
      release->reals[r / rounds * count + places[r]] += m->coefficients[r];
  }
  free(places);
  free(of);
  return status;
}

static sfm_status finish(making *m, sfm_error *error) {
  sfmi_machining *shared = &m->machining;
  sfmi_examples *examples = NULL;
  sfmi_rows_set_key(shared->rows, sfmi_bill_key(&shared->bill));
  sfm_status status = sfmi_learning_read(&examples, &shared->learning, shared->rows, error);
  if (status == SFM_OK && shared->settings->charge)
    sfmi_rows_fingerprint(shared->rows, shared->fingerprint);
  if (status == SFM_OK) status = probe_all(m, examples, error);
  sfmi_examples_destroy(examples);
  if (status == SFM_OK) status = fill(m, error);
  return status == SFM_OK ? sfmi_machining_complete(shared, error) : status;
}

static void clear(making *m) {
  sfmi_prober_clear(&m->prober);
  sfmi_net_clear(&m->net);
  sfmi_machining_clear(&m->machining);
  sfmi_learning_clear(&m->machining.learning);
  free(m->chosen);
  free(m->points);
  free(m->coefficients);
}

sfm_status sfmi_probing_release(sfm_release **out, sfm_rows *rows, const sfm_train_settings *s,
                                sfm_error *error) {
  sfm_release *stored = NULL;
  making m;
  *out = NULL;
  sfm_status status = begin(&m, rows, s, error);
  sfmi_machining *shared = &m.machining;
  if (status == SFM_OK)
    status = sfmi_bill_charge(&shared->bill, &stored, shared->release,
                              s->charge ? parameters_json(&m) : NULL, error);
  if (status == SFM_OK && !stored) {
    status = finish(&m, error);
    if (status == SFM_OK)
      status = sfmi_bill_store(&shared->bill, &shared->release, shared->fingerprint, error);
  }
  status = sfmi_bill_end(&shared->bill, status, error);
  if (status == SFM_OK && !stored) {
    stored = shared->release;
    shared->release = NULL;
  }
  clear(&m);
  *out = stored;
  return status;
}
