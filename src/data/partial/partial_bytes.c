/* partial_bytes.c - a partial as bytes, and as a file. */
#include <jansson.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/system/file.h"
#include "base/text/json.h"
#include "base/text/utf8.h"
#include "partial.h"

static const char MARK[16] = "sfumato partial";

enum { VERSION = 1, HASH = 32, MECHANISM_MAX = 32 };

#define SETTINGS_MAX ((size_t)1 << 20)
#define FILE_MAX ((size_t)1 << 36)

/* A text of less than `most` bytes, in memory of its own. */
static void code_text(sfmi_byte_codec *codec, char **text, size_t most) {
  uint64_t length = *text ? strlen(*text) : 0;
  sfmi_byte_codec_u64(codec, &length);
  if (codec->source && (length >= most || length > sfmi_byte_codec_left(codec)))
    codec->failed = true;
  if (codec->failed) return;
  if (codec->source) *text = sfmi_byte_codec_alloc(codec, length + 1, 1);
  if (codec->failed) return;
  sfmi_byte_codec_bytes(codec, *text, length);
  if (codec->source && strlen(*text) != length) codec->failed = true;
}

static void code_job(sfmi_byte_codec *codec, char job[SFM_JOB_MAX]) {
  char *text = codec->source ? NULL : job;
  code_text(codec, &text, SFM_JOB_MAX);
  if (!codec->source) return;
  if (!codec->failed) memcpy(job, text, strlen(text) + 1);
  free(text);
}

/* Ascending, apart, and within the parts there are. */
static bool ranges_hold(const sfm_partial *partial) {
  uint64_t after = 1;
  for (size_t i = 0; i < partial->range_count; i++) {
    const sfmi_part_range *range = &partial->ranges[i];
    if (range->first < after || range->last < range->first || range->last > partial->of)
      return false;
    after = range->last + 2;
  }
  return partial->range_count > 0;
}

static void code_ranges(sfmi_byte_codec *codec, sfm_partial *partial) {
  uint64_t count = partial->range_count;
  sfmi_byte_codec_u64(codec, &count);
  if (codec->source && count > sfmi_byte_codec_left(codec) / 16) codec->failed = true;
  if (codec->failed) return;
  if (codec->source) {
    partial->ranges = sfmi_byte_codec_alloc(codec, count, sizeof *partial->ranges);
    partial->range_count = partial->ranges ? (size_t)count : 0;
  }
  for (size_t i = 0; !codec->failed && i < count; i++) {
    sfmi_byte_codec_u64(codec, &partial->ranges[i].first);
    sfmi_byte_codec_u64(codec, &partial->ranges[i].last);
  }
}

/* Whether the settings are a JSON object. */
static bool settings_hold(const char *settings) {
  json_t *object = sfmi_json_loads(settings, JSON_REJECT_DUPLICATES, NULL);
  const bool good = json_is_object(object);
  json_decref(object);
  return good;
}

void sfmi_partial_code(sfmi_byte_codec *codec, sfm_partial *partial) {
  code_text(codec, &partial->mechanism, MECHANISM_MAX);
  code_text(codec, &partial->settings, SETTINGS_MAX);
  code_job(codec, partial->job);
  sfmi_byte_codec_u64(codec, &partial->of);
  sfmi_byte_codec_u64(codec, &partial->rows);
  sfmi_byte_codec_bool(codec, &partial->persons);
  sfmi_byte_codec_bool(codec, &partial->keyed);
  sfmi_byte_codec_bytes(codec, partial->keys_id, sizeof partial->keys_id);
  sfmi_byte_codec_bool(codec, &partial->added);
  sfmi_byte_codec_bool(codec, &partial->valued);
  code_ranges(codec, partial);
  sfmi_byte_codec_u64(codec, &partial->sum.count);
  for (size_t i = 0; i < 4; i++) sfmi_byte_codec_u64(codec, &partial->sum.words[i]);
  sfmi_byte_codec_u64(codec, &partial->skipped);
  sfmi_byte_codec_u64(codec, &partial->read_least);
  sfmi_byte_codec_u64(codec, &partial->read_most);
  if (!codec->failed) sfmi_sums_code(codec, &partial->sums);
  if (!codec->source || codec->failed) return;
  if (partial->of < 1 || partial->of > SFM_PARTS_MAX || !ranges_hold(partial) ||
      !sfmi_utf8_valid(partial->job) || !settings_hold(partial->settings))
    codec->failed = true;
}

