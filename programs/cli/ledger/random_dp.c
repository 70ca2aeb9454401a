#include "random_dp.h"

#include <jansson.h>
#include <stdlib.h>

#include "cli/core/options.h"
#include "cli/core/text.h"
#include "cli/io/json_output.h"

sfm_status random_dp_add(random_dp *c, sfm_guarantee part, uint64_t count, sfm_error *error) {
  sfm_guarantee *parts = reallocarray(c->parts, c->count + 1, sizeof *parts);
  if (parts) c->parts = parts;
  uint64_t *counts = reallocarray(c->counts, c->count + 1, sizeof *counts);
  if (counts) c->counts = counts;
  if (!parts || !counts) return cli_fail_memory(error);
  parts[c->count] = part;
  counts[c->count++] = count;
  return SFM_OK;
}

void random_dp_clear(random_dp *c) {
  free(c->parts);
  free(c->counts);
  *c = (random_dp){0};
}

/* "1:1e-6:0.05" or "1:1e-6:0.05:10". */
static sfm_status read_item(random_dp *c, const char *text, sfm_error *error) {
  text_list words;
  sfm_guarantee g = {.kind = SFM_GUARANTEE_RANDOM_DP};
  uint64_t count = 1;
  sfm_status status = text_split(&words, text, ':', error);
  if (status) return status;
  const bool good =
      (words.count == 3 || words.count == 4) && text_number(&g.epsilon, words.items[0]) &&
      text_number(&g.delta, words.items[1]) && text_number(&g.gamma, words.items[2]) &&
      g.epsilon > 0 && g.epsilon <= 1e3 && g.delta >= 0 && g.delta < 1 && g.gamma > 0 &&
      g.gamma < 1 && (words.count == 3 || text_count(&count, words.items[3])) && count >= 1 &&
      count <= 1000000000;
  text_list_clear(&words);
  if (!good)
    return cli_misuse(
        error,
        "--random-dp: '%.200s' is not EPSILON:DELTA:GAMMA, epsilon above 0 and at most 1000, delta "
        "from 0 and gamma from above 0 to below 1, with a count from 1 to 1000000000 after another "
        "colon; write for example --random-dp 1:1e-6:0.05",
        text);
  return random_dp_add(c, g, count, error);
}

sfm_status random_dp_read(random_dp *c, const char *text, sfm_error *error) {
  text_list items;
  sfm_status status = text_split(&items, text, ',', error);
  if (status) return status;
  for (size_t i = 0; !status && i < items.count; i++) status = read_item(c, items.items[i], error);
  text_list_clear(&items);
  return status;
}

/* To six digits, rounded up but for what adding doubles left over. */
static void print_up(char *out, size_t size, double value) {
  snprintf(out, size, "%.6g", value);
  if (strtod(out, NULL) < value * (1 - 1e-12)) snprintf(out, size, "%.6g", value * (1 + 5e-6));
  text_short_power(out);
}

static void print_words(const random_dp *c, size_t named, const sfm_guarantee *whole) {
  char numbers[3][40];
  for (size_t i = 0; i < named; i++) {
    const sfm_guarantee *g = &c->parts[i];
    text_say(stdout, i ? "" : "composed",
             "%llu \u00d7 random differential privacy, epsilon %.10g, delta %.10g, gamma %.10g",
             (unsigned long long)c->counts[i], g->epsilon, g->delta, g->gamma);
  }
  for (size_t i = named; i < c->count; i++) {
    text_say(stdout, "", "and differential privacy, epsilon %.10g, delta %.10g",
             c->parts[i].epsilon, c->parts[i].delta);
  }
  print_up(numbers[0], sizeof numbers[0], whole->epsilon);
  print_up(numbers[1], sizeof numbers[1], whole->delta);
  print_up(numbers[2], sizeof numbers[2], whole->gamma);
  text_say(stdout, "together",
           "random differential privacy: epsilon %s, delta %s, gamma %s. All three add up, for "
           "releases that were fixed in advance",
           numbers[0], numbers[1], numbers[2]);
  text_print_labelled(stdout, "warning", RANDOM_DP_WARNING);
}

static sfm_status print_json(const sfm_guarantee *whole, sfm_error *error) {
  json_t *object =
      json_pack("{s:s, s:f, s:f, s:f, s:s}", "kind", "random-dp", "epsilon", whole->epsilon,
                "delta", whole->delta, "gamma", whole->gamma, "warning", RANDOM_DP_WARNING);
  return json_output_print(object, error);
}

sfm_status random_dp_print(const random_dp *c, size_t named, bool json, sfm_error *error) {
  sfm_guarantee whole;
  sfm_status status = sfm_account_random(&whole, c->parts, c->counts, c->count, error);
  if (status) return status;
  if (json) return print_json(&whole, error);
  print_words(c, named, &whole);
  return SFM_OK;
}
