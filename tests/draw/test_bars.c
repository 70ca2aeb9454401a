/* test_bars.c - counts with names: bars as long as their counts with their error around them, below
 * zero to the left, maps with every count; files of all kinds; whatever the width. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "draw/bars.h"
#include "draw/tiles.h"
#include "draw/draw.h"
#include "picture_measures.h"

static const draw_bar towns[] = {{"Aachen", "100", 100, false},
                                 {"Bonn", "50", 50, false},
                                 {.name = "elsewhere", .detail = "", .heading = true},
                                 {"Ulm", "-30", -30, false},
                                 {"a name that is longer than most", "0", 0, false}};

static draw_bars make(double half_width) {
  return (draw_bars){.title = "counts of town",
                     .caption = "A promise.",
                     .note = "A note.",
                     .label = "town",
                     .value_label = "count",
                     .band_label = "95 % band",
                     .bars = towns,
                     .count = 5,
                     .half_width = half_width};
}

static __attribute__((noinline)) char *screen_of(const draw_bars *bars, const draw_tiles *tiles,
                                                 unsigned columns) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (bars)
    draw_bars_terminal(bars, out, columns, 6, false);
  else
    draw_tiles_terminal(tiles, out, columns, 6, false);
  fclose(out);
  return text;
}

/* How often a character stands in the line that has the word. */
static size_t count_in_line(const char *text, const char *word, const char *character) {
  const char *at = strstr(text, word);
  assert_non_null(at);
  const char *begin = at, *end = strchr(at, '\n');
  while (begin > text && begin[-1] != '\n') begin--;
  size_t count = 0;
  for (const char *c = begin; (c = strstr(c, character)) && c < end; c++) count++;
  return count;
}

#define SOLID "\u2588"
#define HALF "\u2592"
#define LIGHT "\u2591"

static void bars_are_as_long_as_their_counts(void **state) {
  (void)state;
  const draw_bars bars = make(0);
  char *text = screen_of(&bars, NULL, 100);
  const size_t long_bar = count_in_line(text, "Aachen", SOLID),
               short_bar = count_in_line(text, "Bonn", SOLID),
               below = count_in_line(text, "Ulm", SOLID);
  assert_true(long_bar > 20);
  assert_in_range(2 * short_bar, long_bar - 2, long_bar + 2);
  assert_in_range(10 * below, 3 * long_bar - 10, 3 * long_bar + 10);
  assert_int_equal(count_in_line(text, "longer", SOLID), 0);
  assert_int_equal(count_in_line(text, "elsewhere", "\u2502"), 0);
  /* The axis stands in one column; what is negative is left of it. */
  const char *ulm = strstr(text, "Ulm");
  assert_true(strstr(ulm, SOLID) < strstr(ulm, "\u2502"));
  const char *bonn = strstr(text, "Bonn");
  assert_true(strstr(bonn, SOLID) > strstr(bonn, "\u2502"));
  free(text);
}

static void errors_stand_around_the_ends(void **state) {
  (void)state;
  const draw_bars bars = make(20);
  char *text = screen_of(&bars, NULL, 100);
  const size_t inside = count_in_line(text, "Aachen", HALF),
               outside = count_in_line(text, "Aachen", LIGHT),
               solid = count_in_line(text, "Aachen", SOLID);
  assert_in_range(inside, outside - 1, outside + 1);
  assert_in_range(solid, 4 * inside - 4, 4 * inside + 4);
  assert_non_null(strstr(text, "95 % band, \u00b120"));
  free(text);
}

static draw_tiles map_of(void) {
  static const char *const down[] = {"F", "M"}, *const across[] = {"north", "far away", "x"};
  static const char *const details[] = {"210", "341", "12", "182", "(-5)", "0"};
  static const double values[] = {210, 341, 12, 182, -5, 0};
  return (draw_tiles){.title = "counts of sex, region",
                      .labels = {"sex", "region"},
                      .value_label = "count",
                      .counts = {2, 3},
                      .names = {down, across},
                      .values = values,
                      .details = details,
                      .half_width = 10};
}

static void a_map_has_every_count(void **state) {
  (void)state;
  const draw_tiles tiles = map_of();
  char *text = screen_of(NULL, &tiles, 80);
  static const char *const wanted[] = {"north", "far away", "210", "341", "12",
                                       "182",   "(-5)",     "F",   "M",   "sex downwards"};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    assert_non_null(strstr(text, wanted[i]));
  /* The darkest is the largest. */
  assert_int_equal(count_in_line(text, "341", SOLID), 2);
  assert_int_equal(count_in_line(text, "182", SOLID), 0);
  free(text);
  assert_true(draw_tiles_fit(&tiles, 80));
  assert_false(draw_tiles_fit(&tiles, draw_tiles_columns(&tiles) - 1));
  assert_true(draw_tiles_fit(&tiles, 0));
}

static void no_line_is_wider_than_the_terminal(void **state) {
  (void)state;
  const draw_bars bars = make(20);
  const draw_tiles tiles = map_of();
  for (unsigned columns = 1; columns <= 130; columns++) {
    for (int k = 0; k < 2; k++) {
      char *text = screen_of(k ? NULL : &bars, &tiles, columns);
      unsigned wide, rows;
      picture_measure_text(text, &wide, &rows);
      assert_true(wide <= columns);
      free(text);
    }
  }
}

