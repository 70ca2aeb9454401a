/* words.c - the one table of the words of enumerations.  A word that was ever written into a file
 * stays as it is. */
#include "words.h"

#include "sfumato/sfumato.h"

#define LIST(...)                                                                                  \
  (const char *const[]) {                                                                          \
    __VA_ARGS__, NULL                                                                              \
  }

static const char *const *const lists[SFM_ENUMERATION_COUNT] = {
    [SFM_ENUMERATION_ACCOUNTING] = LIST("basic", "zcdp", "gdp"),
    [SFM_ENUMERATION_BASIS] =
        LIST("fourier", "cosine", "legendre", "hermite", "haar", "db4", "eigen"),
    [SFM_ENUMERATION_BOUNDARY] = LIST("open", "reflect", "periodic"),
    [SFM_ENUMERATION_CALIBRATION] = LIST("exact", "classical"),
    [SFM_ENUMERATION_COLUMN_TYPE] = LIST("number", "integer", "string", "boolean"),
    [SFM_ENUMERATION_DENSITY_BODY] = LIST("exact", "hull"),
    [SFM_ENUMERATION_DENSITY_METHOD] =
        LIST("auto", "lattice", "gp", "sobolev", "fourier-laplace", "caratheodory"),
    [SFM_ENUMERATION_DENSITY_NOISE] = LIST("auto", "laplace", "normal"),
    [SFM_ENUMERATION_ENGINE] = LIST("auto", "spectral", "circulant", "markov", "gram", "random"),
    [SFM_ENUMERATION_GUARANTEE_KIND] = LIST("pure", "gdp", "zcdp", "approximate", "random-dp"),
    [SFM_ENUMERATION_HISTOGRAM_EXACT] = LIST("small", "empty"),
    [SFM_ENUMERATION_HISTOGRAM_NOISE] = LIST("auto", "laplace", "normal"),
    [SFM_ENUMERATION_INTERACT_SOURCE] = LIST("released", "public", "exhausted"),
    [SFM_ENUMERATION_INTERACT_UPDATE] = LIST("ridge", "step"),
    [SFM_ENUMERATION_KERNEL_FAMILY] = LIST("gaussian", "laplacian", "matern12", "matern32",
                                           "matern52", "cauchy", "polynomial", "linear", "own"),
    [SFM_ENUMERATION_KIND] = LIST("density", "function", "vector", "range", "histogram", "count",
                                  "choice", "mean", "mechanism", "machine"),
    [SFM_ENUMERATION_LIMIT_KIND] = LIST("exact", "bound", "rate", "attained"),
    [SFM_ENUMERATION_LINEAR_METHOD] = LIST("auto", "table", "laplace", "normal", "k-norm"),
    [SFM_ENUMERATION_MACHINE_LOSS] =
        LIST("hinge", "squared-hinge", "logistic", "huber", "epsilon-insensitive", "squared"),
    [SFM_ENUMERATION_NEIGHBOURS] = LIST("replace", "add-remove"),
    [SFM_ENUMERATION_NOISE_LAW] =
        LIST("discrete-laplace", "rounded-normal", "discrete-gaussian", "laplace", "normal",
             "gamma", "k-norm", "discrete-linf", "exponential", "optimal", "combined", "matrix"),
    [SFM_ENUMERATION_NOISE_SHAPE] = LIST("auto", "kernel", "isotropic"),
    [SFM_ENUMERATION_OPTIMAL_FORM] = LIST("remap", "matrix"),
    [SFM_ENUMERATION_OPTIMAL_LOSS] = LIST("absolute", "squared", "zero-one", "own"),
    [SFM_ENUMERATION_OPTIMAL_OBJECTIVE] = LIST("bayes", "minimax", "equaliser"),
    [SFM_ENUMERATION_OUTSIDE] = LIST("clamp", "drop"),
    [SFM_ENUMERATION_SCALING] = LIST("unit", "ball", "none"),
    [SFM_ENUMERATION_TASK] = LIST("binary", "one-vs-rest", "regression"),
    [SFM_ENUMERATION_TRAIN_METHOD] = LIST("gp", "finite", "rff", "objective", "tddl", "tdil"),
    [SFM_ENUMERATION_VECTOR_NOISE] = LIST("laplace", "normal", "gamma", "k-norm"),
    [SFM_ENUMERATION_VECTOR_NORM] = LIST("l1", "l2", "ellipsoid", "linf", "polytope", "body"),
};

