/* The report of a plan: logarithmic ticks are round, no two texts meet on the page whatever is
 * drawn, screens keep their size, the same report gives the same bytes, and what is wrong is said
 * before anything is written. */
#include <dlfcn.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <cairo.h>

#include "draw/axis.h"
#include "draw/loglog_curves.h"
#include "draw/plan_page.h"
#include "picture_measures.h"

/* Texts as they are put on the page: their outlines' boxes. */
typedef struct mark {
  double left, top, right, bottom;
  char text[160];
} mark;

enum { MARKS_MAX = 512 };
static mark marks[MARKS_MAX];
static size_t mark_count;

/* Stands before cairo's, and writes down where the text goes. */
void cairo_show_text(cairo_t *cr, const char *text) {
  void (*real)(cairo_t *, const char *);
  void *found = dlsym(RTLD_NEXT, "cairo_show_text");
  assert_non_null(found);
  memcpy(&real, &found, sizeof real);
  cairo_text_extents_t extents;
  double x, y;
  cairo_text_extents(cr, text, &extents);
  cairo_get_current_point(cr, &x, &y);
  if (mark_count < MARKS_MAX && extents.width > 0) {
    mark *m = &marks[mark_count++];
    m->left = x + extents.x_bearing;
    m->right = m->left + extents.width;
    m->top = y + extents.y_bearing;
    m->bottom = m->top + extents.height;
    snprintf(m->text, sizeof m->text, "%s", text);
  }
  real(cr, text);
}

enum { N = 61, G = 101, A = 31, B = 21 };

/* A plausible report, whose parts a test may then change. */
typedef struct trial_report {
  double at[2][N], values[2][4][N], low[2][N], high[2][N];
  double shape[G], releases[3][G], maps[4][A * B];
  draw_series series[2][DRAW_SERIES_MAX];
  draw_panel panels[4];
  draw_figure preview;
  draw_plan_page report;
} trial_report;

static trial_report t;

static void set_up_curves(void) {
  static const char *const names[4] = {"total", "privacy", "sampling", "smoothing"};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < N; i++) {
      const double s = i / (N - 1.0);
      t.at[k][i] = k == 0 ? pow(10, 2 + 4 * s) : pow(10, -1 + 2 * s);
      const double n = k == 0 ? t.at[k][i] : 5000, epsilon = k == 0 ? 1 : t.at[k][i];
      t.values[k][1][i] = 18 * pow(n * epsilon, -0.8);
      t.values[k][2][i] = 0.9 * pow(n, -0.4);
      t.values[k][3][i] = 0.02 * pow(n / 5000, -0.25);
      t.values[k][0][i] = hypot(hypot(t.values[k][1][i], t.values[k][2][i]), t.values[k][3][i]);
      t.low[k][i] = 0.7 * t.values[k][0][i];
      t.high[k][i] = 1.4 * t.values[k][0][i];
    }
    for (int j = 0; j < 4; j++)
      t.series[k][j] = (draw_series){.name = names[j], .values = t.values[k][j]};
    t.series[k][0].low = t.low[k];
    t.series[k][0].high = t.high[k];
  }
}

static void set_up_preview(unsigned dimension) {
  static const char *const names[4] = {"shape", "release 1", "release 2", "release 3"};
  for (int i = 0; i < G; i++) {
    t.shape[i] = 0.02 * exp(-pow((i - 40) / 12.0, 2) / 2);
    for (int r = 0; r < 3; r++) t.releases[r][i] = t.shape[i] + 0.001 * cos(i * (r + 1) * 0.1);
  }
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < A * B; i++) t.maps[r][i] = 0.001 * (1 + r) * (i % B);
  for (int k = 0; k < 4; k++)
    t.panels[k] = dimension == 2 ? (draw_panel){.label = names[k], .values = t.maps[k]}
                                 : (draw_panel){.label = names[k + (k < 3)],
                                                .values = t.releases[k % 3],
                                                .half_width = 0.002,
                                                .reference = t.shape};
  t.preview = (draw_figure){.title = "What such a release looks like",
                            .labels = {"age", "weight"},
                            .value_label = "density",
                            .note = "Simulated.",
                            .band_label = "95 % band",
                            .names = {"release", "shape"},
                            .dimension = dimension,
                            .counts = {dimension == 2 ? A : G, B},
                            .upper = {100, 10},
                            .panels = t.panels,
                            .panel_count = dimension == 2 ? 4 : 3};
}

