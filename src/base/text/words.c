/* words.c - the one table of the words of enumerations.  A word that was ever written into a file
 * stays as it is. */
#include "words.h"

#include "sfumato/sfumato.h"

#define LIST(...)                                                                                  \
  (const char *const[]) {                                                                          \
    __VA_ARGS__, NULL                                                                              \
  }

static const char *const *const lists[SFM_WORDS_COUNT] = {
    [SFM_WORDS_ACCOUNTING] = LIST("basic", "zcdp", "gdp"),
    [SFM_WORDS_BASIS] = LIST("fourier", "cosine", "legendre", "hermite", "haar", "db4", "eigen"),
    [SFM_WORDS_BOUNDARY] = LIST("open", "reflect", "periodic"),
    [SFM_WORDS_CALIBRATION] = LIST("exact", "classical"),
    [SFM_WORDS_COLUMN_TYPE] = LIST("number", "integer", "string", "boolean"),
    [SFM_WORDS_DENSITY_BODY] = LIST("exact", "hull"),
    [SFM_WORDS_DENSITY_METHOD] =
        LIST("auto", "lattice", "gp", "sobolev", "fourier-laplace", "caratheodory"),
    [SFM_WORDS_DENSITY_NOISE] = LIST("auto", "laplace", "normal"),
    [SFM_WORDS_ENGINE] = LIST("auto", "spectral", "circulant", "markov", "gram", "random"),
    [SFM_WORDS_GUARANTEE_KIND] = LIST("pure", "gdp", "zcdp", "approximate", "random-dp"),
    [SFM_WORDS_HISTOGRAM_EXACT] = LIST("small", "empty"),
    [SFM_WORDS_HISTOGRAM_NOISE] = LIST("auto", "laplace", "normal"),
    [SFM_WORDS_INTERACT_SOURCE] = LIST("released", "public", "exhausted"),
    [SFM_WORDS_INTERACT_UPDATE] = LIST("ridge", "step"),
    [SFM_WORDS_KERNEL_FAMILY] = LIST("gaussian", "laplacian", "matern12", "matern32", "matern52",
                                     "cauchy", "polynomial", "linear", "own"),
    [SFM_WORDS_KIND] = LIST("density", "function", "vector", "range", "histogram", "count",
                            "choice", "mean", "mechanism", "machine"),
    [SFM_WORDS_LIMIT_KIND] = LIST("exact", "bound", "rate", "attained"),
    [SFM_WORDS_LINEAR_METHOD] = LIST("auto", "table", "laplace", "normal", "k-norm"),
    [SFM_WORDS_MACHINE_LOSS] =
        LIST("hinge", "squared-hinge", "logistic", "huber", "epsilon-insensitive", "squared"),
    [SFM_WORDS_NEIGHBOURS] = LIST("replace", "add-remove"),
    [SFM_WORDS_NOISE_LAW] =
        LIST("discrete-laplace", "rounded-normal", "discrete-gaussian", "laplace", "normal",
             "gamma", "k-norm", "discrete-linf", "exponential", "optimal", "combined", "matrix"),
    [SFM_WORDS_NOISE_SHAPE] = LIST("auto", "kernel", "isotropic"),
    [SFM_WORDS_OPTIMAL_FORM] = LIST("remap", "matrix"),
    [SFM_WORDS_OPTIMAL_LOSS] = LIST("absolute", "squared", "zero-one", "own"),
    [SFM_WORDS_OPTIMAL_OBJECTIVE] = LIST("bayes", "minimax", "equaliser"),
    [SFM_WORDS_OUTSIDE] = LIST("clamp", "drop"),
    [SFM_WORDS_SCALING] = LIST("unit", "ball", "none"),
    [SFM_WORDS_TASK] = LIST("binary", "one-vs-rest", "regression"),
    [SFM_WORDS_TRAIN_METHOD] = LIST("gp", "finite", "rff", "objective", "tddl", "tdil"),
    [SFM_WORDS_VECTOR_NOISE] = LIST("laplace", "normal", "gamma", "k-norm"),
    [SFM_WORDS_VECTOR_NORM] = LIST("l1", "l2", "ellipsoid", "linf", "polytope", "body"),
};

