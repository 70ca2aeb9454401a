#include "boundary_option.h"

#include <math.h>
#include <string.h>

#include "cli/core/text.h"

const cli_option option_boundary = {
    "boundary", "open|reflect|periodic[:PERIOD][,...]",
    "what smoothing does at the bounds, one word for all columns or one per column. reflect "
    "(lattice, gp): what extends beyond a bound is folded back, for ages and amounts that end at "
    "the bound; open: it is cut off, for values that go on beyond it; periodic (lattice, "
    "fourier-laplace, caratheodory): it "
    "continues at the other bound, for hours and directions; with a PERIOD, which must divide the "
    "width of the bounds, values are taken modulo PERIOD",
    "reflect where the method can, else open"};

/* One word of the list, with the period that may follow "periodic:". */
static sfm_status read_word(sfm_boundary *boundary, double *period, const char *word,
                            sfm_error *error) {
  static const char numbered[] = "periodic:";
  const bool given = strncmp(word, numbered, strlen(numbered)) == 0;
  *period = 0;
  if (given) {
    *boundary = SFM_BOUNDARY_PERIODIC;
    if (text_number(period, word + strlen(numbered)) && isfinite(*period) && *period > 0)
      return SFM_OK;
    return cli_misuse(error,
                      "--boundary: the period '%s' must be a finite number above zero, in the "
                      "column's unit; write for example periodic:24",
                      word + strlen(numbered));
  }
  for (unsigned i = SFM_BOUNDARY_OPEN; i <= SFM_BOUNDARY_PERIODIC; i++) {
    *boundary = (sfm_boundary)i;
    if (strcmp(word, sfm_boundary_name(*boundary)) == 0) return SFM_OK;
  }
  return cli_misuse(
      error, "--boundary: '%s' is unknown; write open, reflect, periodic or periodic:PERIOD", word);
}

sfm_status boundary_option_read(sfm_density_settings *s, boundaries *room,
                                const cli_options *options, sfm_error *error) {
  const char *text = options_get(options, "boundary");
  text_list list = {0};
  if (!text) return SFM_OK;
  sfm_status status = text_split(&list, text, ',', error);
  if (!status && list.count != 1 && list.count != s->dimension)
    status = cli_misuse(error,
                        "--boundary has %zu words for %zu column%s; give one for all, or one per "
                        "column separated by commas",
                        list.count, s->dimension, s->dimension == 1 ? "" : "s");
  for (size_t a = 0; !status && a < s->dimension; a++)
    status =
        read_word(&room->words[a], &room->periods[a], list.items[list.count == 1 ? 0 : a], error);
  s->boundary = room->words;
  s->period = room->periods;
  text_list_clear(&list);
  return status;
}

void boundary_option_text(char *buffer, size_t size, const sfm_release *release) {
  *buffer = '\0';
  for (size_t a = 0; a < sfm_release_dimension(release); a++) {
    const sfm_boundary boundary = sfm_release_boundary(release, a);
    if (boundary != SFM_BOUNDARY_OPEN)
      text_add(buffer, size, "%s%.100s %s", *buffer ? ", " : "", sfm_release_column(release, a),
               boundary == SFM_BOUNDARY_REFLECT ? "reflects at its bounds" : "is periodic");
  }
}
