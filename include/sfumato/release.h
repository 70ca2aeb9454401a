/* release.h - reads, writes and evaluates a release, the file that is published, and computes its
 * error band.  Everything here is post-processing: it links neither secret randomness nor a ledger.
 *
 * Some releases of functions contain values at places (engines circulant, markov and gram).  The
 * others contain coefficients of a whole function. */
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

/* What the smoothing of a density does at the bounds of a column. */
typedef enum sfm_boundary {
  SFM_BOUNDARY_OPEN,     /* mass beyond a bound is cut off */
  SFM_BOUNDARY_REFLECT,  /* mass beyond a bound is folded back; no mass is lost */
  SFM_BOUNDARY_PERIODIC, /* mass beyond a bound continues at the other bound: hours, directions */
} sfm_boundary;
/* Returns "open", "reflect" or "periodic".  Static storage. */
SFM_API const char *sfm_boundary_name(sfm_boundary boundary);

/* Limits for files from unknown sources, because a small file can require much memory or time.
 * read_bytes: memory while the file is read.  work_bytes and work_operations: memory and operations
 * of any one computation with it.  A limit is the first number plus the second (_each) times the
 * size of the file in bytes.  A bound on the cost is computed from what the file states, before
 * anything is allocated.  If it exceeds a limit: SFM_INVALID, and the message states the cost
 * (docs/format.md). */
typedef struct sfm_resource_limits {
  double read_bytes, read_bytes_each;
  double work_bytes, work_bytes_each;
  double work_operations, work_operations_each;
} sfm_resource_limits;
/* Returns the defaults: 32 MB and 50 per byte; 1 GB and 200 per byte; 5e10 operations and 1e4 per
 * byte. */
SFM_API sfm_resource_limits sfm_resource_limits_default(void);
/* Returns no limits, for files from a known source. */
SFM_API sfm_resource_limits sfm_resource_limits_none(void);

/* Reads a .sfm file ("-": standard input) within the default limits.  Any bytes are safe to read:
 * a malformed file fails with SFM_FORMAT, and the message names the place.  The caller destroys the
 * release. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_read(sfm_release **out, const char *path,
                                                   sfm_error *error);
/* The same from memory.  name is used in messages. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_parse(sfm_release **out, const char *json,
                                                    size_t length, const char *name,
                                                    sfm_error *error);
/* The same two with other limits.  Releases made from this one have the same limits. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_read_within(sfm_release **out, const char *path,
                                                          const sfm_resource_limits *limits,
                                                          sfm_error *error);
SFM_API SFM_MUST_CHECK sfm_status sfm_release_parse_within(sfm_release **out, const char *json,
                                                           size_t length, const char *name,
                                                           const sfm_resource_limits *limits,
                                                           sfm_error *error);
/* Writes a release durably (temporary file, fsync, rename, fsync of the folder), or to standard
 * output ("-").  If it fails, an existing file is not changed.  An existing file is replaced, also
 * through a link.  It fails with SFM_INVALID if the path is that of a ledger, a session or another
 * SQLite database, of the journal of one, of an anchor, or of a link to a file that does not exist.
 */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_write(const sfm_release *release, const char *path,
                                                    sfm_error *error);
/* Makes the bytes that sfm_release_write writes, *length of them and a NUL.  Free them with
 * sfm_free. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_text(const sfm_release *release, char **text,
                                                   size_t *length, sfm_error *error);
/* Checks whether a release can be written to path: SFM_INVALID if sfm_release_write would refuse
 * it, or if no file can be created in its folder.  Use it before something is charged. */
SFM_API SFM_MUST_CHECK sfm_status sfm_output_check(const char *path, sfm_error *error);
SFM_API void sfm_release_destroy(sfm_release *release);

