#include "design_optimal.h"
#include "base/system/sized_struct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optimal_table.h"
#include "remap.h"
#include "releases/kinds/mechanism_kind.h"

/* Entries that the solver leaves near zero are set to zero, as long as all of them together change
 * the risk by less than this part. */
static const double DUST = 1e-10;

static void sweep(double *table, const sfmi_optimal *optimal, double value) {
  const size_t size = optimal->n + 1;
  double dearest = 0;
  for (size_t e = 0; e < size * size; e++) dearest = fmax(dearest, optimal->losses[e]);
  const double dust = dearest > 0 ? DUST * value / dearest / (double)size : DUST;
  for (size_t k = 0; k < size; k++) {
    double *row = table + k * size, sum = 0;
    for (size_t j = 0; j < size; j++) {
      if (row[j] < dust) row[j] = 0;
      sum += row[j];
    }
    for (size_t j = 0; j < size; j++) row[j] /= sum;
  }
}

/* Risks of the integers, and what they cost. */
static sfm_status settle(sfmi_optimal *optimal, double value, sfm_error *error) {
  double *risks = sfmi_alloc(optimal->n + 1, sizeof *risks);
  sfm_status status = risks ? sfmi_optimal_risks(optimal, risks, error) : sfmi_fail_memory(error);
  if (!status) {
    optimal->risk = sfmi_optimal_total(optimal, risks);
    optimal->lp_risk = value;
    optimal->repair_cost = value > 0 ? (optimal->risk - value) / value : 0;
  }
  free(risks);
  return status;
}

static sfm_status find_outright(sfmi_optimal *optimal, double *table, sfm_error *error) {
  double value = 0;
  bool feasible = true;
  if (optimal->n > SFMI_DESIGN_OPTIMAL_MATRIX_MAX &&
      sfmi_optimal_unimodal(optimal->losses, optimal->n))
    return sfmi_fail(error, SFM_INVALID,
                     "equal risks were not found at the minimax risk, and larger ones are searched "
                     "for up to n = %d, not %zu: ask for the minimax mechanism",
                     SFMI_DESIGN_OPTIMAL_MATRIX_MAX, optimal->n);
  if (optimal->n > SFMI_DESIGN_OPTIMAL_MATRIX_MAX)
    return sfmi_fail(error, SFM_INVALID,
                     "with losses that fall somewhere as answers move away from the truth, n can "
                     "be at most %d, not %zu",
                     SFMI_DESIGN_OPTIMAL_MATRIX_MAX, optimal->n);
  sfm_status status = sfmi_optimal_table_solve(table, &value, &feasible, optimal, error);
  if (!status && !feasible)
    status = sfmi_fail(error, SFM_INVALID,
                       "no private mechanism has the same risk at every count with this loss, n "
                       "and epsilon: ask for the minimax one");
  optimal->form = SFM_OPTIMAL_MATRIX;
  if (!status) status = sfmi_optimal_table_repair(optimal, table, error);
  return status ? status : settle(optimal, value, error);
}

/* T is the identity: the geometric mechanism itself. */
static sfm_status settle_plain(sfmi_optimal *optimal, double value, sfm_error *error) {
  const size_t size = optimal->n + 1;
  for (size_t e = 0; e < size * size; e++)
    optimal->numerators[e] = e % (size + 1) == 0 ? SFMI_OPTIMAL_ONE : 0;
  return settle(optimal, value, error);
}

/* For large epsilon the geometric mechanism is nearly the best, and better than the answer of a
 * solver that is right to 1e-9. */
static sfm_status settle_remap(sfmi_optimal *optimal, double *table, double value,
                               sfm_error *error) {
  const bool minimax = optimal->objective == SFM_OPTIMAL_OBJECTIVE_MINIMAX;
  sfm_status status = minimax ? settle_plain(optimal, value, error) : SFM_OK;
  const double plain = minimax ? optimal->risk : INFINITY;
  if (status) return status;
  sweep(table, optimal, value);
  sfmi_optimal_round(optimal, table);
  status = settle(optimal, value, error);
  return !status && plain < optimal->risk ? settle_plain(optimal, value, error) : status;
}

