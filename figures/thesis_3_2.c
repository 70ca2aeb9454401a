/* thesis_3_2.c - figure 3.2 of Hall's thesis: a kernel density estimate and its private version, by
 * a Gaussian process of the same kernel.
 *
 *   thesis_3_2 FOLDER [SAMPLES]
 *
 * The thesis draws one release and says of it that "gross features of the original kernel density
 * estimator remain, namely the two peaks", and of its noise that it is "on the same order as the
 * noise due to the sampling of the points".  Here many samples are drawn (mixture.h); the first is
 * drawn. */
#include "mixture.h"

enum { SAMPLES = 500 };
/* What "remain" and "the same order" are taken to mean. */
static const double REMAIN = 0.9, ORDER = 3;

static bool write_tally(const mixture_tally *t, const char *folder) {
  static const char *const calibrations[2] = {"exact", "classical"};
  FILE *file = mixture_create(folder, "3.2", "-measured.csv");
  if (!file) return false;
  fprintf(file, "calibration,samples,delta,sigma,noise_measured,noise_of_sampling,two_peaks,"
                "peaks_remain,band_confidence,band_held\n");
  for (unsigned c = 2; c-- > 0;)
    fprintf(file, "%s,%zu,%.9g,%.9g,%.9g,%.9g,%zu,%zu,%g,%zu\n", calibrations[c], t->samples,
            t->delta, t->sigma[c], t->measured[c], t->due, t->peaked, t->kept[c],
            MIXTURE_CONFIDENCE, t->covered[c]);
  return fclose(file) == 0;
}

static void print_verdict(const mixture_tally *t) {
  const size_t kept = t->kept[SFM_CALIBRATION_CLASSICAL];
  const double ratio = t->measured[SFM_CALIBRATION_CLASSICAL] / t->due;
  const bool peaks = (double)kept >= REMAIN * (double)t->peaked, order = ratio <= ORDER;
  printf("claim \"gross features ... remain, namely the two peaks\": %s, in %zu of the %zu samples "
         "whose estimate has two (%g %% wanted)\n",
         peaks ? "held" : "did not hold", kept, t->peaked, 100 * REMAIN);
  printf(
      "claim \"on the same order as the noise due to the sampling of the points\": %s, %.2f times "
      "it (at most %g wanted)\n",
      order ? "held" : "did not hold", ratio, ORDER);
  printf("figure 3.2: %s\n", peaks && order ? "the claims held" : "the claims did NOT hold");
}

int main(int count, char **words) {
  const char *folder;
  size_t samples;
  mixture_sample first;
  mixture_tally t = {0};
  sfm_error error;
  if (!mixture_arguments(&folder, &samples, count, words, SAMPLES)) return 2;
  sfm_status status = mixture_measure(&t, &first, SFM_DENSITY_GP, samples, &error);
  for (unsigned c = 0; c < 2 && !status; c++)
    status = mixture_draw(&first, &t, c, folder, "3.2", &error);
  if (status) {
    fprintf(stderr, "thesis_3_2: %s\n", error.message);
    return 1;
  }
  if (!mixture_write_curves(&first, folder, "3.2") || !write_tally(&t, folder)) return 1;
  mixture_print(&t, "3.2");
  print_verdict(&t);
  return 0;
}
