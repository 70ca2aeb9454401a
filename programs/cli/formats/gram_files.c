#include "gram_files.h"

#include <stdlib.h>

#include "cli/io/npy_array.h"

const cli_option options_gram[] = {
    {"gram", "FILE",
     "tddl: instead of --features and --kernel, the matrix of your own kernel between the rows, "
     "NPY of shape (rows, rows), in the order of the file of labels; private. The guarantee "
     "assumes that the matrices are of one kernel"},
    {"gram-public", "FILE",
     "its matrix between the rows and the public points, NPY of shape (rows, points); private"},
    {"gram-public-public", "FILE",
     "its matrix between the public points, NPY of shape (points, points); public"},
    {"kappa", "K",
     "with --gram: you declare that K(x, x) is at most its square; a row above it is ignored",
     CLI_POSITIVE("1")},
    {0}};

enum { TRAIN, CROSS, BETWEEN, FILES };
static const char *const names[FILES] = {"gram", "gram-public", "gram-public-public"};

void gram_files_clear(gram_files *g) {
  for (int i = 0; i < FILES; i++) {
    free(g->owned[i]);
    file_clear(&g->files[i]);
  }
  *g = (gram_files){0};
}

/* Of verbs that declare them. */
bool gram_files_given(const cli_options *options) {
  for (int i = 0; i < FILES; i++)
    if (options_given(options, names[i])) return true;
  return false;
}

static sfm_status open_file(npy_array *array, gram_files *g, int which, const char *path,
                            sfm_error *error) {
  sfm_status status = file_load(&g->files[which], path, error);
  if (status) return status;
  if (!npy_is(&g->files[which]))
    return cli_fail(error, SFM_FORMAT, "--%s: %.200s is not an NPY file; numpy.save writes one",
                    names[which], path);
  status = npy_open(array, &g->files[which], error);
  if (!status && array->axes != 2)
    return cli_misuse(error, "--%s: %.200s has one axis, but a matrix has two", names[which], path);
  return status;
}

static sfm_status check_shapes(const npy_array *arrays, sfm_error *error) {
  const size_t n = arrays[TRAIN].shape[0], T = arrays[BETWEEN].shape[0];
  static const char *const shapes[FILES] = {"(rows, rows)", "(rows, points)", "(points, points)"};
  const size_t wanted[FILES][2] = {{n, n}, {n, T}, {T, T}};
  for (int i = 0; i < FILES; i++)
    if (arrays[i].shape[0] != wanted[i][0] || arrays[i].shape[1] != wanted[i][1])
      return cli_misuse(
          error,
          "--%s has the shape (%zu, %zu), but needs (%zu, %zu): --gram is rows x rows, "
          "--gram-public rows x points, --gram-public-public points x points; this one is %s",
          names[i], arrays[i].shape[0], arrays[i].shape[1], wanted[i][0], wanted[i][1], shapes[i]);
  return SFM_OK;
}

static sfm_status take_numbers(gram_files *g, const npy_array *arrays, sfm_error *error) {
  const double **into[FILES] = {&g->gram.train, &g->gram.cross, &g->gram.between};
  sfm_status status = SFM_OK;
  for (int i = 0; i < FILES && !status; i++)
    status = npy_numbers(into[i], &g->owned[i], &arrays[i], error);
  g->gram.rows = arrays[TRAIN].shape[0];
  g->gram.points = arrays[BETWEEN].shape[0];
  return status;
}

sfm_status gram_files_read(gram_files *g, const cli_options *options, sfm_error *error) {
  npy_array arrays[FILES];
  sfm_status status = SFM_OK;
  *g = (gram_files){0};
  for (int i = 0; i < FILES && !status; i++) {
    const char *path = options_get(options, names[i]);
    if (!path)
      return cli_misuse(error,
                        "--%s is missing: a machine from Gram matrices needs --gram, --gram-public "
                        "and --gram-public-public",
                        names[i]);
    status = open_file(&arrays[i], g, i, path, error);
  }
  if (!status && !options_has(options, "kappa"))
    status = cli_misuse(error,
                        "--kappa is missing: K(x, x) must be at most its square for every possible "
                        "record, which only you know of your kernel; write for example --kappa 1");
  if (!status) status = options_take(options, &g->gram.kappa, "kappa", error);
  if (!status) status = check_shapes(arrays, error);
  return status ? status : take_numbers(g, arrays, error);
}
