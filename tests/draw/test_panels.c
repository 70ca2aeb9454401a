/* Panels: small multiples share their axes and one scale, say what each of them shows, and leave
 * out what is not known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <cairo.h>

#include "draw/draw.h"
#include "draw/figure.h"
#include "picture_measures.h"

enum { N = 101, A = 31, B = 21, MOST = 24 };

static double curves[MOST][N], maps[MOST][A * B];
static char labels[MOST][32];
static draw_panel panels[MOST];

/* A figure of that many panels: one hump each, further to the right the later. */
static draw_figure multiples(size_t count, unsigned dimension) {
  for (size_t k = 0; k < count; k++) {
    const double middle = ((double)k + 0.5) / (double)count;
    for (int i = 0; i < N; i++)
      curves[k][i] = 0.02 * exp(-pow((i / (N - 1.0) - middle) / 0.1, 2) / 2);
    for (int i = 0; i < A; i++)
      for (int j = 0; j < B; j++)
        maps[k][i * B + j] = 0.02 * exp(-pow((i / (A - 1.0) - middle) / 0.1, 2) / 2 -
                                        pow((j / (B - 1.0) - 0.8) / 0.1, 2) / 2);
    snprintf(labels[k], sizeof labels[k], "group %zu", k);
    panels[k] = (draw_panel){.label = labels[k],
                             .detail = "1234 \u00b1 5",
                             .values = dimension == 2 ? maps[k] : curves[k],
                             .absent = "too few to tell",
                             .half_width = 0.002};
  }
  return (draw_figure){.title = "Many",
                       .labels = {"age", "weight"},
                       .value_label = "density",
                       .caption = "A promise.",
                       .note = "A note.",
                       .band_label = "95 % band",
                       .dimension = dimension,
                       .counts = {dimension == 2 ? A : N, B},
                       .upper = {100, 10},
                       .panels = panels,
                       .panel_count = count};
}

static char *screen_of(const draw_figure *figure, unsigned columns, unsigned rows) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  draw_terminal(figure, out, columns, rows, false);
  fclose(out);
  return text;
}

/* The file's bytes, to be freed. */
static char *drawn(const draw_figure *figure, const char *ending, size_t *length) {
  char path[64];
  sfm_error error = {0};
  snprintf(path, sizeof path, "/tmp/sfumato-panels-%ld%s", (long)getpid(), ending);
  if (draw_file(figure, path, &error)) fail_msg("%s", error.message);
  char *bytes = picture_read_file(path, length);
  assert_non_null(bytes);
  unlink(path);
  return bytes;
}

static void files_are_whole_and_the_same_again(void **state) {
  (void)state;
  static const size_t counts[] = {1, 2, 5, 8, 24};
  static const char *const endings[] = {".svg", ".png", ".pdf"}, *const magic[] = {
                                                                     "<?xml", "\x89PNG", "%PDF-"};
  for (size_t i = 0; i < 5; i++)
    for (unsigned d = 1; d <= 2; d++)
      for (size_t e = 0; e < 3; e++) {
        if (counts[i] > 8 && e == 1) continue; /* the larger, the slower */
        const draw_figure figure = multiples(counts[i], d);
        size_t one, two;
        char *first = drawn(&figure, endings[e], &one), *second = drawn(&figure, endings[e], &two);
        assert_memory_equal(first, magic[e], strlen(magic[e]));
        assert_int_equal(one, two);
        assert_memory_equal(first, second, one);
        free(first);
        free(second);
      }
}

/* The middle row of what is dark blue in a part of the page. */
static double where_blue(cairo_surface_t *image, double from, double to) {
  const int width = cairo_image_surface_get_width(image),
            height = cairo_image_surface_get_height(image);
  const unsigned char *data = cairo_image_surface_get_data(image);
  double sum = 0, mass = 0;
  for (int r = height / 5; r < height * 3 / 5; r++)
    for (int c = (int)(from * width); c < (int)(to * width); c++) {
      uint32_t pixel;
      memcpy(&pixel, data + (size_t)r * cairo_image_surface_get_stride(image) + 4 * (size_t)c, 4);
      const int red = pixel >> 16 & 255, blue = pixel & 255;
      if (red < 80 && blue > red + 60) sum += r, mass++;
    }
  return mass > 0 ? sum / mass : NAN;
}

