#include "sums.h"

#include <stdlib.h>
#include <string.h>

int sfmi_texts_compare(const char *a, size_t a_length, const char *b, size_t b_length) {
  const size_t shared = a_length < b_length ? a_length : b_length;
  const int order = shared ? memcmp(a, b, shared) : 0;
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

static size_t bytes_of(const sfmi_sums *sums) {
  return sums->form == SFMI_SUMS_TEXTS && sums->count ? (size_t)sums->keys[sums->count - 1] : 0;
}

void sfmi_sums_clear(sfmi_sums *sums) {
  if (sums->bytes) sfmi_wipe_free(sums->bytes, bytes_of(sums), 1);
  sfmi_wipe_free(sums->integers, sums->count, sizeof *sums->integers);
  sfmi_wipe_free(sums->counts, sums->count, sizeof *sums->counts);
  sfmi_wipe_free(sums->keys, sums->count, sizeof *sums->keys);
  *sums = (sfmi_sums){0};
}

/* Room for what the form has, but for the bytes of texts. */
static bool make_room(sfmi_sums *sums, sfmi_sums_form form, size_t count) {
  *sums = (sfmi_sums){.form = form, .count = count};
  if (form == SFMI_SUMS_INTEGERS) {
    sums->integers = sfmi_alloc(count, sizeof *sums->integers);
    return sums->integers;
  }
  sums->counts = sfmi_alloc(count, sizeof *sums->counts);
  if (form != SFMI_SUMS_COUNTS) sums->keys = sfmi_alloc(count, sizeof *sums->keys);
  return sums->counts && (sums->keys || form == SFMI_SUMS_COUNTS);
}

sfm_status sfmi_sums_init(sfmi_sums *sums, sfmi_sums_form form, size_t count, sfm_error *error) {
  if (make_room(sums, form, count)) return SFM_OK;
  sfmi_sums_clear(sums);
  return sfmi_fail_memory(error);
}

sfm_status sfmi_sums_copy(sfmi_sums *sums, const sfmi_sums *from, sfm_error *error) {
  const size_t count = from->count, bytes = bytes_of(from);
  const sfm_status status = sfmi_sums_init(sums, from->form, count, error);
  if (status) return status;
  if (count && from->integers) memcpy(sums->integers, from->integers, count * sizeof(sfmi_i128));
  if (count && from->counts) memcpy(sums->counts, from->counts, count * sizeof(uint64_t));
  if (count && from->keys) memcpy(sums->keys, from->keys, count * sizeof(uint64_t));
  if (from->form != SFMI_SUMS_TEXTS) return SFM_OK;
  sums->bytes = sfmi_alloc(bytes, 1);
  if (!sums->bytes) {
    sfmi_sums_clear(sums);
    return sfmi_fail_memory(error);
  }
  if (bytes) memcpy(sums->bytes, from->bytes, bytes);
  return SFM_OK;
}

static sfm_status fail_overflow(sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT, "the sums of the parts are too large to be those of records");
}

static sfm_status merge_integers(sfmi_sums *sums, const sfmi_sums *other, sfm_error *error) {
  sfmi_i128 sum;
  for (size_t i = 0; i < sums->count; i++)
    if (__builtin_add_overflow(sums->integers[i], other->integers[i], &sum))
      return fail_overflow(error);
  for (size_t i = 0; i < sums->count; i++) sums->integers[i] += other->integers[i];
  return SFM_OK;
}

static sfm_status merge_counts(sfmi_sums *sums, const sfmi_sums *other, sfm_error *error) {
  for (size_t i = 0; i < sums->count; i++)
    if (other->counts[i] > UINT64_MAX - sums->counts[i]) return fail_overflow(error);
  for (size_t i = 0; i < sums->count; i++) sums->counts[i] += other->counts[i];
  return SFM_OK;
}

static size_t begin_of(const sfmi_sums *sums, size_t i) {
  return i ? (size_t)sums->keys[i - 1] : 0;
}

