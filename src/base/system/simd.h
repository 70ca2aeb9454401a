/* simd.h - macros for loops that are compiled once for every kind of processor (processor.h).
 *
 * simd_kinds.h defines SIMD_KIND as 0, 1 or 2, includes this file, and then the header with the
 * loops; and so for each kind.  The loops use:
 * - NAMED(noun): plain_noun, avx2_noun or avx512_noun, a name for each kind;
 * - TARGET: the attribute of functions for that kind;
 * - LANES: doubles in a vector; VECTORS: how many vectors at a time;
 * - VECTOR: the type of a vector of doubles; LOOSE: the same at the address of any double;
 * - ALL(x): a vector of one number;
 * - MULADD(a, b, c): a b + c; MULADDF: the same of floats; LESS(a, b, c): c - a b.
 * Products and sums are rounded apart, or together where the processor has an instruction for it:
 * never as the compiler likes (-ffp-contract=off holds here as elsewhere).
 *
 * No include guard: it is included once for every kind. */
#include "processor.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#undef NAMED
#undef TARGET
#undef LANES
#undef VECTORS
#undef VECTOR
#undef LOOSE
#undef ALL
#undef MULADD
#undef MULADDF
#undef LESS

#define VECTOR NAMED(vector)
#define LOOSE NAMED(loose)

#if SIMD_KIND == 0
#define NAMED(noun) plain_##noun
#define TARGET
#define LANES 2
#define VECTORS 2
#define ALL(x) ((plain_vector){x, x})
#define MULADD(a, b, c) ((a) * (b) + (c))
#define MULADDF(a, b, c) ((a) * (b) + (c))
#define LESS(a, b, c) ((c) - (a) * (b))
#elif SIMD_KIND == 1
#define NAMED(noun) avx2_##noun
#define TARGET __attribute__((target("avx2,fma")))
#define LANES 4
#define VECTORS 2
#define ALL(x) _mm256_set1_pd(x)
#define MULADD(a, b, c) _mm256_fmadd_pd(a, b, c)
#define MULADDF(a, b, c) _mm256_fmadd_ps(a, b, c)
#define LESS(a, b, c) _mm256_fnmadd_pd(a, b, c)
#else
#define NAMED(noun) avx512_##noun
#define TARGET __attribute__((target("avx512f")))
#define LANES 8
#define VECTORS 4
#define ALL(x) _mm512_set1_pd(x)
#define MULADD(a, b, c) _mm512_fmadd_pd(a, b, c)
#define MULADDF(a, b, c) _mm512_fmadd_ps(a, b, c)
#define LESS(a, b, c) _mm512_fnmadd_pd(a, b, c)
#endif
#undef SIMD_KIND

typedef double VECTOR __attribute__((vector_size(8 * LANES)));
typedef double LOOSE __attribute__((vector_size(8 * LANES), aligned(8)));
