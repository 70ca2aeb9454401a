/* Pictures: files are whole, of their kind and reproducible; screens keep their size; what a reader
 * relies on (ticks, orientation, words) is there; and no figure, however odd, breaks the
 * drawing. */
#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <cairo.h>

#include "draw/axis.h"
#include "draw/error_hatching.h"
#include "draw/draw.h"
#include "draw/map_distance.h"
#include "draw/figure.h"
#include "draw/page.h"
#include "draw/palette.h"
#include "draw/text_layout.h"
#include "picture_measures.h"

static const char SENTENCE[] =
    "Changing one person's row changes the probability of any outcome by a factor of at most 2.72 "
    "(\u03b5 = 1, pure differential privacy).";

enum { N = 201, A = 41, B = 31 };
static double bimodal[N], blobs[A * B], numbers[24];

static draw_figure curve_figure(void) {
  for (int i = 0; i < N; i++) {
    double x = i * 100.0 / (N - 1);
    bimodal[i] = 0.026 * exp(-pow((x - 33) / 9, 2) / 2) + 0.022 * exp(-pow((x - 67) / 7, 2) / 2) -
                 0.0005 * sin(x / 5);
  }
  return (draw_figure){.title = "Density of age",
                       .labels = {"age"},
                       .units = {"years"},
                       .value_label = "density",
                       .caption = SENTENCE,
                       .note = "The band holds everywhere at once.",
                       .band_label = "95 % band",
                       .dimension = 1,
                       .counts = {N},
                       .upper = {100},
                       .values = bimodal,
                       .half_width = 0.002};
}

static draw_figure map_figure(void) {
  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++) {
      double x = i / (A - 1.0), y = j / (B - 1.0);
      blobs[i * B + j] = 60 * exp(-(pow((x - 0.2) / 0.1, 2) + pow((y - 0.8) / 0.1, 2)) / 2) - 1;
    }
  return (draw_figure){.title = "Density of lon and lat",
                       .labels = {"lon", "lat"},
                       .value_label = "density",
                       .caption = SENTENCE,
                       .dimension = 2,
                       .counts = {A, B},
                       .lower = {-74.3, 40.5},
                       .upper = {-73.7, 40.9},
                       .values = blobs,
                       .half_width = 9};
}

static draw_figure stems_figure(void) {
  for (int i = 0; i < 24; i++) numbers[i] = 3 * cos(i * 0.5);
  return (draw_figure){.title = "A vector",
                       .labels = {"index"},
                       .value_label = "value",
                       .caption = SENTENCE,
                       .dimension = 1,
                       .stems = true,
                       .counts = {24},
                       .values = numbers,
                       .half_width = 0.5};
}

/* A curve above the diagonal, with the area between them. */
static draw_figure pair_figure(void) {
  static double upper[101], diagonal[101];
  for (int i = 0; i <= 100; i++) {
    upper[i] = i < 20 ? 4.0 * i : 80 + (i - 20) / 4.0;
    diagonal[i] = i;
  }
  return (draw_figure){.title = "Two curves",
                       .labels = {"level"},
                       .value_label = "power",
                       .dimension = 1,
                       .counts = {101},
                       .upper = {100},
                       .values = upper,
                       .reference = diagonal,
                       .names = {"the bound", "guessing"},
                       .between = "between"};
}

/* A folder of this test's own, removed with all it holds. */
static char folder[64];

static int make_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/sfumato-draw-XXXXXX");
  return mkdtemp(folder) ? 0 : -1;
}

static size_t files_in_folder(bool remove_them) {
  size_t count = 0;
  DIR *d = opendir(folder);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));) {
    if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")) continue;
    count++;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    if (remove_them && unlink(path) != 0) rmdir(path);
  }
  closedir(d);
  return count;
}

static int drop_folder(void **state) {
  (void)state;
  files_in_folder(true);
  return rmdir(folder);
}

static char *slurp(const char *name, size_t *length) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  char *bytes = picture_read_file(path, length);
  assert_non_null(bytes);
  return bytes;
}

static sfm_status draw_into(const draw_figure *figure, const char *name, sfm_error *error) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return draw_file(figure, path, error);
}

static void assert_drawn(const draw_figure *figure, const char *name) {
  sfm_error error = {0};
  if (draw_into(figure, name, &error)) fail_msg("%s", error.message);
}

static void files_begin_with_their_magic(void **state) {
  (void)state;
  const draw_figure figures[] = {curve_figure(), map_figure(), stems_figure()};
  for (size_t k = 0; k < 3; k++) {
    static const struct {
      const char *name, *magic;
    } kinds[] = {{"a.svg", "<?xml"},
                 {"a.png", "\x89PNG\r\n\x1a\n"},
                 {"a.pdf", "%PDF-"},
                 {"A.PNG", "\x89PNG"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
      size_t length;
      assert_drawn(&figures[k], kinds[i].name);
      char *bytes = slurp(kinds[i].name, &length);
      assert_true(length > 1000);
      assert_memory_equal(bytes, kinds[i].magic, strlen(kinds[i].magic));
      free(bytes);
    }
  }
}

static void the_same_figure_gives_the_same_bytes(void **state) {
  (void)state;
  const draw_figure figures[] = {curve_figure(), map_figure(), stems_figure()};
  static const char *const endings[] = {"svg", "png", "pdf"};
  for (size_t k = 0; k < 9; k++) {
    char first[32], second[32];
    snprintf(first, sizeof first, "one.%s", endings[k % 3]);
    snprintf(second, sizeof second, "two.%s", endings[k % 3]);
    assert_drawn(&figures[k / 3], first);
    assert_drawn(&figures[(k / 3 + 1) % 3], "between.svg"); /* moves cairo's counters */
    assert_drawn(&figures[k / 3], second);
    size_t a, b;
    char *one = slurp(first, &a), *two = slurp(second, &b);
    assert_int_equal(a, b);
    assert_memory_equal(one, two, a);
    free(one);
    free(two);
  }
}

static void svg_holds_title_and_guarantee_as_text(void **state) {
  (void)state;
  draw_figure figure = curve_figure();
  figure.title = "a < b & c";
  assert_drawn(&figure, "t.svg");
  size_t length;
  char *svg = slurp("t.svg", &length);
  assert_non_null(strstr(svg, "<title>a &lt; b &amp; c</title>"));
  assert_non_null(strstr(svg, SENTENCE));
  free(svg);
}

/* Draws on a screen in memory; the caller frees. */
static char *screen(const draw_figure *figure, unsigned columns, unsigned rows, bool colour) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  assert_non_null(out);
  draw_terminal(figure, out, columns, rows, colour);
  fclose(out);
  char *copy = strdup(text);
  free(text);
  assert_non_null(copy);
  return copy;
}

