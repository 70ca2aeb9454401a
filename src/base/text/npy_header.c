/* npy_header.c - the header of an NPY file:
 *
 *   \x93NUMPY  major  minor  length (2 bytes, 4 from version 2)  text, `length` bytes
 *
 * where text is a Python dictionary such as
 *   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 * followed by spaces and a newline. */
#include "npy_header.h"

#include <string.h>

#include "base/system/c_locale.h"
#include "base/system/status.h"

#define MAGIC "\x93NUMPY"

typedef struct header_text {
  const char *at;   /* NUL-terminated */
  const char *name; /* of the file */
  char descr[8];
  int dimensions; /* -1: not seen yet */
  bool has_descr, has_order;
  sfm_npy *npy;
} header_text;

bool sfmi_npy_begins(const void *bytes, size_t size) {
  return size >= 6 && memcmp(bytes, MAGIC, 6) == 0;
}

static sfm_status fail_header(const header_text *text, const char *what, sfm_error *error) {
  return sfmi_fail(error, SFM_FORMAT, "%s: the NPY header %s; write the file with numpy.save",
                   text->name, what);
}

static void skip_spaces(header_text *text) {
  while (*text->at == ' ' || *text->at == '\t' || *text->at == '\n') text->at++;
}

static bool take(header_text *text, const char *word) {
  skip_spaces(text);
  size_t length = strlen(word);
  if (strncmp(text->at, word, length) != 0) return false;
  text->at += length;
  return true;
}

/* A quoted string into out, cut to fit; false when there is none. */
static bool take_string(header_text *text, char *out, size_t size) {
  skip_spaces(text);
  char quote = *text->at;
  if (quote != '\'' && quote != '"') return false;
  const char *start = ++text->at, *end = strchr(start, quote);
  if (!end) return false;
  sfmi_snprintf(out, size, "%.*s", (int)(end - start), start);
  text->at = end + 1;
  return true;
}

static bool take_length(header_text *text, uint64_t *length) {
  skip_spaces(text);
  if (*text->at < '0' || *text->at > '9') return false;
  uint64_t value = 0;
  for (; *text->at >= '0' && *text->at <= '9'; text->at++) {
    if (value >= INT64_MAX / 10) return false;
    value = value * 10 + (uint64_t)(*text->at - '0');
  }
  if (*text->at == 'L') text->at++;
  *length = value;
  return true;
}

static sfm_status take_shape(header_text *text, sfm_error *error) {
  text->dimensions = 0;
  if (!take(text, "(")) return fail_header(text, "has no shape in parentheses", error);
  while (!take(text, ")")) {
    uint64_t length;
    if (!take_length(text, &length)) return fail_header(text, "has an unreadable shape", error);
    if (text->dimensions < 2) text->npy->lengths[text->dimensions] = length;
    if (text->dimensions < 64) text->dimensions++;
    if (take(text, ",")) continue;
    if (!take(text, ")")) return fail_header(text, "has an unreadable shape", error);
    break;
  }
  return SFM_OK;
}

static sfm_status take_entry(header_text *text, sfm_error *error) {
  char key[16];
  if (!take_string(text, key, sizeof key) || !take(text, ":"))
    return fail_header(text, "is not a dictionary of strings", error);
  if (strcmp(key, "descr") == 0) {
    text->has_descr = true;
    if (!take_string(text, text->descr, sizeof text->descr))
      return sfmi_fail(error, SFM_FORMAT,
                       "%s holds records of several fields: save a plain array of numbers instead",
                       text->name);
    return SFM_OK;
  }
  if (strcmp(key, "fortran_order") == 0) {
    text->has_order = true;
    text->npy->fortran = take(text, "True");
    if (!text->npy->fortran && !take(text, "False"))
      return fail_header(text, "has a fortran_order that is neither True nor False", error);
    return SFM_OK;
  }
  if (strcmp(key, "shape") == 0) return take_shape(text, error);
  return fail_header(text, "has a key other than descr, fortran_order and shape", error);
}

