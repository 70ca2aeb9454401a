/* design_train_map.h - the features that a machine is trained on: how columns become coordinates,
 * and the map from coordinates to features. */
#ifndef SFMI_DESIGN_TRAIN_MAP_H
#define SFMI_DESIGN_TRAIN_MAP_H

#include "features/maps/feature_map.h"
#include "sfumato/train.h"

/* The encoding and the map of checked settings, owned by the caller.  dimension: of sparse rows;
 * seed: of random features. */
SFM_MUST_CHECK sfm_status sfmi_design_train_encoding(sfmi_encoding *encoding,
                                                     const sfm_train_settings *settings,
                                                     size_t dimension, sfm_error *error);
SFM_MUST_CHECK sfm_status sfmi_design_train_map(sfmi_feature_map **map,
                                                const sfmi_encoding *encoding,
                                                const sfm_train_settings *settings, uint64_t seed,
                                                sfm_error *error);

/* What every map of the settings' kernel states, whatever its form needs besides. */
sfmi_feature_map sfmi_design_train_stated(const sfmi_encoding *encoding,
                                          const sfm_train_settings *settings,
                                          sfmi_feature_map_form form);

#endif