/* Everything that is written in a picture, as one text a place, and nothing as outlines. */
static void words_of_svg_files_are_text(void **state) {
  (void)state;
  draw_figure figure = curve_figure();
  figure.title = "a < b & c \uffff";
  figure.subtitle = "from \"a\" on";
  size_t length;
  assert_drawn(&figure, "t.svg");
  char *svg = slurp("t.svg", &length), *words = picture_words(svg);
  assert_null(strstr(svg, "glyph"));
  static const char *const lines[] = {"\u03b5 = 1, pure",
                                      "a < b & c \ufffd\nfrom \"a\" on\n",
                                      "The band holds everywhere at once.\n",
                                      "\nage (years)\n",
                                      "\ndensity\n",
                                      "\n0.020\n",
                                      "\n100\n",
                                      "\n95 % band, \u00b10.0020\n"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    if (!strstr(words, lines[i])) fail_msg("no text %s in %s", lines[i], words);
  /* A sentence of two lines can be found as one. */
  assert_non_null(strstr(words, SENTENCE));
  assert_non_null(strstr(svg, "<tspan"));
  free(words);
  free(svg);
}

/* The attributes of the text element that holds exactly these words. */
static void attributes_of(char *out, size_t size, const char *svg, const char *words) {
  char wanted[200];
  snprintf(wanted, sizeof wanted, ">%s</text>", words);
  const char *end = strstr(svg, wanted), *begin = end;
  assert_non_null(end);
  while (begin[-1] != '<') begin--;
  snprintf(out, size, "%.*s", (int)(end - begin), begin);
}

static void words_of_svg_files_stand_where_they_belong(void **state) {
  (void)state;
  draw_figure figure = curve_figure();
  size_t length;
  char found[400];
  assert_drawn(&figure, "t.svg");
  char *svg = slurp("t.svg", &length);
  attributes_of(found, sizeof found, svg, "Density of age");
  assert_non_null(strstr(found, "x=\"36.00\""));
  assert_non_null(strstr(found, "font-weight=\"bold\""));
  assert_null(strstr(found, "text-anchor"));
  attributes_of(found, sizeof found, svg, "95 % band, \u00b10.0020"); /* ends at the right margin */
  assert_non_null(strstr(found, "x=\"684.00\""));
  assert_non_null(strstr(found, "text-anchor=\"end\""));
  attributes_of(found, sizeof found, svg, "age (years)");
  assert_non_null(strstr(found, "text-anchor=\"middle\""));
  assert_non_null(strstr(found, "fill=\"#222222\""));
  free(svg);
}

/* How many colours a part of a picture has. */
static size_t colours_in(const char *name, double left, double top, double wide) {
  enum { MOST = 64 };
  uint32_t seen[MOST];
  size_t count = 0;
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  cairo_surface_t *image = cairo_image_surface_create_from_png(path);
  assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
  const int width = cairo_image_surface_get_width(image),
            height = cairo_image_surface_get_height(image);
  const unsigned char *data = cairo_image_surface_get_data(image);
  for (int r = (int)(top * height); r < (int)((top + wide) * height); r++)
    for (int c = (int)(left * width); c < (int)((left + wide) * width); c++) {
      uint32_t pixel;
      memcpy(&pixel, data + (size_t)r * cairo_image_surface_get_stride(image) + 4 * (size_t)c, 4);
      size_t k = 0;
      while (k < count && seen[k] != (pixel & 0xffffff)) k++;
      if (k == count && count < MOST) seen[count++] = pixel & 0xffffff;
    }
  cairo_surface_destroy(image);
  return count;
}

/* What may be error alone is hatched, and nothing else is; the words say which. */
static void doubtful_places_of_maps_are_hatched(void **state) {
  (void)state;
  static double flat[A * B];
  draw_figure figure = map_figure();
  size_t length;
  for (int i = 0; i < A * B; i++) flat[i] = i < A * B / 2 ? 1 : 10; /* left and right */
  figure.values = flat;
  const double widths[] = {0, 0.5, 5, 20};
  const char *const said[] = {NULL, "every value here is larger than the error",
                              "Hatched: no larger than the error (band, \u00b15.0)",
                              "no value here is larger than the error"};
  const size_t left[] = {1, 1, 2, 2}, right[] = {1, 1, 1, 2};
  for (size_t k = 0; k < 4; k++) {
    figure.half_width = widths[k];
    assert_drawn(&figure, "h.png");
    assert_int_equal(colours_in("h.png", 0.2, 0.4, 0.1), left[k]);
    assert_int_equal(colours_in("h.png", 0.6, 0.4, 0.1), right[k]);
    assert_int_equal(draw_hatching_of(&figure), k < 2 ? DRAW_HATCHED_NOWHERE : k - 1);
    assert_drawn(&figure, "h.svg");
    char *svg = slurp("h.svg", &length);
    if (said[k] && !strstr(svg, said[k])) fail_msg("a map does not say: %s", said[k]);
    if (!said[k]) assert_null(strstr(svg, "error"));
    free(svg);
  }
}

/* A map whose scale floats is hatched where its band is wider than the scale, and has an error bar
 * beside it. */
static void floating_maps_have_bands(void **state) {
  (void)state;
  static double values[A * B], widths[A * B];
  draw_figure figure = map_figure();
  size_t length;
  for (int i = 0; i < A * B; i++) {
    values[i] = i < A * B / 2 ? 100 : 110;
    widths[i] = i < A * B / 2 ? 1 : 6; /* 2 of 10, 12 of 10 */
  }
  figure.values = values;
  figure.floating = true;
  figure.half_width = 6;
  figure.half_widths = widths;
  assert_int_equal(draw_hatching_of(&figure), DRAW_HATCHED_PARTLY);
  assert_drawn(&figure, "f.png");
  assert_int_equal(colours_in("f.png", 0.2, 0.4, 0.1), 1);
  assert_int_equal(colours_in("f.png", 0.6, 0.4, 0.1), 2);
  assert_drawn(&figure, "f.svg");
  char *svg = slurp("f.svg", &length);
  assert_non_null(strstr(svg, "Hatched: the band (up to \u00b16.0) is wider than the scale"));
  free(svg);
  figure.half_widths = NULL;
  figure.half_width = 1;
  assert_int_equal(draw_hatching_of(&figure), DRAW_HATCHED_NOWHERE);
  char *text = screen(&figure, 80, 24, false);
  assert_non_null(strstr(text, "band, \u00b11.0\n"));
  assert_null(strstr(text, "may be error")); /* of no map that need not begin at zero */
  free(text);
}

static void maps_have_the_shape_that_is_asked_for(void **state) {
  (void)state;
  static const double shapes[] = {0.3, 1, 2.5};
  for (size_t k = 0; k < 3; k++) {
    draw_figure figure = map_figure();
    draw_page page;
    figure.aspect = shapes[k];
    figure.rule = 0.1;
    figure.rule_label = "10 km";
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = cairo_create(surface);
    draw_page_layout(&page, &figure, cr);
    const double width = page.right - page.left, height = page.bottom - page.top;
    assert_true(fabs(height / width - shapes[k]) < 1e-9);
    assert_true(width > 150 && height > 150 && page.right < page.width - 60);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    size_t length;
    assert_drawn(&figure, "s.svg");
    char *svg = slurp("s.svg", &length);
    assert_non_null(strstr(svg, ">10 km</text>"));
    free(svg);
  }
}

/* The scale's name begins above the scale, and the page of a tall map ends where they do. */
static void the_name_of_a_scale_stands_above_it(void **state) {
  (void)state;
  static const double shapes[] = {0.3, 1, 2.5};
  for (size_t k = 0; k < 3; k++) {
    draw_figure figure = map_figure();
    draw_page page;
    char found[400], wanted[40];
    size_t length;
    figure.aspect = shapes[k];
    figure.value_label = "density per square degree";
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = cairo_create(surface);
    draw_page_layout(&page, &figure, cr);
    const double scale = page.right + 30, name = draw_page_label_width(&page, &page.scale_name),
                 end = page.width - page.margin;
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    assert_true(k == 2 ? page.width >= 600 && page.width < 720 : page.width == 720);
    assert_drawn(&figure, "n.svg");
    char *svg = slurp("n.svg", &length);
    attributes_of(found, sizeof found, svg, figure.value_label);
    snprintf(wanted, sizeof wanted, "x=\"%.2f\"", fmin(scale, end - name));
    if (!strstr(found, wanted)) fail_msg("%g: no %s in %s", shapes[k], wanted, found);
    assert_null(strstr(found, "text-anchor"));
    free(svg);
  }
}

/* Published lengths of a degree on WGS 84. */
static void a_degree_has_its_length(void **state) {
  (void)state;
  static const double known[][3] = {{0, 111.320, 110.574},  {15, 107.550, 110.649},
                                    {-30, 96.486, 110.852}, {45, 78.847, 111.132},
                                    {60, 55.800, 111.412},  {75, 28.902, 111.618}};
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    double east, north;
    draw_map_degree(known[k][0], &east, &north);
    assert_true(fabs(east - known[k][1]) < 1e-3 && fabs(north - known[k][2]) < 1e-3);
  }
  assert_true(draw_map_round_length(9.9) == 5 && draw_map_round_length(10) == 10 &&
              draw_map_round_length(45) == 20 && fabs(draw_map_round_length(0.19) - 0.1) < 1e-15);
}

