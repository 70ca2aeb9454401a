#include "fit_data.h"

#include <math.h>

static const char *const shapes[] = {"values", "isotropic", "kernel", NULL};

sfm_machine_fit sfmi_fit_of(sfmi_fit_shape shape) {
  return (sfm_machine_fit){.shape = shapes[shape],
                           .radius = NAN,
                           .ridge = NAN,
                           .rms = NAN,
                           .choosing = NAN,
                           .watching = NAN,
                           .comparing = NAN,
                           .answering = NAN,
                           .threshold = NAN};
}

#define AT(field) .offset = offsetof(sfm_machine_fit, field)

const sfmi_member sfmi_fit_members[] = {{"shape", SFMI_MEMBER_NAME, AT(shape), .names = shapes},
                                        {"answers", SFMI_MEMBER_COUNT, AT(answers)},
                                        {"rounds", SFMI_MEMBER_COUNT, AT(rounds)},
                                        {"radius", SFMI_MEMBER_NULLABLE, AT(radius)},
                                        {"ridge", SFMI_MEMBER_NULLABLE, AT(ridge)},
                                        {"rms", SFMI_MEMBER_NULLABLE, AT(rms)},
                                        {"choosing", SFMI_MEMBER_NULLABLE, AT(choosing)},
                                        {"watching", SFMI_MEMBER_NULLABLE, AT(watching)},
                                        {"comparing", SFMI_MEMBER_NULLABLE, AT(comparing)},
                                        {"answering", SFMI_MEMBER_NULLABLE, AT(answering)},
                                        {"threshold", SFMI_MEMBER_NULLABLE, AT(threshold)},
                                        {0}};