static cairo_surface_t *picture(const draw_figure *figure) {
  char path[64];
  sfm_error error = {0};
  snprintf(path, sizeof path, "/tmp/sfumato-panels-%ld.png", (long)getpid());
  if (draw_file(figure, path, &error)) fail_msg("%s", error.message);
  cairo_surface_t *image = cairo_image_surface_create_from_png(path);
  unlink(path);
  assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
  return image;
}

/* Two panels side by side, each with its own curve: that of the second is half as high on the same
 * scale, and one that is not known is not drawn. */
static void panels_show_their_own_values_on_one_scale(void **state) {
  (void)state;
  draw_figure figure = multiples(2, 1);
  for (int i = 0; i < N; i++) {
    curves[0][i] = 0.02;
    curves[1][i] = 0.01;
  }
  cairo_surface_t *image = picture(&figure);
  const double left = where_blue(image, 0.1, 0.5), right = where_blue(image, 0.56, 0.94);
  assert_true(left + 30 < right); /* lower on the page */
  cairo_surface_destroy(image);
  panels[1].values = NULL;
  image = picture(&figure);
  assert_true(fabs(where_blue(image, 0.1, 0.5) - left) < 1);
  assert_true(isnan(where_blue(image, 0.56, 0.94)));
  cairo_surface_destroy(image);
}

/* A group of few, all noise, does not squeeze the others. */
static void the_scale_is_that_of_what_is_known(void **state) {
  (void)state;
  for (unsigned d = 1; d <= 2; d++) {
    draw_figure figure = multiples(3, d);
    double lower, upper, before;
    draw_captions captions;
    draw_figure_range(&figure, &lower, &before);
    draw_figure_captions(&figure, &captions);
    assert_null(strstr(captions.text[1], "cut off"));
    assert_null(strstr(captions.text[1], "darkest"));
    for (int i = 0; i < N; i++) curves[2][i] = i % 2 ? 1 : -1;
    for (int i = 0; i < A * B; i++) maps[2][i] = i % 2 ? 1 : -1;
    panels[2].half_width = 5;
    draw_figure_range(&figure, &lower, &upper);
    assert_true(upper == before && lower <= 0 && lower >= -0.5 * upper);
    draw_figure_captions(&figure, &captions);
    assert_non_null(strstr(captions.text[1], d == 1 ? "cut off" : "darkest"));
    /* Alone it has the scale for itself. */
    panels[0].values = panels[1].values = NULL;
    draw_figure_range(&figure, &lower, &upper);
    assert_true(upper >= 1);
    panels[2].values = NULL;
    draw_figure_range(&figure, &lower, &upper);
    assert_true(upper > lower && isfinite(upper));
  }
}

/* A fifth of the blue, as bands have it, but for rounding. */
static bool is_tint(uint32_t pixel) {
  const int difference[3] = {(int)(pixel >> 16 & 255) - 0xd1, (int)(pixel >> 8 & 255) - 0xdf,
                             (int)(pixel & 255) - 0xe8};
  return abs(difference[0]) < 3 && abs(difference[1]) < 3 && abs(difference[2]) < 3;
}

