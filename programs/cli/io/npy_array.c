#include "npy_array.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/options.h"

bool npy_is(const file_bytes *bytes) {
  return bytes->length >= 6 && memcmp(bytes->data, "\x93NUMPY", 6) == 0;
}

static sfm_status bad_header(const file_bytes *bytes, const char *what, sfm_error *error) {
  return cli_fail(error, SFM_FORMAT,
                  "%s is not an NPY file sfumato can read: %s; save it with "
                  "numpy.save(path, array.astype('float64'))",
                  bytes->name, what);
}

/* "(3,)" or "(3, 4)" at text. */
static bool read_shape(npy_array *out, const char *text) {
  unsigned long long size;
  int used;
  out->axes = 0;
  out->shape[0] = out->shape[1] = 1;
  if (*text++ != '(') return false;
  while (*text != ')') {
    if (out->axes == 2 || *text < '0' || *text > '9') return false;
    if (sscanf(text, "%15llu%n", &size, &used) != 1) return false;
    text += used;
    if (*text >= '0' && *text <= '9') return false;
    out->shape[out->axes++] = (size_t)size;
    if (*text == ',') text++;
    while (*text == ' ') text++;
  }
  return out->axes > 0;
}

static bool read_type(npy_array *out, const char *text) {
  static const char *const known[] = {"'<f8'", "'<f4'", "'<i8'", "'<i4'"};
  for (size_t i = 0; i < 4; i++)
    if (strncmp(text, known[i], 5) == 0) {
      out->kind = known[i][2];
      out->width = (unsigned)(known[i][3] - '0');
      return true;
    }
  return false;
}

/* What follows `'key':` in the dictionary. */
static const char *find_key(const char *dictionary, const char *key) {
  const char *at = strstr(dictionary, key);
  if (!at) return "";
  at += strlen(key);
  while (*at == ':' || *at == ' ') at++;
  return at;
}

sfm_status npy_open(npy_array *out, const file_bytes *bytes, sfm_error *error) {
  const unsigned char *data = (const unsigned char *)bytes->data;
  char dictionary[1024];
  *out = (npy_array){0};
  if (!npy_is(bytes) || bytes->length < 12) return bad_header(bytes, "it is cut short", error);
  size_t start = data[6] == 1 ? 10 : 12;
  size_t length = data[8] | (size_t)data[9] << 8;
  if (start == 12) length |= (size_t)data[10] << 16 | (size_t)data[11] << 24;
  if (length >= sizeof dictionary || start + length > bytes->length)
    return bad_header(bytes, "its header is cut short", error);
  memcpy(dictionary, data + start, length);
  dictionary[length] = 0;
  if (!read_type(out, find_key(dictionary, "'descr'")))
    return bad_header(bytes, "its numbers are not float64, float32, int64 or int32", error);
  if (!read_shape(out, find_key(dictionary, "'shape'")))
    return bad_header(bytes, "it does not have one or two axes", error);
  out->fortran = strncmp(find_key(dictionary, "'fortran_order'"), "True", 4) == 0;
  out->data = bytes->data + start + length;
  size_t room = (bytes->length - start - length) / out->width;
  if (out->shape[1] && out->shape[0] > room / out->shape[1])
    return bad_header(bytes, "its data is cut short", error);
  return SFM_OK;
}

static double number_at(const npy_array *array, size_t i) {
  union {
    double f8;
    float f4;
    int64_t i8;
    int32_t i4;
  } value;
  memcpy(&value, array->data + i * array->width, array->width);
  if (array->kind == 'f') return array->width == 8 ? value.f8 : (double)value.f4;
  return array->width == 8 ? (double)value.i8 : (double)value.i4;
}

sfm_status npy_numbers(const double **out, double **owned, const npy_array *array,
                       sfm_error *error) {
  size_t rows = array->shape[0], columns = array->shape[1];
  bool flat = !array->fortran || rows == 1 || columns == 1;
  *owned = NULL;
  if (flat && array->kind == 'f' && array->width == 8 && (uintptr_t)array->data % 8 == 0) {
    *out = (const double *)(const void *)array->data;
    return SFM_OK;
  }
  double *numbers = malloc((rows * columns + 1) * sizeof *numbers);
  if (!numbers) return cli_fail_memory(error);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      numbers[i * columns + j] = number_at(array, flat ? i * columns + j : j * rows + i);
  *out = *owned = numbers;
  return SFM_OK;
}

size_t npy_header(char *buffer, const size_t *shape, size_t axes) {
  enum { LENGTH = 192 }; /* a multiple of 64, enough for eight axes and a band */
  char sizes[128] = "";
  size_t used = 0;
  for (size_t i = 0; i < axes; i++)
    used += (size_t)snprintf(sizes + used, sizeof sizes - used, "%zu%s", shape[i],
                             axes == 1      ? ","
                             : i + 1 < axes ? ", "
                                            : "");
  memset(buffer, ' ', LENGTH);
  memcpy(buffer, "\x93NUMPY\x01\x00", 8);
  buffer[8] = (char)(LENGTH - 10);
  buffer[9] = 0;
  char text[LENGTH];
  int length = snprintf(text, sizeof text,
                        "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", sizes);
  memcpy(buffer + 10, text, (size_t)length);
  buffer[LENGTH - 1] = '\n';
  return LENGTH;
}