/* What a release is. */
typedef enum sfm_kind {
  SFM_KIND_DENSITY,   /* a density of one or more columns; also one per group, or refined */
  SFM_KIND_FUNCTION,  /* another function: a mean curve, or values of the owner's own function */
  SFM_KIND_VECTOR,    /* numbers, which may have labels */
  SFM_KIND_RANGE,     /* quantiles of a column */
  SFM_KIND_HISTOGRAM, /* a table of counts, or margins of one (sfumato/table.h) */
  SFM_KIND_COUNT,     /* how many records satisfy a condition (sfumato/count.h) */
  SFM_KIND_CHOICE,    /* one of several public candidates (sfumato/choose.h) */
  SFM_KIND_MEAN,      /* the mean of a column (sfumato/mean.h) */
  SFM_KIND_MECHANISM, /* no data: a table that answers for counts (sfumato/optimal.h) */
  SFM_KIND_MACHINE,   /* a trained classifier or regression (sfumato/machine.h) */
} sfm_kind;
/* Returns "density", "function" and so on.  Static storage. */
SFM_API const char *sfm_kind_name(sfm_kind kind);
/* The kind of a release; sfm_kind_name has its word. */
SFM_API sfm_kind sfm_release_kind(const sfm_release *release);
/* The method, for example "lattice", "gp", "laplace" or "normal".  Owned by the release. */
SFM_API const char *sfm_release_method(const sfm_release *release);
/* Whether it is hardened; otherwise it is idealised. */
SFM_API bool sfm_release_hardened(const sfm_release *release);
/* Whether it is private; false for a seeded release, which is for tests. */
SFM_API bool sfm_release_private(const sfm_release *release);
SFM_API sfm_guarantee sfm_release_guarantee(const sfm_release *release);
/* The guarantee as a sentence.  Owned by the release. */
SFM_API const char *sfm_release_sentence(const sfm_release *release);
/* The dataset that was charged, and the id of the request; NULL: not charged.  Owned by the
 * release. */
SFM_API const char *sfm_release_dataset(const sfm_release *release);
SFM_API const char *sfm_release_request(const sfm_release *release);
SFM_API sfm_neighbours sfm_release_neighbours(const sfm_release *release);
/* The person column: the guarantee protects all records of one person.  NULL if it protects
 * records, and for files of sfumato 0.1, which do not contain the column.  Owned by the release. */
SFM_API const char *sfm_release_person(const sfm_release *release);
/* The most records of a person that the guarantee covers. */
SFM_API uint32_t sfm_release_contributions(const sfm_release *release);
/* Whether that number is enforced: more records of a person were ignored. */
SFM_API bool sfm_release_contributions_enforced(const sfm_release *release);
/* The number of records; returns false where it is not public, or unknown. */
SFM_API bool sfm_release_rows(const sfm_release *release, uint64_t *rows);
/* What the noise covers, and the step of the integers that were released (NaN: idealised). */
SFM_API double sfm_release_sensitivity(const sfm_release *release);
SFM_API double sfm_release_step(const sfm_release *release);

/* The number of columns of the function (0 for a vector), and of column i: its name (owned by the
 * release), bounds, bandwidth and boundary. */
SFM_API size_t sfm_release_dimension(const sfm_release *release);
SFM_API const char *sfm_release_column(const sfm_release *release, size_t i);
SFM_API void sfm_release_bounds(const sfm_release *release, double *lower, double *upper, size_t i);
SFM_API double sfm_release_bandwidth(const sfm_release *release, size_t i);
SFM_API sfm_boundary sfm_release_boundary(const sfm_release *release, size_t i);

/* A bandwidth that was chosen privately. */
typedef struct sfm_bandwidth_choice {
  size_t count, chosen;     /* candidates, and which of them it is */
  const double *candidates; /* count times one per column; owned by the release */
  double share, epsilon;    /* of the budget, for the choice */
  sfm_guarantee rest;       /* of the numbers that were released, given the choice */
} sfm_bandwidth_choice;

