#include "plan_methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/core/terminal_filter.h"
#include "cli/core/text.h"

/* WITH_LEAST: narrower than this, parameters are not wrapped but left out. */
enum { CELL = 64, GAP = 2, WITH_LEAST = 12 };

/* The columns, their heads, shorter ones for when there is little room, and in which order they go
 * when there is still less.  The shares of the error always add up: those of sampling and smoothing
 * go into the rest, and PRIVACY stands for all shares. */
enum {
  METHOD,
  WITH,
  GUARANTEE,
  ERROR,
  MISLED,
  RECORDS,
  EACH,
  BAND,
  PRIVACY,
  SAMPLING,
  SMOOTHING,
  REST,
  COLUMNS
};
static const char *const heads[COLUMNS] = {"method",   "with",     "epsilon",   "error %",
                                           "if wrong", "records",  "a cell",    "band",
                                           "privacy",  "sampling", "smoothing", "other"};
static const char *const brief_heads[COLUMNS] = {"method", "with",    "epsilon", "error %",
                                                 "wrong",  "records", "a cell",  "band",
                                                 "priv",   "samp",    "smth",    "rest"};
static const int dispensable[] = {GUARANTEE, SMOOTHING, WITH, SAMPLING,
                                  PRIVACY,   MISLED,    BAND, EACH};
static const bool rightwards[COLUMNS] = {
    [MISLED] = true,  [RECORDS] = true,  [EACH] = true,      [BAND] = true,
    [PRIVACY] = true, [SAMPLING] = true, [SMOOTHING] = true, [REST] = true};

static const char *head(const plan_request *p, int column, bool brief) {
  if (column == EACH && p->each) return p->each;
  return brief ? brief_heads[column] : heads[column];
}

typedef struct line_cells {
  char at[COLUMNS][CELL];
} line_cells;

/* The error and where 19 of 20 lie, in per cent of the peak. */
static void error_text(char *out, size_t size, const sfm_forecast *f) {
  char middle[16], low[16], high[16];
  plan_percent_text(middle, sizeof middle, f->relative);
  plan_percent_text(low, sizeof low, plan_relative_error(f, f->low));
  plan_percent_text(high, sizeof high, plan_relative_error(f, f->high));
  snprintf(out, size, "%s (%s-%s)", middle, low, high);
}

static void band_text(char *out, size_t size, double half_width) {
  char number[40];
  if (!isfinite(half_width)) {
    snprintf(out, size, "none");
    return;
  }
  if (half_width >= 99.5 && half_width < 1e6)
    text_whole(number, sizeof number, half_width);
  else
    snprintf(number, sizeof number, "%.2g", half_width);
  snprintf(out, size, "\u00b1%s", number);
}

/* So many records, to three digits. */
static void records_text(char *out, size_t size, double records) {
  if (records >= 99.5 && records < 1e7)
    text_whole(out, size, records);
  else
    snprintf(out, size, "%.3g", records);
}

/* A part of the squared error. */
static void share_text(char *out, size_t size, const sfm_forecast *f, double part, bool brief) {
  snprintf(out, size, "%.0f%s", f->total > 0 ? 100 * part / f->total : 0, brief ? "" : " %");
}

typedef struct layout {
  bool shown[COLUMNS];
  bool folded[COLUMNS]; /* shares that are in the rest */
  size_t widths[COLUMNS];
  bool brief;
} layout;

static void fill(line_cells *cells, const plan_request *p, const sfm_plan_entry *entry,
                 const layout *l) {
  const sfm_forecast *f = &entry->predicted;
  const sfm_guarantee *g = &entry->guarantee;
  const double rest = f->truncation + f->aliasing + (l->folded[SAMPLING] ? f->sampling : 0) +
                      (l->folded[SMOOTHING] ? f->smoothing : 0);
  snprintf(cells->at[METHOD], CELL, "%s", entry->method);
  plan_choice_text(cells->at[WITH], CELL, p, entry);
  snprintf(cells->at[GUARANTEE], CELL, g->delta > 0 ? "%.4g, %.3g" : "%.4g", g->epsilon, g->delta);
  text_short_power(cells->at[GUARANTEE]);
  error_text(cells->at[ERROR], CELL, f);
  if (entry->misled > 0) plan_percent_text(cells->at[MISLED], CELL, entry->misled);
  records_text(cells->at[RECORDS], CELL, f->total);
  records_text(cells->at[EACH], CELL, f->each);
  band_text(cells->at[BAND], CELL, entry->band.half_width);
  share_text(cells->at[PRIVACY], CELL, f, f->privacy, l->brief);
  share_text(cells->at[SAMPLING], CELL, f, f->sampling, l->brief);
  share_text(cells->at[SMOOTHING], CELL, f, f->smoothing, l->brief);
  share_text(cells->at[REST], CELL, f, rest, l->brief);
}

/* What is left blank before a column: less between shares that are brief. */
static size_t gap(const layout *l, int column) {
  return column == METHOD ? 0 : l->brief && column > PRIVACY ? 1 : GAP;
}

