/* test_regions.c - regions of machines: the class of every place, pale within the noise, borders,
 * names and marks; files of all kinds; whatever the size of the screen. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "draw/draw.h"
#include "draw/regions.h"
#include "picture_measures.h"

enum { ACROSS = 11, UP = 9 };

static const char *const names[] = {"no", "yes", "a class with a name that is longer than most"};

/* One function: x - 1/2.  Noise of 0.2 everywhere. */
static double slope[ACROSS * UP], noise[ACROSS * UP];
/* Three: largest in the left, the right, and at the top. */
static double three[3 * ACROSS * UP];

static void fill(void) {
  for (size_t i = 0; i < ACROSS; i++)
    for (size_t j = 0; j < UP; j++) {
      const double x = (double)i / (ACROSS - 1), y = (double)j / (UP - 1);
      const size_t p = i * UP + j;
      slope[p] = x - 0.5;
      noise[p] = 0.2;
      three[3 * p] = 0.5 - x;
      three[3 * p + 1] = x - 0.5;
      three[3 * p + 2] = 2 * (y - 0.6);
    }
}

static const draw_regions_panel one_panel[] = {{.values = slope, .noise = noise}},
                                no_noise[] = {{.values = slope}},
                                two_panels[] = {{.label = "left", .values = slope, .noise = noise},
                                                {.label = "right",
                                                 .values = slope,
                                                 .noise = noise}},
                                three_panel[] = {{.values = three, .noise = noise}};

static draw_regions make(const draw_regions_panel *panels, size_t count, size_t functions) {
  fill();
  return (draw_regions){.title = "classes of y",
                        .caption = "A promise.",
                        .note = "A note.",
                        .labels = {"a", "b"},
                        .noise_label = "within the noise (95 %)",
                        .lower = {0, -1},
                        .upper = {10, 1},
                        .counts = {ACROSS, UP},
                        .classes = names,
                        .class_count = functions == 1 ? 2 : 3,
                        .functions = functions,
                        .panels = panels,
                        .panel_count = count};
}

static void every_place_has_its_class(void **state) {
  (void)state;
  draw_regions r = make(one_panel, 1, 1);
  size_t which;
  double sure;
  assert_true(draw_regions_at(&r, 0, 0.1, 0.5, &which, &sure));
  assert_int_equal(which, 0);
  assert_true(fabs(sure - 2) < 1e-12);
  assert_true(draw_regions_at(&r, 0, 0.6, 0.9, &which, &sure));
  assert_int_equal(which, 1);
  assert_true(fabs(sure - 0.5) < 1e-12);
  /* between the points of the grid, and at the ends */
  assert_true(draw_regions_at(&r, 0, 0.97, 0, &which, &sure));
  assert_true(fabs(sure - 0.47 / 0.2) < 1e-12);
  assert_true(draw_regions_at(&r, 0, 1, 1, &which, &sure));
  assert_true(fabs(sure - 2.5) < 1e-12);
  r = make(three_panel, 1, 3);
  assert_true(draw_regions_at(&r, 0, 0.5, 1, &which, &sure));
  assert_int_equal(which, 2);
  assert_true(fabs(sure - 0.8 / 0.2) < 1e-12);
  assert_true(draw_regions_at(&r, 0, 0.9, 0.1, &which, &sure));
  assert_int_equal(which, 1);
  assert_true(fabs(sure - 0.8 / 0.2) < 1e-12);
  r = make(no_noise, 1, 1);
  assert_true(draw_regions_at(&r, 0, 0.45, 0, &which, &sure));
  assert_true(sure >= 1);
  slope[0] = NAN;
  assert_false(draw_regions_at(&r, 0, 0, 0, &which, &sure));
}

static __attribute__((noinline)) char *screen_of(const draw_regions *r, unsigned columns,
                                                 unsigned rows, bool colour) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  draw_regions_terminal(r, out, columns, rows, colour);
  fclose(out);
  return text;
}

static size_t count_of(const char *text, char sign) {
  size_t count = 0;
  for (; *text; text++) count += *text == sign;
  return count;
}

