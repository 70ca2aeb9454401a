/* release.h - the one file that leaves the building: read it, show it, evaluate it, bound its
 * error.  Everything here is post-processing: it links neither secret randomness nor a ledger. */
#ifndef SFUMATO_RELEASE_H
#define SFUMATO_RELEASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sfumato/guarantee.h"
#include "sfumato/kernel.h"
#include "sfumato/noise.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sfm_release sfm_release;

/* What a density does at the bounds of a column. */
typedef enum sfm_boundary {
  SFM_OPEN,     /* nothing: the smoothing of people near a bound reaches over it, and is cut off */
  SFM_REFLECT,  /* what would reach over a bound is reflected by it: no mass is lost */
  SFM_PERIODIC, /* the upper bound is the lower one: hours of the day, directions */
} sfm_boundary;
SFM_API const char *sfm_boundary_name(sfm_boundary boundary);

/* What a file may cost: bytes of memory while it is read, and bytes and operations of any one thing
 * that is done with it, so many and so many more (_each) for every byte of the file.  Small files
 * can state large things: what would cost more, by a bound that is computed from what the file
 * states before anything is allocated, fails with SFM_INVALID and says how much it is
 * (docs/format.md). */
typedef struct sfm_resource_limits {
  double read_bytes, read_bytes_each;
  double work_bytes, work_bytes_each;
  double work_operations, work_operations_each;
} sfm_resource_limits;
/* 32 MB and 50 a byte; 1 GB and 200 a byte; 5e10 operations and 1e4 a byte. */
SFM_API sfm_resource_limits sfm_resource_limits_default(void);
/* For files whose origin is known: none. */
SFM_API sfm_resource_limits sfm_resource_limits_none(void);

/* Reads a .sfm file ("-": standard input) within the default limits.  Survives any bytes: malformed
 * files fail with SFM_FORMAT and a message naming the place.  The caller destroys the release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_read(sfm_release **out, const char *path,
                                                   sfm_error *error);
/* The same from memory; name is what messages call it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_parse(sfm_release **out, const char *json,
                                                    size_t length, const char *name,
                                                    sfm_error *error);
/* Both within other limits, which what is made of the release has too. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_read_within(sfm_release **out, const char *path,
                                                          const sfm_resource_limits *limits,
                                                          sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_release_parse_within(sfm_release **out, const char *json,
                                                           size_t length, const char *name,
                                                           const sfm_resource_limits *limits,
                                                           sfm_error *error);
/* Writes it durably (temporary file, fsync, rename, fsync of the folder) or, for "-", to standard
 * output.  On failure the old file, if any, is untouched.  What stands there already is replaced,
 * through a link too, but never a ledger, a session or another SQLite database, the place of its
 * journal, an anchor, or a link to nothing: SFM_INVALID. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_write(const sfm_release *release, const char *path,
                                                    sfm_error *error);
/* Whether a result can be written to path: SFM_INVALID where sfm_release_write would refuse, or
 * where no file can be made in its folder.  For a look before something is charged. */
SFM_API SFM_MUST_CHECK sfm_status sfm_output_check(const char *path, sfm_error *error);
SFM_API void sfm_release_destroy(sfm_release *release);

/* "density", "function", "vector" or "range"; "lattice", "gp", "sobolev", "laplace", "normal",
 * "gamma", "exponential".  Owned by the release. */
SFM_API const char *sfm_release_kind(const sfm_release *release);
SFM_API const char *sfm_release_method(const sfm_release *release);
SFM_API bool sfm_release_hardened(const sfm_release *release);
/* False for a seeded (test) release. */
SFM_API bool sfm_release_private(const sfm_release *release);
SFM_API sfm_guarantee sfm_release_guarantee(const sfm_release *release);
/* The guarantee in a plain sentence.  Owned by the release. */
SFM_API const char *sfm_release_sentence(const sfm_release *release);
/* The dataset of a ledger to which it was charged and the request's id; NULL: nowhere.  Owned by
 * the release. */
