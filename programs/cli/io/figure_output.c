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

sfm_status figure_output_draw(const draw_figure *figure, const char *path, sfm_error *error) {
  unsigned columns, rows;
  if (!path) {
    figure_output_terminal_size(&columns, &rows);
    draw_terminal(figure, terminal_unfiltered(), columns, rows,
                  isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
    return SFM_OK;
  }
  sfm_status status = draw_file(figure, path, error);
  fflush(stdout);
  if (!status) fprintf(stderr, "wrote %s\n", path);
  return status;
}