static draw_plan_page *report_of(unsigned dimension) {
  static const double levels[2] = {0.05, 0.1};
  static const char *const level_names[2] = {"5 %", "10 %"};
  set_up_curves();
  set_up_preview(dimension == 2 ? 2 : 1);
  t.report = (draw_plan_page){.title = "What to expect",
                              .subtitle = "lattice with Laplace noise, bandwidth 4",
                              .caption = "A promise.",
                              .note = "A note.",
                              .curve_count = 2,
                              .preview = dimension ? &t.preview : NULL};
  for (int k = 0; k < 2; k++)
    t.report.curves[k] = (draw_curves){.title = k ? "with more epsilon" : "with more people",
                                       .label = k ? "epsilon" : "people",
                                       .value_label = "error, of the peak",
                                       .at = t.at[k],
                                       .count = N,
                                       .series = t.series[k],
                                       .series_count = 4,
                                       .levels = levels,
                                       .level_names = level_names,
                                       .level_count = 2,
                                       .here = k ? 1 : 5000,
                                       .here_label = k ? "epsilon 1" : "5,000 people"};
  return &t.report;
}

/* The file's bytes, to be freed. */
static char *drawn(const draw_plan_page *report, const char *ending, size_t *length) {
  char path[64];
  sfm_error error = {0};
  snprintf(path, sizeof path, "/tmp/sfumato-report-%ld%s", (long)getpid(), ending);
  mark_count = 0;
  if (draw_plan_page_file(report, path, &error)) fail_msg("%s", error.message);
  char *bytes = picture_read_file(path, length);
  assert_non_null(bytes);
  unlink(path);
  return bytes;
}

static char *screen_of(const draw_plan_page *report, unsigned columns, unsigned rows, bool colour) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  draw_plan_page_terminal(report, out, columns, rows, colour);
  fclose(out);
  char *copy = strdup(text);
  free(text);
  assert_non_null(copy);
  return copy;
}

/* Draws the report, and fails if two texts touch or one leaves the paper. */
static void check_page(const draw_plan_page *report, const char *what) {
  size_t length;
  char *svg = drawn(report, ".svg", &length);
  double width, height;
  const char *head = strstr(svg, "<svg");
  assert_non_null(head);
  assert_int_equal(sscanf(strstr(head, " width=") + 1, "width=\"%lf", &width), 1);
  assert_int_equal(sscanf(strstr(head, " height=") + 1, "height=\"%lf", &height), 1);
  free(svg);
  free(drawn(report, ".pdf", &length)); /* whose words cairo shows, at the same places */
  assert_true(mark_count > 0 && mark_count < MARKS_MAX);
  for (size_t i = 0; i < mark_count; i++) {
    const mark *a = &marks[i];
    if (a->left < 0 || a->top < 0 || a->right > width || a->bottom > height)
      fail_msg("%s: \"%s\" leaves the paper", what, a->text);
    for (size_t k = 0; k < i; k++) {
      const mark *b = &marks[k];
      if (a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom)
        fail_msg("%s: \"%s\" and \"%s\" overlap", what, b->text, a->text);
    }
  }
}

