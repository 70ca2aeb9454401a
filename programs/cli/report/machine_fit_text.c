#include "machine_fit_text.h"

#include <math.h>
#include <string.h>
#include "cli/core/options.h"

bool machine_is_gram(const sfm_machine *machine) {
  return machine->label && machine->input_count == 0;
}

sfm_status machine_gram_fail(const char *what, const sfm_machine *m, sfm_error *error) {
  return cli_fail(error, SFM_INVALID,
                  "%s: this machine has no columns: it is of its kernel's values with its %zu "
                  "public points; write a row of them a point, K(x, z_1) to K(x, z_%zu), to an NPY "
                  "file of shape (points, %zu), and ask `sfumato eval model.sfm --points new.npy`",
                  what, m->dimension, m->dimension, m->dimension);
}

/* The noise's shape. */
static const char *shape_words(const sfm_machine_fit *fit) {
  if (strcmp(fit->shape, "kernel") == 0) return "noise shaped like the kernel";
  return strcmp(fit->shape, "isotropic") == 0 ? "noise of one size on the values"
                                              : "noise on values one by one";
}

bool machine_fit_text(char *buffer, size_t size, const sfm_release *release) {
  sfm_machine_fit fit;
  sfm_machine m;
  if (!sfm_release_fit(release, &fit) || !sfm_release_machine(release, &m)) return false;
  const unsigned long long answers = fit.answers, rounds = fit.rounds;
  if (isfinite(fit.radius))
    snprintf(buffer, size,
             "at %zu public point%s, to %llu number%s%s with %s: least squares within a ball of "
             "radius %.4g",
             m.features, m.features == 1 ? "" : "s", answers, answers == 1 ? "" : "s",
             m.function_count > 1 ? " a class" : "", shape_words(&fit), fit.radius);
  else if (isfinite(fit.choosing))
    snprintf(buffer, size,
             "to %llu noisy answer%s%s at points chosen privately; a choice cost an epsilon of "
             "%.4g, an answer %.4g, whether or not it taught anything",
             answers, answers == 1 ? "" : "s", m.function_count > 1 ? " a class" : "", fit.choosing,
             fit.answering);
  else
    snprintf(buffer, size, "to %llu noisy answer%s%s, of %llu round%s that were paid for", answers,
             answers == 1 ? "" : "s", m.function_count > 1 ? " a class" : "", rounds,
             rounds == 1 ? "" : "s");
  return true;
}

bool machine_fit_band_text(char *buffer, size_t size, const sfm_release *release) {
  sfm_machine_fit fit;
  if (!sfm_release_fit(release, &fit)) return false;
  if (isfinite(fit.rms))
    snprintf(buffer, size,
             "none point by point; at its public points values are within %.4g (root mean square) "
             "of those without noise, with confidence %.6g",
             fit.rms, sfm_release_band(release).confidence);
  else
    snprintf(buffer, size,
             "none: it was fitted to answers that had noise, and how far it is off elsewhere "
             "depends on the rows");
  return true;
}
