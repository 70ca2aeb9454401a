#include "dataset_report.h"

#include <string.h>

/* Under zcdp and gdp: the epsilon of an amount at the total's delta, never beyond the total.  That
 * delta is not counted in units, and is rounded as the epsilon is. */
static sfm_status print_curve(sfm_decimals *out, const sfmi_dataset *dataset, sfmi_amount amount,
                              bool up, sfm_error *error) {
  sfmi_amount total, delta, epsilon = 0;
  (void)sfmi_amount_from(&total, dataset->epsilon, false);
  (void)sfmi_amount_from(&delta, dataset->delta, up);
  sfm_status status = SFM_OK;
  if (amount == dataset->capacity.main)
    epsilon = total;
  else
    status = sfmi_cost_epsilon(&epsilon, amount, dataset->accounting, dataset->delta, up, error);
  if (status) return status;
  sfmi_amount_print(out->epsilon, epsilon < total ? epsilon : total);
  sfmi_amount_print(out->delta, amount ? delta : 0);
  return SFM_OK;
}

sfm_status sfmi_dataset_report(sfm_dataset_status *status, const sfmi_dataset *dataset,
                               sfm_error *error) {
  const sfmi_cost left = {dataset->capacity.main - dataset->spent.main,
                          dataset->capacity.delta - dataset->spent.delta};
  sfm_status failed = SFM_OK;
  *status = (sfm_dataset_status){.accounting = dataset->accounting,
                                 .closed = dataset->closed,
                                 .charges = dataset->charges,
                                 .answers = dataset->answers};
  memcpy(status->name, dataset->name, sizeof status->name);
  if (dataset->unit.records) sfmi_privacy_unit_print(status->protects, &dataset->unit);
  sfmi_amount_print(status->amount.total, dataset->capacity.main);
  sfmi_amount_print(status->amount.spent, dataset->spent.main);
  sfmi_amount_print(status->amount.left, left.main);
  if (dataset->accounting == SFM_ACCOUNTING_BASIC) {
    sfmi_amount_print(status->total.epsilon, dataset->capacity.main);
    sfmi_amount_print(status->total.delta, dataset->capacity.delta);
    sfmi_amount_print(status->spent.epsilon, dataset->spent.main);
    sfmi_amount_print(status->spent.delta, dataset->spent.delta);
    sfmi_amount_print(status->left.epsilon, left.main);
    sfmi_amount_print(status->left.delta, left.delta);
    return SFM_OK;
  }
  failed = print_curve(&status->total, dataset, dataset->capacity.main, true, error);
  if (!failed) failed = print_curve(&status->spent, dataset, dataset->spent.main, true, error);
  if (!failed) failed = print_curve(&status->left, dataset, left.main, false, error);
  return failed;
}