static void axis_one_points_upwards(void **state) {
  (void)state;
  draw_figure figure = map_figure(); /* one blob at the left, high up */
  assert_drawn(&figure, "m.png");
  char path[512];
  snprintf(path, sizeof path, "%s/m.png", folder);
  cairo_surface_t *image = cairo_image_surface_create_from_png(path);
  assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
  int width = cairo_image_surface_get_width(image), height = cairo_image_surface_get_height(image);
  const unsigned char *data = cairo_image_surface_get_data(image);
  double x = 0, y = 0, mass = 0;
  for (int r = 0; r < height; r++) {
    for (int c = 0; c < width * 4 / 5; c++) { /* without the colour bar */
      uint32_t pixel;
      memcpy(&pixel, data + (size_t)r * cairo_image_surface_get_stride(image) + 4 * (size_t)c, 4);
      /* dark and blue: the map's upper half only */
      int red = pixel >> 16 & 255, blue = pixel & 255;
      if (red < 60 && blue > red + 40) x += c, y += r, mass++;
    }
  }
  assert_true(mass > 100);
  assert_true(x / mass < 0.4 * width);
  assert_true(y / mass < 0.4 * height);
  cairo_surface_destroy(image);
}

/* How far the palest of 9 x 9 pixels is from white; x and y are parts of the page. */
static unsigned ink_around(const char *name, double x, double y) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  cairo_surface_t *image = cairo_image_surface_create_from_png(path);
  assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
  int column = (int)(x * cairo_image_surface_get_width(image));
  int row = (int)(y * cairo_image_surface_get_height(image));
  const unsigned char *data = cairo_image_surface_get_data(image);
  unsigned least = UINT32_MAX;
  for (int r = row - 4; r <= row + 4; r++)
    for (int c = column - 4; c <= column + 4; c++) {
      uint32_t pixel;
      memcpy(&pixel, data + (size_t)r * cairo_image_surface_get_stride(image) + 4 * (size_t)c, 4);
      unsigned ink = 765 - (pixel >> 16 & 255) - (pixel >> 8 & 255) - (pixel & 255);
      if (ink < least) least = ink;
    }
  cairo_surface_destroy(image);
  return least;
}

