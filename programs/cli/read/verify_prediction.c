#include "verify_prediction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/shared_options.h"
#include "cli/core/text.h"
#include "cli/io/json_output.h"
#include "sfumato/count.h"
#include "sfumato/crosstab.h"
#include "sfumato/predict.h"

enum { MOST = 64 };

/* What is supposed, and the texts it borrows. */
typedef struct prediction {
  sfm_supposition items[MOST];
  text_list texts[MOST];
  char *columns[MOST];
  size_t count;
  double gamma, epsilon; /* epsilon 0: none is wanted */
} prediction;

static void clear(prediction *p) {
  for (size_t i = 0; i < p->count; i++) {
    text_list_clear(&p->texts[i]);
    free(p->columns[i]);
  }
}

bool verify_prediction_given(const cli_options *options) {
  return options_has(options, "prediction");
}

/* The one column of a table that has one, or NULL. */
static const char *only_column(const sfm_release *release) {
  return sfm_table_columns(release) == 1 ? sfm_table_column(release, 0) : NULL;
}

/* Whether text is two numbers with a colon between. */
static bool read_interval(sfm_supposition *s, const char *text) {
  char copy[128];
  const size_t length = strlen(text);
  if (length >= sizeof copy) return false;
  memcpy(copy, text, length + 1);
  char *colon = strchr(copy, ':');
  if (!colon) return false;
  *colon = 0;
  return text_number(&s->lower, copy) && text_number(&s->upper, colon + 1);
}

/* "age=18:90", "sex=F|M", or without the column where there is one only. */
static sfm_status read_item(prediction *p, const char *text, const sfm_release *release,
                            sfm_error *error) {
  const char *equals = strchr(text, '='), *only = only_column(release);
  double lower, upper;
  if (p->count == MOST) return cli_misuse(error, "--prediction: more than %d columns", MOST);
  if (!equals && !only)
    return cli_misuse(error,
                      "--prediction: '%.200s' names no column; write for example --prediction "
                      "age=18:90 or --prediction 'sex=F|M'",
                      text);
  sfm_supposition *s = &p->items[p->count];
  char *column = equals ? strndup(text, (size_t)(equals - text)) : strdup(only);
  if (!column) return cli_fail_memory(error);
  p->columns[p->count] = column;
  p->texts[p->count] = (text_list){0};
  p->count++;
  *s = (sfm_supposition){.column = column};
  for (size_t i = 0; i + 1 < p->count; i++)
    if (strcmp(p->columns[i], column) == 0)
      return cli_misuse(error, "--prediction: column '%.200s' is named twice", column);
  const char *value = equals ? equals + 1 : text;
  /* A table says itself whether its column is in bins. */
  bool bins = true;
  for (size_t i = 0; i < sfm_table_columns(release); i++)
    if (strcmp(sfm_table_column(release, i), column) == 0)
      bins = sfm_table_bins(release, &lower, &upper, i);
  s->interval = bins && read_interval(s, value);
  if (s->interval && !(s->lower <= s->upper))
    return cli_misuse(error, "--prediction: '%.200s' is reversed", text);
  if (s->interval) return SFM_OK;
  sfm_status status = text_split(&p->texts[p->count - 1], value, '|', error);
  s->texts = (const char *const *)p->texts[p->count - 1].items;
  s->text_count = p->texts[p->count - 1].count;
  return status;
}

static const cli_field fields[] = {
    CLI_FIELD("random-dp", prediction, gamma), CLI_FIELD("epsilon", prediction, epsilon), {0}};

static sfm_status read_prediction(prediction *p, const sfm_release *release,
                                  const cli_options *options, sfm_error *error) {
  size_t at = 0;
  sfm_status status = options_fill(p, fields, options, error);
  for (const char *item; !status && (item = options_next(options, "prediction", &at));)
    status = read_item(p, item, release, error);
  return status;
}