/* A band that would fill a panel is written and not drawn: the panel stays white. */
static void a_band_that_fills_a_panel_is_written(void **state) {
  (void)state;
  draw_figure figure = multiples(2, 1);
  size_t length;
  for (size_t k = 0; k < 2; k++) {
    for (int i = 0; i < N; i++) curves[k][i] = 0.02;
    panels[k].half_width = 0.5;
    panels[k].detail = NULL;
  }
  for (int wide = 0; wide < 2; wide++) {
    panels[1].half_width = wide ? 0.5 : 0.005;
    cairo_surface_t *image = picture(&figure);
    const int width = cairo_image_surface_get_width(image),
              height = cairo_image_surface_get_height(image),
              stride = cairo_image_surface_get_stride(image);
    const unsigned char *data = cairo_image_surface_get_data(image);
    size_t tinted[2] = {0};
    for (int r = height / 4; r < height * 3 / 5; r++)
      for (int c = width / 8; c < width * 15 / 16; c++) {
        uint32_t pixel;
        memcpy(&pixel, data + (size_t)r * (size_t)stride + 4 * (size_t)c, 4);
        tinted[c > width / 2] += is_tint(pixel);
      }
    cairo_surface_destroy(image);
    assert_true(tinted[0] < 50); /* a few where lines end */
    assert_true(wide ? tinted[1] < 50 : tinted[1] > 1000);
    char *svg = drawn(&figure, ".svg", &length);
    assert_int_equal(picture_count(svg, "band \u00b10.50: off this scale"), 1 + wide);
    assert_int_equal(picture_count(svg, ">95 % band<"), !wide);
    free(svg);
  }
}

/* Where the first text with these words stands. */
static void place_of(double at[2], const char *svg, const char *words) {
  char wanted[128];
  snprintf(wanted, sizeof wanted, ">%s</text>", words);
  const char *end = strstr(svg, wanted);
  if (!end) fail_msg("no text %s", words);
  while (*end != '<' || strncmp(end, "<text", 5) != 0) end--;
  assert_int_equal(sscanf(strstr(end, " x=\""), " x=\"%lf\"", &at[0]), 1);
  assert_int_equal(sscanf(strstr(end, " y=\""), " y=\"%lf\"", &at[1]), 1);
}

/* It never covers a curve: it stands under the name and the detail, or beside the name. */
static void a_band_that_is_written_is_above_the_plot(void **state) {
  (void)state;
  for (size_t count = 2; count <= 8; count += 3) {
    for (int detailed = 0; detailed < 2; detailed++) {
      draw_figure figure = multiples(count, 1);
      double name[2], note[2], tick[2];
      size_t length;
      panels[0].half_width = 0.5;
      for (size_t k = 0; k < count; k++) panels[k].detail = detailed ? "7 \u00b1 5" : NULL;
      char *svg = drawn(&figure, ".svg", &length);
      place_of(name, svg, "group 0");
      place_of(note, svg, "band \u00b10.50: off this scale");
      place_of(tick, svg, "0.020");
      const bool beside = note[1] == name[1];
      assert_true(beside ? note[0] > name[0] && !detailed
                         : note[0] == name[0] && note[1] > name[1] + 10);
      assert_true(note[1] < tick[1]);
      if (count == 2) assert_int_equal(beside, !detailed);
      free(svg);
    }
  }
}

/* Strokes of that width; cairo's versions write it as a property or as an attribute. */
static size_t strokes_of(const char *svg, const char *width) {
  char property[64], attribute[64];
  snprintf(property, sizeof property, "stroke-width:%s;", width);
  snprintf(attribute, sizeof attribute, "stroke-width=\"%s\"", width);
  return picture_count(svg, property) + picture_count(svg, attribute);
}

/* In one plot there is a curve per panel and a sample of each, by name. */
static void overlaid_panels_have_a_curve_each(void **state) {
  (void)state;
  static const size_t counts[] = {1, 2, 5, 8};
  for (size_t i = 0; i < 4; i++) {
    draw_figure figure = multiples(counts[i], 1);
    size_t length;
    figure.overlaid = true;
    char *svg = drawn(&figure, ".svg", &length);
    assert_int_equal(strokes_of(svg, "1.8"), 2 * counts[i]);
    assert_int_equal(picture_count(svg, "stroke-dasharray"), 2 * (counts[i] - 1));
    assert_int_equal(picture_count(svg, ">age</text>"), 1); /* one axis */
    for (size_t k = 0; k < counts[i]; k++) {
      char entry[80];
      snprintf(entry, sizeof entry, ">group %zu (1234 \u00b1 5)</text>", k);
      assert_int_equal(picture_count(svg, entry), 1);
    }
    free(svg);
    panels[0].values = NULL;
    svg = drawn(&figure, ".svg", &length);
    assert_int_equal(strokes_of(svg, "1.8"), 2 * counts[i] - 1);
    assert_int_equal(picture_count(svg, "too few to tell"), 1);
    free(svg);
  }
  draw_figure figure = multiples(2, 2);
  sfm_error error = {0};
  figure.overlaid = true;
  assert_int_equal(draw_file(&figure, "/tmp/none.svg", &error), SFM_INVALID);
}

