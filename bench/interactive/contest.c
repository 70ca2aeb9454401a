#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mechanisms/enrolling.h"
#include "privacy/calibration.h"
#include "releases/contents.h"

enum { BATCH = 1 << 16, LOOKED = 2000, OPEN = 500, RUNS = 5 };

struct contest {
  town of;
  const sfm_schema *schema;
  encore_rows rows, asked, looked, open;
  encore *machine;
  double *truth, *values; /* at all questions; at those looked at */
};

static void *need(void *memory) {
  if (!memory) abort();
  return memory;
}

static sfmi_points points_of(const encore_rows *rows, size_t first, size_t count) {
  return (sfmi_points){.starts = rows->starts + first,
                       .indices = rows->indices,
                       .numbers = rows->values,
                       .count = count};
}

contest *contest_create(town_kind kind, size_t rows, size_t most, const sfm_schema *schema) {
  contest *c = need(calloc(1, sizeof *c));
  sfm_error error;
  c->of = town_of(kind);
  c->of.settings.schema = schema;
  c->of.settings.epsilon = 1;
  c->rows = town_rows(kind, rows, 1);
  c->asked = town_rows(kind, most, 2);
  c->open = town_rows(kind, OPEN, 3);
  c->looked = encore_rows_some(&c->asked, 0, LOOKED < most ? LOOKED : most);
  c->machine = encore_create(&c->of.settings, c->of.dimension, &c->rows, &c->looked, 1);
  encore_solve(c->machine);
  c->truth = need(malloc(most * sizeof *c->truth));
  c->values = need(malloc(LOOKED * sizeof *c->values));
  const sfmi_learning *l = &c->machine->making.learning;
  const sfmi_points points = points_of(&c->asked, 0, most);
  encore_need(sfmi_learned_products(&l->encoding, l->lift, c->truth, &points, c->machine->weights,
                                    1, &error),
              &error);
  return c;
}

void contest_destroy(contest *c) {
  encore_destroy(c->machine);
  encore_rows_clear(&c->rows);
  encore_rows_clear(&c->asked);
  encore_rows_clear(&c->open);
  free(c->truth);
  free(c->values);
  free(c);
}

double contest_nothing(const contest *c, size_t questions) {
  double sum = 0;
  for (size_t i = 0; i < questions; i++) sum += fabs(c->truth[i]);
  return sum / (double)questions;
}

/* ---- a session ---- */

static sfm_interact_settings wishes_of(const contest *c, size_t questions, uint64_t epochs,
                                       double epsilon, double delta) {
  sfm_interact_settings s = sfm_interact_settings_default();
  s.train = c->of.settings;
  s.train.epsilon = epsilon;
  s.train.delta = delta;
  s.questions = questions;
  s.epochs = epochs;
  return s;
}

/* What is public of a session, as a file has it: of two rows, since it says nothing of them that is
 * used here. */
static char *facts_of(const contest *c, const sfm_interact_settings *settings) {
  char path[] = "/tmp/sfumato-bench-XXXXXX", *facts;
  const int file = mkstemp(path);
  const char text[] = "1 1:0.5\n-1 1:-0.5\n";
  sfm_interact_settings s = *settings;
  sfmi_enrolling enrolling;
  sfm_rows *rows;
  sfm_error error;
  size_t length;
  if (file < 0 || write(file, text, sizeof text - 1) < 0) abort();
  close(file);
  s.epochs = 1;
  encore_need(sfm_rows_open_sparse(&rows, path, c->of.dimension, SFM_COMPRESSION_BY_NAME, &error),
              &error);
  encore_need(sfmi_enrolling_begin(&enrolling, rows, &s, &error), &error);
  encore_need(sfmi_release_print(enrolling.machining.release, &facts, &length, &error), &error);
  encore_need(sfmi_enrolling_end(&enrolling, SFM_OK, &error), &error);
  sfm_rows_destroy(rows);
  unlink(path);
  return facts;
}