/* Whether records of a person beyond some number are ignored. */
static sfm_status read_enforced(bool *enforced, const sfm_release *release, sfm_error *error) {
  json_t *all;
  const sfm_status status = json_output_summary(&all, release, error);
  *enforced =
      json_is_true(json_object_get(json_object_get(all, "guarantee"), "contributions_enforced"));
  json_decref(all);
  return status;
}

/* A count can change where a record of the set can be counted and another not: by the predicate, or
 * because of whose it is. */
static sfm_status predict_count(sfm_guarantee *out, const prediction *p, const sfm_release *release,
                                const cli_options *options, sfm_error *error) {
  const char *path = options_get(options, "schema");
  sfm_schema *schema = NULL;
  bool decided = false, enforced = false;
  *out = sfm_release_guarantee(release);
  if (out->kind == SFM_RANDOM_DP || sfm_release_neighbours(release) != SFM_REPLACE)
    return cli_misuse(error, "--prediction is for replaced records under differential privacy, not "
                             "for a count under add-remove or random-dp");
  sfm_status status =
      path ? sfm_schema_load(&schema, path, error) : sfm_schema_create(&schema, error);
  if (!status)
    status =
        sfm_predict_where(&decided, sfm_count_where(release), schema, p->items, p->count, error);
  if (!status) status = read_enforced(&enforced, release, error);
  if (!status && decided && !enforced) *out = (sfm_guarantee){.kind = SFM_PURE};
  sfm_schema_destroy(schema);
  return status;
}

static void print_words(const prediction *p, const sfm_guarantee *g, const sfm_guarantee *stated,
                        bool holds) {
  text_say(stdout, "within",
           "epsilon %.10g, delta %.10g between records of the set (the release states epsilon "
           "%.10g, delta %.10g between any records)",
           g->epsilon, g->delta, stated->epsilon, stated->delta);
  text_say(stdout, "promise",
           "predictive differential privacy, epsilon %.10g, delta %.10g, gamma %.10g, if a record "
           "is in the set with probability %.10g. This is your assumption; sfumato cannot check it",
           g->epsilon, g->delta, p->gamma, 1 - p->gamma);
  text_print_labelled(stdout, "warning", RANDOM_DP_WARNING);
  if (p->epsilon > 0) puts(holds ? "holds" : "does not hold");
}

static sfm_status print_json(const prediction *p, const sfm_guarantee *g, const char *kind,
                             bool holds, sfm_error *error) {
  json_t *object = json_pack("{s:s, s:s, s:b, s:f, s:f, s:f, s:s}", "kind", "prediction", "of",
                             kind, "holds", holds, "epsilon", g->epsilon, "delta", g->delta,
                             "gamma", p->gamma, "warning", RANDOM_DP_WARNING);
  return json_output_print(object, error);
}

sfm_status verify_prediction_check(bool *holds, const sfm_release *release,
                                   const cli_options *options, sfm_error *error) {
  const char *kind = sfm_release_kind(release);
  const sfm_guarantee stated = sfm_release_guarantee(release);
  const bool table = sfm_release_kind_of(release) == SFM_KIND_HISTOGRAM,
             count = sfm_release_kind_of(release) == SFM_KIND_COUNT;
  prediction p = {0};
  sfm_guarantee g = {0};
  sfm_status status = SFM_OK;
  *holds = false;
  if (!table && !count)
    return cli_misuse(
        error, "--prediction is for a histogram or a count; for a %s only its guarantee is known",
        kind);
  status = read_prediction(&p, release, options, error);
  if (!status)
    status = table ? sfm_predict_table(&g, release, p.items, p.count, error)
                   : predict_count(&g, &p, release, options, error);
  *holds = !(p.epsilon > 0) || g.epsilon <= p.epsilon;
  if (!status && options_has(options, "json"))
    status = print_json(&p, &g, kind, *holds, error);
  else if (!status)
    print_words(&p, &g, &stated, *holds);
  fflush(stdout);
  clear(&p);
  return status;
}
