#include "map_scale.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/core/text.h"
#include "draw/map_distance.h"

const cli_option option_unit = {"unit",
                                "km",
                                "a map of longitude and latitude: densities per square kilometre, "
                                "at the scale of its middle latitude",
                                "per square degree",
                                .letter = 0,
                                CLI_WORDS("km")};

/* Whether a name has a word as a part of its own: "pickup_lon", "startLon", but not "melon". */
static bool says(const char *name, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = name; *at; at++)
    if (strncasecmp(at, word, length) == 0 &&
        (at == name || !isalpha((unsigned char)at[-1]) ||
         (isupper((unsigned char)*at) && islower((unsigned char)at[-1]))))
      return true;
  return false;
}

static bool is_longitude(const char *name, double lower, double upper) {
  return (says(name, "lon") || says(name, "lng")) && lower >= -360 && upper <= 360;
}

static bool is_latitude(const char *name, double lower, double upper) {
  return says(name, "lat") && lower >= -90 && upper <= 90;
}

void map_scale_find(map_scale *m, const draw_figure *figure) {
  *m = (map_scale){.factor = 1};
  if (figure->dimension != 2) return;
  for (unsigned a = 0; a < 2 && !m->found; a++) {
    const unsigned b = 1 - a;
    if (!is_longitude(figure->labels[a], figure->lower[a], figure->upper[a]) ||
        !is_latitude(figure->labels[b], figure->lower[b], figure->upper[b]))
      continue;
    draw_map_degree((figure->lower[b] + figure->upper[b]) / 2, &m->east, &m->north);
    m->turned = a == 1;
    m->found = m->east > 0.5; /* not at a pole */
  }
}

sfm_status map_scale_read(map_scale *m, const draw_figure *figure, bool density,
                          const cli_options *options, sfm_error *error) {
  const bool asked = options_has(options, "unit");
  map_scale_find(m, figure);
  const char *units = options_get(options, "units");
  if (m->found && units && strstr(units, "km"))
    return cli_misuse(error,
                      "--units %.80s: the axes of this map are degrees; --unit km draws its "
                      "density per square kilometre",
                      units);
  if (!asked) return SFM_OK;
  if (!density)
    return cli_misuse(error,
                      "--unit km is for densities of longitude and latitude, which these are "
                      "not; leave it out, or write --units for the names of units");
  if (!m->found)
    return cli_misuse(error, "--unit km needs a map of two columns of degrees, of which one's name "
                             "begins with lon (or lng) and the other's with lat; leave it out, or "
                             "write --units for the names of units");
  m->factor = 1 / (m->east * m->north);
  return SFM_OK;
}

#define SWAP(type, pair)                                                                           \
  do {                                                                                             \
    const type first = pair[0];                                                                    \
    pair[0] = pair[1];                                                                             \
    pair[1] = first;                                                                               \
  } while (0)

void map_scale_grid(const map_scale *m, draw_figure *figure) {
  if (m->turned) SWAP(size_t, figure->counts);
}

sfm_status map_scale_values(const map_scale *m, const draw_figure *figure, double *values,
                            double *half_width, sfm_error *error) {
  const size_t across = figure->counts[0], up = figure->counts[1], count = across * up;
  if (!m->found) return SFM_OK;
  for (size_t i = 0; i < count; i++) values[i] *= m->factor;
  *half_width *= m->factor;
  if (!m->turned) return SFM_OK;
  double *copy = malloc(count * sizeof *copy);
  if (!copy) return cli_fail_memory(error);
  memcpy(copy, values, count * sizeof *copy);
  for (size_t i = 0; i < across; i++)
    for (size_t j = 0; j < up; j++) values[j * across + i] = copy[i * up + j];
  free(copy);
  return SFM_OK;
}

void map_scale_show(map_scale *m, draw_figure *figure, bool density) {
  static const double RULE_MOST = 0.25; /* of the map */
  if (!m->found) return;
  if (m->turned) {
    SWAP(char *const, figure->labels);
    SWAP(char *const, figure->units);
    SWAP(double, figure->lower);
    SWAP(double, figure->upper);
    SWAP(size_t, figure->counts);
  }
  const double wide = m->east * (figure->upper[0] - figure->lower[0]),
               high = m->north * (figure->upper[1] - figure->lower[1]),
               rule = draw_map_round_length(RULE_MOST * wide);
  figure->aspect = high / wide;
  figure->rule = rule / m->east;
  snprintf(m->rule, sizeof m->rule, "%.10g km", rule);
  figure->rule_label = m->rule;
  if (density)
    figure->value_label = m->factor < 1 ? "density per km\u00b2" : "density per square degree";
}

void map_scale_say(const map_scale *m, char *note, size_t size, const draw_figure *figure) {
  char area[64];
  const unsigned b = m->turned ? 0 : 1;
  if (!(m->factor < 1)) return;
  text_whole(area, sizeof area, m->east * m->north);
  text_add(note, size, "At latitude %.4g, the middle of the map, a square degree has %s km\u00b2. ",
           (figure->lower[b] + figure->upper[b]) / 2, area);
}
