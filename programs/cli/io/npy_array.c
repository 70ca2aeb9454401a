#include "npy_array.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/core/options.h"

bool npy_is(const file_bytes *bytes) {
  return bytes->length >= 6 && memcmp(bytes->data, "\x93NUMPY", 6) == 0;
}

sfm_status npy_open(npy_array *out, const file_bytes *bytes, sfm_error *error) {
  *out = (npy_array){0};
  sfm_status status = sfm_npy_parse(&out->npy, bytes->data, bytes->length, bytes->name, error);
  if (status) return status;
  const sfm_npy *npy = &out->npy;
  if (npy->lengths[0] * npy->lengths[1] > (bytes->length - npy->data_offset) / npy->size)
    return cli_fail(error, SFM_FORMAT, "%s is shorter than its NPY header says: it was cut short",
                    bytes->name);
  out->data = bytes->data + npy->data_offset;
  out->axes = npy->axes;
  out->shape[0] = (size_t)npy->lengths[0];
  out->shape[1] = (size_t)npy->lengths[1];
  return SFM_OK;
}

sfm_status npy_numbers(const double **out, double **owned, const npy_array *array,
                       sfm_error *error) {
  const sfm_npy *npy = &array->npy;
  const bool flat = !npy->fortran || array->shape[0] == 1 || array->shape[1] == 1;
  *owned = NULL;
  if (flat && npy->kind == 'f' && npy->size == 8 && !npy->swapped &&
      (uintptr_t)array->data % 8 == 0) {
    *out = (const double *)(const void *)array->data;
    return SFM_OK;
  }
  double *numbers = malloc((array->shape[0] * array->shape[1] + 1) * sizeof *numbers);
  if (!numbers) return cli_fail_memory(error);
  sfm_npy_numbers(numbers, npy, array->data);
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
