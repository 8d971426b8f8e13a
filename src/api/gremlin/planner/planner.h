// Makes plans of bytecode: checks steps and their arguments, folds modulators into the steps they
// belong to, applies strategies, and finds out which elements a traversal begins with.
//
// Pure; thread-safe.
#pragma once

#include "api/gremlin/planner/plan.h"
#include "base/status.h"

namespace orrery::gremlin {

inline constexpr int kTraversalDepthMax = 100;

// kInvalidArgument says which step is wrong and why; kUnsupported names what is not available.
Result<Plan> MakePlan(const Bytecode& bytecode, const GraphRules& rules);

// The same traversal with the steps of strategies inserted (strategies.cc).
struct Strategies {
  const Strategy* subgraph = nullptr;
  const Strategy* partition = nullptr;
  bool read_only = false;
  bool verify_edge_labels = false;
  std::vector<std::string> reserved_keys{};
};
Result<Bytecode> ApplyStrategies(const Bytecode& bytecode, const Strategies& strategies);

}  // namespace orrery::gremlin
