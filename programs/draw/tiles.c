/* tiles.c - a map of two columns on paper: one tile per combination, darker for larger counts; the
 * count is written on the tile where there is room.
 *
 *   Title
 *   sex                                    count
 *          north  south  east               ## 300
 *     F   [ 210 ][ 341 ][ 127 ]             ## 200
 *     M   [ 182 ][ 311 ][ 141 ]             ..   0
 *                region
 *   captions */
#include "tiles.h"

#include <math.h>

#include "heatmap.h"
#include "palette.h"
#include "picture_file.h"

static const double WIDTH = 720, NAMES_MOST = 0.3, TALL_MOST = 460, TILE_TALL = 44, TILE_LOW = 13;
static const double TICK_ROOM = 26; /* from number to number of the scale, at least */
static const double BAR_GAP = 26, BAR_WIDTH = 15, TICK = 4, HEAD_MOST = 150;
static const double TILES_MOST[2] = {36, 48}; /* downwards, across */
static const double GAP = 1.2;                /* between tiles */

typedef struct page_of_tiles {
  const draw_tiles *tiles;
  draw_page page;
  double tile[2]; /* width, height */
  double names, head;
  bool turned; /* names across stand upright */
  double top;  /* the largest value */
} page_of_tiles;

static double widest(const page_of_tiles *p, unsigned a) {
  double wide = 0;
  for (size_t k = 0; k < p->tiles->counts[a]; k++) {
    char text[256];
    draw_clean(text, sizeof text, p->tiles->names[a][k]);
    wide = fmax(wide, draw_page_measure(&p->page, DRAW_SMALL, text));
  }
  return wide;
}

static double largest(const draw_tiles *tiles) {
  double most = 0;
  for (size_t k = 0; k < tiles->counts[0] * tiles->counts[1]; k++)
    if (draw_shown(tiles->values[k])) most = fmax(most, tiles->values[k]);
  return most > 0 ? most : 1;
}

static void layout(void *content, cairo_t *cr) {
  page_of_tiles *p = content;
  draw_page *page = &p->page;
  const double down = (double)p->tiles->counts[0], across = (double)p->tiles->counts[1];
  draw_page_begin(page, WIDTH, p->tiles->title, p->tiles->subtitle, cr);
  draw_clean(page->captions.text[0], DRAW_TEXT_MAX, p->tiles->caption);
  draw_clean(page->captions.text[1], DRAW_TEXT_MAX, p->tiles->note);
  p->top = largest(p->tiles);
  p->tile[1] = fmax(TILE_LOW, fmin(TILE_TALL, TALL_MOST / down));
  const double ticks = fmin(fmax(p->tile[1] * down / TICK_ROOM, 2), 6);
  draw_axis_init(&page->scale, 0, p->top, (unsigned)ticks, false);
  draw_page_name(&page->scale_name, &page->scale, p->tiles->value_label, NULL);
  p->names = fmin(widest(p, 0) + 1, NAMES_MOST * WIDTH);
  page->left = page->margin + p->names + 8;
  page->right = page->width - page->margin -
                (BAR_GAP + BAR_WIDTH + TICK + 5 + draw_page_widest(page, &page->scale));
  p->tile[0] = (page->right - page->left) / across;
  const double wide = widest(p, 1);
  p->turned = wide > p->tile[0] - 6;
  p->head = p->turned ? fmin(wide, HEAD_MOST) + 6 : 14;
  page->top = page->header + 8 + p->head;
  page->bottom = page->top + p->tile[1] * down;
  draw_page_end(page, page->bottom + (draw_is_band(p->tiles->half_width) ? 30 : 4));
}

static bool doubtful(const draw_tiles *tiles, size_t at) {
  return draw_is_band(tiles->half_width) && draw_shown(tiles->values[at]) &&
         fabs(tiles->values[at]) <= tiles->half_width;
}

static void show_tile(const page_of_tiles *p, size_t i, size_t k) {
  const draw_page *page = &p->page;
  const draw_tiles *tiles = p->tiles;
  const size_t at = i * tiles->counts[1] + k;
  const double x = page->left + p->tile[0] * (double)k, y = page->top + p->tile[1] * (double)i;
  const double t = draw_shown(tiles->values[at]) ? tiles->values[at] / p->top : 0;
  char text[128];
  draw_page_ink(page, draw_palette(t), 1);
  draw_page_fill(page, x, y, p->tile[0] - GAP, p->tile[1] - GAP);
  if (doubtful(tiles, at)) draw_heatmap_hatch(page, x, y, p->tile[0] - GAP, p->tile[1] - GAP);
  if (tiles->diagonal && i == k) {
    draw_page_ink(page, DRAW_ACCENT, 1);
    draw_page_frame(page, x + 0.5, y + 0.5, p->tile[0] - GAP - 1, p->tile[1] - GAP - 1, 1.3);
  }
  draw_clean(text, sizeof text, tiles->details[at]);
  if (draw_page_measure(page, DRAW_SMALL, text) > p->tile[0] - 6) return;
  draw_page_ink(page, t > 0.4 ? DRAW_PAPER : DRAW_INK, 1);
  draw_page_text(page, x + (p->tile[0] - GAP) / 2, y + p->tile[1] / 2 + 3.4, DRAW_SMALL, 0.5,
                 p->tile[0], text);
}

