/* plan_page_terminal.c - a report in the terminal: its plots below each other, or side by side
 * where there is room, and the preview's first panel if there are rows left.
 *
 *   Title
 *   subtitle
 *   -- the first curve  .. a part  -. another
 *   with more people  error
 *              here
 *   10 % |
 *    1 % |____________________
 *         100    1,000  10,000
 *                people
 *   captions */
#include <math.h>
#include <stdlib.h>

#include "braille_dots.h"
#include "draw/loglog_curves.h"
#include "panels_terminal.h"

enum { SIDE_BY_SIDE = 120, GAP = 6, PANEL_LEAST = 36, LEGEND_MOST = 3, SUBTITLE_MOST = 2 };
enum {
  HEIGHT_LEAST = 4,
  HEIGHT_GOOD = 8,
  WORDS_LEAST = 2,
  OVERHEAD_MOST = 5,
  HEIGHT_MOST = 14,
  PREVIEW_LEAST = DRAW_PANELS_TERMINAL_ROWS_MIN + 1,
  PREVIEW_MOST = 21
};

/* Decades by which other series widen the scale of the first. */
static const double REACH = 0.3;
/* Dots between a curve and its band's edge, without which the two are one blot. */
static const long EDGE_LEAST = 3;

typedef struct plan_screen {
  const draw_plan_page *report;
  draw_screen screen;
  draw_key key;
  draw_entry entries[DRAW_KEY_MAX];
  draw_words words;
  char subtitle[DRAW_TEXT_MAX];
  draw_span lines[SUBTITLE_MOST];
  size_t line_count;
  bool parts; /* there is room to tell series beside the first from it */
  unsigned legend_rows;
  bool beside;            /* the plots stand side by side */
  unsigned first;         /* the row where the plots begin */
  bool heading, here;     /* they have a row for their title, for the asked value */
  bool line, ticks, name; /* and for the axis' parts */
  unsigned height;        /* of each, in rows */
  unsigned preview;       /* rows below for it; 0: none */
} plan_screen;

/* How a series looks: dots at the first `on` of every `period` columns. */
typedef struct pattern {
  uint32_t ink;
  unsigned on, period;
} pattern;

static const pattern PATTERNS[] = {
    {DRAW_SCREEN_BLUE, 1, 1}, {DRAW_SCREEN_ACCENT, 3, 4}, {0x4fa36b, 1, 2},
    {0xb08d2e, 2, 4},         {0x9a7cc0, 5, 7},           {0x3fa3ad, 1, 3},
    {DRAW_SCREEN_GREY, 1, 1}, {0xb57aa8, 1, 4},
};
enum { PATTERN_COUNT = sizeof PATTERNS / sizeof PATTERNS[0] };

static const pattern *pattern_at(size_t place) {
  return &PATTERNS[place % PATTERN_COUNT];
}

static bool dotted(const pattern *p, unsigned column) {
  return column % p->period < p->on;
}

static unsigned row_blocks(const plan_screen *b) {
  return b->beside ? 1 : (unsigned)b->report->curve_count;
}

/* Rows of a plot beside its own. */
static unsigned overhead(const plan_screen *b) {
  return b->heading + b->here + b->line + b->ticks + b->name;
}

static bool is_first(const plan_screen *b, size_t place) {
  for (size_t c = 0; c < b->report->curve_count; c++)
    if (draw_key_place(&b->key, &b->report->curves[c].series[0]) == place) return true;
  return false;
}

static void list_names(plan_screen *b, unsigned columns) {
  draw_key_init(&b->key, b->report);
  for (size_t k = 0; k < b->key.count; k++) {
    const bool listed = b->parts || is_first(b, k);
    const pattern *p = pattern_at(k);
    const uint32_t sample[2] = {draw_dots_sample(dotted(p, 0), dotted(p, 1)),
                                draw_dots_sample(dotted(p, 2), dotted(p, 3))};
    draw_entry_init(&b->entries[k], listed ? b->key.names[k] : NULL, sample, p->ink);
  }
  b->legend_rows = b->key.count ? draw_entries_spread(b->entries, b->key.count, columns) : 0;
}

