/* cmplx.h - complex numbers from two real ones, where the C library leaves it to one compiler.
 */
#ifndef SFMI_CMPLX_H
#define SFMI_CMPLX_H

#include <complex.h>

#ifndef CMPLX
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

#endif