static void check_screens(const draw_plan_page *report, const char *what) {
  static const unsigned sizes[][2] = {
      {1, 1},   {2, 3},   {7, 9},    {20, 12},  {31, 17},  {40, 24},  {61, 33},  {80, 24},
      {80, 44}, {80, 60}, {119, 40}, {120, 24}, {120, 36}, {133, 45}, {200, 80}, {1500, 10}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (int colour = 0; colour < 2; colour++) {
      unsigned columns, rows;
      char *text = screen_of(report, sizes[i][0], sizes[i][1], colour);
      picture_measure_text(text, &columns, &rows);
      if (columns > sizes[i][0] || rows > sizes[i][1])
        fail_msg("%s: %u x %u on a screen of %u x %u", what, columns, rows, sizes[i][0],
                 sizes[i][1]);
      if (!colour) assert_null(strchr(text, '\033'));
      free(text);
    }
}

static void check_everywhere(const draw_plan_page *report, const char *what) {
  check_page(report, what);
  check_screens(report, what);
}

static void check_ticks(double lower, double upper, unsigned most, const char *sign,
                        const char *expected) {
  draw_axis axis;
  char line[512] = "";
  draw_axis_log(&axis, log10(lower), log10(upper), most, sign);
  assert_true(axis.count <= most);
  for (unsigned i = 0; i < axis.count; i++) {
    char text[DRAW_NUMBER_MAX];
    draw_axis_write(&axis, i, text, sizeof text);
    strcat(strcat(line, text), " ");
    const double tick = draw_axis_tick(&axis, i);
    assert_true(tick >= axis.lower - 1e-9 && tick <= axis.upper + 1e-9);
    if (i) assert_true(tick > draw_axis_tick(&axis, i - 1));
  }
  assert_string_equal(line, expected);
}

static void logarithmic_ticks_are_round_and_short(void **state) {
  (void)state;
  check_ticks(100, 1e4, 4, NULL, "100 1,000 10,000 ");
  check_ticks(100, 1e4, 7, NULL, "100 200 500 1,000 2,000 5,000 10,000 ");
  check_ticks(0.003, 0.3, 9, "%", "0.005% 0.01% 0.02% 0.05% 0.1% 0.2% ");
  check_ticks(0.8, 60, 9, "\u00a0%", "1\u00a0% 2\u00a0% 5\u00a0% 10\u00a0% 20\u00a0% 50\u00a0% ");
  check_ticks(1, 1e12, 7, NULL,
              "1 10\u00b2 10\u2074 10\u2076 10\u2078 10\u00b9\u2070 10\u00b9\u00b2 ");
  check_ticks(1e-8, 5e-8, 3, NULL, "10\u207b\u2078 2\u00d710\u207b\u2078 5\u00d710\u207b\u2078 ");
  check_ticks(10, 1e6, 6, NULL, "10 100 1,000 10,000 100,000 1,000,000 ");
  check_ticks(0.5, 20, 2, NULL, "1 10 ");
  check_ticks(0.21, 0.49, 5, NULL, "");
  draw_axis axis;
  draw_axis_log(&axis, -1e300, 1e300, 6, NULL);
  assert_int_equal(axis.count, 0);
}

static void curves_are_read_between_their_places(void **state) {
  (void)state;
  static const double at[3] = {10, 100, 1000}, values[3] = {0.1, 0.01, NAN},
                      late[3] = {NAN, 0.01, 0.1};
  const draw_curves curves = {.at = at, .count = 3};
  double percent;
  assert_true(draw_curves_at(&curves, values, 1, &percent) && fabs(percent - 1) < 1e-12);
  assert_true(draw_curves_at(&curves, values, 1.5, &percent) && fabs(percent - 0.5) < 1e-12);
  assert_true(draw_curves_at(&curves, values, 2, &percent) && fabs(percent) < 1e-12);
  assert_false(draw_curves_at(&curves, values, 2.5, &percent));
  assert_false(draw_curves_at(&curves, values, 3, &percent));
  assert_false(draw_curves_at(&curves, late, 1.5, &percent));
  assert_true(draw_curves_at(&curves, late, 2.5, &percent));
  assert_false(draw_curves_at(&curves, values, 0.9, &percent));
  assert_false(draw_curves_at(&curves, values, 3.1, &percent));
}

/* What is small does not squeeze what is asked about, and the page says that it is cut. */
static void the_scale_is_that_of_the_first_series(void **state) {
  (void)state;
  draw_plan_page *report = report_of(0);
  double lower, upper;
  draw_captions captions;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++) {
      t.values[k][0][i] = 0.1 + 0.1 * i / (N - 1);
      t.low[k][i] = 0.09;
      t.high[k][i] = 0.4;
      t.values[k][1][i] = t.values[k][2][i] = t.values[k][3][i] = 0.05;
    }
  draw_curves_up(report, 0, 1, &lower, &upper);
  assert_true(lower < log10(5) && lower > 0.5 && upper > log10(40) && upper < 1.8);
  draw_plan_page_captions(report, 1, &captions);
  assert_null(strstr(captions.text[1], "cut off"));
  for (int i = 0; i < N; i++) t.values[1][2][i] = 1e-20;
  draw_curves_up(report, 0, 1, &lower, &upper);
  assert_true(lower > -0.2);
  draw_plan_page_captions(report, 1, &captions);
  assert_non_null(strstr(captions.text[1], "cut off"));
  /* Other values have their own scale. */
  report->curves[1].value_label = "something else";
  draw_curves_up(report, 0, 1, &lower, &upper);
  assert_true(lower > 0.5);
}