sfm_status sfm_partial_to_bytes(const sfm_partial *partial, void **bytes, size_t *size,
                                sfm_error *error) {
  sfmi_byte_codec codec = {0};
  uint64_t version = VERSION;
  uint8_t hash[HASH];
  char mark[sizeof MARK];
  *bytes = NULL;
  *size = 0;
  memcpy(mark, MARK, sizeof mark);
  sfmi_byte_codec_bytes(&codec, mark, sizeof mark);
  sfmi_byte_codec_u64(&codec, &version);
  sfmi_partial_code(&codec, (sfm_partial *)(uintptr_t)partial); /* writing changes nothing */
  if (!codec.failed) {
    crypto_generichash(hash, sizeof hash, codec.written, codec.length, NULL, 0);
    sfmi_byte_codec_bytes(&codec, hash, sizeof hash);
  }
  if (codec.failed) {
    sfmi_byte_codec_clear(&codec);
    return sfmi_fail_memory(error);
  }
  *bytes = codec.written;
  *size = codec.length;
  return SFM_OK;
}

void sfm_partial_free_bytes(void *bytes, size_t size) {
  sfmi_wipe_free(bytes, size, 1);
}

static sfm_status fail_format(const char *name, const char *what, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT, "%.300s %s", name, what);
}

/* Everything but the hash at the end. */
static sfm_status read_fields(sfm_partial *partial, const uint8_t *bytes, size_t size,
                              const char *name, sfm_error *error) {
  sfmi_byte_codec codec = sfmi_byte_codec_reader(bytes, size);
  char mark[sizeof MARK];
  uint64_t version = 0;
  sfmi_byte_codec_bytes(&codec, mark, sizeof mark);
  sfmi_byte_codec_u64(&codec, &version);
  if (version != VERSION)
    return fail_format(name,
                       "was written by another version of sfumato: make all parts of a job, "
                       "and the release, with the same version",
                       error);
  sfmi_partial_code(&codec, partial);
  if (codec.short_of_memory) return sfmi_fail_memory(error);
  if (codec.failed || sfmi_byte_codec_left(&codec) > 0)
    return fail_format(name, "is damaged: make this part again", error);
  return SFM_OK;
}

static sfm_status parse(sfm_partial **out, const uint8_t *bytes, size_t size, const char *name,
                        sfm_error *error) {
  uint8_t hash[HASH];
  *out = NULL;
  if (size < sizeof MARK + 8 + HASH || memcmp(bytes, MARK, sizeof MARK) != 0)
    return fail_format(name, "is not a file of partial sums: make one with sfm_partial_write",
                       error);
  crypto_generichash(hash, sizeof hash, bytes, size - HASH, NULL, 0);
  if (memcmp(hash, bytes + size - HASH, HASH) != 0)
    return fail_format(name, "is damaged: make this part again", error);
  sfm_partial *partial = sfmi_alloc(1, sizeof *partial);
  if (!partial) return sfmi_fail_memory(error);
  const sfm_status status = read_fields(partial, bytes, size - HASH, name, error);
  if (status)
    sfm_partial_destroy(partial);
  else
    *out = partial;
  return status;
}

sfm_status sfm_partial_from_bytes(sfm_partial **out, const void *bytes, size_t size,
                                  sfm_error *error) {
  return parse(out, bytes, size, "the partial", error);
}

sfm_status sfm_partial_write(const sfm_partial *partial, const char *path, sfm_error *error) {
  sfmi_file file;
  void *bytes;
  size_t size;
  sfm_status status = sfm_partial_to_bytes(partial, &bytes, &size, error);
  if (status) return status;
  status = sfmi_file_begin_private(&file, path, "part", error);
  if (!status) {
    if (fwrite(bytes, 1, size, file.stream) == size) {
      status = sfmi_file_commit(&file, error);
    } else {
      status = sfmi_fail(error, SFM_IO, "cannot write %.300s", path);
      sfmi_file_abandon(&file);
    }
  }
  sfm_partial_free_bytes(bytes, size);
  return status;
}

sfm_status sfm_partial_read(sfm_partial **out, const char *path, sfm_error *error) {
  char *bytes = NULL;
  size_t size = 0;
  *out = NULL;
  sfm_status status = sfmi_file_read(&bytes, &size, path, FILE_MAX, error);
  if (!status) status = parse(out, (const uint8_t *)bytes, size, path, error);
  sfmi_wipe_free(bytes, size, 1);
  return status;
}
