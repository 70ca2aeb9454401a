#include "mechanism_kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/system/c_locale.h"
#include "releases/core/release_kind.h"

/* ---- made ---- */

static char *write_sentence(const sfm_release *release) {
  const double factor = ceil(exp(release->guarantee.epsilon) * 1e4) / 1e4;
  char text[512];
  sfmi_snprintf(text, sizeof text,
                "This file contains a mechanism and no data. It answers for a count that one "
                "record changes by "
                "at most one. If a record is replaced, added or removed, any conclusion from the "
                "answer becomes "
                "at most %.15g times as likely (pure differential privacy, epsilon = %.15g).",
                factor, release->guarantee.epsilon);
  return sfmi_copy_string(text);
}

sfm_status sfmi_mechanism_kind_release(sfm_release **out, sfmi_optimal *optimal, sfm_error *error) {
  const bool remap = optimal->form == SFM_OPTIMAL_REMAP;
  sfm_release *release = *out = sfmi_release_create(&sfmi_mechanism_kind);
  if (!release) {
    sfmi_optimal_destroy(optimal);
    return sfmi_fail_memory(error);
  }
  release->method = SFMI_MECHANISM_OPTIMAL;
  release->optimal = optimal;
  release->hardened = release->is_private = true;
  release->guarantee = (sfm_guarantee){.kind = SFM_GUARANTEE_PURE, .epsilon = optimal->epsilon};
  release->neighbours = SFM_NEIGHBOURS_REPLACE;
  release->contributions = 1;
  release->law = remap ? SFM_NOISE_LAW_DISCRETE_LAPLACE : SFM_NOISE_LAW_MATRIX;
  release->scale = remap ? 1 / optimal->epsilon : 0;
  release->step = release->sensitivity = 1;
  release->band = (sfm_band){NAN, NAN, NAN, NAN};
  return sfmi_release_made(out,
                           sfmi_release_write_sentence(release) ? SFM_OK : sfmi_fail_memory(error));
}

/* ---- in the file ---- */

static const char *prior_word(const sfmi_optimal *optimal) {
  if (!optimal->prior) return NULL;
  if (optimal->objective != SFM_OPTIMAL_OBJECTIVE_BAYES) return "worst";
  return optimal->uniform ? "uniform" : "own";
}

static bool is_limited(const void *optimal) {
  return isfinite(((const sfmi_optimal *)optimal)->limit);
}

#define AT(field) .offset = offsetof(sfmi_optimal, field)

static const sfmi_member aim_members[] = {
    {"loss", SFMI_MEMBER_WORD, AT(loss), .words = SFM_ENUMERATION_OPTIMAL_LOSS},
    {"objective", SFMI_MEMBER_WORD, AT(objective), .words = SFM_ENUMERATION_OPTIMAL_OBJECTIVE},
    {0}};
static const sfmi_member form_members[] = {
    {"form", SFMI_MEMBER_WORD, AT(form), .words = SFM_ENUMERATION_OPTIMAL_FORM},
    {"risk", SFMI_MEMBER_NUMBER, AT(risk)},
    {"lp_risk", SFMI_MEMBER_NUMBER, AT(lp_risk)},
    {"repair_cost", SFMI_MEMBER_NUMBER, AT(repair_cost)},
    {0}};
static const sfmi_member limit_members[] = {
    {"limit", SFMI_MEMBER_NUMBER, AT(limit), .there = is_limited, .null = true}, {0}};

static bool set_members(json_t *object, const sfm_release *release) {
  const sfmi_optimal *o = release->optimal;
  const char *prior = prior_word(o);
  json_object_set_new(object, "n", json_integer((json_int_t)o->n));
  json_object_set_new(object, "epsilon", json_real(o->epsilon));
  sfmi_members_set(object, o, aim_members);
  json_object_set_new(object, "prior", prior ? json_string(prior) : json_null());
  sfmi_members_set(object, o, form_members);
  sfmi_members_set(object, o, limit_members);
  json_object_set_new(object, "denominator", json_sprintf("%" PRIu64, SFMI_OPTIMAL_ONE));
  return true;
}

/* Plus zero: -0 would be read back as the integer 0. */
static void print_numbers(FILE *stream, const double *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    sfmi_fprintf(stream, i == 0 ? "%.17g" : ", %.17g", numbers[i] + 0.0);
}

static void print_row(FILE *stream, const uint64_t *row, size_t n) {
  size_t first = 0, last = n;
  while (first < n && row[first] == 0) first++;
  while (last > first && row[last] == 0) last--;
  sfmi_fprintf(stream, "[%zu", first);
  for (size_t j = first; j <= last; j++) {
    const bool large = row[j] >= SFMI_FORMAT_STRING_FROM;
    sfmi_fprintf(stream, large ? ", \"%" PRIu64 "\"" : ", %" PRIu64, row[j]);
  }
  fputc(']', stream);
}

