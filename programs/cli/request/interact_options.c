#include "interact_options.h"

#include <math.h>

#include "cli/core/text.h"
#include "cli/core/shared_options.h"

const cli_option options_interact_model[] = {CLI_GROUP(train_data_binary), CLI_GROUP(model), {0}};
const cli_option options_interact[] = {
    {"lambda", "L", "the penalty on the weights: (L/2)|w|^2 is added to the mean loss; public",
     "kappa^2/sqrt(n), where kappa is the largest norm that a row's features can have",
     CLI_POSITIVE("0.01")},
    {"method", "finite|rff:F",
     "which features the private machine has: all features of a kernel that has finitely many "
     "(gaussian: on a torus, in few dimensions), or F random features",
     "finite for linear and polynomial kernels, else rff:1000"},
    {"questions", "T",
     "how many questions are expected, a public number: the threshold is set so that few epochs "
     "end by a false alarm. More questions are possible",
     "100000", CLI_COUNT(1, UINT64_C(1000000000000))},
    {"accuracy", "A",
     "the error bar that answers should have, in units of the label; classes are -1 and 1",
     CLI_POSITIVE("0.2")},
    {"epochs", "B",
     "the number of epochs, up to 4096, whatever error bars follow (with or without --accuracy)",
     "as many as the accuracy allows", CLI_COUNT(1, SFM_INTERACT_EPOCHS)},
    {"update", "ridge|step",
     "how the public model learns from a released value: kernel ridge regression on all of them, "
     "or a step of fixed length towards each",
     "ridge", CLI_CHOICE(SFM_ENUMERATION_INTERACT_UPDATE)},
    CLI_SAME(epsilon),
    {"delta", "D", "above 0 and below 1: the epochs together then cost less", "none: pure epsilon",
     CLI_FRACTION("1e-6")},
    CLI_SAME(tolerance),
    CLI_SAME(replaced),
    CLI_GROUP(people),
    {"threads", "N", "how many threads read and solve", "one per processor, up to eight",
     CLI_COUNT(1, 1024)},
    {"band", "C", "confidence of the error bars, between 0 and 1", "0.95", CLI_FRACTION("0.95")},
    {0}};

#define AT(name, member) CLI_FIELD(name, sfm_interact_settings, member)
static const cli_field fields[] = {AT("questions", questions),   AT("accuracy", accuracy),
                                   AT("epochs", epochs),         AT("update", update),
                                   AT("accounting", accounting), {0}};

sfm_status interact_options_read(sfm_interact_settings *settings, train_options *s,
                                 const cli_options *options, sfm_error *error) {
  *settings = sfm_interact_settings_default();
  sfm_status status = train_options_read(s, options, error);
  if (!status) status = options_fill(settings, fields, options, error);
  if (!status && !options_has(options, "accuracy") && !options_has(options, "epochs"))
    status = cli_misuse(
        error, "--accuracy is missing: the error bar that answers should have; write for example "
               "--accuracy 0.2, or state --epochs 10 and accept the error bar that follows");
  settings->train = &s->settings;
  return status;
}

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

/* What the epochs are for, and about how long they last at worst. */
static void say_enough(FILE *out, const sfm_interact_plan *p) {
  char worst[32];
  snprintf(worst, sizeof worst, p->worst < 1e9 ? "%.0f" : "%.3g", ceil(p->worst));
  if ((double)p->epochs >= p->worst)
    text_say(out, "enough",
             "in the worst case the public model has learned everything after about %s question%s "
             "at which it was off by %.3g or more; there are at least as many epochs",
             worst, plural((uint64_t)ceil(p->worst)), p->threshold);
  else
    text_say(out, "enough",
             "in the worst case about %s questions find the public model off by %.3g or more "
             "before it has learned everything: %llu epoch%s may not be enough. After the last "
             "epoch answers come from the public model, without an error bar",
             worst, p->threshold, (unsigned long long)p->epochs, plural(p->epochs));
}

