/* fuzz_predicate.c - any words as a predicate: refused with a message that points at a place, or a
 * program that says of every row the same whatever rows are beside it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/predicate/predicate.h"
#include "data/rows/rows_open.h"
#include "promise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char HEADER[] = "age,sex,smoker,word,n\n";
static const char *const ROWS[] = {"70,F,true,a,1\n", "x,M,0,\"b\"\"\",2.5\n", ",,,,\n", "\"\n",
                                   "-1e3, F ,1,a b,3\n"};
enum { COUNT = sizeof ROWS / sizeof *ROWS };

static sfm_schema *stated(void) {
  static const char json[] = "{\"fields\": [{\"name\": \"age\", \"type\": \"number\"},"
                             "{\"name\": \"n\", \"type\": \"integer\"},"
                             "{\"name\": \"smoker\", \"type\": \"boolean\"},"
                             "{\"name\": \"sex\", \"type\": \"string\","
                             "\"constraints\": {\"enum\": [\"F\", \"M\"]}}]}";
  sfm_schema *schema;
  return sfm_schema_parse(&schema, json, strlen(json), "s", NULL) ? NULL : schema;
}

/* Which of the rows from `first` to before `end` match, as bits; -1 when the columns are not all
 * there. */
static int match(sfmi_predicate *predicate, const sfm_schema *schema, size_t first, size_t end) {
  char text[400];
  size_t used = (size_t)snprintf(text, sizeof text, "%s", HEADER), count, said;
  uint8_t found[SFMI_BATCH_ROWS];
  const sfmi_batch *batch;
  sfm_rows *rows;
  int bits = 0;
  for (size_t i = first; i < end; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s", ROWS[i]);
  if (sfmi_rows_open_memory(&rows, text, used, 0, NULL)) return -1;
  const sfmi_cell_column *columns = sfmi_predicate_columns(predicate, &count);
  if (sfmi_rows_begin_cells(rows, schema, columns, count, NULL) ||
      sfmi_rows_next(rows, &batch, NULL)) {
    bits = -1;
  } else {
    PROMISE(batch && batch->rows == end - first);
    said = sfmi_predicate_match(predicate, found, batch);
    for (size_t r = 0; r < batch->rows; r++) {
      PROMISE(found[r] <= 1);
      bits |= found[r] << (first + r);
      said -= found[r];
    }
    PROMISE(said == 0);
  }
  sfm_rows_destroy(rows);
  return bits;
}

static void check_refusal(const sfm_error *error) {
  const char *line = strstr(error->message, "\n  ");
  PROMISE(error->status == SFM_INVALID && strncmp(error->message, "settings.where: ", 16) == 0);
  PROMISE(!line || error->message[strlen(error->message) - 1] == '^');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sfm_error error = {0};
  sfmi_predicate *predicate;
  sfm_schema *schema = stated();
  char *words = malloc(size + 1);
  if (words && schema) {
    memcpy(words, data, size);
    words[size] = '\0';
    if (sfmi_predicate_create(&predicate, words, schema, &error)) {
      PROMISE(predicate == NULL);
      check_refusal(&error);
    } else {
      const int all = match(predicate, schema, 0, COUNT);
      int one_by_one = all < 0 ? all : 0;
      for (size_t i = 0; all >= 0 && i < COUNT; i++)
        one_by_one |= match(predicate, schema, i, i + 1);
      PROMISE(all == one_by_one);
    }
    sfmi_predicate_destroy(predicate);
  }
  free(words);
  sfm_schema_destroy(schema);
  return 0;
}
