#include "machine_text.h"

#include <math.h>
#include <string.h>

#include "kind_view.h"
#include "cli/core/text.h"
#include "machine_fit_text.h"

enum { NAMED = 12 };

void machine_subject_text(char *text, size_t size, const sfm_release *release,
                          const sfm_machine *machine) {
  enum { SHOWN = 16 };
  const size_t count = machine->input_count;
  const char *names[SHOWN];
  char joined[256], label[100] = "the labels";
  if (machine->label) text_harmless(label, sizeof label, machine->label);
  for (size_t i = 0; i < count && i < SHOWN; i++) names[i] = sfm_machine_input(release, i);
  if (machine_is_gram(machine))
    snprintf(joined, sizeof joined, "the values of its kernel with %zu public points",
             machine->dimension);
  else if (count == 0)
    snprintf(joined, sizeof joined, "%zu coordinates", machine->dimension);
  else if (count > SHOWN)
    snprintf(joined, sizeof joined, "%zu columns", count);
  else
    text_join(joined, sizeof joined, names, count);
  snprintf(text, size, "%s from %s", label, joined);
}

void machine_kernel_text(char *text, size_t size, const sfm_machine *machine) {
  char number[40];
  const char *name = sfm_kernel_family_name(machine->kernel);
  if (machine->kernel == SFM_KERNEL_LINEAR) {
    snprintf(text, size, "%s", name);
  } else if (machine->kernel == SFM_KERNEL_POLYNOMIAL) {
    text_shortest(number, sizeof number, machine->shift);
    snprintf(text, size, "%s:%u:%s", name, machine->degree, number);
  } else {
    text_shortest(number, sizeof number, machine->bandwidth);
    snprintf(text, size, "%s:%s", name, number);
  }
}

/* What its values mean. */
static void show_task(const sfm_release *release, const sfm_machine *m) {
  char list[400], column[200];
  const char *names[NAMED];
  text_harmless(column, sizeof column, m->label ? m->label : "");
  for (size_t i = 0; i < m->class_count && i < NAMED; i++) names[i] = sfm_machine_class(release, i);
  text_join(list, sizeof list, names, m->class_count < NAMED ? m->class_count : NAMED);
  const char *of = m->label ? " of " : "";
  if (m->task == SFM_TASK_REGRESSION)
    text_say(stdout, "machine",
             "regression: its value is the predicted %s, between %.10g and %.10g",
             m->label ? column : "the label", m->lower, m->upper);
  else if (m->task == SFM_TASK_BINARY)
    text_say(stdout, "machine",
             "binary: the label%s%s is %.100s if the value is above 0, otherwise %.100s", of,
             column, names[1], names[0]);
  else
    text_say(stdout, "machine",
             "one-vs-rest: the label%s%s is the one of %zu with the largest value: %s%s", of,
             column, m->class_count, list, m->class_count > NAMED ? ", ..." : "");
}

/* "age from 17 to 90", "sex: F, M". */
static void show_inputs(const sfm_release *release, const sfm_machine *m) {
  char text[512];
  if (m->input_count == 0) {
    text_say(stdout, "inputs",
             machine_is_gram(m)
                 ? "the values of the owner's kernel with %zu public points, in their order"
                 : "sparse rows of %zu coordinates",
             m->dimension);
  }
  for (size_t i = 0; i < m->input_count && i < 2 * NAMED; i++) {
    double lower, upper;
    const size_t categories = sfm_machine_categories(release, i);
    const char *names[NAMED];
    int used = snprintf(text, sizeof text, "%.200s", sfm_machine_input(release, i));
    sfm_machine_bounds(release, &lower, &upper, i);
    if (categories > 0) {
      for (size_t k = 0; k < categories && k < NAMED; k++)
        names[k] = sfm_machine_category(release, i, k);
      used += snprintf(text + used, sizeof text - (size_t)used, ": ");
      text_join(text + used, sizeof text - (size_t)used - 8, names,
                categories < NAMED ? categories : NAMED);
      if (categories > NAMED) strcat(text, ", ...");
    } else if (isfinite(lower)) {
      snprintf(text + used, sizeof text - (size_t)used, " from %.10g to %.10g", lower, upper);
    }
    text_print_labelled(stdout, i ? "" : "inputs", text);
  }
  if (m->input_count > 2 * NAMED) {
    text_say(stdout, "", "and %zu more; --json prints all", m->input_count - 2 * NAMED);
  }
}

