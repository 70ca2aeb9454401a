/* show_verb.c - sfumato show: what a release is and what it promises. */
#include <math.h>
#include <string.h>

#include "cli/core/text.h"
#include "cli/core/verbs.h"
#include "cli/io/json_output.h"
#include "cli/io/release_file.h"
#include "cli/report/kind_view.h"
#include "cli/report/report.h"
#include "cli/request/bandwidth_choice.h"
#include "sfumato/ledger.h"
#include "sfumato/refine.h"

static const cli_option options_table[] = {CLI_OPTION_JSON, CLI_OPTION_LARGE, {0}};

/* What the guarantee is about. */
static void print_unit(const sfm_release *release, const json_t *stated) {
  const char *person = sfm_release_person(release);
  const bool curves = strcmp(sfm_release_method(release), "curve") == 0,
             enforced = json_is_true(json_object_get(stated, "contributions_enforced")),
             replace = sfm_release_neighbours(release) == SFM_NEIGHBOURS_REPLACE;
  const long most = (long)json_integer_value(json_object_get(stated, "contributions"));
  char name[256], column[300] = "", whose[512], limit[80] = "";
  text_harmless(name, sizeof name, person ? person : "");
  const char *ids = json_string_value(json_object_get(stated, "person_ids"));
  if (person)
    snprintf(column, sizeof column, " (column %s%s%s%s)", name, ids ? ", ids as " : "",
             ids ? ids : "", ids ? "s" : "");
  else if (enforced)
    snprintf(column, sizeof column, " (the file does not name their column)");
  if (enforced || person)
    snprintf(whose, sizeof whose, "all %s of one person%s", curves ? "curves" : "records", column);
  else
    snprintf(whose, sizeof whose, "%ld record%s", most,
             most == 1 ? "" : "s (assumed to be those of one person)");
  if (enforced && curves)
    snprintf(limit, sizeof limit, " (their sum is clipped to %ld times the clip)", most);
  else if (enforced)
    snprintf(limit, sizeof limit, " (at most %ld %s used)", most, most == 1 ? "is" : "are");
  else if (person)
    snprintf(limit, sizeof limit, " (the owner states the sensitivity for them)");
  text_say(stdout, "neighbours", "%s %s%s; the number of records is %s", whose,
           replace ? "replaced" : "added or removed", limit, replace ? "public" : "private");
}

static void print_guarantee(const sfm_release *release, const json_t *summary) {
  const json_t *stated = json_object_get(summary, "guarantee");
  sfm_guarantee g = sfm_release_guarantee(release);
  const double numbers[] = {g.epsilon, g.delta, g.mu, g.rho, g.gamma};
  static const char *const names[] = {"epsilon", "delta", "mu", "rho", "gamma"};
  char text[256];
  snprintf(text, sizeof text, "%s", sfm_guarantee_kind_name(g.kind));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (numbers[i] > 0) text_add(text, sizeof text, ", %s %.6g", names[i], numbers[i]);
  text_print_labelled(stdout, "guarantee", text);
  print_unit(release, stated);
}

static void print_charge(const sfm_release *release) {
  const char *dataset = sfm_release_dataset(release), *request = sfm_release_request(release);
  char name[4 * SFM_DATASET_MAX], id[4 * SFM_REQUEST_MAX], text[2048];
  text_harmless(name, sizeof name, dataset ? dataset : "");
  text_harmless(id, sizeof id, request ? request : "");
  snprintf(text, sizeof text, "to %s in its owner's ledger, request %s", name, id);
  const char *uncharged = sfm_release_refinement(release).combined
                              ? "see the releases it was combined from"
                          : sfm_release_guarantee(release).kind == SFM_GUARANTEE_RANDOM_DP
                              ? "to no ledger: it is not differential privacy"
                              : "to no ledger";
  text_print_labelled(stdout, "charged", dataset ? text : uncharged);
}