static sfmi_tutor *tutor_of(const contest *c, const sfm_interact_settings *settings) {
  const sfmi_learning *l = &c->machine->making.learning;
  sfmi_tutor_state state = {.lift = l->lift,
                            .weights = c->machine->weights,
                            .update = settings->update,
                            .confidence = settings->train.confidence};
  sfmi_tutor *tutor;
  uint8_t *bytes;
  size_t length;
  sfm_error error;
  encore_need(sfmi_interacting_init(&state.found, settings, &l->training, l->lift,
                                    sfmi_learning_width(l), SFM_ACCOUNTING_BASIC, &error),
              &error);
  encore_need(sfmi_tutor_save(&bytes, &length, &state, &error), &error);
  char *facts = facts_of(c, settings);
  encore_need(sfmi_tutor_load(&tutor, facts, bytes, length, "bench", &error), &error);
  free(bytes);
  free(facts);
  return tutor;
}

contest_session contest_ask(const contest *c, size_t questions, uint64_t epochs, double epsilon,
                            double delta) {
  const sfm_interact_settings settings = wishes_of(c, questions, epochs, epsilon, delta);
  sfmi_tutor *tutor = tutor_of(c, &settings);
  sfm_interact_answer *answers = need(malloc(BATCH * sizeof *answers));
  double sum = 0, inside = 0, stated = 0;
  sfm_error error;
  for (size_t done = 0; done < questions; done += BATCH) {
    const size_t left = questions - done;
    const sfmi_points some = points_of(&c->asked, done, left < BATCH ? left : BATCH);
    encore_need(sfmi_tutor_answer(tutor, answers, &some, done / BATCH + 1, &error), &error);
    for (size_t i = 0; i < some.count; i++) {
      const double off = fabs(answers[i].value - c->truth[done + i]);
      sum += off;
      stated += isfinite(answers[i].error);
      inside += isfinite(answers[i].error) && off <= answers[i].error;
    }
  }
  const sfm_interact_plan *plan = sfmi_tutor_plan(tutor);
  const contest_session session = {.error = sum / (double)questions,
                                   .bar = plan->error_public,
                                   .inside = inside / stated,
                                   .epochs = epochs,
                                   .used = sfmi_tutor_about(tutor).released};
  sfmi_tutor_destroy(tutor);
  free(answers);
  return session;
}

/* ---- other ways ---- */

/* E|normal| = sqrt(2/pi) sigma, E|Laplace| = its scale. */
double contest_fresh(const contest *c, size_t questions, double epsilon, double delta) {
  const sfmi_training *t = &c->machine->making.learning.training;
  const double s = t->kappa * t->used, T = (double)questions;
  double mu;
  sfm_error error;
  if (delta == 0) return s * T / epsilon;
  encore_need(sfmi_gdp_mu_for(&mu, epsilon, delta, SFM_CALIBRATION_EXACT, &error), &error);
  return sqrt(2 / M_PI) * s * sqrt(T) / mu;
}

static double released(contest *c) {
  double sum = 0;
  encore_begin(c->machine);
  for (int run = 0; run < RUNS; run++) {
    encore_draw(c->machine, c->values);
    for (size_t i = 0; i < c->looked.count; i++) sum += fabs(c->values[i] - c->truth[i]);
  }
  encore_end(c->machine);
  return sum / (double)(RUNS * c->looked.count);
}

double contest_once(contest *c, double epsilon, double delta) {
  sfm_train_settings *s = &c->machine->settings;
  *s = c->of.settings;
  s->epsilon = epsilon;
  s->delta = delta;
  s->noise_given = true;
  s->noise = delta > 0 ? SFM_VECTOR_NORMAL : SFM_VECTOR_GAMMA;
  return released(c);
}

double contest_semi(contest *c, double epsilon, double delta) {
  sfm_train_settings *s = &c->machine->settings;
  if (c->of.settings.method == SFM_TRAIN_RFF) return NAN;
  *s = c->of.settings;
  s->method = SFM_TRAIN_TDDL;
  s->public_starts = c->open.starts;
  s->public_indices = c->open.indices;
  s->public_values = c->open.values;
  s->public_count = c->open.count;
  s->epsilon = epsilon;
  s->delta = delta;
  return released(c);
}
