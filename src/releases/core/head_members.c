#include "head_members.h"

#include <math.h>

#include "release_data.h"

#define AT(field) .offset = offsetof(sfm_release, field)

static bool is_gdp(const void *release) {
  return ((const sfm_release *)release)->guarantee.kind == SFM_GDP;
}

static bool is_zcdp(const void *release) {
  return ((const sfm_release *)release)->guarantee.kind == SFM_ZCDP;
}

static bool is_random(const void *release) {
  return ((const sfm_release *)release)->guarantee.kind == SFM_RANDOM_DP;
}

static bool has_person(const void *release) {
  return ((const sfm_release *)release)->person != NULL;
}

static bool is_hardened(const void *release) {
  return ((const sfm_release *)release)->hardened;
}

static bool is_summed(const void *release) {
  return ((const sfm_release *)release)->summed > 1;
}

static bool has_factor(const void *release) {
  return ((const sfm_release *)release)->factor != 1;
}

static bool has_range(const void *release) {
  return isfinite(((const sfm_release *)release)->range);
}

const sfmi_member sfmi_guarantee_members[] = {
    {"kind", SFMI_MEMBER_WORD, AT(guarantee.kind), .words = SFM_WORDS_GUARANTEE_KIND},
    {"epsilon", SFMI_MEMBER_NUMBER, AT(guarantee.epsilon), .sign = SFMI_NOT_NEGATIVE},
    {"delta", SFMI_MEMBER_NUMBER, AT(guarantee.delta), .most = 1},
    {"mu", SFMI_MEMBER_NUMBER, AT(guarantee.mu), .sign = SFMI_NOT_NEGATIVE, .there = is_gdp,
     .null = true},
    {"rho", SFMI_MEMBER_NUMBER, AT(guarantee.rho), .sign = SFMI_NOT_NEGATIVE, .there = is_zcdp,
     .null = true},
    {"gamma", SFMI_MEMBER_NUMBER, AT(guarantee.gamma), .most = 1, .there = is_random},
    {"neighbours", SFMI_MEMBER_WORD, AT(neighbours), .words = SFM_WORDS_NEIGHBOURS},
    {"contributions", SFMI_MEMBER_UNSIGNED, AT(contributions), .sign = SFMI_POSITIVE, .most = 1e6},
    {"contributions_enforced", SFMI_MEMBER_BOOL, AT(enforced)},
    {"person", SFMI_MEMBER_TEXT, AT(person), .there = has_person, .optional = true},
    {0}};

const sfmi_member sfmi_noise_members[] = {
    {"law", SFMI_MEMBER_WORD, AT(law), .words = SFM_WORDS_NOISE_LAW},
    {"scale", SFMI_MEMBER_WIDTH, AT(scale)},
    {"step", SFMI_MEMBER_NUMBER, AT(step), .there = is_hardened, .null = true},
    {"sensitivity", SFMI_MEMBER_NUMBER, AT(sensitivity), .sign = SFMI_NOT_NEGATIVE},
    {"summed", SFMI_MEMBER_COUNT, AT(summed), .sign = SFMI_POSITIVE, .most = 0x1p53,
     .there = is_summed, .optional = true},
    {"factor", SFMI_MEMBER_NUMBER, AT(factor), .sign = SFMI_POSITIVE, .there = has_factor,
     .optional = true},
    {"range", SFMI_MEMBER_NUMBER, AT(range), .sign = SFMI_POSITIVE, .there = has_range,
     .optional = true},
    {0}};

const sfmi_member sfmi_band_members[] = {
    {"confidence", SFMI_MEMBER_NUMBER, .offset = offsetof(sfm_band, confidence)},
    {"half_width", SFMI_MEMBER_WIDTH, .offset = offsetof(sfm_band, half_width)},
    {"pointwise", SFMI_MEMBER_WIDTH, .offset = offsetof(sfm_band, pointwise)},
    {"systematic", SFMI_MEMBER_WIDTH, .offset = offsetof(sfm_band, systematic)},
    {0}};