SFM_API const char *sfm_release_dataset(const sfm_release *release);
SFM_API const char *sfm_release_request(const sfm_release *release);
SFM_API sfm_neighbours sfm_release_neighbours(const sfm_release *release);
/* The column that says whose record it is: the guarantee is about all records of one person.  NULL
 * when it is about records, and in files of sfumato 0.1, which did not write it. */
SFM_API const char *sfm_release_person(const sfm_release *release);

/* Number of variables of the function (0 for a vector), and the i-th one's name and bounds. */
SFM_API size_t sfm_release_dimension(const sfm_release *release);
SFM_API const char *sfm_release_column(const sfm_release *release, size_t i);
SFM_API void sfm_release_bounds(const sfm_release *release, double *lower, double *upper, size_t i);
SFM_API double sfm_release_bandwidth(const sfm_release *release, size_t i);
SFM_API sfm_boundary sfm_release_boundary(const sfm_release *release, size_t i);

/* A release by groups holds a density for every combination of the categories of some columns: how
 * many columns (0: no groups) and combinations; the i-th column's name, and its category in group
 * g.  Owned by the release.  Groups are numbered with the last column fastest. */
SFM_API size_t sfm_release_by_count(const sfm_release *release);
SFM_API size_t sfm_release_group_count(const sfm_release *release);
SFM_API const char *sfm_release_by(const sfm_release *release, size_t i);
SFM_API const char *sfm_release_group_label(const sfm_release *release, size_t g, size_t i);
/* The density of group g alone, a release of its own that is divided by the group's noisy size.  A
 * release by more than one group is not evaluated itself.  The caller destroys it. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_group(sfm_release **out, const sfm_release *release,
                                                    size_t g, sfm_error *error);
/* The same for count groups at once: out has room for as many, NULL on failure.  Their bands, which
 * take a second to compute, are computed together. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_groups(sfm_release **out, const sfm_release *release,
                                                     const size_t *groups, size_t count,
                                                     sfm_error *error);
/* The noisy size of group g (of a refined release not below zero), and the standard deviation of
 * its noise, the same for all groups. */
SFM_API void sfm_release_group_size(const sfm_release *release, double *size, double *deviation,
                                    size_t g);
/* Whether a density of one group is unknown, since noise alone could be as large as its noisy size:
 * there is then nothing to evaluate, and its band is infinite. */
SFM_API bool sfm_release_too_few(const sfm_release *release);
/* What a density is divided by: the public number of records, or the noisy one (of the group).  A
 * refined one was divided already: its records, of groups the sum of their sizes; NaN under
 * add/remove without groups, where their number is not kept. */
SFM_API double sfm_release_size(const sfm_release *release);
/* Whether it was refined (shrunk, projected, combined): values on a grid, without a band. */
SFM_API bool sfm_release_refined(const sfm_release *release);
/* Method sobolev: the noise's gamma along the i-th variable, in one over its unit; else NaN. */
SFM_API double sfm_release_gamma(const sfm_release *release, size_t i);
/* The kernel of a density or function, and the engine that drew its noise (AUTO when it has none:
 * a lattice, a vector). */
SFM_API sfm_kernel_family sfm_release_kernel(const sfm_release *release);
SFM_API sfm_engine sfm_release_engine(const sfm_release *release);
/* The i-th place of a release that is values at places (engines circulant, markov, gram): dimension
 * numbers.  False when there is none. */
SFM_API bool sfm_release_place(const sfm_release *release, double *point, size_t i);
/* Whether those places are a regular grid over the bounds; counts (may be NULL): points an axis. */
SFM_API bool sfm_release_grid(const sfm_release *release, size_t *counts);
/* How many released coefficients (for a vector: its length; for values at places: how many). */
SFM_API size_t sfm_release_length(const sfm_release *release);
/* The i-th released number, integer x step (for an idealised release: the real number). */
SFM_API double sfm_release_coefficient(const sfm_release *release, size_t i);
/* Of a vector that keeps what its numbers are: the i-th one's text, owned by the release; else
 * NULL. */
