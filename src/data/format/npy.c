/* npy.c - the header of an NPY file:
 *
 *   \x93NUMPY  major  minor  length (2 bytes, 4 from version 2)  text, `length` bytes
 *
 * where text is a Python dictionary such as
 *   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 * followed by spaces and a newline. */
#include "npy.h"

#include <string.h>

#include "base/system/c_locale.h"

#define MAGIC "\x93NUMPY"
#define TEXT_MAX 4096 /* numpy writes 128 bytes for anything that can be read here */

typedef struct header_text {
  const char *at;   /* NUL-terminated */
  const char *name; /* of the file */
  char descr[8];
  bool fortran;
  int dimensions; /* -1: not seen yet */
  uint64_t lengths[2];
  bool has_descr, has_order;
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
    if (text->dimensions < 2) text->lengths[text->dimensions] = length;
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
    text->fortran = take(text, "True");
    if (!text->fortran && !take(text, "False"))
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

static sfm_status use_type(sfmi_matrix_shape *shape, const header_text *text, sfm_error *error) {
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
  shape->kind = descr[1];
  shape->size = (size_t)(descr[2] - '0');
  shape->swapped = descr[0] == (big ? '<' : '>');
  return SFM_OK;
}

static sfm_status use_shape(sfmi_matrix_shape *shape, const header_text *text, sfm_error *error) {
  if (text->dimensions < 1 || text->dimensions > 2)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s holds an array of %d dimensions: rows are an array of one dimension (one "
                     "column) or two (rows x columns)",
                     text->name, text->dimensions);
  shape->rows = text->lengths[0];
  uint64_t columns = text->dimensions == 2 ? text->lengths[1] : 1;
  if (columns < 1 || columns > SFMI_MATRIX_COLUMNS_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%s holds rows of %llu columns: from 1 to %d can be read",
                     text->name, (unsigned long long)columns, SFMI_MATRIX_COLUMNS_MAX);
  shape->columns = (size_t)columns;
  if (text->fortran && columns > 1)
    return sfmi_fail(error, SFM_FORMAT,
                     "%s is in Fortran order (column after column), which cannot be read as a "
                     "stream of rows: save numpy.ascontiguousarray(array) instead",
                     text->name);
  if (shape->rows > INT64_MAX / (shape->columns * shape->size))
    return fail_header(text, "has a shape that no file can hold", error);
  return SFM_OK;
}

/* A file that is plainly too short is refused before anything is counted or charged. */
static sfm_status check_size(const sfmi_matrix_shape *shape, const sfmi_source *source,
                             sfm_error *error) {
  uint64_t size;
  uint64_t needed = shape->data_offset + shape->rows * shape->columns * shape->size;
  if (!sfmi_source_size(source, &size) || size >= needed) return SFM_OK;
  return sfmi_fail(error, SFM_FORMAT, "%s is shorter than its NPY header says: it was cut short",
                   sfmi_source_name(source));
}

static size_t read_up_to(sfmi_source *source, char *buffer, size_t size, sfm_status *status,
                         sfm_error *error) {
  size_t total = 0, got = 1;
  while (!*status && got > 0 && total < size) {
    *status = sfmi_source_read(source, buffer + total, &got, size - total, error);
    if (!*status) total += got;
  }
  return total;
}

sfm_status sfmi_npy_read(sfmi_matrix_shape *shape, sfmi_source *source, sfm_error *error) {
  char bytes[12 + TEXT_MAX + 1];
  sfm_status status = SFM_OK;
  size_t size = read_up_to(source, bytes, sizeof bytes - 1, &status, error);
  if (status) return status;
  header_text text = {.name = sfmi_source_name(source), .dimensions = -1};
  bytes[size] = '\0';
  if (size < 12 || !sfmi_npy_begins(bytes, size)) return fail_header(&text, "is cut short", error);
  const unsigned char *raw = (const unsigned char *)bytes;
  if (raw[6] < 1 || raw[6] > 3)
    return sfmi_fail(error, SFM_FORMAT, "%s is NPY of version %d: versions 1 to 3 can be read",
                     text.name, raw[6]);
  size_t start = raw[6] == 1 ? 10 : 12;
  size_t length = (size_t)raw[8] | (size_t)raw[9] << 8;
  if (raw[6] > 1) length |= (size_t)raw[10] << 16 | (size_t)raw[11] << 24;
  if (length > TEXT_MAX) return fail_header(&text, "is longer than 4096 bytes", error);
  if (start + length > size) return fail_header(&text, "is cut short", error);
  bytes[start + length] = '\0';
  text.at = bytes + start;
  *shape = (sfmi_matrix_shape){.data_offset = start + length};
  status = take_dictionary(&text, error);
  if (!status) status = use_type(shape, &text, error);
  if (!status) status = use_shape(shape, &text, error);
  if (!status) status = check_size(shape, source, error);
  return status;
}