static void a_series_looks_the_same_in_every_plot(void **state) {
  (void)state;
  draw_plan_page *report = report_of(0);
  draw_key key;
  t.series[1][1].name = "sampling";
  t.series[1][2].name = "privacy";
  draw_key_init(&key, report);
  assert_int_equal(key.count, 4);
  assert_int_equal(draw_key_place(&key, &t.series[1][1]), 2);
  assert_int_equal(draw_key_place(&key, &t.series[1][2]), 1);
  assert_true(key.band[0] && !key.band[1]);
  for (int i = 0; i < N; i++) t.low[0][i] = t.high[1][i] = NAN; /* no band anywhere */
  draw_key_init(&key, report);
  assert_false(key.band[0]);
  for (int i = 0; i < N; i++) t.values[0][3][i] = t.values[1][3][i] = 0; /* nothing to draw */
  draw_key_init(&key, report);
  assert_int_equal(key.count, 3);
}

/* The middle row of what is dark blue in a part of the page. */
static double where_blue(cairo_surface_t *image, double from, double to) {
  const int width = cairo_image_surface_get_width(image),
            height = cairo_image_surface_get_height(image);
  const unsigned char *data = cairo_image_surface_get_data(image);
  double sum = 0, mass = 0;
  for (int r = height / 3; r < height; r++)
    for (int c = (int)(from * width); c < (int)(to * width); c++) {
      uint32_t pixel;
      memcpy(&pixel,
             data + (size_t)r * (size_t)cairo_image_surface_get_stride(image) + 4 * (size_t)c, 4);
      const int red = pixel >> 16 & 255, blue = pixel & 255;
      if (red < 80 && blue > red + 60) sum += r, mass++;
    }
  return mass > 0 ? sum / mass : NAN;
}

static cairo_surface_t *picture(const draw_plan_page *report) {
  char path[64];
  sfm_error error = {0};
  snprintf(path, sizeof path, "/tmp/sfumato-report-%ld.png", (long)getpid());
  if (draw_plan_page_file(report, path, &error)) fail_msg("%s", error.message);
  cairo_surface_t *image = cairo_image_surface_create_from_png(path);
  unlink(path);
  assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
  return image;
}

/* Errors of 20 % and 5 % side by side: the smaller stands lower, unless they are of two kinds. */
static void plots_of_the_same_values_share_a_scale(void **state) {
  (void)state;
  for (int apart = 0; apart < 2; apart++) {
    draw_plan_page *report = report_of(0);
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < N; i++) t.values[k][0][i] = k ? 0.05 : 0.2;
      t.series[k][0].low = t.series[k][0].high = NULL;
      report->curves[k].series_count = 1;
      report->curves[k].level_count = 0;
    }
    if (apart) report->curves[1].value_label = "something else";
    cairo_surface_t *image = picture(report);
    const double left = where_blue(image, 0.1, 0.45), right = where_blue(image, 0.65, 0.94);
    assert_true(apart ? fabs(left - right) < 2 : left + 60 < right);
    cairo_surface_destroy(image);
  }
}

static void files_are_whole_and_the_same_again(void **state) {
  (void)state;
  static const char *const endings[] = {".svg", ".png", ".pdf"}, *const magic[] = {
                                                                     "<?xml", "\x89PNG", "%PDF-"};
  for (unsigned d = 0; d <= 2; d++)
    for (size_t e = 0; e < 3; e++) {
      size_t one, two;
      const draw_plan_page *report = report_of(d);
      char *first = drawn(report, endings[e], &one), *second = drawn(report, endings[e], &two);
      assert_memory_equal(first, magic[e], strlen(magic[e]));
      assert_int_equal(one, two);
      assert_memory_equal(first, second, one);
      if (e == 0) assert_non_null(strstr(first, "<title>What to expect</title>"));
      free(first);
      free(second);
    }
}

/* Printed in grey, every series still looks its own way: all that are dashed are so differently,
 * and those that are not differ in thickness. */