static void show_names(const page_of_tiles *p) {
  const draw_page *page = &p->page;
  char text[256];
  draw_page_ink(page, DRAW_INK, 1);
  for (size_t i = 0; i < p->tiles->counts[0]; i++) {
    draw_clean(text, sizeof text, p->tiles->names[0][i]);
    draw_page_text(page, page->left - 7, page->top + p->tile[1] * ((double)i + 0.5) + 3.6,
                   DRAW_SMALL, 1, p->names, text);
  }
  for (size_t k = 0; k < p->tiles->counts[1]; k++) {
    const double x = page->left + p->tile[0] * ((double)k + 0.5);
    draw_clean(text, sizeof text, p->tiles->names[1][k]);
    if (!p->turned) {
      draw_page_text(page, x, page->top - 6, DRAW_SMALL, 0.5, p->tile[0], text);
      continue;
    }
    cairo_save(page->cr);
    cairo_translate(page->cr, x + 3.6, page->top - 5);
    cairo_rotate(page->cr, -1.5707963267948966);
    draw_page_text(page, 0, 0, DRAW_SMALL, 0, HEAD_MOST, text);
    cairo_restore(page->cr);
  }
}

static void show_scale(const page_of_tiles *p) {
  const draw_page *page = &p->page;
  const double x = page->right + BAR_GAP, height = page->bottom - page->top;
  enum { STEPS = 64 };
  for (int k = 0; k < STEPS; k++) {
    draw_page_ink(page, draw_palette((k + 0.5) / STEPS), 1);
    draw_page_fill(page, x, page->bottom - height * (k + 1) / STEPS, BAR_WIDTH,
                   height / STEPS + 0.5);
  }
  draw_page_ink(page, DRAW_GREY, 1);
  for (unsigned i = 0; i < page->scale.count; i++) {
    char text[DRAW_NUMBER_MAX];
    const double y = page->bottom - height * draw_axis_tick(&page->scale, i) / p->top;
    draw_axis_write(&page->scale, i, text, sizeof text);
    draw_page_line(page, x + BAR_WIDTH, y, x + BAR_WIDTH + TICK, y, 0.8);
    draw_page_text(page, x + BAR_WIDTH + TICK + 4, y + 3.8, DRAW_SMALL, 0, page->width, text);
  }
  if (!draw_is_band(p->tiles->half_width)) return;
  const double tall = height * fmin(p->tiles->half_width / p->top, 1);
  draw_heatmap_hatch(page, x, page->bottom - tall, BAR_WIDTH, tall);
}

/* Below the map: how far counts may be off, and what is hatched. */
static void show_key(const page_of_tiles *p) {
  const draw_tiles *tiles = p->tiles;
  char label[128], number[DRAW_NUMBER_MAX], text[512];
  bool some = false;
  if (!draw_is_band(tiles->half_width)) return;
  for (size_t k = 0; k < tiles->counts[0] * tiles->counts[1]; k++)
    some = some || doubtful(tiles, k);
  draw_clean(label, sizeof label, tiles->band_label ? tiles->band_label : "band");
  draw_number(tiles->half_width, number, sizeof number);
  snprintf(text, sizeof text,
           some ? "Hatched: no larger than the error (%s, \u00b1%s), so it may be error alone."
                : "Every count here is larger than the error (%s, \u00b1%s).",
           label, number);
  draw_heatmap_note(&p->page, p->page.bottom + 22, some, text);
}

static void show(void *content, cairo_t *cr) {
  page_of_tiles *p = content;
  draw_page *page = &p->page;
  char name[512], both[1100], other[512];
  draw_page_open(page, cr);
  show_names(p);
  for (size_t i = 0; i < p->tiles->counts[0]; i++)
    for (size_t k = 0; k < p->tiles->counts[1]; k++) show_tile(p, i, k);
  show_scale(p);
  show_key(p);
  draw_clean(name, sizeof name, p->tiles->labels[0]);
  draw_clean(other, sizeof other, p->tiles->labels[1]);
  snprintf(both, sizeof both, "%s downwards, %s across", name, other);
  draw_page_ink(page, DRAW_INK, 1);
  const double end = page->width - page->margin;
  draw_page_text(page, page->margin, page->header, DRAW_NORMAL, 0, end - page->margin - 120, both);
  draw_page_label(page, end, page->header, 1, 110, &page->scale_name);
}

bool draw_tiles_fit(const draw_tiles *tiles, unsigned columns) {
  if (columns == 0)
    return (double)tiles->counts[0] <= TILES_MOST[0] && (double)tiles->counts[1] <= TILES_MOST[1];
  return draw_tiles_columns(tiles) <= columns;
}

sfm_status draw_tiles_file(const draw_tiles *tiles, const char *path, sfm_error *error) {
  page_of_tiles p = {.tiles = tiles};
  const draw_picture_source source = {&p, &p.page, layout, show};
  return draw_picture(&source, NULL, path, error);
}