static void the_area_between_two_curves_is_tinted(void **state) {
  (void)state;
  draw_figure figure = pair_figure();
  assert_drawn(&figure, "p.png");
  assert_true(ink_around("p.png", 0.35, 0.45) > 20);    /* between the two */
  assert_int_equal(ink_around("p.png", 0.70, 0.68), 0); /* below the diagonal */
  figure.between = NULL;
  assert_drawn(&figure, "p.png");
  assert_int_equal(ink_around("p.png", 0.35, 0.45), 0);
}

static void unknown_endings_are_refused_by_name(void **state) {
  (void)state;
  draw_figure figure = curve_figure();
  static const char *const names[] = {"a.jpg", "a", "svg", "a.svg.gz", "a.", ".d/png"};
  files_in_folder(true);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    sfm_error error = {0};
    assert_int_equal(draw_into(&figure, names[i], &error), SFM_INVALID);
    assert_non_null(strstr(error.message, ".svg"));
    assert_non_null(strstr(error.message, ".png"));
    assert_non_null(strstr(error.message, ".pdf"));
  }
  assert_int_equal(files_in_folder(false), 0);
}

static void failure_leaves_nothing_behind(void **state) {
  (void)state;
  draw_figure figure = curve_figure();
  sfm_error error = {0};
  char path[512];
  files_in_folder(true);
  assert_int_equal(draw_into(&figure, "none/a.svg", &error), SFM_IO);
  assert_non_null(strstr(error.message, strerror(ENOENT)));
  snprintf(path, sizeof path, "%s/taken.svg", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  assert_int_equal(draw_into(&figure, "taken.svg", &error), SFM_IO);
  assert_int_equal(files_in_folder(false), 1);
  rmdir(path);

  /* A disk that fills up in the middle: the older file stays as it was. */
  assert_drawn(&figure, "old.svg");
  size_t before, after;
  char *old = slurp("old.svg", &before);
  struct rlimit limit, tight;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  tight = limit;
  tight.rlim_cur = 4096;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
  figure.title = "another";
  sfm_status status = draw_into(&figure, "old.svg", &error);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  assert_int_equal(status, SFM_IO);
  assert_int_equal(files_in_folder(false), 1);
  char *kept = slurp("old.svg", &after);
  assert_int_equal(before, after);
  assert_memory_equal(old, kept, before);
  free(old);
  free(kept);
}

static void wrong_figures_are_refused(void **state) {
  (void)state;
  sfm_error error = {0};
  files_in_folder(true);
  draw_figure figure = curve_figure();
  figure.dimension = 3;
  assert_int_equal(draw_into(&figure, "a.svg", &error), SFM_INVALID);
  figure = curve_figure();
  figure.upper[0] = figure.lower[0];
  assert_int_equal(draw_into(&figure, "a.svg", &error), SFM_INVALID);
  figure = curve_figure();
  figure.counts[0] = 1;
  assert_int_equal(draw_into(&figure, "a.svg", &error), SFM_INVALID);
  figure = curve_figure();
  figure.upper[0] = INFINITY;
  assert_int_equal(draw_into(&figure, "a.svg", &error), SFM_INVALID);
  assert_int_equal(files_in_folder(false), 0);
}

static void check_sizes(const draw_figure *figure, const char *what) {
  static const unsigned sizes[][2] = {{1, 1},  {2, 2},   {3, 5},   {7, 3},   {10, 6},  {20, 8},
                                      {24, 9}, {31, 10}, {40, 12}, {61, 17}, {80, 24}, {133, 50}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    for (int colour = 0; colour < 2; colour++) {
      unsigned columns, rows;
      char *text = screen(figure, sizes[i][0], sizes[i][1], colour);
      picture_measure_text(text, &columns, &rows);
      if (columns > sizes[i][0] || rows > sizes[i][1])
        fail_msg("%s: %u x %u on a screen of %u x %u", what, columns, rows, sizes[i][0],
                 sizes[i][1]);
      if (!colour) assert_null(strchr(text, '\033'));
      free(text);
    }
  }
}

static void screens_keep_their_size(void **state) {
  (void)state;
  draw_figure figure = curve_figure();
  check_sizes(&figure, "curve");
  figure = map_figure();
  check_sizes(&figure, "map");
  figure = stems_figure();
  check_sizes(&figure, "stems");
  for (unsigned rows = 1; rows < 40; rows++) {
    for (unsigned wide = 1; wide < 120; wide += 7) {
      unsigned columns, high;
      figure = rows % 2 ? map_figure() : curve_figure();
      char *text = screen(&figure, wide, rows, false);
      picture_measure_text(text, &columns, &high);
      assert_true(columns <= wide && high <= rows);
      free(text);
    }
  }
}

static void screens_hold_title_ticks_and_guarantee(void **state) {
  (void)state;
  draw_figure figure = curve_figure();
  char *text = screen(&figure, 80, 24, false);
  assert_int_equal(strncmp(text, "Density of age\n", 15), 0);
  assert_non_null(strstr(text, "age (years)"));
  assert_non_null(strstr(text, "0.020\u2524"));
  assert_non_null(strstr(text, "95 % band, \u00b10.0020"));
  assert_non_null(strstr(text, "Changing one person's row"));
  assert_non_null(strstr(text, "The band holds everywhere at once."));
  free(text);
  figure.half_width = INFINITY;
  text = screen(&figure, 80, 24, false);
  assert_non_null(strstr(text, "No band is drawn"));
  assert_null(strstr(text, "95 % band"));
  free(text);
}

static void the_screen_map_points_upwards(void **state) {
  (void)state;
  draw_figure figure = map_figure();
  char *text = screen(&figure, 80, 24, false);
  unsigned row = 0;
  const char *full = strstr(text, "\u2588");
  assert_non_null(full);
  for (const char *s = text; s < full; s++) row += *s == '\n';
  assert_true(row >= 2 && row <= 7);
  free(text);
  setenv("COLORTERM", "truecolor", 1);
  text = screen(&figure, 80, 24, true);
  assert_non_null(strstr(text, "\033[38;2;"));
  free(text);
  unsetenv("COLORTERM");
  text = screen(&figure, 80, 24, true);
  assert_non_null(strstr(text, "\033[38;5;"));
  assert_null(strstr(text, ";2;"));
  free(text);
}

static void check_everywhere(const draw_figure *figure, const char *what) {
  static const char *const names[] = {"e.svg", "e.png", "e.pdf"};
  check_sizes(figure, what);
  for (size_t i = 0; i < 3; i++) assert_drawn(figure, names[i]);
}

/* Curves behind a curve: 40 of 11 values, level at heights up to 0.1, some with gaps. */
static draw_figure crowd_figure(void) {
  static double behind[40 * 11], at[11];
  draw_figure figure = curve_figure();
  for (int k = 0; k < 40; k++)
    for (int i = 0; i < 11; i++) {
      at[i] = 10 * i;
      behind[k * 11 + i] = k % 4 == 0 && i % 3 == 0 ? NAN : 0.0025 * (k + 1);
    }
  figure.behind = behind;
  figure.behind_at = at;
  figure.behind_count = 40;
  figure.behind_length = 11;
  figure.behind_name = "simulated";
  return figure;
}

static void curves_behind_widen_the_axis_and_are_named(void **state) {
  (void)state;
  double lower, upper;
  draw_figure figure = crowd_figure();
  draw_figure_range(&figure, &lower, &upper);
  assert_true(upper >= 0.1 && upper < 0.12);
  char *text = screen(&figure, 80, 24, false);
  assert_non_null(strstr(text, "simulated  \u2812\u2812 95 % band"));
  free(text);
  assert_drawn(&figure, "c.svg");
  size_t with, without;
  free(slurp("c.svg", &with));
  figure.behind = NULL;
  text = screen(&figure, 80, 24, false);
  assert_null(strstr(text, "simulated"));
  free(text);
  assert_drawn(&figure, "c.svg");
  free(slurp("c.svg", &without));
  assert_true(with > without + 40 * 11); /* there are strokes */
}

/* One value, none, values beyond all bounds, places beyond the domain: all of it is drawn. */
static void odd_crowds_are_drawn(void **state) {
  (void)state;
  static const double one[] = {0.01}, wild[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 0},
                      middle[] = {50}, places[] = {-5, 0, 50, 99, 100, 105};
  draw_figure figure = crowd_figure();
  check_everywhere(&figure, "a crowd");
  figure.half_width = INFINITY;
  check_everywhere(&figure, "a crowd without a band");
  figure.behind = one;
  figure.behind_at = middle;
  figure.behind_count = figure.behind_length = 1;
  check_everywhere(&figure, "one value behind");
  figure.behind = wild;
  figure.behind_at = places;
  figure.behind_length = 6;
  check_everywhere(&figure, "wild values behind");
  figure.behind_count = 0;
  check_everywhere(&figure, "nobody behind");
  draw_figure map = map_figure();
  map.behind = wild;
  sfm_error error = {0};
  assert_int_equal(draw_into(&map, "a.svg", &error), SFM_INVALID);
}

/* A band that varies is as wide as it is at each place, and the legend gives it no number. */
static void bands_may_vary(void **state) {
  (void)state;
  static double flat[3] = {10, 10, 10}, widths[3] = {0, 4, 2}, odd[3] = {NAN, 4, INFINITY};
  double lower, upper;
  draw_figure figure = curve_figure();
  figure.values = flat;
  figure.counts[0] = 3;
  figure.floating = true;
  figure.half_width = 4;
  assert_true(draw_figure_half(&figure, 0.25) == 4);
  figure.half_widths = widths;
  const double at[] = {0, 0.25, 0.5, 0.75, 1}, half[] = {0, 2, 4, 3, 2};
  for (size_t i = 0; i < 5; i++) assert_true(draw_figure_half(&figure, at[i]) == half[i]);
  flat[1] = 9;
  draw_figure_range(&figure, &lower, &upper); /* 5 to 13, with room, and not 5 to 14 */
  assert_true(lower < 5 && upper > 13 && upper < 14);
  char *text = screen(&figure, 80, 24, false);
  assert_non_null(strstr(text, "95 % band\n"));
  free(text);
  check_everywhere(&figure, "a band that varies");
  figure.half_widths = odd;
  check_everywhere(&figure, "a band with gaps");
  draw_figure map = map_figure();
  map.half_widths = widths;
  sfm_error error = {0};
  assert_int_equal(draw_into(&map, "a.svg", &error), SFM_INVALID);
}

static void two_curves_share_an_axis_and_are_named(void **state) {
  (void)state;
  static double high[101];
  double lower, upper;
  draw_figure figure = pair_figure();
  char *text = screen(&figure, 80, 24, false);
  assert_non_null(
      strstr(text, "\u2812\u2812 the bound  \u2810\u2810 guessing  \u2822\u2822 between\n"));
  free(text);
  for (int i = 0; i <= 100; i++) high[i] = 500;
  figure.reference = high;
  draw_figure_range(&figure, &lower, &upper);
  assert_true(lower == 0 && upper >= 500);
  figure = stems_figure();
  figure.reference = numbers;
  sfm_error error = {0};
  assert_int_equal(draw_into(&figure, "a.svg", &error), SFM_INVALID);
}

/* Which of the two is dashed: what the values are compared with, or the values. */
static void the_approximation_is_dashed(void **state) {
  (void)state;
  for (int approximates = 0; approximates < 2; approximates++) {
    draw_figure figure = pair_figure();
    figure.approximates = approximates;
    assert_drawn(&figure, "dashed.svg");
    size_t length, dashed = 0;
    char *svg = slurp("dashed.svg", &length);
    for (char *at = svg; (at = strstr(at, "stroke-dasharray")); at++, dashed++) {
      char *line = at;
      while (line > svg && line[-1] != '\n') line--;
      char *width = strstr(line, "stroke-width");
      assert_non_null(width);
      width += strcspn(width, "0123456789");
      assert_int_equal(strncmp(width, "1.8", 3) == 0, approximates); /* the values' */
    }
    assert_int_equal(dashed, 2); /* the curve, and its sample in the legend */
    free(svg);
  }
}

static void names_that_do_not_fit_beside_the_axis_get_rows(void **state) {
  (void)state;
  draw_figure figure = pair_figure();
  figure.names[0] = "with the release, at most";
  figure.names[1] = "by guessing";
  figure.between = "what it can give away";
  char *text = screen(&figure, 80, 24, false);
  assert_non_null(strstr(text, "\n\u2812\u2812 with the release, at most  \u2810\u2810 by guessing"
                               "  \u2822\u2822 what it can give away\n"));
  free(text);
  text = screen(&figure, 40, 12, false);
  assert_non_null(strstr(text, "\n\u2812\u2812 with the release, at most\n\u2810\u2810 by guessing"
                               "  \u2822\u2822 what it can give away\n"));
  free(text);
}

static void odd_pairs_are_drawn(void **state) {
  (void)state;
  static double gaps[101], many[50000];
  for (int i = 0; i <= 100; i++) gaps[i] = i % 5 ? (double)i : i % 2 ? NAN : -INFINITY;
  draw_figure figure = pair_figure();
  check_everywhere(&figure, "pair");
  figure.reference = gaps;
  check_everywhere(&figure, "pair with gaps");
  figure.values = gaps;
  figure.names[0] = figure.names[1] = figure.between =
      "a name that is much too long for any legend, on paper as well as in the terminal";
  check_everywhere(&figure, "long names");
  for (size_t i = 0; i < 50000; i++) many[i] = sin((double)i * 1e-3);
  figure.values = figure.reference = many;
  figure.counts[0] = 50000;
  check_everywhere(&figure, "many points twice");
}

static void logarithms_are_written_as_powers_of_ten(void **state) {
  (void)state;
  static double logs[101];
  draw_axis axis;
  char line[128] = "";
  draw_axis_raise(&axis, -9.3, 0.4, 6);
  for (unsigned i = 0; i < axis.count; i++) {
    char text[DRAW_NUMBER_MAX];
    draw_axis_write(&axis, i, text, sizeof text);
    strcat(strcat(line, text), " ");
  }
  assert_string_equal(line, "10\u207b\u2078 10\u207b\u2076 10\u207b\u2074 10\u207b\u00b2 1 ");
  draw_axis_raise(&axis, -1e300, 1e300, 6);
  assert_int_equal(axis.count, 0);
  draw_figure figure = pair_figure();
  for (int i = 0; i <= 100; i++) logs[i] = -12.0 * i / 100;
  figure.values = logs;
  figure.reference = NULL;
  figure.powers = figure.floating = true;
  check_everywhere(&figure, "powers");
  logs[100] = -INFINITY; /* of 0: the curve ends there, and has no gap */
  assert_false(draw_figure_gaps(&figure));
  logs[50] = NAN;
  assert_true(draw_figure_gaps(&figure));
  check_everywhere(&figure, "powers that end");
  char *text = screen(&figure, 80, 24, false);
  assert_non_null(strstr(text, "10\u207b\u00b9\u2070\u2524"));
  free(text);
}

static void odd_values_are_drawn(void **state) {
  (void)state;
  static double values[400];
  static const char *const cases[] = {"constant", "zero", "negative", "spike",    "gaps",
                                      "no value", "tiny", "huge",     "denormal", "steps"};
  static const double widths[] = {0, 0.1, 1e305, INFINITY, NAN, -1, 1e-300};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    for (int i = 0; i < 400; i++) {
      const double v[] = {3,
                          0,
                          -1 - i,
                          i == 200 ? 1e12 : 0.01 * i,
                          i % 3   ? NAN
                          : i % 7 ? 1
                                  : INFINITY,
                          NAN,
                          1e-9 * i,
                          i % 2 ? 1e300 : -1e300,
                          4e-320 * i,
                          1 + i % 2 * 1e-15};
      values[i] = v[k];
    }
    for (unsigned shape = 0; shape < 4; shape++) {
      draw_figure figure = shape == 1 ? map_figure() : shape == 2 ? stems_figure() : curve_figure();
      figure.values = values;
      figure.counts[0] = shape == 1 ? 20 : 400;
      figure.counts[1] = 20;
      figure.floating = shape == 3;
      figure.half_width = widths[(k + shape) % (sizeof widths / sizeof widths[0])];
      if (shape == 0)
        check_everywhere(&figure, cases[k]);
      else {
        check_sizes(&figure, cases[k]);
        assert_drawn(&figure, shape == 1 ? "e.png" : "e.svg");
      }
    }
  }
}