/* The captions, in at most so many lines; none rather than few. */
static void wrap_words(plan_screen *b, unsigned columns, unsigned most) {
  draw_captions captions;
  draw_plan_page_captions(b->report, REACH, &captions);
  const draw_figure words = {.caption = captions.text[0], .note = captions.text[1]};
  if (most >= WORDS_LEAST) draw_words_wrap(&b->words, &words, columns, most);
}

/* Which rows a plot has beside its own, when it has so many in all. */
static void choose_rows(plan_screen *b, unsigned each) {
  b->ticks = each >= 4;
  b->line = each >= 5;
  b->heading = each >= 6;
  b->name = each >= 8;
  b->here = each >= 9;
}

/* Shares the rows out: first what the plots need to be read, then the preview, then the captions;
 * plots and preview get what is left. */
static void place_rows(plan_screen *b, unsigned columns, unsigned rows) {
  const unsigned blocks = row_blocks(b), title = b->report->title != NULL;
  b->line_count = draw_wrap(b->lines, rows >= 32 ? 2 : rows >= 22, b->subtitle, columns,
                            draw_screen_measure, NULL);
  const unsigned above = title + (unsigned)b->line_count;
  b->parts = blocks && rows > above && (rows - above) / blocks >= HEIGHT_GOOD + OVERHEAD_MOST + 1;
  list_names(b, columns);
  b->legend_rows = rows < 14 ? 0 : b->legend_rows < LEGEND_MOST ? b->legend_rows : LEGEND_MOST;
  b->first = above + b->legend_rows;
  unsigned rest = rows > b->first ? rows - b->first : 0;
  choose_rows(b, blocks ? rest / blocks : 0);
  const unsigned good = blocks * (overhead(b) + HEIGHT_GOOD);
  b->preview = b->report->preview && rest >= good + PREVIEW_LEAST ? PREVIEW_LEAST : 0;
  const unsigned least =
      b->preview || b->parts ? good : blocks * (overhead(b) + (unsigned)HEIGHT_LEAST);
  const unsigned spare = rest > least + b->preview ? rest - least - b->preview : 0;
  wrap_words(b, columns, spare);
  if (b->preview) b->preview += (spare - (unsigned)b->words.count) / (blocks + 1);
  if (b->preview > PREVIEW_MOST) b->preview = PREVIEW_MOST;
  rest -= b->preview + (unsigned)b->words.count;
  b->height = blocks && rest / blocks > overhead(b) ? rest / blocks - overhead(b) : 0;
  if (b->height > HEIGHT_MOST) b->height = HEIGHT_MOST;
}

/* The axis of values for the screen's height: no two ticks in a row. */
static void fit_up(draw_screen *one, const draw_plan_page *report, size_t k) {
  double lower, upper;
  draw_curves_up(report, k, REACH, &lower, &upper);
  for (unsigned most = 12; most >= 2; most--) {
    draw_axis_log(&one->up, lower, upper, most, "%");
    bool apart = true;
    for (unsigned i = 1; i < one->up.count; i++)
      apart = apart && draw_screen_row(one, draw_axis_tick(&one->up, i - 1)) >
                           draw_screen_row(one, draw_axis_tick(&one->up, i));
    if (apart) return;
  }
}

static void fit_across(draw_screen *one, const draw_plan_page *report, size_t k) {
  double lower, upper;
  draw_curves_across(report, k, &lower, &upper);
  for (unsigned most = 12; most >= 2; most--) {
    draw_axis_log(&one->across, lower, upper, most, NULL);
    const unsigned wide = draw_screen_widest(&one->across);
    bool apart = true;
    for (unsigned i = 1; i < one->across.count; i++)
      apart = apart && draw_screen_tick(one, i) >= draw_screen_tick(one, i - 1) + wide + 2;
    if (apart) return;
  }
}

/* The column of a place, in dots from the plot's left. */
static long dot_column(const draw_screen *one, double x) {
  const double t = (x - one->across.lower) / (one->across.upper - one->across.lower);
  return lround(fmin(fmax(t, 0), 1) * (2.0 * one->width - 1));
}

