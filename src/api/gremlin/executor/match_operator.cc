// match(): patterns over variables, solved one after the other.
//
// The variables' values are objects of the traverser's path under the variable's label, as
// TinkerPop keeps them. A pattern is tried when what it needs has values: filters and patterns
// whose two ends are known first, then in the order they are written. Traversers that chose the
// same pattern go through it together.
#include <algorithm>
#include <map>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/executor/group_map.h"
#include "api/gremlin/value/relation.h"

namespace orrery::gremlin {
namespace {

bool HasLabel(const Traverser& traverser, std::string_view label) {
  for (const PathNode* node = traverser.path.get(); node != nullptr; node = node->parent.get()) {
    if (std::ranges::find(node->labels, label) != node->labels.end()) return true;
  }
  return false;
}

Value Bindings(const MatchPattern& group, const Traverser& traverser) {
  ValueMap map;
  std::vector<const PathNode*> nodes;
  for (const PathNode* node = traverser.path.get(); node != nullptr; node = node->parent.get())
    nodes.push_back(node);
  for (const PathNode* node : nodes) {
    for (const std::string& label : node->labels) {
      // The last value counts, and the path is read from its end.
      if (std::ranges::find(group.variables, label) != group.variables.end() &&
          map.Find(label) == nullptr)
        map.Set(label, node->value);
    }
  }
  ValueMap sorted;
  for (const std::string& name : group.variables) {
    if (const Value* value = map.Find(name); value != nullptr) sorted.Set(name, *value);
  }
  return Value::Map(std::move(sorted));
}

// One pattern with what it remembers between batches.
class Pattern {
 public:
  static Result<std::unique_ptr<Pattern>> Make(Run& run, const MatchPattern& plan) {
    std::unique_ptr<Pattern> pattern(new Pattern(run, plan));
    if (plan.kind == MatchPattern::Kind::kTraversal) {
      // A barrier in a pattern waits for the results of one traverser only.
      pattern->is_local_ = EndsInBarrier(*plan.body);
      if (!pattern->is_local_) {
        ORRERY_ASSIGN(pattern->body_, Pipeline::Make(run, *plan.body));
      }
      return pattern;
    }
    for (const MatchPattern& part : plan.parts) {
      ORRERY_ASSIGN(std::unique_ptr<Pattern> made, Make(run, part));
      pattern->parts_.push_back(std::move(made));
    }
    return pattern;
  }

  // Traversers that have values for all variables of the group. REQUIRES: a group.
  Status Solve(Batch in, Batch& out) {
    for (Traverser& traverser : in) {
      const bool has_start = std::ranges::any_of(
          plan_.starts, [&](const std::string& name) { return HasLabel(traverser, name); });
      if (!has_start && !plan_.first.empty()) Run::AddLabels(traverser, {plan_.first});
    }
    if (plan_.kind == MatchPattern::Kind::kAny) {
      for (const auto& part : parts_) ORRERY_TRY(part->Walk(in, out));
      return {};
    }
    return SolveAll(std::move(in), out);
  }

 private:
  Pattern(Run& run, const MatchPattern& plan) : run_(run), plan_(plan) {}

  struct Work {
    uint64_t solved = 0;  // a bit for each part
    Batch traversers;
  };

  Status SolveAll(Batch in, Batch& out) {
    const uint64_t all = parts_.size() == 64 ? ~uint64_t{0} : (uint64_t{1} << parts_.size()) - 1;
    ORRERY_TRY(run_.Keep(in.size()));
    std::vector<Work> stack;
    stack.push_back({.solved = 0, .traversers = std::move(in)});
    while (!stack.empty()) {
      Work work = std::move(stack.back());
      stack.pop_back();
      ORRERY_TRY(run_.Check(work.traversers.size()));
      run_.Release(work.traversers.size());
      if (work.solved == all) {
        std::ranges::move(work.traversers, std::back_inserter(out));
        continue;
      }
      std::map<size_t, Batch> chosen;
      for (Traverser& traverser : work.traversers) {
        ORRERY_ASSIGN(const size_t part, Choose(traverser, work.solved));
        chosen[part].push_back(std::move(traverser));
      }
      for (auto& [part, traversers] : chosen) {
        Batch results;
        ORRERY_TRY(parts_[part]->Walk(std::move(traversers), results));
        if (results.empty()) continue;
        ORRERY_TRY(run_.Keep(results.size()));
        stack.push_back(
            {.solved = work.solved | uint64_t{1} << part, .traversers = std::move(results)});
      }
    }
    return {};
  }

