#include "npy.h"

#include "base/text/npy_header.h"

static sfm_status use_shape(sfmi_matrix_shape *shape, const sfm_npy *npy, const char *name,
                            sfm_error *error) {
  if (npy->lengths[1] < 1 || npy->lengths[1] > SFMI_MATRIX_COLUMNS_MAX)
    return sfmi_fail(error, SFM_FORMAT, "%s holds rows of %llu columns: from 1 to %d can be read",
                     name, (unsigned long long)npy->lengths[1], SFMI_MATRIX_COLUMNS_MAX);
  *shape = (sfmi_matrix_shape){.rows = npy->lengths[0],
                               .columns = (size_t)npy->lengths[1],
                               .kind = npy->kind,
                               .size = npy->size,
                               .swapped = npy->swapped,
                               .fortran = npy->fortran && npy->lengths[1] > 1,
                               .data_offset = npy->data_offset};
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
  char bytes[12 + SFMI_NPY_TEXT_MAX];
  sfm_npy npy;
  sfm_status status = SFM_OK;
  size_t size = read_up_to(source, bytes, sizeof bytes, &status, error);
  if (!status) status = sfm_npy_parse(&npy, bytes, size, sfmi_source_name(source), error);
  if (!status) status = use_shape(shape, &npy, sfmi_source_name(source), error);
  return status ? status : check_size(shape, source, error);
}