const char *const *sfm_words(sfm_enumeration of) {
  return (unsigned)of < SFM_ENUMERATION_COUNT ? lists[of] : NULL;
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

NAME(sfm_accounting_name, sfm_accounting, SFM_ENUMERATION_ACCOUNTING)
NAME(sfm_basis_name, sfm_basis, SFM_ENUMERATION_BASIS)
NAME(sfm_boundary_name, sfm_boundary, SFM_ENUMERATION_BOUNDARY)
NAME(sfm_column_type_name, sfm_column_type, SFM_ENUMERATION_COLUMN_TYPE)
NAME(sfm_density_body_name, sfm_density_body, SFM_ENUMERATION_DENSITY_BODY)
NAME(sfm_density_method_name, sfm_density_method, SFM_ENUMERATION_DENSITY_METHOD)
NAME(sfm_engine_name, sfm_engine, SFM_ENUMERATION_ENGINE)
NAME(sfm_guarantee_kind_name, sfm_guarantee_kind, SFM_ENUMERATION_GUARANTEE_KIND)
NAME(sfm_interact_source_name, sfm_interact_source, SFM_ENUMERATION_INTERACT_SOURCE)
NAME(sfm_interact_update_name, sfm_interact_update, SFM_ENUMERATION_INTERACT_UPDATE)
NAME(sfm_kernel_family_name, sfm_kernel_family, SFM_ENUMERATION_KERNEL_FAMILY)
NAME(sfm_kind_name, sfm_kind, SFM_ENUMERATION_KIND)
NAME(sfm_limit_kind_name, sfm_limit_kind, SFM_ENUMERATION_LIMIT_KIND)
NAME(sfm_linear_method_name, sfm_linear_method, SFM_ENUMERATION_LINEAR_METHOD)
NAME(sfm_machine_loss_name, sfm_machine_loss, SFM_ENUMERATION_MACHINE_LOSS)
NAME(sfm_neighbours_name, sfm_neighbours, SFM_ENUMERATION_NEIGHBOURS)
NAME(sfm_noise_law_name, sfm_noise_law, SFM_ENUMERATION_NOISE_LAW)
NAME(sfm_noise_shape_name, sfm_noise_shape, SFM_ENUMERATION_NOISE_SHAPE)
NAME(sfm_optimal_form_name, sfm_optimal_form, SFM_ENUMERATION_OPTIMAL_FORM)
NAME(sfm_optimal_loss_name, sfm_optimal_loss, SFM_ENUMERATION_OPTIMAL_LOSS)
NAME(sfm_optimal_objective_name, sfm_optimal_objective, SFM_ENUMERATION_OPTIMAL_OBJECTIVE)
NAME(sfm_outside_name, sfm_outside, SFM_ENUMERATION_OUTSIDE)
NAME(sfm_scaling_name, sfm_scaling, SFM_ENUMERATION_SCALING)
NAME(sfm_task_name, sfm_task, SFM_ENUMERATION_TASK)
NAME(sfm_train_method_name, sfm_train_method, SFM_ENUMERATION_TRAIN_METHOD)
NAME(sfm_vector_noise_name, sfm_vector_noise, SFM_ENUMERATION_VECTOR_NOISE)
NAME(sfm_vector_norm_name, sfm_vector_norm, SFM_ENUMERATION_VECTOR_NORM)