static sfm_status take_dictionary(header_text *text, sfm_error *error) {
  if (!take(text, "{")) return fail_header(text, "is not a dictionary", error);
  while (!take(text, "}")) {
    sfm_status status = take_entry(text, error);
    if (status) return status;
    if (take(text, ",")) continue;
    if (!take(text, "}")) return fail_header(text, "does not end where it should", error);
    break;
  }
  if (!text->has_descr || !text->has_order || text->dimensions < 0)
    return fail_header(text, "lacks one of descr, fortran_order and shape", error);
  return SFM_OK;
}

static sfm_status use_type(const header_text *text, sfm_error *error) {
  const char *descr = text->descr;
  const char orders[] = "<>|=";
  bool known = strlen(descr) == 3 && strchr(orders, descr[0]) && strchr("fiu", descr[1]) &&
               strchr("1248", descr[2]) && !(descr[1] == 'f' && strchr("12", descr[2]));
  if (!known)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s holds elements of another type than f4, f8, i1, i2, i4, i8, u1, u2, u4, "
                     "u8: convert them, for example with array.astype('f8')",
                     text->name);
  const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
  text->npy->kind = descr[1];
  text->npy->size = (size_t)(descr[2] - '0');
  text->npy->swapped = descr[0] == (big ? '<' : '>');
  return SFM_OK;
}

static sfm_status use_shape(const header_text *text, sfm_error *error) {
  sfm_npy *npy = text->npy;
  if (text->dimensions < 1 || text->dimensions > 2)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s holds an array of %d dimensions: rows are an array of one dimension (one "
                     "column) or two (rows x columns)",
                     text->name, text->dimensions);
  npy->axes = (unsigned)text->dimensions;
  if (npy->axes == 1) npy->lengths[1] = 1;
  if (npy->lengths[1] && npy->lengths[0] > INT64_MAX / npy->size / npy->lengths[1])
    return fail_header(text, "has a shape that no file can hold", error);
  return SFM_OK;
}

sfm_status sfm_npy_parse(sfm_npy *out, const void *bytes, size_t size, const char *name,
                         sfm_error *error) {
  const unsigned char *raw = bytes;
  char copy[SFMI_NPY_TEXT_MAX + 1];
  header_text text = {.name = name, .dimensions = -1, .npy = out};
  *out = (sfm_npy){0};
  if (size < 12 || !sfmi_npy_begins(bytes, size)) return fail_header(&text, "is cut short", error);
  if (raw[6] < 1 || raw[6] > 3)
    return sfmi_fail(error, SFM_FORMAT, "%s is NPY of version %d: versions 1 to 3 can be read",
                     text.name, raw[6]);
  size_t start = raw[6] == 1 ? 10 : 12;
  size_t length = (size_t)raw[8] | (size_t)raw[9] << 8;
  if (raw[6] > 1) length |= (size_t)raw[10] << 16 | (size_t)raw[11] << 24;
  if (length > SFMI_NPY_TEXT_MAX) return fail_header(&text, "is longer than 4096 bytes", error);
  if (start + length > size) return fail_header(&text, "is cut short", error);
  memcpy(copy, raw + start, length);
  copy[length] = '\0';
  text.at = copy;
  out->data_offset = start + length;
  sfm_status status = take_dictionary(&text, error);
  if (!status) status = use_type(&text, error);
  return status ? status : use_shape(&text, error);
}

void sfm_npy_numbers(double *numbers, const sfm_npy *npy, const void *elements) {
  const unsigned char *bytes = elements;
  const size_t columns = (size_t)npy->lengths[1], rows = columns ? (size_t)npy->lengths[0] : 0;
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++) {
      const size_t at = npy->fortran ? j * rows + i : i * columns + j;
      numbers[i * columns + j] =
          sfmi_npy_element(npy->kind, npy->size, npy->swapped, bytes + at * npy->size);
    }
}