/* Entry i of one against entry j of the other. */
static int compare(const sfmi_sums *a, size_t i, const sfmi_sums *b, size_t j) {
  if (a->form == SFMI_SUMS_CELLS) return (a->keys[i] > b->keys[j]) - (a->keys[i] < b->keys[j]);
  const size_t p = begin_of(a, i), q = begin_of(b, j);
  return sfmi_texts_compare(a->bytes + p, (size_t)a->keys[i] - p, b->bytes + q,
                            (size_t)b->keys[j] - q);
}

/* Entry i as the next one of both; used: bytes of texts so far. */
static void append(sfmi_sums *both, size_t *used, const sfmi_sums *from, size_t i) {
  const size_t begin = begin_of(from, i);
  both->counts[both->count] = from->counts[i];
  if (both->form == SFMI_SUMS_CELLS) {
    both->keys[both->count++] = from->keys[i];
    return;
  }
  const size_t length = (size_t)from->keys[i] - begin;
  memcpy(both->bytes + *used, from->bytes + begin, length);
  *used += length;
  both->keys[both->count++] = *used;
}

/* Both lists of cells or texts as one, in order. */
static sfm_status merge_entries(sfmi_sums *sums, const sfmi_sums *other, sfm_error *error) {
  const size_t room = sums->count + other->count, bytes = bytes_of(sums) + bytes_of(other);
  sfmi_sums both;
  size_t used = 0, i = 0, j = 0;
  sfm_status status = sfmi_sums_init(&both, sums->form, room, error);
  if (status) return status;
  if (sums->form == SFMI_SUMS_TEXTS) both.bytes = sfmi_alloc(bytes, 1);
  if (sums->form == SFMI_SUMS_TEXTS && !both.bytes) status = sfmi_fail_memory(error);
  both.count = 0;
  while (!status && (i < sums->count || j < other->count)) {
    const int order = i == sums->count ? 1 : j == other->count ? -1 : compare(sums, i, other, j);
    if (order == 0 && other->counts[j] > UINT64_MAX - sums->counts[i])
      status = fail_overflow(error);
    append(&both, &used, order <= 0 ? sums : other, order <= 0 ? i : j);
    if (order == 0) both.counts[both.count - 1] += other->counts[j];
    i += order <= 0;
    j += order >= 0;
  }
  if (!status) {
    sfmi_sums_clear(sums);
    *sums = both;
    return SFM_OK;
  }
  sfmi_sums_clear(&both);
  return status;
}

sfm_status sfmi_sums_merge(sfmi_sums *sums, const sfmi_sums *other, sfm_error *error) {
  const bool fixed = sums->form == SFMI_SUMS_INTEGERS || sums->form == SFMI_SUMS_COUNTS;
  if (sums->form != other->form || (fixed && sums->count != other->count))
    return sfmi_fail(error, SFM_FORMAT, "the parts have sums of another form");
  if (!fixed) return merge_entries(sums, other, error);
  return sums->form == SFMI_SUMS_INTEGERS ? merge_integers(sums, other, error)
                                          : merge_counts(sums, other, error);
}

bool sfmi_sums_are_masses(const sfmi_sums *sums, unsigned bits) {
  sfmi_i128 left = (sfmi_i128)1 << bits;
  for (size_t i = 0; i < sums->count; i++) {
    if (sums->integers[i] < 0 || sums->integers[i] > left) return false;
    left -= sums->integers[i];
  }
  return true;
}

bool sfmi_sums_are_within(const sfmi_sums *sums, size_t first, unsigned bits) {
  const sfmi_i128 most = (sfmi_i128)1 << bits;
  for (size_t i = first; i < sums->count; i++)
    if (sums->integers[i] > most || sums->integers[i] < -most) return false;
  return true;
}

/* Bytes. */

/* An integer by its lowest bytes: how many of the 16 it needs, so that the last one shows its sign.
 */
static unsigned length_of(sfmi_i128 x) {
  unsigned length = x != 0;
  for (; x < -128 || x > 127; x >>= 8) length++;
  return length;
}