static void odd_counts_and_bounds_are_drawn(void **state) {
  (void)state;
  static double many[200000];
  for (size_t i = 0; i < 200000; i++) many[i] = sin((double)i * 1e-4) + (i == 77777 ? 5 : 0);
  draw_figure figure = curve_figure();
  figure.values = many;
  figure.counts[0] = 200000;
  check_everywhere(&figure, "many points");
  size_t length;
  free(slurp("e.svg", &length));
  assert_true(length < 400000); /* drawn by slices, not by points */
  figure.counts[0] = 2;
  check_everywhere(&figure, "two points");
  figure = stems_figure();
  figure.values = many;
  figure.counts[0] = 200000;
  check_sizes(&figure, "many stems");
  assert_drawn(&figure, "e.svg");
  figure.counts[0] = 1;
  check_everywhere(&figure, "one stem");
  figure = map_figure();
  figure.values = many;
  figure.counts[0] = figure.counts[1] = 2;
  check_everywhere(&figure, "two by two");
  figure.counts[0] = 1000;
  figure.counts[1] = 200;
  check_sizes(&figure, "fine map");
  static const double bounds[][2] = {{1e7, 3e7},     {1, 1 + 4e-16}, {-1e300, 1e300}, {0, 5e-324},
                                     {1e9, 1e9 + 1}, {-1e-9, 1e-9},  {1e-310, 2e-310}};
  for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
    figure = curve_figure();
    figure.lower[0] = bounds[i][0];
    figure.upper[0] = bounds[i][1];
    check_everywhere(&figure, "bounds");
  }
}