/* Names that are too long for a panel take two lines: cut ones would read alike. */
static void long_names_of_panels_are_not_cut(void **state) {
  (void)state;
  draw_figure figure = multiples(10, 1);
  size_t length;
  figure.panel_columns = 5;
  panels[2].label = "Female, Asian-Pac-Islander";
  panels[3].label = "Female, Amer-Indian-Eskimo";
  char *svg = drawn(&figure, ".svg", &length), *words = picture_words(svg);
  assert_non_null(strstr(words, "\nFemale, Asian-Pac-Islander\n"));
  assert_non_null(strstr(words, "\nFemale, Amer-Indian-Eskimo\n"));
  free(words);
  free(svg);
}

static void screens_name_every_panel(void **state) {
  (void)state;
  static const unsigned widths[] = {30, 80, 132};
  for (unsigned d = 1; d <= 2; d++)
    for (size_t w = 0; w < 3; w++) {
      draw_figure figure = multiples(7, d);
      panels[3].values = NULL;
      char *text = screen_of(&figure, widths[w], 24);
      for (size_t k = 0; k < 7; k++) assert_int_equal(picture_count(text, labels[k]), 1);
      assert_int_equal(picture_count(text, "too few to tell"), 1);
      assert_int_equal(picture_count(text, "Many"), 1);
      assert_non_null(strstr(text, "age"));
      assert_non_null(strstr(text, "promise"));
      assert_non_null(strstr(text, d == 2 ? "weight" : "density"));
      free(text);
    }
}

static void no_size_of_screen_breaks_it(void **state) {
  (void)state;
  for (unsigned columns = 1; columns < 200; columns += 1 + columns / 3)
    for (unsigned rows = 1; rows < 100; rows += 1 + rows / 2)
      for (unsigned d = 1; d <= 2; d++) {
        draw_figure figure = multiples(5, d);
        char *text = screen_of(&figure, columns, rows);
        assert_true(strlen(text) > 0);
        free(text);
      }
}

static void odd_panels_are_survived_or_refused(void **state) {
  (void)state;
  sfm_error error = {0};
  size_t length;
  draw_figure figure = multiples(2, 1);
  for (int i = 0; i < N; i++) curves[0][i] = i < 50 ? NAN : INFINITY;
  panels[1].half_width = INFINITY;
  panels[1].label = panels[1].detail = NULL;
  panels[0].label =
      "a\x01 \xff very long name of a group that no panel has the room to show in full";
  panels[0].half_width = NAN;
  free(drawn(&figure, ".svg", &length));
  free(screen_of(&figure, 80, 24));
  panels[0].values = panels[1].values = NULL;
  panels[0].absent = NULL;
  free(drawn(&figure, ".svg", &length));
  free(screen_of(&figure, 80, 24));
  figure = multiples(2, 1);
  figure.upper[0] = figure.lower[0];
  assert_int_equal(draw_file(&figure, "/tmp/none.svg", &error), SFM_INVALID);
  figure = multiples(2, 1);
  figure.reference = curves[0];
  assert_int_equal(draw_file(&figure, "/tmp/none.svg", &error), SFM_INVALID);
  figure = multiples(2, 2);
  figure.stems = true;
  assert_int_equal(draw_file(&figure, "/tmp/none.svg", &error), SFM_INVALID);
}