static void series_are_told_apart_without_colour(void **state) {
  (void)state;
  char seen[DRAW_SERIES_MAX][128];
  size_t known = 0, length;
  draw_plan_page *report = report_of(0);
  report->curve_count = 1;
  report->curves[0].level_count = 0;
  for (int j = 4; j < DRAW_SERIES_MAX; j++)
    t.series[0][j] = (draw_series){.name = j % 2 ? "odd" : "even", .values = t.values[0][j % 4]};
  t.series[0][6].name = "six";
  t.series[0][7].name = "seven";
  report->curves[0].series_count = DRAW_SERIES_MAX;
  char *svg = drawn(report, ".svg", &length);
  for (char *line = strtok(svg, "\n"); line; line = strtok(NULL, "\n")) {
    char look[128];
    const char *width = strstr(line, "stroke-width"), *dashes = strstr(line, "stroke-dasharray");
    /* cairo's versions write them as properties or as attributes */
    if (!width || strtod(width + strcspn(width, "0123456789"), NULL) < 1) continue;
    snprintf(look, sizeof look, "%.*s %.*s", (int)strcspn(width, "; "), width,
             dashes ? (int)strcspn(dashes, "; ") : 0, dashes ? dashes : "");
    size_t k = 0;
    while (k < known && strcmp(seen[k], look) != 0) k++;
    if (k == known && known < DRAW_SERIES_MAX) strcpy(seen[known++], look);
  }
  free(svg);
  assert_int_equal(known, DRAW_SERIES_MAX);
}

static bool on_page(const char *text) {
  for (size_t i = 0; i < mark_count; i++)
    if (strcmp(marks[i].text, text) == 0) return true;
  return false;
}

static void the_page_says_what_it_shows(void **state) {
  (void)state;
  static const char *const texts[] = {"What to expect",
                                      "with more people",
                                      "with more epsilon",
                                      "error, of the peak",
                                      "people",
                                      "epsilon",
                                      "5,000 people",
                                      "epsilon 1",
                                      "total",
                                      "privacy",
                                      "10 %",
                                      "5 %",
                                      "1,000",
                                      "10\u00a0%",
                                      "2\u00a0%",
                                      "What such a release looks like",
                                      "release 3",
                                      "shape",
                                      "95 % band",
                                      "A promise."};
  check_page(report_of(1), "plain");
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (!on_page(texts[i])) fail_msg("\"%s\" is not on the page", texts[i]);
}

/* The shape has no band; that of a release may be within the scale, or beyond it. */
static void maps_say_where_values_are_no_larger_than_the_error(void **state) {
  (void)state;
  static const struct {
    double widths[2], least;
    const char *text;
  } cases[] = {
      {{0.01, 9},
       0,
       "Hatched: no larger than the error (95 % band), so it may be error alone; a panel without a "
       "band has no hatching."},
      {{9, 9},
       0,
       "Hatched: no larger than the error (95 % band), so it may be error alone; a panel without a "
       "band has no hatching."},
      {{0.01, 0.01},
       0.02,
       "Every value is larger than the error (95 % band), except in panels without a band, where "
       "it "
       "is not known."}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    draw_plan_page *report = report_of(2);
    t.preview.panel_count = 3;
    for (int r = 0; r < 4; r++)
      for (int k = 0; k < A * B; k++) t.maps[r][k] += cases[i].least;
    for (int k = 0; k < 2; k++) t.panels[k + 1].half_width = cases[i].widths[k];
    check_page(report, "maps");
    if (!on_page(cases[i].text)) fail_msg("\"%s\" is not on the page", cases[i].text);
  }
}

/* A part that is zero at some places: its line goes to the bottom and comes back, and does not
 * break off in the plot. */
static void lines_of_parts_that_vanish_reach_the_bottom(void **state) {
  (void)state;
  enum { PLACES = 6 };
  static const double at[PLACES] = {1, 10, 100, 1000, 1e4, 1e5},
                      total[PLACES] = {0.5, 0.4, 0.3, 0.2, 0.2, 0.2},
                      part[PLACES] = {0.1, 0, 0.1, 0, 0, 0.1};
  for (int zeros = 0; zeros < 2; zeros++) {
    static double values[PLACES];
    for (int i = 0; i < PLACES; i++) values[i] = part[i] > 0 || zeros ? part[i] : NAN;
    const draw_series series[2] = {{.name = "total", .values = total},
                                   {.name = "a part", .values = values}};
    const draw_plan_page report = {
        .title = "Vanishing",
        .curve_count = 1,
        .curves = {
            {.label = "people", .at = at, .count = PLACES, .series = series, .series_count = 2}}};
    size_t length, dashed = 0;
    char *svg = drawn(&report, ".svg", &length);
    for (char *line = strtok(svg, "\n"); line; line = strtok(NULL, "\n"))
      dashed +=
          strstr(line, "stroke-dasharray") && strstr(line, "stroke-width") && strstr(line, "1.3");
    free(svg);
    assert_int_equal(dashed, zeros ? 4 : 1); /* a sample, and three pieces: else they are dots */
  }
}

