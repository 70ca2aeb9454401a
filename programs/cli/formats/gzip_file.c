#include "gzip_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cli/core/options.h"

/* What is unpacked so far. */
typedef struct unpacked {
  char *data;
  size_t length, room;
} unpacked;

static bool grow(unpacked *u) {
  if (u->length < u->room) return true;
  const size_t room = u->room ? 2 * u->room : 1 << 16;
  char *larger = realloc(u->data, room);
  if (!larger) return false;
  u->data = larger;
  u->room = room;
  return true;
}

static uInt part(size_t size) {
  return size < UINT_MAX ? (uInt)size : UINT_MAX;
}

/* Members one after the other; false when memory is short, *damaged when it is no gzip to its
 * end. */
static bool inflate_all(unpacked *u, bool *damaged, const file_bytes *bytes) {
  z_stream z = {0};
  size_t used = 0;
  bool good = inflateInit2(&z, 15 + 16) == Z_OK;
  int state = Z_OK;
  while (good && !*damaged && !(state == Z_STREAM_END && used == bytes->length)) {
    const uInt given = part(bytes->length - used);
    union {
      const char *borrowed;
      Bytef *in;
    } from = {bytes->data + used};
    good = grow(u);
    if (!good) break;
    if (state == Z_STREAM_END) inflateReset(&z);
    const uInt room = part(u->room - u->length);
    z.next_in = from.in;
    z.avail_in = given;
    z.next_out = (Bytef *)u->data + u->length;
    z.avail_out = room;
    state = inflate(&z, Z_NO_FLUSH);
    used += given - z.avail_in;
    u->length += room - z.avail_out;
    *damaged = (state != Z_OK && state != Z_STREAM_END) ||
               (state == Z_OK && given == 0 && room == z.avail_out);
  }
  inflateEnd(&z);
  return good;
}

sfm_status file_gunzip(file_bytes *bytes, sfm_error *error) {
  unpacked u = {0};
  bool damaged = false;
  if (bytes->length < 2 || memcmp(bytes->data, "\x1f\x8b", 2) != 0) return SFM_OK;
  const bool good = inflate_all(&u, &damaged, bytes);
  const char *name = bytes->name;
  if (!good || damaged) {
    free(u.data);
    return good ? cli_fail(error, SFM_FORMAT, "%s is damaged gzip", name) : cli_fail_memory(error);
  }
  file_clear(bytes);
  *bytes = (file_bytes){.data = u.data, .length = u.length, .name = name};
  return SFM_OK;
}