static void print_lists(FILE *stream, const sfm_release *release) {
  const sfmi_optimal *o = release->optimal;
  if (o->prior && !o->uniform) {
    fputs(",\n \"weights\": [", stream);
    print_numbers(stream, o->prior, o->n + 1);
    fputc(']', stream);
  }
  if (o->loss == SFM_OPTIMAL_LOSS_OWN) {
    fputs(",\n \"losses\": [", stream);
    for (size_t i = 0; i <= o->n; i++) {
      fputs(i == 0 ? "\n  [" : ",\n  [", stream);
      print_numbers(stream, o->losses + i * (o->n + 1), o->n + 1);
      fputc(']', stream);
    }
    fputs("\n ]", stream);
  }
  fputs(",\n \"table\": [", stream);
  for (size_t row = 0; row <= o->n; row++) {
    fputs(row == 0 ? "\n  " : ",\n  ", stream);
    print_row(stream, o->numerators + row * (o->n + 1), o->n);
  }
  fputs("\n ]", stream);
}

/* ---- back from the file ---- */

static sfm_status read_prior(const sfmi_parse_context *at, sfmi_optimal *o, const json_t *root) {
  static const char *const words[] = {"uniform", "own", "worst"};
  const bool bayes = o->objective == SFM_OPTIMAL_OBJECTIVE_BAYES;
  unsigned word;
  if (!bayes && json_is_null(json_object_get(root, "prior"))) return SFM_OK;
  sfm_status status = sfmi_parse_word(at, &word, root, "prior", words, 3);
  if (status) return status;
  if (bayes == (word == 2))
    return sfmi_parse_wrong(at, "prior", "uniform or own for bayes, else worst or null");
  o->prior = sfmi_alloc(o->n + 1, sizeof *o->prior);
  if (!o->prior) return sfmi_fail_memory(at->error);
  o->uniform = word == 0;
  for (size_t i = 0; i <= o->n; i++) o->prior[i] = 1 / (double)(o->n + 1);
  if (!o->uniform && !sfmi_json_numbers(o->prior, json_object_get(root, "weights"), o->n + 1))
    return sfmi_parse_wrong(at, "weights", "an array of n + 1 numbers");
  return SFM_OK;
}

static sfm_status read_losses(const sfmi_parse_context *at, sfmi_optimal *o, const json_t *root) {
  const json_t *array = json_object_get(root, "losses");
  if (o->loss != SFM_OPTIMAL_LOSS_OWN) {
    sfmi_optimal_fill_losses(o, o->loss);
    return SFM_OK;
  }
  bool good = json_is_array(array) && json_array_size(array) == o->n + 1;
  for (size_t i = 0; good && i <= o->n; i++)
    good = sfmi_json_numbers(o->losses + i * (o->n + 1), json_array_get(array, i), o->n + 1);
  return good ? SFM_OK : sfmi_parse_wrong(at, "losses", "n + 1 arrays of n + 1 numbers");
}

static bool read_row(uint64_t *row, const json_t *array, size_t n) {
  const size_t count = json_array_size(array);
  int64_t first, value;
  if (count < 2 || !sfmi_parse_integer(json_array_get(array, 0), &first)) return false;
  if (first < 0 || (uint64_t)first > n || count - 2 > n - (uint64_t)first) return false;
  for (size_t c = 1; c < count; c++) {
    if (!sfmi_parse_integer(json_array_get(array, c), &value) || value < 0) return false;
    row[(size_t)first + c - 1] = (uint64_t)value;
  }
  return true;
}

static sfm_status read_table(const sfmi_parse_context *at, sfmi_optimal *o, const json_t *root) {
  const json_t *array = json_object_get(root, "table"), *one = json_object_get(root, "denominator");
  int64_t denominator;
  if (!sfmi_parse_integer(one, &denominator) || (uint64_t)denominator != SFMI_OPTIMAL_ONE)
    return sfmi_parse_wrong(at, "denominator", "\"4611686018427387904\"");
  if (!json_is_array(array) || json_array_size(array) != o->n + 1)
    return sfmi_parse_wrong(at, "table", "an array of n + 1 rows");
  for (size_t row = 0; row <= o->n; row++)
    if (!read_row(o->numerators + row * (o->n + 1), json_array_get(array, row), o->n))
      return sfmi_parse_wrong(at, "table",
                              "made of rows: the first answer, then numerators, none negative");
  return SFM_OK;
}