static void odd_words_are_drawn(void **state) {
  (void)state;
  static char endless[20000], unbroken[6000];
  for (size_t i = 0; i + 1 < sizeof endless; i++) endless[i] = i % 9 ? 'a' : ' ';
  memset(unbroken, 'm', sizeof unbroken - 1);
  const char *const words[] = {
      NULL,
      "",
      endless,
      unbroken,
      "\033[31mred\033[0m\r\n\ttab\x7f",
      "bad \xff\xc3 \xe2\x82 \xf0",
      "gr\u00f6\u00dfe \u0401\u043b\u043a\u0430 \u5e74\u9f62\u306e\u5206\u5e03 e\u0301\u0302",
      "\u202eright to left\u2066 \u200b",
      "\u5e74\u9f62\u5e74\u9f62\u5e74\u9f62\u5e74\u9f62\u5e74"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    for (unsigned shape = 0; shape < 3; shape++) {
      draw_figure figure = shape == 1 ? map_figure() : shape == 2 ? stems_figure() : curve_figure();
      figure.title = figure.caption = figure.note = figure.value_label = words[i];
      figure.labels[0] = figure.labels[1] = figure.units[0] = figure.units[1] = words[i];
      figure.band_label = words[i];
      check_sizes(&figure, "words");
      assert_drawn(&figure, "w.svg");
    }
  }
}

