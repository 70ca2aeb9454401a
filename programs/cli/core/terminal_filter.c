#include "terminal_filter.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

/* Where guarded text goes; NULL: standard output is no terminal. */
static FILE *drawing;
/* The beginning of a character whose rest has not been written yet. */
static char begun[4];
static size_t begun_count;

static size_t wanted(unsigned char first) {
  return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

static void show(void) {
  char text[2 * sizeof begun + 1] = "", escaped[TEXT_ESCAPED_MAX];
  memcpy(text, begun, begun_count);
  for (size_t at = 0, bytes; at < begun_count; at += bytes) {
    const bool plain = text[at] == '\n' || text[at] == '\t';
    const size_t length = text_escape_one(escaped, text + at, &bytes);
    fwrite(plain ? text + at : escaped, 1, plain ? 1 : length, drawing);
  }
  begun_count = 0;
}

static ssize_t write_guarded(void *cookie, const char *bytes, size_t count) {
  (void)cookie;
  for (size_t i = 0; i < count; i++) {
    const bool follows = ((unsigned char)bytes[i] & 0xc0) == 0x80;
    if (begun_count && !follows) show();
    if (bytes[i] == 0) continue;
    begun[begun_count++] = bytes[i];
    if (begun_count == wanted((unsigned char)begun[0])) show();
  }
  return fflush(drawing) == 0 ? (ssize_t)count : 0;
}

static int close_guarded(void *cookie) {
  (void)cookie;
  show();
  return fflush(drawing);
}

void terminal_filter_start(void) {
  if (!isatty(STDOUT_FILENO)) return;
  FILE *guarded = fopencookie(
      NULL, "w", (cookie_io_functions_t){.write = write_guarded, .close = close_guarded});
  if (!guarded) return;
  setvbuf(guarded, NULL, _IOLBF, BUFSIZ);
  drawing = stdout;
  stdout = guarded;
}

FILE *terminal_unfiltered(void) {
  if (!drawing) return stdout;
  fflush(stdout);
  return drawing;
}