static void signs_tell_classes(void **state) {
  (void)state;
  const draw_regions r = make(one_panel, 1, 1);
  char *text = screen_of(&r, 60, 20, false);
  char *plot = strstr(text, "\nb\n"), *line;
  assert_non_null(plot);
  assert_non_null(strstr(text, "oo no"));
  assert_non_null(strstr(text, "xx yes"));
  assert_non_null(strstr(text, "within the noise"));
  line = strtok(plot + 3, "\n");
  const char *o = strchr(line, 'o'), *dot = strchr(strchr(line, 'o'), '.'), *x = strchr(line, 'x');
  assert_true(o && dot && x && o < dot && dot < x);
  /* 0.3, 0.4 and 0.3 of the width */
  assert_in_range(10 * count_of(line, 'o'), 3 * count_of(o, '.') * 10 / 4 - 20,
                  3 * count_of(o, '.') * 10 / 4 + 20);
  free(text);
}

static void screens_are_as_large_as_asked(void **state) {
  (void)state;
  static const unsigned sizes[][2] = {{80, 24}, {20, 5}, {1, 1}, {40, 12}, {200, 60}, {3, 40}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (size_t functions = 1; functions <= 3; functions += 2)
      for (int colour = 0; colour < 2; colour++) {
        const draw_regions r = make(functions == 1 ? one_panel : three_panel, 1, functions);
        unsigned columns, rows;
        char *text = screen_of(&r, sizes[i][0], sizes[i][1], colour);
        picture_measure_text(text, &columns, &rows);
        assert_true(columns <= sizes[i][0] && rows <= sizes[i][1]);
        free(text);
      }
}

static void files_are_pictures(void **state) {
  (void)state;
  static const char *const endings[] = {"svg", "png", "pdf"};
  static const char *const begins[] = {"<?xml", "\x89PNG", "%PDF"};
  static const double points[] = {1, 0, 9, 0.5, 5, -0.5};
  static const unsigned classes[] = {0, 1, 2};
  char path[64];
  sfm_error error;
  for (size_t kind = 0; kind < 3; kind++)
    for (size_t e = 0; e < 3; e++) {
      draw_regions r = kind == 0   ? make(one_panel, 1, 1)
                       : kind == 1 ? make(two_panels, 2, 1)
                                   : make(three_panel, 1, 3);
      r.points = kind == 1 ? points : NULL;
      r.point_classes = classes;
      r.point_count = 3;
      snprintf(path, sizeof path, "regions-%d.%s", (int)getpid(), endings[e]);
      assert_int_equal(draw_regions_file(&r, path, &error), SFM_OK);
      size_t length, again;
      char *bytes = picture_read_file(path, &length);
      assert_memory_equal(bytes, begins[e], strlen(begins[e]));
      assert_int_equal(draw_regions_file(&r, path, &error), SFM_OK);
      char *same = picture_read_file(path, &again);
      assert_int_equal(length, again);
      assert_memory_equal(bytes, same, length);
      free(bytes);
      free(same);
      unlink(path);
    }
}

static void nothing_to_draw_is_told(void **state) {
  (void)state;
  sfm_error error;
  draw_regions r = make(one_panel, 1, 1);
  r.counts[0] = 1;
  assert_int_not_equal(draw_regions_file(&r, "none.svg", &error), SFM_OK);
  r = make(one_panel, 1, 1);
  r.upper[0] = r.lower[0];
  assert_int_not_equal(draw_regions_file(&r, "none.svg", &error), SFM_OK);
  char *text = screen_of(&r, 60, 10, false);
  assert_non_null(strstr(text, "lower < upper"));
  free(text);
  r = make(one_panel, 0, 1);
  assert_non_null(draw_regions_fault(&r));
  assert_int_equal(access("none.svg", F_OK), -1);
}

/* A map whose scale need not begin at zero. */
static void scales_may_float(void **state) {
  (void)state;
  static double values[4] = {-20, -10, -15, -12};
  const draw_figure figure = {.title = "y",
                              .labels = {"a", "b"},
                              .value_label = "y",
                              .dimension = 2,
                              .floating = true,
                              .counts = {2, 2},
                              .upper = {1, 1},
                              .values = values};
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  draw_terminal(&figure, out, 60, 20, false);
  fclose(out);
  assert_non_null(strstr(text, "y \u221220"));
  assert_non_null(strstr(text, "\u221210"));
  assert_non_null(strstr(text, "\u2588")); /* the largest is darkest, though below zero */
  free(text);
}

int main(void) {
  setlocale(LC_ALL, "C.UTF-8");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_place_has_its_class),     cmocka_unit_test(signs_tell_classes),
      cmocka_unit_test(screens_are_as_large_as_asked), cmocka_unit_test(files_are_pictures),
      cmocka_unit_test(nothing_to_draw_is_told),       cmocka_unit_test(scales_may_float),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
