/* ledger_fixture.h - what tests look at in a ledger that releases were charged to. */
#ifndef TEST_LEDGER_FIXTURE_H
#define TEST_LEDGER_FIXTURE_H

#include "test_support.h"

#include "sfumato/ledger.h"

/* The epsilon that a dataset has spent. */
static inline void expect_spent(const char *path, const char *dataset, const char *epsilon) {
  sfm_error error;
  sfm_ledger *ledger;
  sfm_dataset_status status;
  assert_ok(sfm_ledger_open(&ledger, path, &error), &error);
  assert_ok(sfm_ledger_find(ledger, &status, dataset, &error), &error);
  assert_string_equal(status.spent.epsilon, epsilon);
  sfm_ledger_close(ledger);
}

#endif