static void code_integer(sfmi_byte_codec *codec, sfmi_i128 *x) {
  uint8_t bytes[16] = {0}, length = (uint8_t)length_of(*x);
  sfmi_u128 word = (sfmi_u128)*x;
  for (unsigned k = 0; k < length; k++) bytes[k] = (uint8_t)(word >> 8 * k);
  sfmi_byte_codec_bytes(codec, &length, 1);
  if (codec->source && length > 16) codec->failed = true;
  if (codec->failed) return;
  sfmi_byte_codec_bytes(codec, bytes, length);
  if (!codec->source || codec->failed) return;
  word = length && (bytes[length - 1] & 0x80) ? ~(sfmi_u128)0 : 0;
  for (unsigned k = length; k-- > 0;) word = word << 8 | bytes[k];
  if (length == 0) word = 0;
  *x = (sfmi_i128)word;
  if (length_of(*x) != length) codec->failed = true;
}

static void code_count(sfmi_byte_codec *codec, uint64_t *x) {
  sfmi_i128 wide = *x;
  code_integer(codec, &wide);
  if (wide < 0 || wide > UINT64_MAX)
    codec->failed = true;
  else
    *x = (uint64_t)wide;
}

/* Cells and texts: what an entry's key is more than the one before. */
static void code_entries(sfmi_byte_codec *codec, sfmi_sums *sums) {
  uint64_t before = 0;
  for (size_t i = 0; !codec->failed && i < sums->count; i++) {
    uint64_t more = sums->keys[i] - before;
    code_count(codec, &more);
    code_count(codec, &sums->counts[i]);
    const bool ascends = more > 0 || (i == 0 && sums->form == SFMI_SUMS_CELLS);
    if (!ascends || more > UINT64_MAX - before || sums->counts[i] == 0) codec->failed = true;
    before += more;
    sums->keys[i] = before;
  }
}

static void code_texts(sfmi_byte_codec *codec, sfmi_sums *sums) {
  const size_t bytes = codec->failed ? 0 : bytes_of(sums);
  if (codec->source && !codec->failed && bytes > sfmi_byte_codec_left(codec)) codec->failed = true;
  if (codec->source) sums->bytes = sfmi_byte_codec_alloc(codec, bytes, 1);
  if (codec->failed) return;
  sfmi_byte_codec_bytes(codec, sums->bytes, bytes);
  for (size_t i = 1; !codec->failed && i < sums->count; i++)
    if (compare(sums, i - 1, sums, i) >= 0) codec->failed = true;
}

/* Before anything is read the keys of texts are no lengths. */
static void clear_failed(sfmi_sums *sums) {
  if (sums->form == SFMI_SUMS_TEXTS && !sums->bytes && sums->keys)
    memset(sums->keys, 0, sums->count * sizeof *sums->keys);
  sfmi_sums_clear(sums);
}

void sfmi_sums_code(sfmi_byte_codec *codec, sfmi_sums *sums) {
  const bool reads = codec->source;
  uint64_t form = sums->form, count = sums->count;
  sfmi_byte_codec_u64(codec, &form);
  sfmi_byte_codec_u64(codec, &count);
  if (reads && (form > SFMI_SUMS_TEXTS || count > sfmi_byte_codec_left(codec)))
    codec->failed = true;
  if (codec->failed) return;
  if (reads && !make_room(sums, (sfmi_sums_form)form, (size_t)count))
    codec->failed = codec->short_of_memory = true;
  for (size_t i = 0; form == SFMI_SUMS_INTEGERS && !codec->failed && i < count; i++)
    code_integer(codec, &sums->integers[i]);
  for (size_t i = 0; form == SFMI_SUMS_COUNTS && !codec->failed && i < count; i++)
    code_count(codec, &sums->counts[i]);
  if (form == SFMI_SUMS_CELLS || form == SFMI_SUMS_TEXTS) code_entries(codec, sums);
  if (form == SFMI_SUMS_TEXTS) code_texts(codec, sums);
  if (reads && codec->failed) clear_failed(sums);
}
