/* simd_kinds.h - compiles loops once for every kind of processor.  A source file defines SIMD_LOOPS
 * as the path of the header with its loops, and includes this file, which has no guard: see simd.h.
 */
#define SIMD_KIND 0
#include "simd.h"
#include SIMD_LOOPS
#if defined(__x86_64__)
#define SIMD_KIND 1
#include "simd.h"
#include SIMD_LOOPS
#define SIMD_KIND 2
#include "simd.h"
#include SIMD_LOOPS
#endif
#undef SIMD_LOOPS