static void pictures_are_written(void **state) {
  (void)state;
  static const struct kind {
    const char *path, *begins;
  } kinds[] = {{"bars.svg", "<?xml"}, {"bars.png", "\x89PNG"}, {"bars.pdf", "%PDF"}};
  const draw_bars bars = make(20);
  const draw_tiles tiles = map_of();
  char folder[] = "/tmp/sfumato-bars-XXXXXX";
  sfm_error error;
  assert_non_null(mkdtemp(folder));
  assert_int_equal(chdir(folder), 0);
  for (size_t k = 0; k < 3; k++)
    for (int map = 0; map < 2; map++) {
      size_t length;
      assert_int_equal(map ? draw_tiles_file(&tiles, kinds[k].path, &error)
                           : draw_bars_file(&bars, kinds[k].path, &error),
                       SFM_OK);
      char *bytes = picture_read_file(kinds[k].path, &length);
      assert_non_null(bytes);
      assert_memory_equal(bytes, kinds[k].begins, 4);
      if (k == 0) assert_non_null(strstr(bytes, map ? "counts of sex, region" : "A promise."));
      free(bytes);
      unlink(kinds[k].path);
    }
  const draw_bars none = {.title = "empty"};
  assert_int_equal(draw_bars_file(&none, "bars.svg", &error), SFM_INVALID);
  assert_int_equal(chdir("/"), 0);
  rmdir(folder);
}

/* Bins: as high as their counts, also below zero. */
static void bins_stand_on_their_axis(void **state) {
  (void)state;
  static const double values[] = {0, 10, 20, 10, -10};
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  const draw_figure figure = {.title = "counts of age",
                              .labels = {"age"},
                              .value_label = "count",
                              .dimension = 1,
                              .steps = true,
                              .counts = {5},
                              .upper = {50},
                              .values = values};
  draw_terminal(&figure, out, 60, 24, false);
  fclose(out);
  size_t tallest = 0, lines = 0;
  const char *zero = strstr(text, " 0\u2524");
  assert_non_null(zero);
  for (const char *line = text; line && *line; line = strchr(line, '\n') + 1) {
    const char *end = strchr(line, '\n'), *at = strstr(line, SOLID);
    if (!end) break;
    if (!at || at > end) continue;
    lines++;
    if (line < zero) tallest++;
  }
  assert_true(tallest >= 8);
  assert_true(lines > tallest); /* what is negative hangs below */
  free(text);
}

/* Names that differ at their end only, and words of tiles that stand upright. */
static void long_names_are_written_in_full(void **state) {
  (void)state;
  static const char *const long_names[] = {
      "Some-college, Married-spouse-absent, Handlers-cleaners, Asian-Pac-Islander, Outlying-US, "
      "one",
      "Some-college, Married-spouse-absent, Handlers-cleaners, Asian-Pac-Islander, Outlying-US, "
      "two"};
  static const char *const down[] = {"F", "M"},
                           *const across[] = {
                               "a name with no room", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  static const double values[20] = {1, 2, 30};
  static const char *details[20];
  for (size_t k = 0; k < 20; k++) details[k] = "7";
  draw_bar two[2] = {{long_names[0], "1", 1, false}, {long_names[1], "2", 2, false}};
  draw_bars bars = make(0);
  char path[64];
  size_t length;
  sfm_error error;
  bars.bars = two;
  bars.count = 2;
  snprintf(path, sizeof path, "/tmp/sfumato-bars-%ld.svg", (long)getpid());
  assert_int_equal(draw_bars_file(&bars, path, &error), SFM_OK);
  char *svg = picture_read_file(path, &length), *words = picture_words(svg);
  char squeezed[4096], *to = squeezed;
  for (const char *c = words; *c && to < squeezed + sizeof squeezed - 1; c++)
    if (*c != ' ') *to++ = *c;
  *to = 0;
  assert_non_null(strstr(squeezed, "Outlying-US,one\n"));
  assert_non_null(strstr(squeezed, "Outlying-US,two\n"));
  free(words);
  free(svg);
  const draw_tiles tiles = {.title = "t",
                            .counts = {2, 10},
                            .names = {down, across},
                            .values = values,
                            .details = details,
                            .band_label = "95 % band",
                            .half_width = 5};
  assert_int_equal(draw_tiles_file(&tiles, path, &error), SFM_OK);
  svg = picture_read_file(path, &length);
  assert_int_equal(picture_count(svg, "rotate(-90"), 10);
  assert_non_null(strstr(svg, ">a name with no room</text>"));
  assert_non_null(strstr(svg, "Hatched: no larger than the error (95 % band, \u00b15.0)"));
  free(svg);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bars_are_as_long_as_their_counts),
      cmocka_unit_test(errors_stand_around_the_ends),
      cmocka_unit_test(a_map_has_every_count),
      cmocka_unit_test(no_line_is_wider_than_the_terminal),
      cmocka_unit_test(pictures_are_written),
      cmocka_unit_test(long_names_are_written_in_full),
      cmocka_unit_test(bins_stand_on_their_axis),
  };
  if (!setlocale(LC_CTYPE, "C.UTF-8")) return 1;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
