/* body.c - a vector whose moves are in a convex body that only a function knows: here the meeting
 * of two ellipsoids.  One record moves three totals by at most one in length, and, what is a second
 * bound, the first two together by at most a third of that.
 *
 *   body body.sfm
 *
 * Build it against an installed sfumato (docs/guides/embed.md):
 *   cc -std=c17 body.c $(pkg-config --cflags --libs sfumato) -o body */
#include <stdio.h>

#include <sfumato/sfumato.h>

/* Everything that a record can do, and its opposite: public, and the same whenever it is asked. */
static bool inside(void *data, const double *x) {
  (void)data;
  const double first = x[0] * x[0] + x[1] * x[1];
  return first + x[2] * x[2] <= 1 && 9 * first + 0.01 * x[2] * x[2] <= 1;
}

int main(int count, char **words) {
  if (count != 2) {
    fprintf(stderr, "usage: body RELEASE\n");
    return 2;
  }
  const double totals[] = {120, 45.5, 310};
  sfm_vector_settings settings = sfm_vector_settings_default();
  settings.norm = SFM_VECTOR_NORM_BODY;
  settings.noise = SFM_VECTOR_NOISE_KNORM;
  /* It holds the ball of radius 0.33 (a third but for x[2]) and lies in that of radius 1. */
  const sfm_vector_body body = {inside, NULL, 0.33, 1};
  settings.body = body;
  settings.epsilon = 1;
  sfm_error error;
  sfm_release *release = NULL;
  sfm_status status = sfm_vector_release(&release, totals, 3, &settings, &error);
  if (!status) status = sfm_release_write(release, words[1], &error);
  if (status) fprintf(stderr, "body: %s\n", error.message);
  if (!status) {
    printf("%s\n", sfm_release_sentence(release));
    for (size_t i = 0; i < sfm_release_length(release); i++)
      printf("%.3f +-%.3f\n", sfm_release_coefficient(release, i),
             sfm_release_band(release).half_width);
  }
  sfm_release_destroy(release);
  return status ? 1 : 0;
}