static void check_ticks(double lower, double upper, unsigned most, const char *expected) {
  draw_axis axis;
  char line[512] = "", suffix[DRAW_SUFFIX_MAX];
  draw_axis_init(&axis, lower, upper, most, false);
  for (unsigned i = 0; i < axis.count; i++) {
    char text[DRAW_NUMBER_MAX];
    draw_axis_write(&axis, i, text, sizeof text);
    strcat(strcat(line, text), " ");
    double tick = draw_axis_tick(&axis, i), grace = 1e-9 * (upper - lower);
    assert_true(tick >= lower - grace && tick <= upper + grace);
  }
  draw_axis_suffix(&axis, NULL, suffix, sizeof suffix);
  strcat(line, suffix);
  assert_string_equal(line, expected);
}

static void ticks_are_round_and_short(void **state) {
  (void)state;
  check_ticks(0, 100, 6, "0 20 40 60 80 100 ");
  check_ticks(-0.0026, 0.0289, 7, "0 0.005 0.010 0.015 0.020 0.025 ");
  check_ticks(-1.5, 1.5, 7, "\u22121.5 \u22121.0 \u22120.5 0 0.5 1.0 1.5 ");
  check_ticks(0, 1e-9, 6, "0 0.2 0.4 0.6 0.8 1.0 (\u00d710\u207b\u2079)");
  check_ticks(1e7, 3e7, 5, "1.0 1.5 2.0 2.5 3.0 (\u00d710\u2077)");
  check_ticks(0, 40000, 5, "0 10,000 20,000 30,000 40,000 ");
  check_ticks(0, 2000, 5, "0 500 1,000 1,500 2,000 ");
  check_ticks(-2000, 0, 3, "\u22122,000 \u22121,000 0 ");
  check_ticks(1990, 2010, 5, "1990 1995 2000 2005 2010 "); /* years */
  check_ticks(1000, 3000, 5, "1,000 1,500 2,000 2,500 3,000 ");
  check_ticks(1e9, 1e9 + 4, 5, "0 1 2 3 4 (+1,000,000,000)");
  check_ticks(1, 1 + 4e-16, 5, "");
  /* Hours of a day and of a week, degrees of a turn. */
  check_ticks(0, 24, 9, "0 3 6 9 12 15 18 21 24 ");
  check_ticks(0, 24, 5, "0 6 12 18 24 ");
  check_ticks(0, 168, 9, "0 24 48 72 96 120 144 168 ");
  check_ticks(-180, 180, 9, "\u2212180 \u2212135 \u221290 \u221245 0 45 90 135 180 ");
  check_ticks(1, 25, 6, "5 10 15 20 25 ");
}