/* The place of a dot column. */
static double place_of(const draw_screen *one, unsigned column) {
  const double t = one->width ? column / (2.0 * one->width - 1) : 0;
  return one->across.lower + t * (one->across.upper - one->across.lower);
}

/* What is drawn, in layers: the series, then their bands, the asked value, and the levels. */
enum { BANDS = DRAW_SERIES_MAX, HERE, LEVELS, LAYERS };

static void trace_series(const draw_screen *one, draw_dots *dots, const draw_curves *curves,
                         size_t k, const pattern *p) {
  bool joined = false;
  long before = 0;
  for (unsigned c = 0; c < dots->columns; c++) {
    double percent;
    const bool there = draw_curves_at(curves, curves->series[k].values, place_of(one, c), &percent);
    const long row = there ? draw_dots_row(one, percent) : 0;
    if (there && dotted(p, c)) {
      draw_dots_set(dots, (unsigned)k, c, row);
      if (joined) draw_dots_join(dots, (unsigned)k, c, before, row);
    }
    joined = there;
    before = row;
  }
}

/* One edge of a band: every other dot, where it stands clear of the curve. */
static void trace_edge(const draw_screen *one, draw_dots *dots, const draw_curves *curves, size_t k,
                       const double *edge) {
  double percent, value;
  for (unsigned c = 0; edge && c < dots->columns; c += 2) {
    const double x = place_of(one, c);
    if (!draw_curves_at(curves, edge, x, &percent)) continue;
    const long row = draw_dots_row(one, percent);
    if (!draw_curves_at(curves, curves->series[k].values, x, &value) ||
        labs(row - draw_dots_row(one, value)) >= EDGE_LEAST)
      draw_dots_set(dots, BANDS, c, row);
  }
}

/* A value between two gaps is a dot. */
static void trace_alone(const draw_screen *one, draw_dots *dots, const draw_curves *curves,
                        size_t k) {
  const double *values = curves->series[k].values;
  double percent, beside;
  for (size_t i = 0; i < curves->count; i++)
    if (draw_curves_value(values[i], &percent) &&
        (i == 0 || !draw_curves_value(values[i - 1], &beside)) &&
        (i + 1 == curves->count || !draw_curves_value(values[i + 1], &beside)))
      draw_dots_set(dots, (unsigned)k, dot_column(one, log10(curves->at[i])),
                    draw_dots_row(one, percent));
}

static void trace_lines(const draw_screen *one, draw_dots *dots, const draw_curves *curves) {
  double percent, here;
  for (size_t i = 0; i < curves->level_count; i++)
    if (draw_curves_value(curves->levels[i], &percent))
      for (unsigned c = 0; c < dots->columns; c += 3)
        draw_dots_set(dots, LEVELS, c, draw_dots_row(one, percent));
  if (draw_curves_here(curves, &here))
    draw_dots_run(dots, HERE, dot_column(one, here), 0, (long)dots->rows - 1);
}

/* The row of a level; false if it is not in the plot. */
static bool level_row(const draw_screen *one, const draw_curves *curves, size_t i, unsigned *row) {
  double percent;
  if (!draw_curves_value(curves->levels[i], &percent) || percent < one->up.lower ||
      percent > one->up.upper)
    return false;
  *row = draw_screen_row(one, percent);
  return true;
}

/* Whether no other level is in the same row. */
static bool alone(const draw_screen *one, const draw_curves *curves, size_t i) {
  unsigned row, other;
  for (size_t k = 0; level_row(one, curves, i, &row) && k < curves->level_count; k++)
    if (k != i && level_row(one, curves, k, &other) && other == row) return false;
  return true;
}

/* Whether nothing is drawn in these cells but perhaps a level. */
static bool vacant(const draw_dots *dots, unsigned column, unsigned row, unsigned wide) {
  for (unsigned c = column; c < column + wide; c++)
    for (unsigned k = 0; k < LEVELS; k++)
      if (draw_dots_at(dots, k, c, row)) return false;
  return true;
}