/* What the kernel sees: numbers without bounds cannot be scaled. */
static const char *scaling_words(const sfm_release *release, const sfm_machine *m) {
  size_t bounded = 0, unbounded = 0;
  if (m->scaling == SFM_SCALING_NONE) return "on unscaled inputs";
  if (m->scaling == SFM_SCALING_BALL)
    return "on inputs scaled to [-1, 1] and then to a ball of radius 1";
  for (size_t i = 0; i < m->input_count; i++) {
    double lower, upper;
    if (sfm_machine_categories(release, i) > 0) continue;
    sfm_machine_bounds(release, &lower, &upper, i);
    if (isfinite(lower) && isfinite(upper))
      bounded++;
    else
      unbounded++;
  }
  if (unbounded == 0)
    return bounded ? "on inputs scaled to [-1, 1]" : "on indicators of categories";
  return bounded ? "on inputs scaled to [-1, 1] if they have bounds, otherwise unscaled"
                 : "on unscaled inputs";
}

static void show_kernel(const sfm_release *release, const sfm_machine *m) {
  char text[512], kernel[96], clip[80] = "", constant[80] = "";
  machine_kernel_text(kernel, sizeof kernel, m);
  if (isfinite(m->clip)) snprintf(clip, sizeof clip, ", clipped to norm %.6g", m->clip);
  if (m->constant > 0)
    snprintf(constant, sizeof constant, ", and a constant feature of %.6g", m->constant);
  snprintf(text, sizeof text, "%s %s%s%s", kernel, scaling_words(release, m), clip, constant);
  text_print_labelled(stdout, "kernel",
                      machine_is_gram(m) ? "the owner's own, given by Gram matrices" : text);
  text_say(stdout, "features", "%zu (%s), with norm at most %.6g for every row", m->features,
           m->form, m->kappa);
}

static void show_objective(const sfm_machine *m, const json_t *summary) {
  char number[40], parameter[80] = "", chosen[96] = "";
  const size_t candidates = json_array_size(json_object_get(summary, "lambda_candidates"));
  snprintf(number, sizeof number, "%.6g", m->lambda);
  if (isfinite(m->parameter)) snprintf(parameter, sizeof parameter, " with %.6g", m->parameter);
  if (candidates)
    snprintf(chosen, sizeof chosen, ", chosen privately among %zu candidates", candidates);
  text_say(stdout, "loss", "%s%s, lambda %s%s", sfm_machine_loss_name(m->loss), parameter, number,
           chosen);
}

static void show_sensitivity(const sfm_release *release, const sfm_machine *m) {
  char text[256];
  const bool objective = strcmp(sfm_release_method(release), "objective") == 0;
  snprintf(text, sizeof text,
           "%.6g: %.6g for the exact machine of any rows, plus %.6g for the error of the solver",
           m->used, m->bound, m->certificate);
  if (!objective) text_print_labelled(stdout, "sensitivity", text);
}

void show_machine(const sfm_release *release, const json_t *summary) {
  sfm_machine machine;
  (void)sfm_release_machine(release, &machine);
  show_task(release, &machine);
  show_inputs(release, &machine);
  show_kernel(release, &machine);
  show_objective(&machine, summary);
  show_sensitivity(release, &machine);
  char fit[512];
  if (machine_fit_text(fit, sizeof fit, release)) text_print_labelled(stdout, "fit", fit);
}

void machine_band(char *buffer, size_t size, const sfm_release *release, const sfm_band *band,
                  bool pointwise) {
  if (machine_fit_band_text(buffer, size, release)) return;
  if (!isfinite(band->half_width))
    snprintf(buffer, size,
             "none: the noise is in the objective, and the resulting error depends on the rows");
  else if (pointwise)
    snprintf(buffer, size,
             "values are within \u00b1%.4g of those without noise at any one point fixed "
             "beforehand, with confidence %.6g",
             band->pointwise, band->confidence);
  else
    snprintf(buffer, size,
             "values are within \u00b1%.4g of those without noise at any one point fixed "
             "beforehand, with confidence %.6g (\u00b1%.4g everywhere at once); `sfumato eval "
             "--band` prints it point by point",
             band->pointwise, band->confidence, band->half_width);
}
