// A Compiler makes the steps of a traversal out of its instructions. Internal to the planner.
#pragma once

#include <span>

#include "api/gremlin/planner/planner.h"

namespace orrery::gremlin {

class Compiler {
 public:
  explicit Compiler(Plan& plan) : plan_(plan) {}

  // `nested`: whether it is the argument of a step.
  Result<Traversal> Compile(std::span<const Instruction> instructions, bool nested);
  Result<Child> CompileChild(const Value& traversal);

 private:
  // Takes an instruction that changes the step before it; false if it is a step of its own.
  Result<bool> TakeModulator(const Instruction& instruction, Traversal& traversal);
  Result<Step> MakeStep(const Instruction& instruction);
  Status TakeBy(const Instruction& instruction, Step& step);
  Status TakeEnd(const Instruction& instruction, Step& step);
  Status TakeOption(const Instruction& instruction, Step& step);
  Status TakeLoop(const Instruction& instruction, Loop& loop, bool before);
  Result<PropertyCall> MakeProperty(const Instruction& instruction);
  // The traversal of where(): as() at its beginning looks a label up, as() at its end compares.
  Result<Child> CompileWhere(const Value& traversal);
  // The patterns of match() (match_compiler.cc).
  Result<MatchPattern> MakeMatchGroup(MatchPattern::Kind kind, const Values& traversals);
  Result<MatchPattern> MakeMatchPattern(std::span<const Instruction> instructions);
  // A traversal, or a predicate on the traverser, as one.
  Result<Child> CompileTest(const Value& test);
  void Note(const Step& step);

  Plan& plan_;
  int depth_ = 0;
  std::vector<std::string> side_effects_;  // keys that steps so far gather under
  std::optional<Loop> pending_;            // until(), emit() and times() before their repeat()
};

// The error of a traversal that cannot be run.
inline std::unexpected<Error> Wrong(std::string message) {
  return Fail(Code::kInvalidArgument, std::move(message));
}

// The instructions with infix and() and or() as steps around their operands; `joined` holds them if
// there are any. `first`: the index of the first that takes part.
std::span<const Instruction> JoinInfix(std::span<const Instruction> instructions, size_t first,
                                       std::vector<Instruction>& joined);

// Puts what the filters behind V() and E() say into their queries (access.cc).
void FoldFilters(Traversal& traversal, const GraphRules& rules);
// Leaves counting to the store where a traversal begins with V() or E(), filters by labels at most,
// and counts. REQUIRES: FoldFilters has been here.
void FoldCount(Traversal& traversal);

}  // namespace orrery::gremlin