static sfm_status find_remap(sfmi_optimal *optimal, double *table, bool *found, sfm_error *error) {
  sfmi_remap remap = {.table = table};
  const bool equaliser = optimal->objective == SFM_OPTIMAL_OBJECTIVE_EQUALISER;
  sfm_status status = SFM_OK;
  *found = true;
  if (optimal->objective == SFM_OPTIMAL_OBJECTIVE_BAYES) {
    status = sfmi_remap_bayes(&remap, optimal, error);
  } else {
    optimal->prior = remap.prior = sfmi_alloc(optimal->n + 1, sizeof *remap.prior);
    status = remap.prior ? sfmi_remap_minimax(&remap, optimal, equaliser ? found : NULL, error)
                         : sfmi_fail_memory(error);
  }
  if (status || !*found) return status;
  optimal->form = SFM_OPTIMAL_REMAP;
  optimal->limit = remap.limit;
  return settle_remap(optimal, table, remap.value, error);
}

sfm_status sfmi_design_optimal_find(sfmi_optimal *optimal, sfm_error *error) {
  const size_t n = optimal->n;
  double *table = sfmi_alloc((n + 1) * (n + 1), sizeof *table);
  bool found = false;
  sfm_status status = table ? SFM_OK : sfmi_fail_memory(error);
  if (!status && sfmi_optimal_unimodal(optimal->losses, n))
    status = find_remap(optimal, table, &found, error);
  if (!status && !found) status = find_outright(optimal, table, error);
  if (!status) status = sfmi_optimal_check(optimal, "the mechanism", error);
  free(table);
  return status;
}

/* ---- the public face ---- */

void sfm_optimal_settings_init(sfm_optimal_settings *settings, size_t size) {
  const sfm_optimal_settings defaults = {.loss = SFM_OPTIMAL_LOSS_ABSOLUTE,
                                         .objective = SFM_OPTIMAL_OBJECTIVE_MINIMAX};
  sfmi_struct_init(settings, size, &defaults, sizeof defaults);
}

static sfm_status take_losses(sfmi_optimal *optimal, const sfm_optimal_settings *settings,
                              sfm_error *error) {
  const size_t entries = (optimal->n + 1) * (optimal->n + 1);
  if (settings->loss != SFM_OPTIMAL_LOSS_OWN) {
    sfmi_optimal_fill_losses(optimal, settings->loss);
    return SFM_OK;
  }
  optimal->loss = SFM_OPTIMAL_LOSS_OWN;
  if (!settings->losses)
    return sfmi_fail(error, SFM_INVALID, "a loss of your own is a table, and the table is missing");
  memcpy(optimal->losses, settings->losses, entries * sizeof *optimal->losses);
  return sfmi_optimal_check_losses(optimal->losses, optimal->n, "losses", error);
}

static sfm_status take_prior(sfmi_optimal *optimal, const sfm_optimal_settings *settings,
                             sfm_error *error) {
  const size_t n = optimal->n;
  optimal->objective = settings->objective;
  if (settings->objective != SFM_OPTIMAL_OBJECTIVE_BAYES) {
    if (!settings->prior) return SFM_OK;
    return sfmi_fail(error, SFM_INVALID,
                     "a prior is for the least mean risk; the %s mechanism has none",
                     sfm_optimal_objective_name(settings->objective));
  }
  optimal->prior = sfmi_alloc(n + 1, sizeof *optimal->prior);
  if (!optimal->prior) return sfmi_fail_memory(error);
  optimal->uniform = !settings->prior;
  for (size_t i = 0; i <= n; i++)
    optimal->prior[i] = settings->prior ? settings->prior[i] : 1 / (double)(n + 1);
  return sfmi_optimal_check_prior(optimal->prior, n, "prior", error);
}

sfm_status sfm_optimal_design(sfm_release **out, const sfm_optimal_settings *given,
                              sfm_error *error) {
  sfm_optimal_settings taken;
  *out = NULL;
  sfm_status status = SFMI_TAKE_PLAIN(sfm_optimal_settings, &taken, given, error);
  if (status) return status;
  const sfm_optimal_settings *settings = &taken;
  sfmi_optimal *optimal;
  status = sfmi_optimal_create(&optimal, settings->n, settings->epsilon, error);
  if (!status) status = take_losses(optimal, settings, error);
  if (!status) status = take_prior(optimal, settings, error);
  if (!status) status = sfmi_design_optimal_find(optimal, error);
  if (!status) return sfmi_mechanism_kind_release(out, optimal, error);
  sfmi_optimal_destroy(optimal);
  return status;
}