static sfm_status read_limit(const sfmi_parse_context *at, sfmi_optimal *o, const json_t *root) {
  o->limit = NAN;
  if (json_is_null(json_object_get(root, "limit"))) return SFM_OK;
  if (!o->prior) return sfmi_parse_wrong(at, "limit", "null where there is no prior");
  return sfmi_parse_number(at, &o->limit, root, "limit");
}

/* n and epsilon, which come first: the rest needs the room. */
static sfm_status read_size(const sfmi_parse_context *at, sfm_release *release,
                            const json_t *root) {
  uint64_t n = 0;
  double epsilon = 0;
  sfm_error why;
  sfm_status status = sfmi_parse_count(at, &n, root, "n", SFMI_OPTIMAL_MAX);
  if (!status) status = sfmi_parse_number(at, &epsilon, root, "epsilon");
  if (status) return status;
  if (release->guarantee.kind != SFM_GUARANTEE_PURE || release->guarantee.epsilon != epsilon)
    return sfmi_parse_wrong(at, "epsilon", "that of the guarantee, which is pure");
  status = sfmi_optimal_create(&release->optimal, n, epsilon, &why);
  if (status == SFM_INVALID)
    return sfmi_fail(at->error, SFM_FORMAT, "%s: %.900s", at->name, why.message);
  return status ? sfmi_fail_memory(at->error) : SFM_OK;
}

static sfm_status read_members(const sfmi_parse_context *at, sfm_release *release,
                               const json_t *root) {
  sfm_status status = read_size(at, release, root);
  if (status) return status;
  sfmi_optimal *o = release->optimal;
  status = sfmi_members_read(at, o, root, aim_members);
  if (!status) status = sfmi_members_read(at, o, root, form_members);
  if (!status) status = read_losses(at, o, root);
  if (!status) status = read_prior(at, o, root);
  if (!status) status = read_limit(at, o, root);
  return status ? status : read_table(at, o, root);
}

static sfm_status check_release(const sfm_release *release, const char *name, sfm_error *error) {
  if (!release->hardened || release->length > 0)
    return sfmi_fail(error, SFM_FORMAT, "%s: a mechanism is hardened and has no coefficients",
                     name);
  sfm_status status = sfmi_optimal_check(release->optimal, name, error);
  if (status != SFM_INVALID) return status;
  if (error) error->status = SFM_FORMAT;
  return SFM_FORMAT;
}

/* ---- read by anyone ---- */

static sfm_status mechanism_of(const sfmi_optimal **out, const sfm_release *release,
                               sfm_error *error) {
  *out = release->optimal;
  return *out ? SFM_OK
              : sfmi_fail(error, SFM_INVALID,
                          "this release is a %s, no mechanism; sfm_optimal_design makes one",
                          sfm_kind_name(sfm_release_kind(release)));
}

sfm_status sfm_optimal_describe(const sfm_release *release, sfm_optimal_facts *facts,
                                sfm_error *error) {
  const sfmi_optimal *o;
  sfm_status status = mechanism_of(&o, release, error);
  if (status) return status;
  *facts = (sfm_optimal_facts){.n = o->n,
                               .epsilon = o->epsilon,
                               .loss = o->loss,
                               .objective = o->objective,
                               .uniform = o->uniform,
                               .form = o->form,
                               .risk = o->risk,
                               .lp_risk = o->lp_risk,
                               .repair_cost = o->repair_cost,
                               .limit = o->limit};
  return SFM_OK;
}

static sfm_status check_truth(const sfmi_optimal *o, size_t truth, sfm_error *error) {
  if (truth <= o->n) return SFM_OK;
  return sfmi_fail(error, SFM_INVALID, "this mechanism is for counts up to %zu, not %zu", o->n,
                   truth);
}

sfm_status sfm_optimal_law(const sfm_release *release, double *law, size_t truth,
                           sfm_error *error) {
  const sfmi_optimal *o;
  sfm_status status = mechanism_of(&o, release, error);
  if (!status) status = check_truth(o, truth, error);
  if (!status) sfmi_optimal_law(o, law, truth);
  return status;
}

sfm_status sfm_optimal_risk(const sfm_release *release, double *risk, size_t truth,
                            sfm_error *error) {
  const sfmi_optimal *o;
  sfm_status status = mechanism_of(&o, release, error);
  if (!status) status = check_truth(o, truth, error);
  if (status) return status;
  double *law = sfmi_alloc(o->n + 1, sizeof *law);
  if (!law) return sfmi_fail_memory(error);
  sfmi_optimal_law(o, law, truth);
  *risk = 0;
  for (size_t j = 0; j <= o->n; j++) *risk += law[j] * o->losses[truth * (o->n + 1) + j];
  free(law);
  return SFM_OK;
}

