#include "anchor.h"

#include <errno.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/system/c_locale.h"
#include "base/system/file.h"

#define FIRST_LINE "sfumato-anchor 1\n"

static bool read_hex(uint8_t *out, size_t size, const char **at) {
  size_t length = 0;
  const char *end = NULL;
  bool good = sodium_hex2bin(out, size, *at, 2 * size, NULL, &length, &end) == 0 &&
              length == size && end == *at + 2 * size;
  if (good) *at = end;
  return good;
}

static bool parse(sfmi_anchor *anchor, const char *text, size_t length) {
  char *end;
  const char *at = text + strlen(FIRST_LINE);
  /* Shortest: the first line, the identity, "0 ", the hash. */
  if (length < strlen(FIRST_LINE) + 2 * SFMI_IDENTITY_BYTES + 4 + 2 * SFMI_HASH_BYTES ||
      strlen(text) != length || strncmp(text, FIRST_LINE, strlen(FIRST_LINE)) != 0)
    return false;
  if (!read_hex(anchor->identity, sizeof anchor->identity, &at) || *at++ != '\n') return false;
  if (*at < '0' || *at > '9') return false;
  errno = 0;
  anchor->number = strtoull(at, &end, 10);
  if (errno || *end != ' ') return false;
  at = end + 1;
  if (strlen(at) != 2 * SFMI_HASH_BYTES + 1 || !read_hex(anchor->hash, sizeof anchor->hash, &at))
    return false;
  return strcmp(at, "\n") == 0;
}

sfm_status sfmi_anchor_read(sfmi_anchor *anchor, bool *found, const char *path, sfm_error *error) {
  char *text = NULL;
  size_t length = 0;
  struct stat facts;
  *found = false;
  const bool there = stat(path, &facts) == 0;
  if (!there && errno == ENOENT) return SFM_OK;
  /* A pipe, which may never end, is not read: the ledger is locked meanwhile. */
  sfm_status status = there && S_ISREG(facts.st_mode)
                          ? sfmi_file_read(&text, &length, path, 1 << 12, error)
                          : SFM_REFUSED;
  *found = !status && parse(anchor, text, length);
  free(text);
  if (status || !*found)
    return sfmi_fail(error, SFM_REFUSED, "%.300s is not an anchor, or cannot be read", path);
  return SFM_OK;
}

sfm_status sfmi_anchor_write(const sfmi_anchor *anchor, const char *path, bool shared,
                             sfm_error *error) {
  char identity[2 * SFMI_IDENTITY_BYTES + 1], hash[2 * SFMI_HASH_BYTES + 1];
  sfmi_file file;
  sfm_status status = sfmi_file_begin(&file, path, error);
  if (status) return status;
  if (shared && fchmod(fileno(file.stream), 0660) != 0) {
    const int reason = errno;
    sfmi_file_abandon(&file);
    return sfmi_fail(error, SFM_IO, "cannot share the anchor %.300s: %s", path,
                     sfmi_strerror(reason));
  }
  sodium_bin2hex(identity, sizeof identity, anchor->identity, sizeof anchor->identity);
  sodium_bin2hex(hash, sizeof hash, anchor->hash, sizeof anchor->hash);
  sfmi_fprintf(file.stream, FIRST_LINE "%s\n%" PRIu64 " %s\n", identity, anchor->number, hash);
  return sfmi_file_commit(&file, error);
}
