#include "picture_words.h"

#include <stdio.h>
#include <string.h>

#include "cli/core/text.h"

const cli_option option_title = {"title", "TEXT", "the title of the picture", "what is drawn", 0};
const cli_option option_subtitle = {"subtitle", "TEXT", "a smaller line below the title", NULL, 0};
const cli_option option_units = {"units", "A,B",
                                 "the units of the axes, to be written beside their names: years, "
                                 "or euro,hours",
                                 NULL, 0};

void picture_words_title(picture_words *w, const char **title, const char **subtitle,
                         const cli_options *options, const sfm_release *release) {
  const char *stated = options_given(options, "title"), *below = options_given(options, "subtitle");
  const bool paper = options_given(options, "output") != NULL;
  if (!stated && !(below && !paper)) {
    *subtitle = below;
    return;
  }
  snprintf(w->title, sizeof w->title, "%.200s%s", stated ? stated : *title,
           stated && !sfm_release_private(release) ? " (seeded: not private)" : "");
  if (below && !paper) text_add(w->title, sizeof w->title, ", %.200s", below);
  *title = w->title;
  *subtitle = paper ? below : NULL;
}

sfm_status picture_words_units(picture_words *w, const char *units[2], size_t axes,
                               const cli_options *options, sfm_error *error) {
  const char *text = options_given(options, "units");
  text_list list;
  if (!text) return SFM_OK;
  if (axes == 0)
    return cli_misuse(error, "--units is for axes of numbers, and this picture has none; leave it "
                             "out");
  sfm_status status = text_split(&list, text, ',', error);
  if (status) return status;
  if (list.count > axes)
    status = cli_misuse(error, "--units has %zu units, but the picture has %zu ax%ss of numbers",
                        list.count, axes, axes == 1 ? "i" : "e");
  for (size_t a = 0; !status && a < list.count; a++) {
    if (!*list.items[a]) continue;
    snprintf(w->units[a], sizeof w->units[a], "%.100s%s%.40s", list.items[a], units[a] ? ", " : "",
             units[a] ? units[a] : "");
    units[a] = w->units[a];
  }
  text_list_clear(&list);
  return status;
}
