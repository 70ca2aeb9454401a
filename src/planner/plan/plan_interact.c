/* plan_interact.c - the plan of an interactive session: its design, without rows. */
#include "base/system/sized_struct.h"
#include "planner/design/design_interact.h"
#include "planner/design/design_train_check.h"
#include "planner/design/design_train_map.h"
#include "privacy/budget_remarks.h"

sfm_status sfm_plan_interact(sfm_interact_plan *plan, const sfm_interact_settings *given,
                             uint64_t rows, size_t dimension, sfm_error *error) {
  sfm_interact_settings taken;
  sfm_train_settings train;
  sfm_status status = SFMI_TAKE_PLAIN(sfm_interact_settings, &taken, given, error);
  if (!status) status = SFMI_TAKE(sfm_train_settings, &train, taken.train, error);
  if (status) return status;
  taken.train = &train;
  sfm_train_settings t;
  sfmi_encoding encoding;
  sfmi_feature_map *map = NULL;
  sfmi_design_train training;
  sfmi_design_interact found;
  *plan = (sfm_interact_plan){0};
  status = sfmi_design_interact_check(&t, &taken, error);
  if (!t.label) t.label = ""; /* no column's name, and none is read */
  if (!status) status = sfmi_design_train_check(&t, error);
  if (!status) status = sfmi_design_train_encoding(&encoding, &t, dimension, error);
  if (status) return status;
  status = sfmi_design_train_map(&map, &encoding, &t, 0, error);
  if (!status) {
    const size_t width =
        sfmi_feature_map_nonzeros(map, sfmi_encoding_width(&encoding, encoding.dimension));
    status = sfmi_design_train_init(&training, &t, map, rows, width, error);
    if (!status)
      status =
          sfmi_design_interact_init(&found, &taken, &training, map, width, taken.accounting, error);
  }
  if (!status) *plan = found.plan;
  if (!status) sfmi_budget_remarks(&t.context, t.epsilon, t.delta, (double)rows);
  sfmi_feature_map_destroy(map);
  sfmi_encoding_clear(&encoding);
  return status;
}