/* A combination has noise of several laws. */
static void print_mixture(const json_t *noise) {
  char text[128];
  const double scale = json_number_value(json_object_get(noise, "scale"));
  snprintf(text, sizeof text, "from the combined releases; root mean square %.3g over the bounds",
           scale);
  text_print_labelled(stdout, "noise", scale > 0 ? text : "from the combined releases");
}

static void print_noise(const json_t *summary) {
  const json_t *noise = json_object_get(summary, "noise");
  char scale[96], step[96], summed[96] = "";
  const char *law = json_string_value(json_object_get(noise, "law"));
  const json_t *factor = json_object_get(noise, "factor"), *sum = json_object_get(noise, "summed");
  report_scalar(scale, sizeof scale, json_object_get(noise, "scale"));
  report_scalar(step, sizeof step, json_object_get(noise, "step"));
  /* Of marginals. */
  if (factor)
    snprintf(step, sizeof step, "%.6g",
             json_number_value(json_object_get(noise, "step")) * json_number_value(factor));
  if (sum)
    snprintf(summed, sizeof summed,
             "; each number is the sum of %s%" JSON_INTEGER_FORMAT " such terms",
             json_object_get(summary, "threshold") ? "at most " : "", json_integer_value(sum));
  /* Idealised noise is a real number and has no step. */
  bool stepped = json_is_number(json_object_get(noise, "step"));
  text_say(stdout, "noise", "%s of scale %s%s%s%s", law ? law : "unknown", scale,
           stepped ? ", in multiples of " : "", stepped ? step : "", summed);
}

/* Of which functions a series is the sum. */
static void print_basis(const sfm_release *release, const json_t *summary) {
  const json_t *basis = json_object_get(summary, "basis");
  const char *family = json_string_value(json_object_get(basis, "family"));
  char text[256], terms[32], unit[96];
  if (strcmp(sfm_release_method(release), "series") != 0 || !family) return;
  report_scalar(terms, sizeof terms, json_object_get(basis, "terms"));
  snprintf(text, sizeof text, "%s, %s term%s", family, terms, strcmp(terms, "1") == 0 ? "" : "s");
  if (json_object_get(basis, "unit")) {
    report_scalar(unit, sizeof unit, json_object_get(basis, "unit"));
    text_add(text, sizeof text, ", unit %s", unit);
  } else if (json_object_get(basis, "nodes")) {
    text_add(text, sizeof text, ": eigenfunctions of the %s kernel",
             sfm_kernel_family_name(sfm_release_kernel(release)));
  } else {
    text_add(text, sizeof text, ": a public constant, and these");
  }
  text_print_labelled(stdout, "basis", text);
}