/* Returns false if the bandwidth was stated. */
SFM_API bool sfm_release_bandwidth_choice(const sfm_release *release, sfm_bandwidth_choice *choice);
/* How good that choice was predicted to be, from public numbers: the probability of a candidate
 * whose predicted error is at most a tenth above the least, for the guessed shape, and the share of
 * such candidates, which is the probability if all are equally likely.  Returns false if the
 * bandwidth was stated, or the file does not say. */
SFM_API bool sfm_release_choice_forecast(const sfm_release *release, double *likely,
                                         double *chance);

/* A release by groups has one density per combination of the categories of some columns.  These are
 * the number of such columns (0: no groups), the number of groups, the name of column i, and its
 * category in group g.  Texts are owned by the release.  In the order of groups the last column
 * changes fastest. */
SFM_API size_t sfm_release_by_count(const sfm_release *release);
SFM_API size_t sfm_release_group_count(const sfm_release *release);
SFM_API const char *sfm_release_by(const sfm_release *release, size_t i);
SFM_API const char *sfm_release_group_label(const sfm_release *release, size_t g, size_t i);
/* Makes a release of the density of group g alone, divided by the noisy size of the group.  A
 * release with more than one group cannot be evaluated itself.  The caller destroys *out. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_group(sfm_release **out, const sfm_release *release,
                                                    size_t g, sfm_error *error);
/* The same for count groups: out has room for count releases, which are NULL on failure.  Their
 * bands are computed together, which is faster: a band takes about a second. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_groups(sfm_release **out, const sfm_release *release,
                                                     const size_t *groups, size_t count,
                                                     sfm_error *error);
/* The noisy size of group g (not below zero in a refined release), and the standard deviation of
 * its noise, which is the same for all groups. */
SFM_API void sfm_release_group_size(const sfm_release *release, double *size, double *deviation,
                                    size_t g);
/* Whether a density of one group is unknown, because noise alone could be as large as its noisy
 * size.  It has no values then, and its band is infinite. */
SFM_API bool sfm_release_too_few(const sfm_release *release);
/* The number that a density is divided by: the public number of records, or the noisy one (of the
 * group).  A refined density is already divided: this is then its number of records, for groups the
 * sum of their sizes, and NaN under add-remove without groups, where the number is not kept. */
SFM_API double sfm_release_size(const sfm_release *release);
/* Whether it was refined (shrunk, projected, combined): values on a grid, without a band. */
SFM_API bool sfm_release_refined(const sfm_release *release);
/* Method sobolev: the gamma of the noise along column i, in 1 over its unit; otherwise NaN. */
SFM_API double sfm_release_gamma(const sfm_release *release, size_t i);
/* The kernel of a density or function, and the engine that drew its noise (AUTO if there is none,
 * as for a lattice or a vector). */
SFM_API sfm_kernel_family sfm_release_kernel(const sfm_release *release);
SFM_API sfm_engine sfm_release_engine(const sfm_release *release);
/* Sets point to place i (dimension numbers) of a release of values at places.  Returns false if
 * there is no such place. */
SFM_API bool sfm_release_place(const sfm_release *release, double *point, size_t i);
/* Whether its places are a regular grid over the bounds.  counts (may be NULL): points per axis. */
SFM_API bool sfm_release_grid(const sfm_release *release, size_t *counts);
/* The points at which the curves of a mean curve were measured, in *points, owned by the release.
 * Returns their number; 0 for any other release. */
SFM_API size_t sfm_release_measured(const sfm_release *release, const double **points);
/* The number of released coefficients; for a vector its length, for values at places their number.
 */
SFM_API size_t sfm_release_length(const sfm_release *release);
/* Released number i: integer x step, or the real number if the release is idealised. */
SFM_API double sfm_release_coefficient(const sfm_release *release, size_t i);
/* The integer of number i, exactly.  Returns false if the release is idealised, or has no such
 * number. */
SFM_API bool sfm_release_integer(const sfm_release *release, int64_t *integer, size_t i);
/* The text that belongs to number i of a vector, if the vector has texts; otherwise NULL.  Owned by
 * the release. */
SFM_API const char *sfm_release_label(const sfm_release *release, size_t i);

