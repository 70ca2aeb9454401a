/* sfumato.h - includes all public headers of sfumato, which releases functions of private rows with
 * differential privacy.  Include this, or the single header that you need.
 *
 * The library does not depend on the locale of the program: numbers have a decimal point in every
 * text that it reads or returns, and messages are in English. */
#ifndef SFUMATO_SFUMATO_H
#define SFUMATO_SFUMATO_H

#include "sfumato/status.h"
#include "sfumato/words.h"
#include "sfumato/guarantee.h"
#include "sfumato/account.h"
#include "sfumato/ledger.h"
#include "sfumato/key.h"
#include "sfumato/context.h"
#include "sfumato/linear.h"
#include "sfumato/kernel.h"
#include "sfumato/schema.h"
#include "sfumato/rows.h"
#include "sfumato/arrow.h"
#include "sfumato/noise.h"
#include "sfumato/release.h"
#include "sfumato/shape.h"
#include "sfumato/marginal.h"
#include "sfumato/query.h"
#include "sfumato/density.h"
#include "sfumato/refine.h"
#include "sfumato/sample.h"
#include "sfumato/vector.h"
#include "sfumato/files.h"
#include "sfumato/function.h"
#include "sfumato/sobolev.h"
#include "sfumato/series.h"
#include "sfumato/curve.h"
#include "sfumato/range.h"
#include "sfumato/choose.h"
#include "sfumato/mean.h"
#include "sfumato/machine.h"
#include "sfumato/train.h"
#include "sfumato/interact.h"
#include "sfumato/predict.h"
#include "sfumato/count.h"
#include "sfumato/table.h"
#include "sfumato/optimal.h"
#include "sfumato/histogram.h"
#include "sfumato/online.h"
#include "sfumato/partial.h"
#include "sfumato/plan.h"
#include "sfumato/limits.h"

#endif