static bool once_is_better(const sfm_interact_plan *p) {
  return p->once <= fmax(p->error_public, p->error_released);
}

static const char *once_noise(const sfm_interact_plan *p) {
  return p->once_normal ? "normal" : "laplace";
}

static void say_better(FILE *out, const sfm_interact_plan *p) {
  text_say(out, "note",
           "one release of the same machine with the same guarantee (`sfumato train`, %s noise) "
           "would be better: its error is within %.3g at any point, that of this session within "
           "%.3g, and it answers any number of questions",
           once_noise(p), p->once, fmax(p->error_public, p->error_released));
}

static void say_instead(FILE *out, const sfm_interact_plan *p) {
  text_say(out, "instead",
           "one release of the same machine with the same guarantee (`sfumato train`, %s noise) "
           "would have an error within %.3g at any point, and would answer any number of "
           "questions; this session is more accurate while its epochs last",
           once_noise(p), p->once);
}

void interact_plan_print(FILE *out, const sfm_interact_plan *p, double confidence) {
  if (once_is_better(p)) say_better(out, p);
  text_say(out, "epochs",
           "%llu; each has epsilon %.3g for its noisy threshold, %.3g for all comparisons with it "
           "and %.3g for the value that ends it",
           (unsigned long long)p->epochs, p->epsilon_threshold, p->epsilon_question,
           p->epsilon_answer);
  text_say(out, "accuracy",
           "while epochs last, answers from the public model are within %.3g of the private "
           "machine, and released values within %.3g, each with confidence %g",
           p->error_public, p->error_released, confidence);
  text_say(out, "threshold",
           "an epoch ends when the public model seems off by %.3g; Laplace noise has scale %.3g on "
           "this threshold, %.3g on every comparison and %.3g on a released value. Over %llu "
           "question%s at most %.3g epochs are expected to end by a false alarm",
           p->threshold, p->noise_threshold, p->noise_question, p->noise_answer,
           (unsigned long long)p->questions, plural(p->questions), p->alarms);
  say_enough(out, p);
  if (!once_is_better(p)) say_instead(out, p);
}

static json_t *guarantee_json(const sfm_guarantee *g) {
  json_t *object = json_pack("{s:s, s:f, s:f}", "kind", sfm_guarantee_kind_name(g->kind), "epsilon",
                             g->epsilon, "delta", g->delta);
  if (g->kind == SFM_GUARANTEE_GDP) json_object_set_new(object, "mu", json_real(g->mu));
  if (g->kind == SFM_GUARANTEE_ZCDP) json_object_set_new(object, "rho", json_real(g->rho));
  return object;
}

json_t *interact_plan_json(const sfm_interact_plan *p) {
  return json_pack("{s:I, s:I, s:I, s:f, s:{s:f, s:f, s:f}, s:{s:f, s:f, s:f}, s:{s:f, s:f}, s:f, "
                   "s:f, s:f, s:{s:f, "
                   "s:s}, s:{s:f, s:f, s:f, s:f, s:f}, s:o}",
                   "n", (json_int_t)p->rows, "questions", (json_int_t)p->questions, "epochs",
                   (json_int_t)p->epochs, "lambda", p->lambda, "epsilon", "threshold",
                   p->epsilon_threshold, "comparisons", p->epsilon_question, "answer",
                   p->epsilon_answer, "noise", "threshold", p->noise_threshold, "comparisons",
                   p->noise_question, "answer", p->noise_answer, "error", "public", p->error_public,
                   "released", p->error_released, "threshold", p->threshold, "alarms", p->alarms,
                   "worst_epochs", p->worst, "once", "error", p->once, "noise",
                   p->once_normal ? "normal" : "laplace", "machine", "kappa", p->kappa,
                   "sensitivity", p->used, "reach", p->reach, "value_sensitivity", p->sensitivity,
                   "step", p->step, "guarantee", guarantee_json(&p->guarantee));
}