static void numbers_keep_two_digits(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0.0031, "0.0031"},
               {12, "12"},
               {0.000213, "0.00021"},
               {1.24e-9, "1.2\u00d710\u207b\u2079"},
               {0.55, "0.55"},
               {3.25, "3.2"},
               {54321, "54,321"},
               {5432, "5,432"},
               {2e12, "2.0\u00d710\u00b9\u00b2"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[DRAW_NUMBER_MAX];
    draw_number(cases[i].value, text, sizeof text);
    assert_string_equal(text, cases[i].text);
  }
}

/* CIE lightness of an sRGB colour. */
static double lightness(uint32_t colour) {
  static const double weight[3] = {0.0722, 0.7152, 0.2126};
  double y = 0;
  for (unsigned k = 0; k < 3; k++) {
    double c = (colour >> 8 * k & 255) / 255.0;
    y += weight[k] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
  }
  return 116 * cbrt(y) - 16;
}

static void the_palette_darkens_evenly(void **state) {
  (void)state;
  double first = lightness(draw_palette(0)), last = lightness(draw_palette(1));
  assert_true(first > 95 && last < 16);
  for (int i = 0; i <= 100; i++) {
    double expected = first + (last - first) * i / 100;
    assert_true(fabs(lightness(draw_palette(i / 100.0)) - expected) < 2);
  }
  assert_int_equal(draw_palette(-3), draw_palette(0));
  assert_int_equal(draw_palette(NAN), draw_palette(0));
  assert_int_equal(draw_palette(INFINITY), draw_palette(1));
  assert_int_equal(draw_palette_nearest(0xff0000), 196);
  assert_int_equal(draw_palette_nearest(0x080808), 232);
}

int main(void) {
  if (!setlocale(LC_CTYPE, "C.UTF-8")) return 1;
  unsetenv("COLORTERM");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_begin_with_their_magic),
      cmocka_unit_test(the_same_figure_gives_the_same_bytes),
      cmocka_unit_test(svg_holds_title_and_guarantee_as_text),
      cmocka_unit_test(words_of_svg_files_are_text),
      cmocka_unit_test(words_of_svg_files_stand_where_they_belong),
      cmocka_unit_test(doubtful_places_of_maps_are_hatched),
      cmocka_unit_test(floating_maps_have_bands),
      cmocka_unit_test(maps_have_the_shape_that_is_asked_for),
      cmocka_unit_test(the_name_of_a_scale_stands_above_it),
      cmocka_unit_test(a_degree_has_its_length),
      cmocka_unit_test(axis_one_points_upwards),
      cmocka_unit_test(the_area_between_two_curves_is_tinted),
      cmocka_unit_test(curves_behind_widen_the_axis_and_are_named),
      cmocka_unit_test(odd_crowds_are_drawn),
      cmocka_unit_test(bands_may_vary),
      cmocka_unit_test(two_curves_share_an_axis_and_are_named),
      cmocka_unit_test(the_approximation_is_dashed),
      cmocka_unit_test(names_that_do_not_fit_beside_the_axis_get_rows),
      cmocka_unit_test(odd_pairs_are_drawn),
      cmocka_unit_test(logarithms_are_written_as_powers_of_ten),
      cmocka_unit_test(unknown_endings_are_refused_by_name),
      cmocka_unit_test(failure_leaves_nothing_behind),
      cmocka_unit_test(wrong_figures_are_refused),
      cmocka_unit_test(screens_keep_their_size),
      cmocka_unit_test(screens_hold_title_ticks_and_guarantee),
      cmocka_unit_test(the_screen_map_points_upwards),
      cmocka_unit_test(odd_values_are_drawn),
      cmocka_unit_test(odd_counts_and_bounds_are_drawn),
      cmocka_unit_test(odd_words_are_drawn),
      cmocka_unit_test(ticks_are_round_and_short),
      cmocka_unit_test(numbers_keep_two_digits),
      cmocka_unit_test(the_palette_darkens_evenly),
  };
  return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
