#include "machine_fit_text.h"

#include <math.h>
#include <string.h>

#include "cli/core/options.h"

bool machine_is_gram(const sfm_machine *machine) {
  return machine->label && machine->input_count == 0;
}

sfm_status machine_gram_fail(const char *what, const sfm_machine *m, sfm_error *error) {
  return cli_misuse(
      error,
      "%s: this machine has no columns: its inputs are the values of its kernel with its %zu "
      "public points. Write one row per point, K(x, z_1) to K(x, z_%zu), to an NPY file of shape "
      "(points, %zu), and run `sfumato eval model.sfm --points new.npy`",
      what, m->dimension, m->dimension, m->dimension);
}

/* The noise's shape. */
static const char *shape_words(const sfm_machine_fit *fit) {
  if (strcmp(fit->shape, "kernel") == 0) return "noise in the shape of the kernel";
  return strcmp(fit->shape, "isotropic") == 0 ? "noise of the same size on all values"
                                              : "noise on each value";
}

bool machine_fit_text(char *buffer, size_t size, const sfm_release *release) {
  sfm_machine_fit fit;
  sfm_machine m;
  if (!sfm_release_fit(release, &fit) || !sfm_release_machine(release, &m)) return false;
  const unsigned long long answers = fit.answers, rounds = fit.rounds;
  if (isfinite(fit.radius))
    snprintf(
        buffer, size,
        "at %zu public point%s, to %llu number%s%s with %s: least squares in a ball of radius %.4g",
        m.features, m.features == 1 ? "" : "s", answers, answers == 1 ? "" : "s",
        m.function_count > 1 ? " per class" : "", shape_words(&fit), fit.radius);
  else if (isfinite(fit.choosing))
    snprintf(buffer, size,
             "to %llu noisy answer%s%s at points chosen privately; each choice cost epsilon %.4g "
             "and each answer %.4g, even if it did not change the model",
             answers, answers == 1 ? "" : "s", m.function_count > 1 ? " per class" : "",
             fit.choosing, fit.answering);
  else
    snprintf(buffer, size, "to %llu noisy answer%s%s, out of %llu paid round%s", answers,
             answers == 1 ? "" : "s", m.function_count > 1 ? " per class" : "", rounds,
             rounds == 1 ? "" : "s");
  return true;
}

bool machine_fit_band_text(char *buffer, size_t size, const sfm_release *release) {
  sfm_machine_fit fit;
  if (!sfm_release_fit(release, &fit)) return false;
  if (isfinite(fit.rms))
    snprintf(buffer, size,
             "none at single points; at the public points the values are within %.4g (root mean "
             "square) of those without noise, with confidence %.6g",
             fit.rms, sfm_release_band(release).confidence);
  else
    snprintf(buffer, size,
             "none: it was fitted to noisy answers, and its error elsewhere depends on the rows");
  return true;
}
