#include "byte_codec.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

/* Room for size more bytes; false when memory is short. */
static bool reserve(sfmi_byte_codec *c, size_t size) {
  if (size <= c->room - c->at) return true;
  if (c->room > SIZE_MAX / 4 || size > SIZE_MAX / 4) return false;
  const size_t room = 2 * c->room + size + FIRST_ROOM;
  uint8_t *larger = malloc(room);
  if (!larger) return false;
  if (c->length) memcpy(larger, c->written, c->length);
  sfmi_wipe_free(c->written, c->length, 1);
  c->written = larger;
  c->room = room;
  return true;
}

void sfmi_byte_codec_bytes(sfmi_byte_codec *c, void *bytes, size_t size) {
  if (!c->failed) c->failed = c->source ? size > sfmi_byte_codec_left(c) : !reserve(c, size);
  if (c->failed || size == 0) return;
  if (c->source)
    memcpy(bytes, c->source + c->at, size);
  else
    memcpy(c->written + c->at, bytes, size);
  c->at += size;
  if (c->at > c->length) c->length = c->at;
}

void sfmi_byte_codec_u64(sfmi_byte_codec *c, uint64_t *x) {
  uint8_t bytes[sizeof *x];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(*x >> 8 * i);
  sfmi_byte_codec_bytes(c, bytes, sizeof bytes);
  *x = 0;
  for (size_t i = 0; i < sizeof bytes; i++) *x |= (uint64_t)bytes[i] << 8 * i;
}

void sfmi_byte_codec_i64(sfmi_byte_codec *c, int64_t *x) {
  uint64_t word = (uint64_t)*x;
  sfmi_byte_codec_u64(c, &word);
  *x = (int64_t)word;
}

void sfmi_byte_codec_f64(sfmi_byte_codec *c, double *x) {
  uint64_t word;
  memcpy(&word, x, sizeof word);
  sfmi_byte_codec_u64(c, &word);
  memcpy(x, &word, sizeof word);
}

void sfmi_byte_codec_i128(sfmi_byte_codec *c, sfmi_i128 *x) {
  uint64_t low = (uint64_t)*x, high = (uint64_t)((sfmi_u128)*x >> 64);
  sfmi_byte_codec_u64(c, &low);
  sfmi_byte_codec_u64(c, &high);
  *x = (sfmi_i128)((sfmi_u128)high << 64 | low);
}

void sfmi_byte_codec_bool(sfmi_byte_codec *c, bool *x) {
  uint64_t word = *x;
  sfmi_byte_codec_u64(c, &word);
  if (word > 1) c->failed = true;
  if (!c->failed) *x = word;
}

void *sfmi_byte_codec_alloc(sfmi_byte_codec *c, size_t count, size_t size) {
  void *memory = c->failed ? NULL : sfmi_alloc(count, size);
  if (!memory && !c->failed) c->failed = c->short_of_memory = true;
  return memory;
}

void sfmi_byte_codec_clear(sfmi_byte_codec *c) {
  sfmi_wipe_free(c->written, c->length, 1);
  *c = (sfmi_byte_codec){0};
}