const char *const *sfm_words(sfm_enumeration of) {
  return (unsigned)of < SFM_WORDS_COUNT ? lists[of] : NULL;
}

unsigned sfmi_word_count(sfm_enumeration of) {
  unsigned count = 0;
  while (lists[of][count]) count++;
  return count;
}

const char *sfmi_word(sfm_enumeration of, unsigned value) {
  return value < sfmi_word_count(of) ? lists[of][value] : NULL;
}

#define NAME(function, type, of)                                                                   \
  const char *function(type value) {                                                               \
    return sfmi_word(of, (unsigned)value);                                                         \
  }

NAME(sfm_accounting_name, sfm_accounting, SFM_WORDS_ACCOUNTING)
NAME(sfm_basis_name, sfm_basis, SFM_WORDS_BASIS)
NAME(sfm_boundary_name, sfm_boundary, SFM_WORDS_BOUNDARY)
NAME(sfm_column_type_name, sfm_column_type, SFM_WORDS_COLUMN_TYPE)
NAME(sfm_density_body_name, sfm_density_body, SFM_WORDS_DENSITY_BODY)
NAME(sfm_density_method_name, sfm_density_method, SFM_WORDS_DENSITY_METHOD)
NAME(sfm_engine_name, sfm_engine, SFM_WORDS_ENGINE)
NAME(sfm_guarantee_kind_name, sfm_guarantee_kind, SFM_WORDS_GUARANTEE_KIND)
NAME(sfm_interact_source_name, sfm_interact_source, SFM_WORDS_INTERACT_SOURCE)
NAME(sfm_interact_update_name, sfm_interact_update, SFM_WORDS_INTERACT_UPDATE)
NAME(sfm_kernel_family_name, sfm_kernel_family, SFM_WORDS_KERNEL_FAMILY)
NAME(sfm_kind_name, sfm_kind, SFM_WORDS_KIND)
NAME(sfm_limit_kind_name, sfm_limit_kind, SFM_WORDS_LIMIT_KIND)
NAME(sfm_linear_method_name, sfm_linear_method, SFM_WORDS_LINEAR_METHOD)
NAME(sfm_machine_loss_name, sfm_machine_loss, SFM_WORDS_MACHINE_LOSS)
NAME(sfm_neighbours_name, sfm_neighbours, SFM_WORDS_NEIGHBOURS)
NAME(sfm_noise_law_name, sfm_noise_law, SFM_WORDS_NOISE_LAW)
NAME(sfm_noise_shape_name, sfm_noise_shape, SFM_WORDS_NOISE_SHAPE)
NAME(sfm_optimal_form_name, sfm_optimal_form, SFM_WORDS_OPTIMAL_FORM)
NAME(sfm_optimal_loss_name, sfm_optimal_loss, SFM_WORDS_OPTIMAL_LOSS)
NAME(sfm_optimal_objective_name, sfm_optimal_objective, SFM_WORDS_OPTIMAL_OBJECTIVE)
NAME(sfm_outside_name, sfm_outside, SFM_WORDS_OUTSIDE)
NAME(sfm_scaling_name, sfm_scaling, SFM_WORDS_SCALING)
NAME(sfm_task_name, sfm_task, SFM_WORDS_TASK)
NAME(sfm_train_method_name, sfm_train_method, SFM_WORDS_TRAIN_METHOD)
NAME(sfm_vector_noise_name, sfm_vector_noise, SFM_WORDS_VECTOR_NOISE)
NAME(sfm_vector_norm_name, sfm_vector_norm, SFM_WORDS_VECTOR_NORM)
