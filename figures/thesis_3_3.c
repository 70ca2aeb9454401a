/* thesis_3_3.c - figure 3.3 of Hall's thesis: the example of figure 3.2 with the noise of the
 * Sobolev space H1 instead.
 *
 *   thesis_3_3 FOLDER [SAMPLES]
 *
 * The thesis draws one release and says that "the released function does not have the desirable
 * smoothness of released function from Figure 3.2".  It names no gamma: here it is the one of least
 * sensitivity.  Many samples are released by both methods (mixture.h), and local maxima counted;
 * the first is drawn. */
#include <math.h>

#include "mixture.h"

enum { SAMPLES = 60 };
/* What "does not have the smoothness" is taken to mean: so many times the other's local maxima, in
 * every sample. */
static const double ROUGHER = 10;

static double maxima_of(const mixture_tally *t, unsigned calibration) {
  return (double)t->maxima[calibration] / (double)t->samples;
}

static bool write_tally(const mixture_tally *t, const mixture_tally *smooth, double gamma,
                        const char *folder) {
  static const char *const calibrations[2] = {"exact", "classical"};
  FILE *file = mixture_create(folder, "3.3", "-measured.csv");
  if (!file) return false;
  fprintf(file, "calibration,samples,gamma,delta,sigma,noise_measured,noise_of_sampling,two_peaks,"
                "peaks_remain,local_maxima,local_maxima_of_3.2,local_maxima_of_the_estimate,"
                "band_confidence,band_held\n");
  for (unsigned c = 2; c-- > 0;)
    fprintf(file, "%s,%zu,%.9g,%.9g,%.9g,%.9g,%.9g,%zu,%zu,%.9g,%.9g,%.9g,%g,%zu\n",
            calibrations[c], t->samples, gamma, t->delta, t->sigma[c], t->measured[c], t->due,
            t->peaked, t->kept[c], maxima_of(t, c), maxima_of(smooth, c), t->maxima_estimate,
            MIXTURE_CONFIDENCE, t->covered[c]);
  return fclose(file) == 0;
}

static void print_more(const mixture_tally *t, const mixture_tally *smooth, double gamma) {
  const unsigned exact = SFM_CALIBRATION_EXACT, classical = SFM_CALIBRATION_CLASSICAL;
  printf("  %-40s %12.4f\n", "gamma, of least sensitivity", gamma);
  printf("  %-40s %12.1f %12.1f\n", "local maxima at 1000 points", maxima_of(t, classical),
         maxima_of(t, exact));
  printf("  %-40s %12.1f %12.1f\n", "those of figure 3.2's method", maxima_of(smooth, classical),
         maxima_of(smooth, exact));
  printf("  %-40s %12.1f\n", "those of the estimate", t->maxima_estimate);
  printf("  %-40s %12.3f %12.3f\n", "noise, in times that of figure 3.2",
         t->measured[classical] / smooth->measured[classical],
         t->measured[exact] / smooth->measured[exact]);
}

static void print_verdict(const mixture_tally *t, const mixture_tally *smooth) {
  const unsigned c = SFM_CALIBRATION_CLASSICAL;
  const double ratio = (double)t->fewest[c] / fmax(maxima_of(smooth, c), 1);
  const bool rough = ratio >= ROUGHER;
  printf(
      "claim \"the released function does not have the desirable smoothness\": %s, at least %.0f "
      "times the local maxima of figure 3.2's method (%g wanted)\n",
      rough ? "held" : "did not hold", ratio, ROUGHER);
  printf("figure 3.3: %s\n", rough ? "the claim held" : "the claim did NOT hold");
}

int main(int count, char **words) {
  const char *folder;
  size_t samples;
  static mixture_sample first, other;
  mixture_tally t = {0}, smooth = {0};
  sfm_error error;
  if (!mixture_arguments(&folder, &samples, count, words, SAMPLES)) return 2;
  sfm_status status = mixture_measure(&t, &first, SFM_DENSITY_SOBOLEV, samples, &error);
  if (!status) status = mixture_measure(&smooth, &other, SFM_DENSITY_GP, samples, &error);
  for (unsigned c = 0; c < 2 && !status; c++)
    status = mixture_draw(&first, &t, c, folder, "3.3", &error);
  if (status) {
    fprintf(stderr, "thesis_3_3: %s\n", error.message);
    return 1;
  }
  const double gamma = first.released[SFM_CALIBRATION_CLASSICAL].gamma;
  if (!mixture_write_curves(&first, folder, "3.3") || !write_tally(&t, &smooth, gamma, folder))
    return 1;
  mixture_print(&t, "3.3");
  print_more(&t, &smooth, gamma);
  print_verdict(&t, &smooth);
  return 0;
}
