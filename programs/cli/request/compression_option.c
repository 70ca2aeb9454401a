#include "compression_option.h"

const cli_option option_compression = {"compression", "none|gzip",
                                       "how libsvm text is packed; this is not read from its first "
                                       "bytes, because they belong to a private record",
                                       "gzip for a name that ends in .gz, else none"};

sfm_status compression_option_read(sfm_compression *out, const cli_options *options, bool sparse,
                                   sfm_error *error) {
  static const char *const words[] = {"none", "gzip", NULL};
  static const sfm_compression meant[] = {SFM_COMPRESSION_NONE, SFM_COMPRESSION_GZIP};
  unsigned word = 0;
  *out = SFM_COMPRESSION_BY_NAME;
  if (!options_declared(options, "compression") || !options_has(options, "compression"))
    return SFM_OK;
  if (!sparse)
    return cli_misuse(error, "--compression is only for libsvm text (--dimension); a table shows "
                             "it in its first bytes, which belong to its header; leave it out");
  const sfm_status status = options_choice(options, &word, "compression", words, error);
  if (!status) *out = meant[word];
  return status;
}
