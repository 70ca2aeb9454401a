#include "compression_option.h"

const cli_option option_compression = {"compression", "none|gzip",
                                       "how libsvm text is packed; this is not read from its first "
                                       "bytes, because they belong to a private record",
                                       "gzip for a name that ends in .gz, else none",
                                       CLI_WORDS("none", "gzip")};

sfm_status compression_option_read(sfm_compression *out, const cli_options *options, bool sparse,
                                   sfm_error *error) {
  unsigned word = 0;
  *out = SFM_COMPRESSION_BY_NAME;
  if (!options_given(options, "compression")) return SFM_OK;
  if (!sparse)
    return cli_misuse(error, "--compression is only for libsvm text (--dimension); a table shows "
                             "it in its first bytes, which belong to its header; leave it out");
  const sfm_status status = options_take(options, &word, "compression", error);
  *out = word ? SFM_COMPRESSION_GZIP : SFM_COMPRESSION_NONE;
  return status;
}
