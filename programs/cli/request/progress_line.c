#include "progress_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

/* How much of the way, in powers of ten, from the first gap to the one that is enough. */
static void show_solving(const progress_line *line, const sfm_progress *at) {
  enum { WIDTH = 30 };
  char bar[WIDTH + 1];
  const double part =
      at->gap <= at->target ? 1 : log(line->first / at->gap) / log(line->first / at->target);
  const int filled = (int)(WIDTH * fmax(0, fmin(1, part)));
  for (int i = 0; i < WIDTH; i++) bar[i] = i < filled ? '#' : '.';
  bar[WIDTH] = 0;
  fprintf(stderr, "\r\033[Ktraining machine %" PRIu64 " of %" PRIu64 " [%s] gap %.1e, until %.1e",
          at->done + 1, at->total, bar, at->gap, at->target);
}

static bool show(void *data, const sfm_progress *at) {
  progress_line *line = data;
  const time_t now = time(NULL);
  if (at->stage == SFM_STAGE_SOLVING && (line->first == 0 || line->machine != at->done)) {
    line->first = at->gap;
    line->machine = at->done;
  }
  if (at->stage == SFM_STAGE_PREPARED || now < line->start + 2 || now == line->shown) return true;
  line->shown = now;
  if (at->stage == SFM_STAGE_READING)
    fprintf(stderr, "\r\033[Kreading rows: %.1f million", (double)at->done / 1e6);
  else if (at->stage == SFM_STAGE_WALKING)
    fprintf(stderr, "\r\033[Kdrawing the noise: step %" PRIu64 " of %" PRIu64, at->done, at->total);
  else
    show_solving(line, at);
  return true;
}

void progress_line_begin(progress_line *line, sfm_context *context) {
  *line = (progress_line){.start = time(NULL)};
  if (!isatty(STDERR_FILENO)) return;
  context->progress = show;
  context->progress_data = line;
}

void progress_line_end(const progress_line *line) {
  if (line->shown) fputs("\r\033[K", stderr);
}