/* Behind a panel's own curve: dashed, by name, on the same scale; a map has none. */
static void panels_have_their_references(void **state) {
  (void)state;
  static double shape[N];
  double lower, upper;
  size_t length;
  for (int i = 0; i < N; i++) shape[i] = 0.05 * i / (N - 1);
  for (unsigned d = 1; d <= 2; d++)
    for (int with = 0; with < 2; with++) {
      draw_figure figure = multiples(3, d);
      for (size_t k = 0; k < 3; k++) panels[k].reference = with ? shape : NULL;
      figure.names[1] = "the shape";
      char *svg = drawn(&figure, ".svg", &length), *text = screen_of(&figure, 80, 24);
      const bool shown = with && d == 1;
      /* one per panel, and a sample */
      assert_int_equal(picture_count(svg, "stroke-dasharray"), shown ? 4 : 0);
      assert_int_equal(picture_count(text, "the shape"), shown);
      draw_figure_range(&figure, &lower, &upper);
      assert_true(shown ? upper >= 0.05 : upper < 0.03);
      free(svg);
      free(text);
    }
}

/* Releases that are all noise are not cut to the scale of the shape behind them. */
static void a_reference_alone_is_not_the_scale(void **state) {
  (void)state;
  static double shape[N];
  double lower, upper;
  draw_figure figure = multiples(2, 1);
  for (size_t k = 0; k < 2; k++) {
    for (int i = 0; i < N; i++) curves[k][i] = i % 2 ? 1 : -0.2;
    panels[k].half_width = 5;
    panels[k].reference = shape;
  }
  for (int i = 0; i < N; i++) shape[i] = 0.02;
  draw_figure_range(&figure, &lower, &upper);
  assert_true(upper >= 1 && lower <= -0.2);
}

static void panels_may_float(void **state) {
  (void)state;
  double lower, upper;
  draw_figure figure = multiples(2, 1);
  figure.floating = true;
  for (int i = 0; i < N; i++) {
    curves[0][i] = -100 - i;
    curves[1][i] = -150;
  }
  panels[0].half_width = panels[1].half_width = 10;
  draw_figure_range(&figure, &lower, &upper);
  assert_true(upper >= -90 && upper < -70 && lower <= -210 && lower > -240);
  size_t length;
  free(drawn(&figure, ".svg", &length));
  free(screen_of(&figure, 80, 24));
  for (int i = 0; i < N; i++) curves[0][i] = curves[1][i] = NAN;
  draw_figure_range(&figure, &lower, &upper);
  assert_true(lower < upper);
  free(drawn(&figure, ".svg", &length));
}

static void rows_of_panels_are_as_asked(void **state) {
  (void)state;
  draw_figure figure = multiples(8, 1);
  assert_int_equal(draw_figure_panel_columns(&figure), 4);
  figure.panel_columns = 2;
  assert_int_equal(draw_figure_panel_columns(&figure), 2);
  figure = multiples(7, 1);
  assert_true(draw_figure_panel_last(&figure, 6, 4));
  assert_true(draw_figure_panel_last(&figure, 3, 4)); /* nothing below it */
  assert_false(draw_figure_panel_last(&figure, 2, 4));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_are_whole_and_the_same_again),
      cmocka_unit_test(panels_show_their_own_values_on_one_scale),
      cmocka_unit_test(the_scale_is_that_of_what_is_known),
      cmocka_unit_test(a_band_that_fills_a_panel_is_written),
      cmocka_unit_test(a_band_that_is_written_is_above_the_plot),
      cmocka_unit_test(overlaid_panels_have_a_curve_each),
      cmocka_unit_test(long_names_of_panels_are_not_cut),
      cmocka_unit_test(screens_name_every_panel),
      cmocka_unit_test(no_size_of_screen_breaks_it),
      cmocka_unit_test(odd_panels_are_survived_or_refused),
      cmocka_unit_test(panels_have_their_references),
      cmocka_unit_test(a_reference_alone_is_not_the_scale),
      cmocka_unit_test(panels_may_float),
      cmocka_unit_test(rows_of_panels_are_as_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