/* The error band of an unrefined release around the function without privacy.  With the
 * confidence, half_width holds everywhere at once (for values at places: at all places), and
 * pointwise holds at one place fixed beforehand.  Both include systematic, the largest possible
 * error that is not noise; it is public.  (For the engine random systematic is the error of
 * approximation, and pointwise includes less of it.)  A half-width may be infinite: under
 * add-remove, if the noisy total is too small to divide by. */
typedef struct sfm_band {
  double confidence;
  double half_width;
  double pointwise;
  double systematic;
} sfm_band;
/* The band that the release states. */
SFM_API sfm_band sfm_release_band(const sfm_release *release);
/* Computes the band at any confidence in (0, 1) from the public noise law.  A higher confidence has
 * a wider band; at the stated confidence it is the stated band.  Exception: idealised noise with
 * the shape of an ellipsoid.  This shape is not in the file, so the stated band is widened by a
 * theorem, or not changed (docs/proofs/bands.md).  May take about a second.  Thread-safe. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_band_at(const sfm_release *release, sfm_band *band,
                                                      double confidence, sfm_error *error);

/* For a range: the quantile of number i; otherwise NaN.  The band of a range is of ranks, in
 * records. */
SFM_API double sfm_release_quantile(const sfm_release *release, size_t i);

/* For a hardened vector: coordinates beyond +-range were replaced by the end of the range.
 * Otherwise infinite. */
SFM_API double sfm_release_range(const sfm_release *release);

/* Makes one JSON object on one line, with keys that do not change (docs/format.md).  Free it with
 * sfm_free. */
SFM_API SFM_MUST_CHECK sfm_status sfm_release_summary(const sfm_release *release, char **json,
                                                      sfm_error *error);

/* An evaluator holds tables that make many evaluations fast.  It borrows the release.  Thread-safe.
 */
typedef struct sfm_evaluator sfm_evaluator;

/* Creates an evaluator.  total: the number that an add-remove release is divided by; 0: the noisy
 * total.  It is ignored under replace, where the public n is used.  The caller destroys *out. */
SFM_API SFM_MUST_CHECK sfm_status sfm_evaluator_create(sfm_evaluator **out,
                                                       const sfm_release *release, double total,
                                                       sfm_error *error);
SFM_API void sfm_evaluator_destroy(sfm_evaluator *evaluator);
/* Computes values[i] = f(points[i]); points are count x dimension numbers, row by row.  Outside the
 * domain the value is NaN.  A release of values at places is interpolated by its kernel between the
 * places (NaN if the kernel was the caller's own). */
SFM_API SFM_MUST_CHECK sfm_status sfm_evaluator_at(const sfm_evaluator *evaluator, double *values,
                                                   const double *points, size_t count,
                                                   sfm_error *error);
/* The number of points that are not places of the release, so that their values are interpolated; 0
 * for a whole function. */
SFM_API size_t sfm_evaluator_interpolated(const sfm_evaluator *evaluator, const double *points,
                                          size_t count);
/* Computes widths[i], the half-width of the band at points[i].  All hold at once with the
 * confidence of the release.  For a whole function they are all equal.  For values at places they
 * are wider between the places (infinite where nothing is known).  For the engine random, whose
 * band everywhere is wide, they are standard errors at these points, estimated from the release
 * itself, times a quantile for all points of the call together, by the central limit theorem over
 * its frequencies (docs/proofs/random.md). */
SFM_API SFM_MUST_CHECK sfm_status sfm_evaluator_widths(const sfm_evaluator *evaluator,
                                                       double *widths, const double *points,
                                                       size_t count, sfm_error *error);
/* Computes f on a grid with counts[a] >= 2 points on axis a, both bounds included; the last axis
 * changes fastest. */
SFM_API SFM_MUST_CHECK sfm_status sfm_evaluator_grid(const sfm_evaluator *evaluator, double *values,
                                                     const size_t *counts, sfm_error *error);

#ifdef __cplusplus
}
#endif
#endif
