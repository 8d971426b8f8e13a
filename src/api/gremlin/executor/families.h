// The families of steps, one source file each. Each function makes the operator of a step, or null
// if the step is of another family.
#pragma once

#include <memory>

#include "api/gremlin/executor/operator.h"

namespace orrery::gremlin {

using MadeOperator = Result<std::unique_ptr<Operator>>;

MadeOperator MakeSourceOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeCountOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeMoveOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeFilterOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeRangeOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeMapOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakePathOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeReduceOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeGroupOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeBranchOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeRepeatOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeSideEffectOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeMutationOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeMergeOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeTextOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeTreeOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeMatchOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeConversionOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeProfileOperator(Run& run, const Step& step, const Pipeline& pipeline);
MadeOperator MakeListOperator(Run& run, const Step& step, const Pipeline& pipeline);

}  // namespace orrery::gremlin
