#include "fit_data.h"

static const char *const shapes[] = {"values", "isotropic", "kernel", NULL};

const char *sfmi_fit_name(sfmi_fit_shape shape) {
  return (unsigned)shape <= SFMI_FIT_KERNEL ? shapes[shape] : NULL;
}

#define AT(field) .offset = offsetof(sfmi_fit, field)

const sfmi_member sfmi_fit_members[] = {{"shape", SFMI_MEMBER_WORD, AT(shape), .names = shapes},
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
