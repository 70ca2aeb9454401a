/* fuzz_mechanism.c - any bytes as the file of a mechanism: refused with a message, or one whose
 * laws are laws, exactly private, that can be written, drawn from and verified. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "releases/core/release_kind.h"
#include "releases/core/release_data.h"
#include "releases/kinds/optimal.h"
#include "promise.h"
#include "releases/core/release_write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const sfm_release *release) {
  const sfmi_optimal *optimal = release->optimal;
  sfm_optimal_facts facts;
  sfm_optimal_report report;
  sfm_error error = {0};
  double risk, sum = 0, *law = malloc((optimal->n + 1) * sizeof *law);
  size_t distance;
  PROMISE(law != NULL);
  PROMISE(!sfm_optimal_describe(release, &facts, &error) && facts.n == optimal->n);
  PROMISE(!sfm_optimal_law(release, law, facts.n / 2, &error));
  for (size_t j = 0; j <= facts.n; j++) sum += law[j];
  PROMISE(fabs(sum - 1) < 1e-9);
  PROMISE(!sfm_optimal_risk(release, &risk, 0, &error) && risk >= 0);
  PROMISE(!sfm_optimal_error(release, &distance, 0.9, &error) && distance <= facts.n);
  PROMISE(sfmi_optimal_answer(optimal, facts.n, SFMI_OPTIMAL_ONE - 1) <= facts.n);
  const sfm_status status = sfm_optimal_verify(release, &report, &error);
  PROMISE(!status || (status == SFM_FORMAT && error.message[0] != '\0'));
  /* Whatever else a file claims, what was read is private. */
  if (!status) PROMISE(report.epsilon <= facts.epsilon * (1 + 1e-9));
  free(law);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sfm_release *release = NULL;
  sfm_error error = {0};
  char *bytes = NULL;
  size_t length;
  if (sfm_release_parse(&release, (const char *)data, size, "input", &error)) {
    PROMISE(!release && error.message[0] != '\0');
    return 0;
  }
  if (release->kind == &sfmi_mechanism_kind) {
    if (release->optimal->n <= 50) look_at(release); /* large ones would only slow the search */
    PROMISE(!sfmi_release_print(release, &bytes, &length, &error));
    free(bytes);
  }
  sfm_release_destroy(release);
  return 0;
}