static void no_texts_meet_at_extremes(void **state) {
  (void)state;
  static const double scales[] = {1e-12, 1e-8, 1e-3, 10, 1e4, 1e9, 1e100};
  check_everywhere(report_of(1), "curves");
  check_everywhere(report_of(2), "maps");
  draw_plan_page *report = report_of(0);
  check_everywhere(report, "no preview");
  report->curve_count = 1;
  check_everywhere(report, "one plot");
  report = report_of(1);
  report->curve_count = 0;
  check_everywhere(report, "no plots");
  for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
    report = report_of(0);
    for (int k = 0; k < 2; k++)
      for (int i = 0; i < N; i++) {
        for (int j = 0; j < 4; j++) t.values[k][j][i] *= scales[s];
        t.low[k][i] *= scales[s];
        t.high[k][i] *= scales[s];
      }
    check_everywhere(report, "scaled values");
    if (s % 2) report->curves[1].value_label = "another error";
    check_page(report, "two scales");
  }
}

static void no_texts_meet_whatever_the_places(void **state) {
  (void)state;
  static const double ranges[][2] = {{1, 1e12},    {5e-9, 2e3},    {999999, 1000001}, {0.9, 1.1},
                                     {1e5, 1e7},   {3e-5, 3e-4},   {1e-300, 1e300},   {100, 1e6},
                                     {1e-3, 1e-2}, {2e11, 9.9e11}, {1, 1 + 1e-9},     {1e3, 1e6}};
  for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++)
    for (int where = 0; where < 4; where++) {
      draw_plan_page *report = report_of(0);
      const double lower = log10(ranges[r][0]), upper = log10(ranges[r][1]);
      for (int k = 0; k < 2; k++) {
        for (int i = 0; i < N; i++) t.at[k][i] = pow(10, lower + (upper - lower) * i / (N - 1));
        report->curves[k].here = where == 0   ? t.at[k][0]
                                 : where == 1 ? t.at[k][N - 1]
                                 : where == 2 ? NAN
                                              : ranges[r][1] * (r == 6 ? 1 : 7);
        if (where == 3)
          report->curves[k].here_label = "a label that is as long as labels of places seldom are";
      }
      check_page(report, "places");
      if (where == (int)r % 4) check_screens(report, "places");
    }
}

static void one_place_and_gaps_are_drawn(void **state) {
  (void)state;
  draw_plan_page *report = report_of(0);
  report->curves[0].count = report->curves[1].count = 1;
  check_everywhere(report, "one place");
  report = report_of(1);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++) {
      static const double odd[] = {NAN, INFINITY, 0, -1, 1e308};
      if (i % 3 == 0) t.values[k][0][i] = odd[i / 3 % 5];
      if (i % 4 == 0) t.low[k][i] = odd[i / 4 % 5];
      if (i % 5 == 0) t.high[k][i] = odd[i / 5 % 5];
      t.values[k][1][i] = i % 2 ? NAN : 0.1;
      t.values[k][2][i] = 0;
    }
  check_everywhere(report, "gaps");
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < 4; j++) t.values[k][j][i] = NAN;
  check_everywhere(report, "nothing at all");
  report = report_of(0);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < N; i++) t.values[k][0][i] = t.low[k][i] = t.high[k][i] = 0.0731;
  check_everywhere(report, "flat");
  report->curves[0].series_count = report->curves[1].series_count = 1;
  report->curves[0].level_count = report->curves[1].level_count = 0;
  check_everywhere(report, "flat and alone");
}

static void crowded_levels_and_series_keep_apart(void **state) {
  (void)state;
  enum { MANY = 30 };
  static double levels[MANY];
  static const char *names[MANY];
  static char texts[MANY][32];
  draw_plan_page *report = report_of(0);
  for (int i = 0; i < MANY; i++) {
    levels[i] = 0.05 * pow(1.03, i);
    snprintf(texts[i], sizeof texts[i], "level number %d", i);
    names[i] = i % 7 == 6 ? NULL : texts[i];
  }
  levels[3] = NAN;
  levels[4] = 0;
  levels[5] = INFINITY;
  for (int k = 0; k < 2; k++) {
    report->curves[k].levels = levels;
    report->curves[k].level_names = k ? NULL : names;
    report->curves[k].level_count = MANY;
    for (int j = 4; j < DRAW_SERIES_MAX; j++)
      t.series[k][j] = (draw_series){texts[j + 10 * k], t.values[k][j % 4], t.low[k], t.high[k]};
    report->curves[k].series_count = DRAW_SERIES_MAX;
  }
  check_everywhere(report, "a crowd");
  assert_true(on_page("level number 0"));
}