  Result<size_t> Choose(const Traverser& traverser, uint64_t solved) const {
    std::optional<size_t> possible;
    for (size_t i = 0; i < parts_.size(); ++i) {
      if ((solved >> i & 1) != 0) continue;
      const MatchPattern& plan = parts_[i]->plan_;
      const bool is_ready = std::ranges::all_of(
          plan.needs, [&](const std::string& name) { return HasLabel(traverser, name); });
      if (!is_ready) continue;
      if (plan.is_filter || (!plan.end.empty() && HasLabel(traverser, plan.end))) return i;
      if (!possible.has_value()) possible = i;
    }
    if (possible.has_value()) return *possible;
    return Fail(Code::kInvalidArgument,
                "The provided match pattern is unsolvable: no pattern that is left begins at a "
                "variable that has a value");
  }

  // Goes through one pattern; results have its variables.
  Status Walk(Batch in, Batch& out) {
    if (plan_.kind != MatchPattern::Kind::kTraversal) {
      Batch solved;
      ORRERY_TRY(Solve(std::move(in), solved));
      for (const Traverser& traverser : solved) {
        ORRERY_ASSIGN(Traverser moved, run_.Moved(traverser, Bindings(plan_, traverser)));
        out.push_back(std::move(moved));
      }
      return {};
    }
    if (!plan_.start.empty()) {
      for (Traverser& traverser : in) {
        Values values = LabelledObjects(traverser.path, plan_.start);
        ORRERY_ASSIGN(traverser, run_.Moved(traverser, std::move(values.back())));
      }
    }
    Batch results;
    if (is_local_) {
      ORRERY_ASSIGN(ChildResults each, RunChild(run_, *plan_.body, in, ChildNeed::kAll));
      for (size_t i = 0; i < in.size(); ++i) {
        for (Traverser& result : each[i]) {
          ORRERY_ASSIGN(Traverser moved, run_.Moved(in[i], std::move(result.value)));
          moved.bulk = in[i].bulk * result.bulk;
          moved.sack = std::move(result.sack);
          results.push_back(std::move(moved));
        }
      }
    } else {
      ORRERY_ASSIGN(results, body_->RunAll(std::move(in)));
    }
    for (Traverser& result : results) {
      if (!plan_.end.empty()) {
        const Values values = LabelledObjects(result.path, plan_.end);
        if (!values.empty() && !Equivalent(values.back(), result.value)) continue;
        Run::AddLabels(result, {plan_.end});
      }
      out.push_back(std::move(result));
    }
    return {};
  }

  Run& run_;
  const MatchPattern& plan_;
  bool is_local_ = false;
  std::unique_ptr<Pipeline> body_;
  std::vector<std::unique_ptr<Pattern>> parts_;
};

class MatchOperator final : public BatchOperator {
 public:
  MatchOperator(Run& run, const Step& step, const Pipeline& pipeline,
                std::unique_ptr<Pattern> patterns)
      : BatchOperator(run, step, pipeline), patterns_(std::move(patterns)) {}

 protected:
  Status Process(Batch in, Batch& out) override {
    Batch solved;
    ORRERY_TRY(patterns_->Solve(std::move(in), solved));
    for (const Traverser& traverser : solved) {
      ORRERY_ASSIGN(Traverser moved, run().Moved(traverser, Bindings(*step().match, traverser)));
      out.push_back(std::move(moved));
    }
    return {};
  }

 private:
  const std::unique_ptr<Pattern> patterns_;
};

}  // namespace

MadeOperator MakeMatchOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  if (step.match == nullptr) return nullptr;
  ORRERY_ASSIGN(std::unique_ptr<Pattern> patterns, Pattern::Make(run, *step.match));
  return std::make_unique<MatchOperator>(run, step, pipeline, std::move(patterns));
}

}  // namespace orrery::gremlin
