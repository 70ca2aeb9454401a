#include "session_info.h"

#include <jansson.h>

#include "cli/io/json_output.h"
#include "cli/core/text.h"

void session_info_domain(point_domain *domain, const sfm_online *session) {
  *domain = (point_domain){.dimension = sfm_online_about(session).dimension};
  for (size_t a = 0; a < domain->dimension; a++) {
    domain->names[a] = sfm_online_column(session, a);
    sfm_online_bounds(session, &domain->lower[a], &domain->upper[a], a);
  }
}

/* A size with a word for its thousands: "950", "4.0 million", "16 kB". */
static void scaled(char *out, size_t size, double value, const char *const *words) {
  size_t i = 0;
  for (; value >= 1000 && words[i + 1]; i++) value /= 1000;
  snprintf(out, size, "%.*f%s", i && value < 9.95 ? 1 : 0, value, words[i]);
}

void session_info_cost(char *out, size_t size, const sfm_online_facts *facts) {
  static const char *const counts[] = {"", " thousand", " million", " billion", " trillion", NULL};
  static const char *const bytes[] = {" bytes", " kB", " MB", " GB", " TB", NULL};
  char work[48], room[48];
  scaled(work, sizeof work, facts->work, counts);
  scaled(room, sizeof room, facts->bytes, bytes);
  snprintf(out, size, "the next answer needs %s multiplications and %s", work, room);
}

static void print_answers(FILE *out, const sfm_online_facts *facts) {
  char cost[160];
  session_info_cost(cost, sizeof cost, facts);
  if (facts->engine == SFM_ENGINE_SPECTRAL)
    text_say(out, "answers",
             "not counted: the whole function was drawn when the session was opened");
  else
    text_say(out, "answers", "%llu given%s%s", (unsigned long long)facts->answers,
             facts->engine == SFM_ENGINE_GRAM ? "; " : "",
             facts->engine == SFM_ENGINE_GRAM ? cost : "");
}

void session_info_print(FILE *out, const sfm_online *session) {
  const sfm_online_facts facts = sfm_online_about(session);
  point_domain domain;
  char names[256];
  session_info_domain(&domain, session);
  text_join(names, sizeof names, domain.names, domain.dimension);
  text_say(out, "session", "the density of %s, %s kernel, engine %s", names,
           sfm_kernel_family_name(facts.kernel), sfm_engine_name(facts.engine));
  for (size_t a = 0; a < domain.dimension; a++) {
    text_say(out, a ? "" : "domain", "%.300s from %.10g to %.10g", domain.names[a], domain.lower[a],
             domain.upper[a]);
  }
  text_print_labelled(out, "guarantee", sfm_online_sentence(session));
  print_answers(out, &facts);
}

static json_t *domain_json(const point_domain *domain) {
  json_t *list = json_array();
  for (size_t a = 0; list && a < domain->dimension; a++)
    json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "column", domain->names[a], "lower",
                                          domain->lower[a], "upper", domain->upper[a]));
  return list;
}

sfm_status session_info_print_json(const sfm_online *session, sfm_error *error) {
  const sfm_online_facts facts = sfm_online_about(session);
  const sfm_guarantee g = sfm_online_guarantee(session);
  point_domain domain;
  session_info_domain(&domain, session);
  json_t *object = json_pack(
      "{s:s, s:s, s:o, s:I, s:{s:f, s:f}, s:{s:s, s:f, s:f, s:f, s:s}}", "engine",
      sfm_engine_name(facts.engine), "kernel", sfm_kernel_family_name(facts.kernel), "domain",
      domain_json(&domain), "answers", (json_int_t)facts.answers, "next", "work", facts.work,
      "bytes", facts.bytes, "guarantee", "kind", sfm_guarantee_kind_name(g.kind), "epsilon",
      g.epsilon, "delta", g.delta, "mu", g.mu, "sentence", sfm_online_sentence(session));
  return json_output_print(object, error);
}
