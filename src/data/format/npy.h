/* npy.h - rows that are an NPY file. */
#ifndef SFMI_NPY_H
#define SFMI_NPY_H

#include "byte_source.h"
#include "matrix.h"

/* Reads the header of an NPY file (versions 1 to 3) from a source standing at its first byte. */
SFM_MUST_CHECK sfm_status sfmi_npy_read(sfmi_matrix_shape *shape, sfmi_source *source,
                                        sfm_error *error);

#endif
