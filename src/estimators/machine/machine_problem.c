#include "machine_problem.h"

#include "base/system/wipe.h"

void sfmi_solution_clear(sfmi_solution *solution) {
  sfmi_wipe_free(solution->weights, solution->length, sizeof *solution->weights);
  *solution = (sfmi_solution){0};
}
