#include "figure_output.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/core/terminal_filter.h"
#include "cli/core/text.h"

const cli_option option_picture = {
    "output", "FILE", "the picture to write; its name ends in .svg, .png or .pdf", NULL, 'o'};

static bool known_ending(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcasecmp(dot, ".svg") == 0 || strcasecmp(dot, ".png") == 0 ||
                 strcasecmp(dot, ".pdf") == 0);
}

sfm_status figure_output_check(const char *option, const char *path, sfm_error *error) {
  if (path && !known_ending(path))
    return cli_misuse(error, "%s %s: write a name that ends in .svg, .png or .pdf", option, path);
  return SFM_OK;
}

static unsigned environment_size(const char *name, unsigned fallback) {
  const char *text = getenv(name);
  uint64_t value;
  return text && text_count(&value, text) && value >= 20 && value <= 1000 ? (unsigned)value
                                                                          : fallback;
}

void figure_output_terminal_size(unsigned *columns, unsigned *rows) {
  struct winsize window;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col >= 20 && window.ws_row >= 5) {
    *columns = window.ws_col;
    *rows = window.ws_row - 1u; /* the prompt */
    return;
  }
  *columns = environment_size("COLUMNS", 80);
  *rows = environment_size("LINES", 24);
}

static bool colours(void) {
  return isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
}

static sfm_status say_written(sfm_status status, const char *path) {
  fflush(stdout);
  if (!status) fprintf(stderr, "wrote %s\n", path);
  return status;
}

sfm_status figure_output_draw(const draw_figure *figure, const char *path, sfm_error *error) {
  unsigned columns, rows;
  if (path) return say_written(draw_file(figure, path, error), path);
  figure_output_terminal_size(&columns, &rows);
  draw_terminal(figure, terminal_unfiltered(), columns, rows, colours());
  return SFM_OK;
}

sfm_status figure_output_regions(const draw_regions *regions, const char *path, sfm_error *error) {
  unsigned columns, rows;
  if (path) return say_written(draw_regions_file(regions, path, error), path);
  figure_output_terminal_size(&columns, &rows);
  draw_regions_terminal(regions, terminal_unfiltered(), columns, rows, colours());
  return SFM_OK;
}

/* The captions' share of a terminal. */
static unsigned words_room(unsigned rows) {
  return rows / 3 > 4 ? rows / 3 : 4;
}

sfm_status figure_output_bars(const draw_bars *bars, const char *path, sfm_error *error) {
  unsigned columns, rows;
  if (path) return say_written(draw_bars_file(bars, path, error), path);
  figure_output_terminal_size(&columns, &rows);
  draw_bars_terminal(bars, terminal_unfiltered(), columns, words_room(rows), colours());
  return SFM_OK;
}

sfm_status figure_output_tiles(bool *fits, const draw_tiles *tiles, const char *path,
                               sfm_error *error) {
  unsigned columns, rows;
  figure_output_terminal_size(&columns, &rows);
  *fits = draw_tiles_fit(tiles, path ? 0 : columns);
  if (*fits && path) return say_written(draw_tiles_file(tiles, path, error), path);
  if (*fits)
    draw_tiles_terminal(tiles, terminal_unfiltered(), columns, words_room(rows), colours());
  return SFM_OK;
}