static void odd_words_are_drawn(void **state) {
  (void)state;
  static char endless[9000], unbroken[3000];
  for (size_t i = 0; i + 1 < sizeof endless; i++) endless[i] = i % 9 ? 'a' : ' ';
  memset(unbroken, 'm', sizeof unbroken - 1);
  const char *const words[] = {NULL,
                               "",
                               endless,
                               unbroken,
                               "\033[31mred\033[0m\r\n\ttab\x7f",
                               "bad \xff\xc3 \xe2\x82 \xf0",
                               "gr\u00f6\u00dfe \u0401\u043b\u043a\u0430 e\u0301\u0302"};
  for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
    for (unsigned d = 1; d <= 2; d++) {
      draw_plan_page *report = report_of(d);
      const char *const levels[2] = {words[w], words[w]};
      report->title = report->subtitle = report->caption = report->note = words[w];
      for (int k = 0; k < 2; k++) {
        draw_curves *curves = &report->curves[k];
        curves->title = curves->label = curves->unit = curves->value_label = words[w];
        curves->here_label = words[w];
        curves->level_names = levels;
        for (int j = 0; j < 4; j++) t.series[k][j].name = j % 2 ? words[w] : "part";
      }
      t.preview.title = t.preview.note = t.preview.band_label = t.preview.names[1] = words[w];
      t.preview.labels[0] = t.preview.labels[1] = t.preview.value_label = words[w];
      for (int k = 0; k < 4; k++) t.panels[k].label = t.panels[k].detail = words[w];
      check_everywhere(report, words[w] ? words[w] : "no words");
    }
}

static void assert_refused(const draw_plan_page *report, const char *words) {
  static const char path[] = "/tmp/sfumato-report-none.svg";
  sfm_error error = {0};
  assert_int_equal(draw_plan_page_file(report, path, &error), SFM_INVALID);
  if (!strstr(error.message, words)) fail_msg("\"%s\" does not say %s", error.message, words);
  assert_int_not_equal(access(path, F_OK), 0);
  char *text = screen_of(report, 80, 24, false);
  assert_non_null(strstr(text, words));
  free(text);
}

static void faults_are_reported_and_nothing_is_written(void **state) {
  (void)state;
  draw_plan_page *report = report_of(0);
  report->curve_count = 0;
  assert_refused(report, "neither");
  report->curve_count = 3;
  assert_refused(report, "two plots");
  report = report_of(1);
  report->curves[1].count = 0;
  assert_refused(report, "no places");
  report = report_of(1);
  report->curves[1].series_count = 0;
  assert_refused(report, "no curves");
  report->curves[1].series_count = 9;
  assert_refused(report, "at most 8");
  report = report_of(1);
  t.series[1][2].values = NULL;
  assert_refused(report, "no values");
  report = report_of(1);
  t.at[0][7] = t.at[0][6];
  assert_refused(report, "ascend");
  t.at[0][7] = NAN;
  assert_refused(report, "ascend");
  report = report_of(1);
  t.at[0][0] = 0;
  assert_refused(report, "positive");
  report = report_of(1);
  report->curves[0].levels = NULL;
  assert_refused(report, "levels");
  report = report_of(1);
  t.preview.panel_count = 0;
  assert_refused(report, "panels");
  report = report_of(1);
  t.preview.upper[0] = 0;
  assert_refused(report, "lower bound");
  sfm_error error = {0};
  assert_int_equal(draw_plan_page_file(report_of(1), "/tmp/report.txt", &error), SFM_INVALID);
  assert_non_null(strstr(error.message, ".svg"));
  assert_int_equal(draw_plan_page_file(report_of(1), "/tmp/none/at/all.svg", &error), SFM_IO);
}

/* The row, from 0, in which the words first stand; -1: nowhere. */
static int row_of(const char *screen, const char *words) {
  const char *found = strstr(screen, words);
  int row = 0;
  if (!found) return -1;
  for (const char *s = screen; s < found; s++) row += *s == '\n';
  return row;
}