static size_t total(const layout *l) {
  size_t sum = GAP; /* of the mark */
  for (int c = 0; c < COLUMNS; c++) sum += l->shown[c] ? l->widths[c] + gap(l, c) : 0;
  return sum;
}

static void widen(layout *l, int column, const char *text) {
  const size_t width = text_columns(text, strlen(text));
  if (width > l->widths[column]) l->widths[column] = width;
}

/* All columns as wide as they are, but those that would say nothing. */
static void measure(layout *l, const plan_request *p) {
  line_cells cells, first = {0};
  bool same = true, chosen = false, misled = false;
  for (int c = 0; c < COLUMNS; c++) {
    l->shown[c] = true;
    l->widths[c] = 0;
    widen(l, c, head(p, c, l->brief));
  }
  for (size_t i = 0; i < sfm_plan_length(p->plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(p->plan, i);
    if (entry->absent) continue;
    cells = (line_cells){0};
    fill(&cells, p, entry, l);
    if (i == 0) first = cells;
    same = same && strcmp(first.at[GUARANTEE], cells.at[GUARANTEE]) == 0;
    chosen = chosen || cells.at[WITH][0];
    misled = misled || entry->misled > 0;
    for (int c = 0; c < COLUMNS; c++) widen(l, c, cells.at[c]);
  }
  l->shown[GUARANTEE] = !same;
  l->shown[WITH] = chosen;
  l->shown[MISLED] = misled;
  l->shown[RECORDS] = l->shown[EACH] = p->tabular;
  if (!p->people || p->tabular) /* all of the error is privacy's */
    for (int c = PRIVACY; c <= REST; c++) l->shown[c] = false;
  if (p->noisy) l->shown[SAMPLING] = l->shown[SMOOTHING] = false;
}

/* Narrows the parameters, if that is enough. */
static bool squeeze(layout *l, size_t width) {
  const size_t over = total(l) > width ? total(l) - width : 0;
  if (over && (!l->shown[WITH] || l->widths[WITH] < WITH_LEAST + over)) return false;
  l->widths[WITH] -= over;
  return true;
}

static void drop(layout *l, int column) {
  const bool share = column == SAMPLING || column == SMOOTHING;
  if (share && l->shown[column] && l->shown[REST]) l->folded[column] = true;
  l->shown[column] = false;
  if (column == PRIVACY) l->shown[REST] = false;
}

static void lay_out(layout *l, const plan_request *p, size_t width) {
  *l = (layout){0};
  measure(l, p);
  if (total(l) <= width) return;
  l->brief = true;
  measure(l, p);
  for (size_t i = 0; !squeeze(l, width) && i < sizeof dispensable / sizeof *dispensable; i++)
    drop(l, dispensable[i]);
}

/* How many bytes of a text go on one line: to the last comma before a blank within the width, else
 * to the last comma, else to the last blank, else all that fit. */
static size_t fitting_part(const char *text, size_t width) {
  size_t listed = 0, comma = 0, blank = 0;
  if (strlen(text) <= width) return strlen(text);
  for (size_t k = 0; k < width; k++) {
    if (text[k] == ',') *(text[k + 1] == ' ' ? &listed : &comma) = k + 1;
    if (text[k] == ' ' && !(k && text[k - 1] == ',')) blank = k;
  }
  return listed ? listed : comma ? comma : blank ? blank : width;
}

static void print_cells(const layout *l, const char *mark, const line_cells *cells) {
  int last = 0;
  for (int c = 0; c < COLUMNS; c++)
    if (l->shown[c] && cells->at[c][0]) last = c;
  printf("%-*s", GAP, mark);
  for (int c = 0; c <= last; c++) {
    if (!l->shown[c]) continue;
    const size_t used = text_columns(cells->at[c], strlen(cells->at[c]));
    const int blank = (int)(l->widths[c] - used);
    printf("%*s", (int)gap(l, c), "");
    if (rightwards[c])
      printf("%*s%s", blank, "", cells->at[c]);
    else
      printf("%s%*s", cells->at[c], c == last ? 0 : blank, "");
  }
  putchar('\n');
}

/* A method, and below it what there was no room for of its parameters. */
static void print_line(const layout *l, const char *mark, const line_cells *cells) {
  line_cells part = *cells;
  const char *rest = cells->at[WITH];
  do {
    const size_t length = l->shown[WITH] ? fitting_part(rest, l->widths[WITH]) : strlen(rest);
    snprintf(part.at[WITH], CELL, "%.*s", (int)length, rest);
    print_cells(l, mark, &part);
    rest += length + strspn(rest + length, " ");
    part = (line_cells){0};
    mark = "";
  } while (*rest);
}

static void print_methods(const layout *l, const plan_request *p, const plan_findings *found) {
  line_cells cells = {0};
  for (int c = 0; c < COLUMNS; c++) snprintf(cells.at[c], CELL, "%s", head(p, c, l->brief));
  print_line(l, "", &cells);
  for (size_t i = 0; i < sfm_plan_length(p->plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(p->plan, i);
    if (entry->absent) continue;
    cells = (line_cells){0};
    fill(&cells, p, entry, l);
    print_line(l, entry == found->best ? ">" : entry->hardened ? "" : "~", &cells);
  }
}

/* Whether an entry before the i-th says the same; with_method: of the same method. */
static bool said_before(const sfm_plan *plan, size_t i, bool with_method) {
  const sfm_plan_entry *entry = sfm_plan_at(plan, i);
  for (size_t k = 0; k < i; k++) {
    const sfm_plan_entry *other = sfm_plan_at(plan, k);
    if (other->absent && strcmp(other->absent, entry->absent) == 0 &&
        (!with_method || strcmp(other->method, entry->method) == 0))
      return true;
  }
  return false;
}

/* The methods that cannot be had for the reason of the first-th: "gp, sobolev: ...". */
static void absent_text(char *out, size_t size, const sfm_plan *plan, size_t first) {
  const char *reason = sfm_plan_at(plan, first)->absent;
  out[0] = 0;
  for (size_t i = first; i < sfm_plan_length(plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(plan, i);
    if (!entry->absent || strcmp(entry->absent, reason) != 0 || said_before(plan, i, true))
      continue;
    text_add(out, size, "%s%s", *out ? ", " : "", entry->method);
  }
  text_add(out, size, ": %s", reason);
}

/* Those that cannot be had, and why; dim where that can be shown. */
static void print_absent(const plan_request *p, size_t width) {
  const bool dim = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
  for (size_t i = 0; i < sfm_plan_length(p->plan); i++) {
    char text[1024];
    if (!sfm_plan_at(p->plan, i)->absent || said_before(p->plan, i, false)) continue;
    absent_text(text, sizeof text, p->plan, i);
    if (dim) fputs("\033[2m", terminal_unfiltered());
    fputs("  ", stdout);
    text_print_wrapped(stdout, text, GAP, 2 * GAP, width);
    if (dim) fputs("\033[0m", terminal_unfiltered());
  }
}

/* What else an error consists of. */
static const char *rest_of(const plan_request *p) {
  return p->rest    ? p->rest
         : p->noisy ? ", and the error of random features"
                    : ", and truncation with aliasing";
}

static void add_shares(char *text, size_t size, const layout *l, const plan_request *p) {
  text_add(text, size,
           "; then the shares of the squared error, in per cent: from the noise of privacy%s%s",
           l->shown[SAMPLING] ? ", sampling" : "", l->shown[SMOOTHING] ? ", smoothing" : "");
  if (l->folded[SMOOTHING])
    text_add(text, size, ", and the rest: %ssmoothing, truncation and aliasing",
             l->folded[SAMPLING] ? "sampling, " : "");
  else if (l->shown[REST])
    text_add(text, size, "%s", rest_of(p));
}

/* What the columns are. */
static void print_legend(const layout *l, const plan_request *p, const plan_findings *found,
                         size_t width) {
  bool idealised = false;
  char text[1024];
  for (size_t i = 0; i < sfm_plan_length(p->plan); i++) {
    const sfm_plan_entry *entry = sfm_plan_at(p->plan, i);
    idealised = idealised || (!entry->absent && !entry->hardened && entry != found->best);
  }
  snprintf(text, sizeof text,
           "error: %s %s, in per cent of %s (in brackets: the range of 19 of 20 releases)",
           p->tabular ? "mean absolute error" : "root mean square", p->over, p->whole);
  if (l->shown[MISLED])
    text_add(text, sizeof text,
             "; %s: the same if the shape is wrong, and the truth is two bumps of its mean and "
             "deviation, or one half as wide",
             l->brief ? brief_heads[MISLED] : heads[MISLED]);
  if (l->shown[RECORDS])
    text_add(text, sizeof text, "; records: the same in records; %s: %s", p->each, p->each_legend);
  if (l->shown[BAND])
    text_add(text, sizeof text,
             "; band: the half-width that the release would state, for the noise of privacy only, "
             "everywhere at once, with confidence %.6g%s",
             p->confidence,
             strcmp(p->kind, "density") == 0
                 ? ", if the rows are spread as assumed; of more peaked ones it is wider"
                 : "");
  if (l->shown[PRIVACY]) add_shares(text, sizeof text, l, p);
  text_add(text, sizeof text, ". > is %s%s",
           p->automatic            ? "what auto chooses"
           : found->best->hardened ? "the best hardened method"
                                   : "the best",
           idealised ? "; ~ is idealised, and used only when it is named" : "");
  text_print_wrapped(stdout, text, 0, 0, width);
}

void plan_methods_print(const plan_request *p, const plan_findings *found, size_t width) {
  layout l;
  lay_out(&l, p, width);
  if (found->best) print_methods(&l, p, found);
  print_absent(p, width);
  if (!found->best) return;
  putchar('\n');
  print_legend(&l, p, found, width);
}
