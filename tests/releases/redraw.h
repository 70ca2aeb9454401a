/* redraw.h - a seeded release, the integers under its noise, and new noise on them. */
#ifndef TEST_REDRAW_H
#define TEST_REDRAW_H

#include "density_fixture.h"

#include "harden.h"
#include "random/noise_sampler.h"
#include "releases/core/release_data.h"

typedef struct redraw {
  sfm_release *release;
  size_t first; /* coefficient that has noise */
  sfmi_i128 *exact;
  sfmi_sampler *sampler;
  sfmi_stream *stream;
} redraw;

/* Takes the release, which was made with that seed. */
static inline void redraw_open(redraw *r, sfm_release *release, uint64_t seed) {
  sfm_error error;
  sfmi_noise_law law;
  const double steps = release->sensitivity / release->step;
  const sfm_guarantee g = release->guarantee;
  assert_ok(g.kind == SFM_GUARANTEE_GDP ? sfmi_harden_normal(&law, steps, g.mu, &error)
                                        : sfmi_harden_laplace(&law, steps, g.epsilon, &error),
            &error);
  assert_relative("scale", sfmi_noise_scale(&law) * release->step, release->scale, 1e-15);
  sfmi_i128 *zero = calloc(release->length, sizeof *zero);
  int64_t *noise = calloc(release->length, sizeof *noise);
  *r = (redraw){.release = release,
                .first = release->method == SFMI_FOURIER_LAPLACE,
                .exact = calloc(release->length, sizeof *r->exact)};
  harden(noise + r->first, zero, release->length - r->first, &law, (sfmi_seed){true, seed});
  for (size_t i = 0; i < release->length; i++) r->exact[i] = release->integers[i] - noise[i];
  free(zero);
  free(noise);
  assert_ok(sfmi_sampler_create(&r->sampler, law.law, law.scale, &error), &error);
  assert_ok(sfmi_stream_create_seeded(&r->stream, seed + 1, &error), &error);
}

static inline void redraw_close(redraw *r) {
  sfm_release_destroy(r->release);
  sfmi_sampler_destroy(r->sampler);
  sfmi_stream_destroy(r->stream);
  free(r->exact);
}

/* The release without noise. */
static inline void redraw_quiet(redraw *r) {
  for (size_t i = 0; i < r->release->length; i++) r->release->integers[i] = (int64_t)r->exact[i];
}

/* The release with noise it never had. */
static inline void redraw_next(redraw *r) {
  sfmi_i128 *noise = calloc(r->release->length, sizeof *noise);
  sfmi_sampler_draw(r->sampler, r->stream, noise + r->first, r->release->length - r->first);
  for (size_t i = 0; i < r->release->length; i++)
    r->release->integers[i] = (int64_t)(r->exact[i] + noise[i]);
  free(noise);
}

#endif