static void screens_say_what_they_show(void **state) {
  (void)state;
  static const char *const texts[] = {"What to expect",
                                      "with more people",
                                      "with more epsilon",
                                      "error, of the peak",
                                      "5,000 people",
                                      "epsilon 1",
                                      "1,000",
                                      "10%\u2524",
                                      "total",
                                      "\u25cf"};
  char *text = screen_of(report_of(1), 80, 24, false);
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    if (row_of(text, texts[i]) < 0) fail_msg("\"%s\" is not on the screen", texts[i]);
  assert_true(row_of(text, "with more epsilon") > row_of(text, "with more people"));
  assert_int_equal(row_of(text, "privacy"), -1); /* no room to tell it from the total */
  assert_int_equal(row_of(text, "release 1"), -1);
  free(text);
  text = screen_of(report_of(1), 80, 60, false);
  assert_true(row_of(text, "privacy") > 0);
  assert_true(row_of(text, " 5 %") > 0 && row_of(text, " 10 %") > 0);
  assert_true(row_of(text, "release 1") > row_of(text, "with more epsilon"));
  assert_true(row_of(text, "shape") > 0 && row_of(text, "A promise.") > row_of(text, "release 1"));
  free(text);
}

static void wide_screens_have_the_plots_side_by_side(void **state) {
  (void)state;
  char *text = screen_of(report_of(1), 119, 40, false);
  assert_true(row_of(text, "with more epsilon") > row_of(text, "with more people"));
  free(text);
  text = screen_of(report_of(1), 120, 40, false);
  assert_int_equal(row_of(text, "with more epsilon"), row_of(text, "with more people"));
  assert_true(row_of(text, "release 3") > 0); /* three fit side by side */
  free(text);
}

static void every_size_of_screen_is_kept(void **state) {
  (void)state;
  for (unsigned rows = 1; rows < 75; rows += 1 + rows / 16)
    for (unsigned wide = 1; wide < 180; wide += 1 + wide / 4) {
      unsigned columns, high;
      char *text = screen_of(report_of(rows % 3), wide, rows, false);
      picture_measure_text(text, &columns, &high);
      if (columns > wide || high > rows)
        fail_msg("%u x %u on a screen of %u x %u", columns, high, wide, rows);
      free(text);
    }
}

static void many_places_are_drawn(void **state) {
  (void)state;
  enum { MANY = 20000 };
  static double at[MANY], values[MANY];
  draw_plan_page *report = report_of(0);
  for (int i = 0; i < MANY; i++) {
    at[i] = 1 + i;
    values[i] = 1 / sqrt(at[i]);
  }
  for (int k = 0; k < 2; k++) {
    t.series[k][0] = (draw_series){"total", values, values, values};
    report->curves[k].at = at;
    report->curves[k].count = MANY;
    report->curves[k].series_count = 1;
  }
  check_everywhere(report, "many places");
  size_t length;
  free(drawn(report, ".svg", &length));
  assert_true(length < 600000); /* not one point per place */
}

int main(void) {
  if (!setlocale(LC_CTYPE, "C.UTF-8")) return 1;
  unsetenv("COLORTERM");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(logarithmic_ticks_are_round_and_short),
      cmocka_unit_test(curves_are_read_between_their_places),
      cmocka_unit_test(the_scale_is_that_of_the_first_series),
      cmocka_unit_test(a_series_looks_the_same_in_every_plot),
      cmocka_unit_test(plots_of_the_same_values_share_a_scale),
      cmocka_unit_test(files_are_whole_and_the_same_again),
      cmocka_unit_test(series_are_told_apart_without_colour),
      cmocka_unit_test(the_page_says_what_it_shows),
      cmocka_unit_test(maps_say_where_values_are_no_larger_than_the_error),
      cmocka_unit_test(lines_of_parts_that_vanish_reach_the_bottom),
      cmocka_unit_test(no_texts_meet_at_extremes),
      cmocka_unit_test(no_texts_meet_whatever_the_places),
      cmocka_unit_test(one_place_and_gaps_are_drawn),
      cmocka_unit_test(crowded_levels_and_series_keep_apart),
      cmocka_unit_test(odd_words_are_drawn),
      cmocka_unit_test(faults_are_reported_and_nothing_is_written),
      cmocka_unit_test(screens_say_what_they_show),
      cmocka_unit_test(wide_screens_have_the_plots_side_by_side),
      cmocka_unit_test(every_size_of_screen_is_kept),
      cmocka_unit_test(many_places_are_drawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
