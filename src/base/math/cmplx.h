/* cmplx.h - the macro CMPLX, where the C library does not define it for the compiler used. */
#ifndef SFMI_CMPLX_H
#define SFMI_CMPLX_H

#include <complex.h>

#ifndef CMPLX
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

#endif
