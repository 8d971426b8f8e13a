// repeat() with until(), emit() and times(): turn by turn, a batch at a time.
//
// Before the body (while-do): until() lets a traverser out, else emit() gives a copy. Behind it
// (do-while) the same, after the turn is counted. Lazy: a turn is made when its results are asked
// for, so that limit() behind an endless loop ends it.
#include <algorithm>
#include <deque>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"

namespace orrery::gremlin {
namespace {

constexpr int64_t kUnrolledMax = 32;
constexpr size_t kTurnMax = 1'024;  // traversers that go through the body together

class RepeatOperator final : public Operator {
 public:
  RepeatOperator(Run& run, const Step& step, const Pipeline& pipeline,
                 std::unique_ptr<Pipeline> body)
      : Operator(run, step, pipeline), is_unrolled_(IsUnrolled(step)) {
    bodies_.push_back(std::move(body));
  }

 protected:
  Result<bool> Produce(Batch& out) override {
    const size_t before = out.size();
    while (out.size() == before) {
      if (waiting_.empty()) {
        Batch starts;
        ORRERY_ASSIGN(const bool any, Pull(starts));
        if (!any) return false;
        for (Traverser& start : starts) start.loops.push_back({.name = step().loop.name});
        ORRERY_TRY(Admit(std::move(starts), true, out));
        continue;
      }
      Batch turn;
      const int64_t loop = waiting_.front().loops.back().count;
      while (!waiting_.empty() && turn.size() < kTurnMax &&
             (!is_unrolled_ || waiting_.front().loops.back().count == loop)) {
        turn.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
      }
      run().Release(turn.size());
      ORRERY_ASSIGN(Pipeline* const body, BodyOf(is_unrolled_ ? static_cast<size_t>(loop) : 0));
      ORRERY_ASSIGN(Batch results, body->RunAll(std::move(turn)));
      for (Traverser& result : results) {
        if (!result.loops.empty()) {
          ++result.loops.back().count;
        } else {
          result.loops.push_back({.name = step().loop.name, .count = 1});
        }
      }
      ORRERY_TRY(Admit(std::move(results), false, out));
    }
    return true;
  }

 private:
  const Loop& loop() const { return step().loop; }

  // A loop with a number of turns alone is its body so many times, as TinkerPop's
  // RepeatUnrollStrategy makes it: limit() or inject() in the body begin anew each turn. Not so
  // where the body remembers or counts by itself.
  static bool IsUnrolled(const Step& step) {
    const Loop& loop = step.loop;
    if (!loop.times.has_value() || *loop.times > kUnrolledMax || loop.until != nullptr ||
        loop.emits)
      return false;
    return !Contains(*step.children.front(), {"dedup", "loops", "repeat", "aggregate"});
  }
  static bool Contains(const Traversal& traversal, std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(traversal.steps, [&](const Step& step) {
      return std::ranges::find(names, step.name) != names.end() ||
             std::ranges::any_of(step.children, [&](const Child& child) {
               return child != nullptr && Contains(*child, names);
             });
    });
  }

  Result<Pipeline*> BodyOf(size_t turn) {
    while (bodies_.size() <= turn) {
      for (const Step& each : step().children.front()->steps) run().ForgetUse(each);
      ORRERY_ASSIGN(std::unique_ptr<Pipeline> body,
                    Pipeline::Make(run(), *step().children.front()));
      bodies_.push_back(std::move(body));
    }
    return bodies_[turn].get();
  }

  Result<std::vector<bool>> Leaves(const Batch& traversers) {
    if (loop().times.has_value()) {
      std::vector<bool> leaves;
      for (const Traverser& t : traversers) leaves.push_back(t.loops.back().count >= *loop().times);
      return leaves;
    }
    if (loop().until == nullptr) return std::vector<bool>(traversers.size(), false);
    return TestChild(run(), *loop().until, traversers);
  }
  Result<std::vector<bool>> Emits(const Batch& traversers) {
    if (loop().emit == nullptr) return std::vector<bool>(traversers.size(), loop().emits);
    return TestChild(run(), *loop().emit, traversers);
  }

  // Decides what leaves, what is given and what goes round again. `first`: before the first turn.
  Status Admit(Batch traversers, bool first, Batch& out) {
    std::vector<bool> leaves(traversers.size(), false);
    std::vector<bool> emits(traversers.size(), false);
    if (!first || loop().until_first) {
      ORRERY_ASSIGN(leaves, Leaves(traversers));
    }
    if (loop().emits && (!first || loop().emit_first)) {
      ORRERY_ASSIGN(emits, Emits(traversers));
    }
    size_t kept = 0;
    // Behind the body emit() is asked before an until() in front of it: what meets both comes
    // twice.
    const bool asks_both = !first && loop().until_first && !loop().emit_first;
    for (size_t i = 0; i < traversers.size(); ++i) {
      if (asks_both && leaves[i] && emits[i]) {
        out.push_back(traversers[i]);
        out.back().loops.pop_back();
      }
      if (leaves[i] || emits[i]) {
        Traverser copy = leaves[i] ? std::move(traversers[i]) : traversers[i];
        copy.loops.pop_back();
        out.push_back(std::move(copy));
      }
      if (leaves[i]) continue;
      waiting_.push_back(std::move(traversers[i]));
      ++kept;
    }
    return run().Keep(kept);
  }

  const bool is_unrolled_;
  std::vector<std::unique_ptr<Pipeline>> bodies_;  // one, or one for each turn
  std::deque<Traverser> waiting_;
};

}  // namespace

MadeOperator MakeRepeatOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  if (step.name != "repeat") return nullptr;
  ORRERY_ASSIGN(std::unique_ptr<Pipeline> body, Pipeline::Make(run, *step.children.front()));
  return std::make_unique<RepeatOperator>(run, step, pipeline, std::move(body));
}

}  // namespace orrery::gremlin
