/* samplers.c - draws per second of the exact samplers beside the word rate of libsodium's ChaCha20,
 * in one run: the last columns say how many words ChaCha20 makes in the time of one draw.
 * Usage: bench_samplers [milliseconds per measurement] */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/bench_support.h"
#include "random/noise_sampler.h"

static double word_rate(double seconds) {
  static unsigned char buffer[8192];
  unsigned char key[32] = {1}, nonce[8] = {0};
  double start = bench_clock(), passed;
  uint64_t words = 0;
  do {
    for (int i = 0; i < 64; i++) crypto_stream_chacha20(buffer, sizeof buffer, nonce, key);
    words += 64 * sizeof buffer / 8;
  } while ((passed = bench_clock() - start) < seconds);
  return (double)words / passed;
}

static double draw_rate(const sfmi_sampler *sampler, sfmi_stream *stream, double seconds) {
  static sfmi_i128 values[4096];
  double start = bench_clock(), passed;
  uint64_t draws = 0;
  do {
    sfmi_sampler_draw(sampler, stream, values, 4096);
    draws += 4096;
  } while ((passed = bench_clock() - start) < seconds);
  return (double)draws / passed;
}

static int run(sfmi_stream *stream, double seconds) {
  static const struct {
    const char *name;
    sfm_ratio scale;
  } scales[] = {{"1", {1, 1}},
                {"3/2", {3, 2}},
                {"10", {10, 1}},
                {"2^20", {1 << 20, 1}},
                {"2^40", {UINT64_C(1) << 40, 1}},
                {"2^52", {UINT64_C(1) << 52, 1}}};
  static const char row[] = "| %-17s | %6s | %12.4g | %12.1f | %12.1f |\n";
  printf("| law               |  scale |      draws/s | 64-bit words | 32-bit words |\n");
  printf("|-------------------|--------|--------------|--------------|--------------|\n");
  for (int law = SFM_NOISE_LAW_DISCRETE_LAPLACE; law <= SFM_NOISE_LAW_DISCRETE_GAUSSIAN; law++) {
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
      sfmi_sampler *sampler;
      if (sfmi_sampler_create(&sampler, (sfm_noise_law)law, scales[i].scale, NULL)) return 1;
      double words = word_rate(seconds), draws = draw_rate(sampler, stream, seconds);
      printf(row, sfm_noise_law_name((sfm_noise_law)law), scales[i].name, draws, words / draws,
             2 * words / draws);
      sfmi_sampler_destroy(sampler);
    }
  }
  printf("\nlibsodium crypto_stream_chacha20: %.4g 64-bit words/s\n", word_rate(seconds));
  return 0;
}

int main(int argc, char **argv) {
  sfmi_stream *stream;
  sfm_error error;
  if (sfmi_stream_create(&stream, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  int result = run(stream, argc > 1 ? 1e-3 * atof(argv[1]) : 0.2);
  sfmi_stream_destroy(stream);
  return result;
}
