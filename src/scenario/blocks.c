/* The lists of operations inside of a compiled operation, for everything that walks over whole programs. */
#include "scenario/scenario_internal.h"

const struct block *op_inside(const struct op *op, uint32_t nth)
{
    if (op->exec == exec_loop || op->exec == exec_defer)
        return nth ? NULL : &op->u.loop.body;
    if (op->exec == exec_once)
        return nth == 0 ? &op->u.once.body : nth == 1 ? &op->u.once.finish : NULL;
    if (op->exec == exec_range)
        return nth ? NULL : &op->u.obj.body;
    if (op->exec == exec_if)
        return nth == 0 ? &op->u.branch.then : nth == 1 ? &op->u.branch.otherwise : NULL;
    if (op->exec != exec_select || nth > op->u.select.n)
        return NULL;
    return nth < op->u.select.n ? &op->u.select.v[nth].body : op->u.select.otherwise;
}