/* A level's name on its line, at the right or else at the left, if there is room beside the
 * curves. */
static void show_level_names(draw_screen *one, const draw_dots *dots, const draw_curves *curves) {
  for (size_t i = 0; i < curves->level_count; i++) {
    char name[256];
    unsigned row;
    if (!level_row(one, curves, i, &row) || !alone(one, curves, i) ||
        !draw_curves_level_name(curves, i, name, sizeof name))
      continue;
    const unsigned wide = draw_screen_width(name);
    if (wide + 1 >= one->width / 2) continue;
    const unsigned columns[2] = {one->width - wide, 1};
    for (unsigned k = 0; k < 2; k++) {
      if (!vacant(dots, columns[k] - 1, row, wide + 1)) continue;
      draw_screen_put(one, columns[k] - 1, row, ' ', DRAW_PLAIN);
      draw_screen_text(one, one->left + columns[k], one->top + row, wide, name, DRAW_SCREEN_GREY);
      break;
    }
  }
}

static void show_curves(const plan_screen *b, draw_screen *one, const draw_curves *curves) {
  uint32_t ink[LAYERS] = {[BANDS] = DRAW_SCREEN_SOFT, DRAW_PLAIN, DRAW_SCREEN_GREY};
  draw_dots dots;
  double here, percent;
  if (!draw_dots_init(&dots, one, LAYERS)) return;
  for (size_t k = 0; k < (b->parts ? curves->series_count : 1); k++) {
    const pattern *p = pattern_at(draw_key_place(&b->key, &curves->series[k]));
    ink[k] = p->ink;
    trace_series(one, &dots, curves, k, p);
    trace_alone(one, &dots, curves, k);
    trace_edge(one, &dots, curves, k, curves->series[k].low);
    trace_edge(one, &dots, curves, k, curves->series[k].high);
  }
  trace_lines(one, &dots, curves);
  draw_dots_show(&dots, one, ink, LEVELS);
  show_level_names(one, &dots, curves);
  if (draw_curves_here(curves, &here) &&
      draw_curves_at(curves, curves->series[0].values, here, &percent))
    draw_screen_put(one, (unsigned)dot_column(one, here) / 2, draw_screen_row(one, percent), 0x25cf,
                    DRAW_PLAIN);
  draw_dots_clear(&dots);
}

/* Title and what the values are. */
static void show_heading(draw_screen *one, const draw_curves *curves, unsigned column,
                         unsigned row) {
  char title[1024], name[DRAW_TEXT_MAX];
  const unsigned room = one->left + one->width - column;
  draw_clean(title, sizeof title, curves->title);
  unsigned used = draw_screen_text(one, column, row, room, title, DRAW_PLAIN);
  used += used ? 2 : 0;
  if (used + 6 > room) return;
  draw_screen_axis_name(name, sizeof name, &one->up, curves->value_label, NULL, room - used);
  draw_screen_text(one, column + used, row, room - used, name, DRAW_SCREEN_GREY);
}

static void show_here_label(draw_screen *one, const draw_curves *curves, unsigned row) {
  char text[256];
  double here;
  draw_clean(text, sizeof text, curves->here_label);
  if (!draw_curves_here(curves, &here)) return;
  const unsigned wide = draw_screen_width(text), middle = (unsigned)dot_column(one, here) / 2;
  unsigned begin = middle > wide / 2 ? middle - wide / 2 : 0;
  if (begin + wide > one->width) begin = one->width > wide ? one->width - wide : 0;
  draw_screen_text(one, one->left + begin, row, one->width, text, DRAW_PLAIN);
}

