// Steps as people read them, for explain(), profile() and toString().
//
// Pure; thread-safe.
#pragma once

#include <string>

#include "api/gremlin/planner/plan.h"

namespace orrery::gremlin {

// "out(knows)"; nested traversals in brackets.
std::string StepText(const Instruction& instruction);
// The same of a compiled step, with how it finds its elements: "V(){label = person}".
std::string StepText(const Step& step);
// "[V(), out(knows)]"
std::string TraversalText(const Bytecode& traversal);

// The answer of explain(): the steps as they were given, and as they are run.
Value Explanation(const Bytecode& given, const Plan& plan);

}  // namespace orrery::gremlin