static void print_words(const sfm_release *release, const json_t *summary) {
  char text[1024], names[256], groups[300];
  double first[SFM_MAX_DIMENSION];
  const json_t *rows = json_object_get(summary, "rows");
  report_columns(names, sizeof names, release);
  text_print_wrapped(stdout, sfm_release_sentence(release), 0, 0, 80);
  fputc('\n', stdout);
  const bool placed = sfm_release_place(release, first, 0);
  const bool curve = strcmp(sfm_release_method(release), "curve") == 0;
  const bool combined = sfm_release_refinement(release).combined;
  report_groups(groups, sizeof groups, release);
  text_say(stdout, "release", "%s%s%s%s, %s%s, %zu %s%s",
           curve ? "mean curve" : sfm_kind_name(sfm_release_kind(release)),
           curve    ? " over "
           : *names ? " of "
                    : "",
           names, groups, combined ? "combined" : sfm_release_method(release),
           combined ? "" : " method", sfm_release_length(release),
           sfm_release_kind(release) == SFM_KIND_HISTOGRAM ? "cell"
           : placed || sfm_release_refined(release)        ? "value"
                                                           : "number",
           sfm_release_length(release) == 1 ? "" : "s");
  if (sfm_release_engine(release) != SFM_ENGINE_AUTO) {
    text_say(stdout, "engine", "%s, %s kernel%s", sfm_engine_name(sfm_release_engine(release)),
             sfm_kernel_family_name(sfm_release_kernel(release)),
             !placed                                         ? ""
             : sfm_release_kernel(release) == SFM_KERNEL_OWN ? ": values at points only"
             : sfm_release_gamma(release, 0) > 0
                 ? ", noise of a Sobolev space: values at points, interpolated elsewhere by the "
                   "kernel of the noise"
                 : ": values at points, interpolated elsewhere by the kernel");
  }
  print_basis(release, summary);
  if (sfm_release_refined(release)) {
    report_refinement(text, sizeof text, release);
    text_print_labelled(stdout, "refined", text);
  }
  text_print_labelled(stdout, "hardened",
                      sfm_release_hardened(release)
                          ? sfm_release_refined(release)
                                ? "yes: made from integers with exactly drawn noise"
                                : "yes: integers with exactly drawn noise"
                          : "no: idealised, private only in exact arithmetic");
  print_guarantee(release, summary);
  print_charge(release);
  if (rows) {
    report_scalar(text, sizeof text, rows);
    if (combined) strcat(text, ", the sum of the combined releases");
    text_print_labelled(stdout, "rows", text);
  }
  const kind_view *view = kind_view_of(release);
  view->facts(release, summary);
  const bool told = !json_is_null(json_object_get(json_object_get(summary, "noise"), "scale"));
  if (combined)
    print_mixture(json_object_get(summary, "noise"));
  else if (told && !view->noise_in_facts)
    print_noise(summary);
  report_band(text, sizeof text, release);
  text_print_labelled(stdout, "band", text);
  if (sfm_release_engine(release) == SFM_ENGINE_RANDOM)
    text_print_labelled(stdout, "note",
                        "the band holds for all possible rows; `sfumato eval --band` estimates a "
                        "much narrower band at points, from the release");
}

static sfm_status show(const sfm_release *release, sfm_error *error) {
  const kind_view *view = kind_view_of(release);
  json_t *summary;
  if (view->show) return view->show(release, error);
  const sfm_status status = json_output_summary(&summary, release, error);
  if (status) return status;
  print_words(release, summary);
  json_decref(summary);
  bandwidth_choice_print(stdout, release);
  return view->contents ? view->contents(release, error) : SFM_OK;
}

static sfm_status run(const cli_options *options, sfm_error *error) {
  sfm_release *release = NULL;
  sfm_status status = release_file_read(&release, options, options->operand, error);
  if (!status)
    status = options_has(options, "json") ? report_summary(release, options, error)
                                          : show(release, error);
  sfm_release_destroy(release);
  return status;
}

const cli_verb verb_show = {
    .name = "show",
    .summary = "describe a release: its guarantee, domain, noise and error band",
    .usage = "RELEASE [--json]",
    .operand = "RELEASE",
    .operand_help = "a release (.sfm); - is standard input",
    .options = options_table,
    .about =
        "The JSON object has the keys format, kind, method, hardened, private, guarantee {kind, "
        "epsilon, delta, mu, rho, neighbours, contributions, contributions_enforced, person, "
        "person_ids, sentence}, charged {dataset, request, accounting, sentence}, noise {law, "
        "scale, step}, rows (absent under add-remove), domain [{column, lower, upper, boundary (if "
        "not open)}], kernel, engine (gp and sobolev), bandwidth, gamma (sobolev), band "
        "{confidence, half_width, pointwise, systematic}; for a release by groups also groups "
        "[{column, categories}], and their noisy sizes with their size_error, the last column "
        "fastest; for a machine task, label, classes, inputs, loss, lambda, kernel, features and "
        "sensitivity {bound, certificate, used}; docs/format.md lists the rest.",
    .example = "sfumato show age.sfm\nsfumato show age.sfm --json",
    .run = run,
};
