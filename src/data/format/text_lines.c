#include "text_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/system/thread_pool.h"

/* Bytes for a part of a line, beside a block, before the buffer grows. */
#define FIRST_ROOM ((size_t)1 << 12)

sfm_status sfmi_lines_init(sfmi_lines *lines, sfmi_source *source, size_t block, size_t longest,
                           sfm_error *error) {
  *lines = (sfmi_lines){.source = source,
                        .block = block < longest ? block : longest,
                        .longest = longest,
                        .threads = 1};
  lines->capacity = FIRST_ROOM + lines->block + SFMI_LINES_SLACK;
  lines->buffer = malloc(lines->capacity);
  return lines->buffer ? SFM_OK : sfmi_fail_memory(error);
}

void sfmi_lines_clear(sfmi_lines *lines) {
  free(lines->buffer);
  *lines = (sfmi_lines){0};
}

sfm_status sfmi_lines_rewind(sfmi_lines *lines, sfm_error *error) {
  lines->next = lines->whole = lines->filled = 0;
  lines->ended = lines->cutting = lines->rest = false;
  return sfmi_source_rewind(lines->source, lines->offset, error);
}

/* Takes in the bytes just read at buffer[filled..filled+got): finds where the whole lines end. */
static void take_block(sfmi_lines *lines, size_t got) {
  char *fresh = lines->buffer + lines->filled;
  if (lines->cutting) {
    char *newline = memchr(fresh, '\n', got);
    if (!newline) return;
    got -= (size_t)(newline - fresh);
    memmove(fresh, newline, got);
    lines->cutting = false;
  }
  char *last = memrchr(fresh, '\n', got);
  lines->filled += got;
  if (last) {
    lines->whole = (size_t)(last - lines->buffer) + 1;
  } else if (lines->filled > lines->longest) {
    lines->filled = lines->longest + 1;
    lines->cutting = true;
  }
}

/* Has room for another block, whatever part of a line is there already. */
static sfm_status make_room(sfmi_lines *lines, sfm_error *error) {
  size_t needed = lines->filled + lines->block + SFMI_LINES_SLACK;
  if (needed <= lines->capacity) return SFM_OK;
  size_t capacity = 2 * lines->capacity,
         most = lines->longest + 1 + lines->block + SFMI_LINES_SLACK;
  if (capacity < needed) capacity = needed;
  if (capacity > most) capacity = most;
  char *buffer = realloc(lines->buffer, capacity);
  if (!buffer) return sfmi_fail_memory(error);
  lines->buffer = buffer;
  lines->capacity = capacity;
  return SFM_OK;
}

sfm_status sfmi_lines_refill(sfmi_lines *lines, sfm_error *error) {
  lines->filled -= lines->next;
  memmove(lines->buffer, lines->buffer + lines->next, lines->filled);
  lines->next = lines->whole = 0;
  while (lines->whole == 0 && !lines->ended) {
    size_t got;
    sfm_status status = make_room(lines, error);
    if (!status)
      status =
          sfmi_source_read(lines->source, lines->buffer + lines->filled, &got, lines->block, error);
    if (status) return status;
    if (got > 0) {
      take_block(lines, got);
      continue;
    }
    lines->ended = true;
    lines->cutting = false;
    lines->rest = lines->filled > 0 && !lines->lenient;
    if (lines->filled > 0 && lines->lenient) {
      lines->buffer[lines->filled++] = '\n';
      lines->whole = lines->filled;
    }
  }
  return SFM_OK;
}

/* In runs short enough for byte-wide sums, which the compiler turns into vectors. */
static uint64_t count_newlines(const char *bytes, size_t size) {
  uint64_t total = 0;
  size_t i = 0;
  for (; i + 128 <= size; i += 128) {
    uint8_t run = 0;
    for (size_t j = 0; j < 128; j++) run = (uint8_t)(run + (bytes[i + j] == '\n'));
    total += run;
  }
  for (; i < size; i++) total += bytes[i] == '\n';
  return total;
}

size_t sfmi_lines_measure(const char *text, size_t length, size_t most, size_t *found) {
  enum { RUN = 128 };
  size_t at = 0;
  *found = 0;
  while (at + RUN <= length) {
    const size_t more = (size_t)count_newlines(text + at, RUN);
    if (*found + more > most) break;
    *found += more;
    at += RUN;
  }
  size_t end = at; /* behind the last line end */
  while (end > 0 && text[end - 1] != '\n') end--;
  for (; at < length && *found < most; at++)
    if (text[at] == '\n') {
      ++*found;
      end = at + 1;
    }
  return end;
}

/* Several threads count, each in a range of bytes of its own. */
typedef struct shared_count {
  const sfmi_lines *lines;
  uint64_t from, to;
  uint64_t found[SFMI_THREAD_POOL_MAX];
  sfm_status status[SFMI_THREAD_POOL_MAX];
  sfm_error error[SFMI_THREAD_POOL_MAX];
} shared_count;

/* Bytes that are worth a thread. */
#define COUNTED_MIN ((uint64_t)1 << 22)

static void count_range(void *opaque, size_t share, size_t shares) {
  shared_count *c = opaque;
  const uint64_t size = c->to - c->from, end = c->from + size / shares * (share + 1);
  const uint64_t to = share + 1 == shares ? c->to : end;
  uint64_t at = c->from + size / shares * share;
  char *block = malloc(c->lines->block);
  c->status[share] = block ? SFM_OK : sfmi_fail_memory(&c->error[share]);
  for (size_t got = 1; !c->status[share] && got > 0 && at < to; at += got) {
    const size_t wanted = to - at < c->lines->block ? (size_t)(to - at) : c->lines->block;
    c->status[share] =
        sfmi_source_read_at(c->lines->source, block, &got, wanted, at, &c->error[share]);
    c->found[share] += count_newlines(block, got);
  }
  free(block);
}

/* *counted is false where one thread is to count. */
static sfm_status count_shared(const sfmi_lines *lines, bool *counted, uint64_t *count,
                               sfm_error *error) {
  shared_count c = {.lines = lines, .from = lines->offset};
  const size_t most = sfmi_thread_count(lines->threads, SFMI_THREAD_POOL_MAX);
  *counted = !lines->lenient && most > 1 && sfmi_source_size(lines->source, &c.to) &&
             c.to > c.from && (c.to - c.from) / COUNTED_MIN > 1;
  if (!*counted) return SFM_OK;
  const uint64_t worth = (c.to - c.from) / COUNTED_MIN;
  const size_t shares = worth < most ? (size_t)worth : most;
  sfmi_threads_run(count_range, &c, shares);
  *count = 0;
  for (size_t i = 0; i < shares; i++) {
    if (c.status[i] && error) *error = c.error[i];
    if (c.status[i]) return c.status[i];
    *count += c.found[i];
  }
  return SFM_OK;
}

sfm_status sfmi_lines_count(sfmi_lines *lines, uint64_t *count, sfm_error *error) {
  bool counted;
  sfm_status status = count_shared(lines, &counted, count, error);
  if (status || counted) return status;
  status = sfmi_lines_rewind(lines, error);
  uint64_t found = 0;
  char last = '\n';
  for (size_t got = 1; !status && got > 0;) {
    status = sfmi_source_read(lines->source, lines->buffer, &got, lines->block, error);
    if (status || got == 0) break;
    found += count_newlines(lines->buffer, got);
    last = lines->buffer[got - 1];
  }
  if (status) return status;
  *count = found + (lines->lenient && last != '\n');
  return SFM_OK;
}
