#include "machine_problem.h"

void sfmi_solution_clear(sfmi_solution *solution) {
  sfmi_wipe_free(solution->weights, solution->length, sizeof *solution->weights);
  *solution = (sfmi_solution){0};
}