sfm_status sfm_optimal_error(const sfm_release *release, size_t *distance, double confidence,
                             sfm_error *error) {
  const sfmi_optimal *o;
  sfm_status status = mechanism_of(&o, release, error);
  if (status) return status;
  if (!(confidence > 0 && confidence < 1))
    return sfmi_fail(error, SFM_INVALID, "a confidence is between 0 and 1, not %.15g", confidence);
  return sfmi_optimal_error(o, distance, confidence, error);
}

/* ---- verified ---- */

static bool agree(double stated, double found) {
  return fabs(stated - found) <= SFMI_OPTIMAL_STATED * fabs(found);
}

static sfm_status verify_risk(const sfmi_optimal *o, sfm_optimal_report *report, sfm_error *error) {
  double *risks = sfmi_alloc(o->n + 1, sizeof *risks);
  sfm_status status = risks ? sfmi_optimal_risks(o, risks, error) : sfmi_fail_memory(error);
  if (!status) report->risk = sfmi_optimal_total(o, risks);
  double least = report->risk;
  for (size_t i = 0; i <= o->n && !status; i++) least = fmin(least, risks[i]);
  free(risks);
  if (status) return status;
  if (!agree(o->risk, report->risk))
    return sfmi_fail(error, SFM_FORMAT,
                     "the risk is stated to be %.15g; that of the table is %.15g", o->risk,
                     report->risk);
  if (o->objective == SFM_OPTIMAL_OBJECTIVE_EQUALISER &&
      !(least >= report->risk * (1 - SFMI_OPTIMAL_EQUAL)))
    return sfmi_fail(error, SFM_FORMAT, "the risks are not equal: from %.15g to %.15g", least,
                     report->risk);
  return SFM_OK;
}

static sfm_status verify_limit(const sfmi_optimal *o, sfm_optimal_report *report,
                               sfm_error *error) {
  report->limit = NAN;
  if (isnan(o->limit)) return SFM_OK;
  if (!sfmi_optimal_unimodal(o->losses, o->n))
    return sfmi_fail(error, SFM_FORMAT,
                     "a limit of %.15g is stated, which is proved only for losses that never fall "
                     "with the distance from the truth",
                     o->limit);
  sfm_status status = sfmi_optimal_least(&report->limit, o, o->prior, error);
  if (!status && !agree(o->limit, report->limit))
    status = sfmi_fail(error, SFM_FORMAT,
                       "the limit is stated to be %.15g; under the prior given it is %.15g",
                       o->limit, report->limit);
  return status;
}

/* The largest log ratio of entries of neighbouring rows. */
static double largest_loss(const double *laws, size_t n) {
  double largest = 0;
  for (size_t e = 0; e < n * (n + 1); e++)
    if (laws[e] > 0 && laws[e + n + 1] > 0)
      largest = fmax(largest, fabs(log(laws[e] / laws[e + n + 1])));
  return largest;
}

sfm_status sfm_optimal_verify(const sfm_release *release, sfm_optimal_report *report,
                              sfm_error *error) {
  const sfmi_optimal *o;
  *report = (sfm_optimal_report){0};
  sfm_status status = mechanism_of(&o, release, error);
  if (!status) status = check_release(release, "the mechanism", error);
  if (!status) status = verify_risk(o, report, error);
  if (!status) status = verify_limit(o, report, error);
  if (status) return status;
  const size_t size = o->n + 1;
  double *laws = sfmi_alloc(size * size, sizeof *laws);
  if (!laws) return sfmi_fail_memory(error);
  for (size_t i = 0; i < size; i++) sfmi_optimal_law(o, laws + i * size, i);
  for (size_t e = 0; e < size * size; e++) report->entries += o->numerators[e] > 0;
  report->ratios = o->form == SFM_OPTIMAL_MATRIX ? 2 * o->n * size : 0;
  report->epsilon = largest_loss(laws, o->n);
  free(laws);
  return SFM_OK;
}

static void destroy_data(sfm_release *release) {
  sfmi_optimal_destroy(release->optimal);
}

const sfmi_release_kind sfmi_mechanism_kind = {
    .kind = SFM_KIND_MECHANISM,
    .at = offsetof(sfm_release, optimal),
    .methods = SFMI_METHODS(MECHANISM_OPTIMAL),
    .empty = true,
    .bandless = true,
    .verbs = "sfm_optimal_verify checks it, sfm_count_release answers with it",
    .set = set_members,
    .print = print_lists,
    .sentence = write_sentence,
    .read = read_members,
    .check = check_release,
    .destroy = destroy_data,
};