SFM_API const char *sfm_release_label(const sfm_release *release, size_t i);

/* The error band of the raw release against the function without privacy.  half_width holds
 * everywhere at once with the confidence (for a release that is values: at all of its places);
 * pointwise at any one place (of those) fixed beforehand.  Both
 * include `systematic`, the public worst case of everything that is not noise (of the engine
 * random, where it is the error of approximation, one place has less of it).  A half-width may be
 * infinite (add/remove, when the noisy total is too small to divide by). */
typedef struct sfm_band {
  double confidence;
  double half_width;
  double pointwise;
  double systematic;
} sfm_band;
/* The one that the release states. */
SFM_API sfm_band sfm_release_band(const sfm_release *release);
/* The same at any confidence in (0, 1), computed anew from the public noise law; wider the higher
 * it is, and at the stated confidence the stated band.  Idealised noise that was shaped to an
 * ellipsoid is the exception: its shape is not in the file, and the stated band is widened by a
 * theorem, or stands (docs/proofs/bands.md).  May take about a second.  Thread-safe. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_band_at(const sfm_release *release, sfm_band *band,
                                                      double confidence, sfm_error *error);

/* Of a range: which quantile the i-th number is; else NaN.  Its band is of ranks, in records. */
SFM_API double sfm_release_quantile(const sfm_release *release, size_t i);

/* A hardened vector: coordinates beyond +-range were counted as its ends; infinite otherwise. */
SFM_API double sfm_release_range(const sfm_release *release);

/* One JSON object on one line with the keys others rely on (docs/format.md).  Free with sfm_free.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_summary(const sfm_release *release, char **json,
                                                      sfm_error *error);

/* An evaluator holds the tables that make many evaluations cheap.  It borrows the release.  Using
 * one from several threads is safe. */
typedef struct sfm_evaluator sfm_evaluator;

/* total: what an add/remove release is divided by; 0 means the noisy total, and it is ignored
 * under replace, where the public n is used. */
SFM_API SFM_MUST_CHECK sfm_status sfm_evaluator_create(sfm_evaluator **out,
                                                       const sfm_release *release, double total,
                                                       sfm_error *error);
SFM_API void sfm_evaluator_destroy(sfm_evaluator *evaluator);
/* values[i] = f(points[i]), points count x dimension, row by row.  Outside the domain the value is
 * NaN.  A release that is values at places is interpolated by its kernel elsewhere (NaN when that
 * was a caller's own). */
SFM_API SFM_MUST_CHECK sfm_status sfm_evaluator_at(const sfm_evaluator *evaluator, double *values,
                                                   const double *points, size_t count,
                                                   sfm_error *error);
/* How many of the points are not places of the release, so that their values are interpolated; 0
 * for a release that is a whole function. */
SFM_API size_t sfm_evaluator_interpolated(const sfm_evaluator *evaluator, const double *points,
                                          size_t count);
/* widths[i]: the half-width of the band at points[i], all of which hold at once with the release's
 * confidence: the same everywhere for a whole function, and wider between the places of one that is
 * values (infinite where nothing is known).  Of the engine random, whose band everywhere is wide:
 * standard errors at these points, estimated from the release itself, times a quantile for all of
 * the call together; by the central limit theorem over its frequencies (docs/proofs/random.md). */
SFM_API SFM_MUST_CHECK sfm_status sfm_evaluator_widths(const sfm_evaluator *evaluator,
                                                       double *widths, const double *points,
                                                       size_t count, sfm_error *error);
/* f on the product grid of counts[a] points per axis, both bounds included (counts[a] >= 2), the
 * last axis fastest. */
SFM_API SFM_MUST_CHECK sfm_status sfm_evaluator_grid(const sfm_evaluator *evaluator, double *values,
                                                     const size_t *counts, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