/* Plot k in `columns` columns from `column` on, its first row being `row`. */
static void show_plot(plan_screen *b, size_t k, unsigned column, unsigned columns, unsigned row) {
  const draw_curves *curves = &b->report->curves[k];
  draw_screen one = b->screen; /* shares the cells */
  one.top = row + b->heading + b->here;
  one.height = b->height;
  fit_up(&one, b->report, k);
  const unsigned wide = draw_screen_widest(&one.up);
  one.up_written = 2 * (wide + 1) <= columns;
  const unsigned labels = one.up_written ? wide + 1 : columns > 4;
  one.left = column + labels;
  one.width = columns - labels;
  fit_across(&one, b->report, k);
  unsigned next = one.top + one.height;
  one.line = b->line ? next++ : 0;
  one.ticks = b->ticks ? next++ : 0;
  one.across_written = b->ticks;
  draw_screen_up(&one);
  draw_screen_across(&one);
  if (b->heading) show_heading(&one, curves, column, row);
  if (b->here) show_here_label(&one, curves, row + b->heading);
  show_curves(b, &one, curves);
  if (!b->name) return;
  const draw_figure named = {.labels = {curves->label}, .units = {curves->unit}};
  one.figure = &named;
  one.name = next;
  draw_screen_name(&one);
}

static void compose(plan_screen *b) {
  draw_screen *screen = &b->screen;
  const unsigned columns = screen->cells.columns;
  char title[DRAW_TEXT_MAX];
  unsigned row = 0;
  draw_clean(title, sizeof title, b->report->title);
  if (b->report->title) draw_screen_text(screen, 0, row++, columns, title, DRAW_PLAIN);
  for (size_t i = 0; i < b->line_count; i++, row++)
    draw_screen_span(screen, 0, row, &b->lines[i], DRAW_SCREEN_GREY);
  if (b->legend_rows) draw_entries_show(screen, b->entries, b->key.count, 0, row);
  const unsigned wide = b->beside ? (columns - GAP) / 2 : columns;
  for (unsigned k = 0; b->height && k < b->report->curve_count; k++)
    show_plot(b, k, b->beside ? k * (wide + GAP) : 0, wide,
              b->first + (b->beside ? 0 : k * (b->height + overhead(b))));
}

/* As many of the preview's panels as fit side by side. */
static void show_preview(const plan_screen *b, FILE *out, unsigned columns) {
  draw_figure few = *b->report->preview;
  const size_t fit = columns / PANEL_LEAST;
  if (few.panel_count > fit) few.panel_count = fit ? fit : 1;
  few.panel_columns = (unsigned)few.panel_count;
  draw_panels_terminal(&few, out, columns, b->preview - 1, 0,
                       b->screen.colour); /* and a blank row */
}

/* Prints so many rows that fill has filled. */
static void print_part(plan_screen *b, FILE *out, unsigned columns, unsigned rows,
                       void (*fill)(plan_screen *b)) {
  if (rows && draw_cells_init(&b->screen.cells, columns, rows)) {
    fill(b);
    draw_screen_print(&b->screen, out);
  }
}

static void compose_words(plan_screen *b) {
  draw_words_show(&b->screen, &b->words);
}

static void compose_fault(plan_screen *b) {
  draw_screen_text(&b->screen, 0, 0, b->screen.cells.columns, draw_plan_page_fault(b->report),
                   DRAW_PLAIN);
}

void draw_plan_page_terminal(const draw_plan_page *report, FILE *out, unsigned columns,
                             unsigned rows, bool colour) {
  plan_screen *b = columns && rows ? calloc(1, sizeof *b) : NULL;
  if (!b) return;
  columns = columns < DRAW_COLUMNS_MAX ? columns : DRAW_COLUMNS_MAX;
  rows = rows < DRAW_ROWS_MAX ? rows : DRAW_ROWS_MAX;
  b->report = report;
  b->screen.colour = colour;
  b->beside = columns >= SIDE_BY_SIDE && report->curve_count == 2;
  if (draw_plan_page_fault(report)) {
    print_part(b, out, columns, 1, compose_fault);
  } else {
    draw_clean(b->subtitle, sizeof b->subtitle, report->subtitle);
    place_rows(b, columns, rows);
    const unsigned plots = b->first + row_blocks(b) * (b->height + overhead(b));
    print_part(b, out, columns, plots < rows ? plots : rows, compose);
    if (b->preview) show_preview(b, out, columns);
    print_part(b, out, columns, (unsigned)b->words.count, compose_words);
  }
  free(b);
}
