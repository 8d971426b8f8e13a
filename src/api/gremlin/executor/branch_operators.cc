// Steps with nested traversals: map, flatMap, local, union, coalesce, optional, choose, branch,
// sideEffect, identity.
#include <algorithm>
#include <deque>

#include "api/gremlin/executor/child.h"
#include "api/gremlin/executor/families.h"
#include "api/gremlin/executor/group_map.h"
#include "api/gremlin/executor/test_value.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

// Gives a nested traversal's results on, for each traverser in turn.
class ChildOperator : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  // `keeps_path`: the objects between belong to the path.
  Status Give(const Traverser& from, Batch results, bool keeps_path, Batch& out) {
    for (Traverser& result : results) {
      if (keeps_path) {
        result.bulk *= from.bulk;
        result.tag = from.tag;
        out.push_back(std::move(result));
        continue;
      }
      ORRERY_ASSIGN(Traverser moved, run().Moved(from, std::move(result.value)));
      moved.bulk = from.bulk * result.bulk;
      moved.sack = std::move(result.sack);
      out.push_back(std::move(moved));
    }
    return {};
  }
};

class FlatMapOperator final : public ChildOperator {
 public:
  using ChildOperator::ChildOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    const ChildNeed need = step().name == "map" ? ChildNeed::kFirst : ChildNeed::kAll;
    const bool keeps_path = step().name == "local";
    ORRERY_ASSIGN(ChildResults results, RunChild(run(), *step().children.front(), in, need));
    for (size_t i = 0; i < in.size(); ++i)
      ORRERY_TRY(Give(in[i], std::move(results[i]), keeps_path, out));
    return {};
  }
};

// The first traversal that yields anything.
class CoalesceOperator final : public ChildOperator {
 public:
  using ChildOperator::ChildOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    std::vector<Batch> chosen(in.size());
    std::vector<size_t> left(in.size());
    for (size_t i = 0; i < in.size(); ++i) left[i] = i;
    for (const Child& child : step().children) {
      Batch starts;
      for (const size_t i : left) starts.push_back(in[i]);
      // One after the other where there are writes: what the first creates the second must see.
      std::vector<size_t> rest;
      if (run().plan().mutates) {
        for (size_t k = 0; k < left.size(); ++k) {
          ORRERY_ASSIGN(ChildResults one, RunChild(run(), *child, {starts[k]}, ChildNeed::kAll));
          if (one.front().empty()) {
            rest.push_back(left[k]);
          } else {
            chosen[left[k]] = std::move(one.front());
          }
        }
      } else {
        ORRERY_ASSIGN(ChildResults results, RunChild(run(), *child, starts, ChildNeed::kAll));
        for (size_t k = 0; k < left.size(); ++k) {
          if (results[k].empty()) {
            rest.push_back(left[k]);
          } else {
            chosen[left[k]] = std::move(results[k]);
          }
        }
      }
      left = std::move(rest);
      if (left.empty()) break;
    }
    for (size_t i = 0; i < in.size(); ++i)
      ORRERY_TRY(Give(in[i], std::move(chosen[i]), false, out));
    return {};
  }
};

class OptionalOperator final : public ChildOperator {
 public:
  using ChildOperator::ChildOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    ORRERY_ASSIGN(ChildResults results,
                  RunChild(run(), *step().children.front(), in, ChildNeed::kAll));
    for (size_t i = 0; i < in.size(); ++i) {
      if (results[i].empty()) {
        out.push_back(std::move(in[i]));
      } else {
        ORRERY_TRY(Give(in[i], std::move(results[i]), true, out));
      }
    }
    return {};
  }
};

class SideEffectOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    ORRERY_TRY(RunChild(run(), *step().children.front(), in, ChildNeed::kAll));
    std::ranges::move(in, std::back_inserter(out));
    return {};
  }
};

// union, choose and branch. All traversers go through one pipeline for each branch: limit() or
// dedup() in a branch is for all of them, and a barrier in a branch waits for all that come.
class BranchOperator : public Operator {
 public:
  BranchOperator(Run& run, const Step& step, const Pipeline& pipeline,
                 std::vector<std::unique_ptr<Pipeline>> branches, bool has_barrier)
      : Operator(run, step, pipeline), branches_(std::move(branches)), has_barrier_(has_barrier) {}

 protected:
  Result<bool> Produce(Batch& out) override {
    const size_t before = out.size();
    while (out.size() == before) {
      ORRERY_ASSIGN(Batch in, Take());
      if (in.empty()) return false;
      std::vector<Batch> parts(branches_.size());
      ORRERY_TRY(Route(std::move(in), parts, out));
      for (size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].empty()) continue;
        branches_[i]->Feed(std::move(parts[i]));
        while (true) {
          ORRERY_ASSIGN(const bool any, branches_[i]->Next(out));
          if (!any) break;
        }
      }
    }
    return true;
  }

  // Says which traversers go through which branch, or past all of them into `out`.
  virtual Status Route(Batch in, std::vector<Batch>& parts, Batch& out) = 0;

 private:
  // Takes the traversers that are routed together; empty: there is no more.
  Result<Batch> Take() {
    Batch in;
    if (has_barrier_) {
      if (feeding_ == pipeline().feedings()) return in;
      feeding_ = pipeline().feedings();
      ORRERY_ASSIGN(in, PullAll());
      run().Release(in.size());
      return in;
    }
    if (waiting_.empty()) {
      while (true) {
        ORRERY_ASSIGN(const bool any, Pull(in));
        if (!any || !in.empty()) break;
      }
      if (!run().plan().mutates) return in;
      std::ranges::move(in, std::back_inserter(waiting_));
      in.clear();
    }
    // One after the other where there are writes: what the first creates the second must see.
    if (waiting_.empty()) return in;
    in.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    return in;
  }

  const std::vector<std::unique_ptr<Pipeline>> branches_;
  const bool has_barrier_;
  uint64_t feeding_ = 0;
  std::deque<Traverser> waiting_;
};

class UnionOperator final : public BranchOperator {
 public:
  using BranchOperator::BranchOperator;

 protected:
  Status Route(Batch in, std::vector<Batch>& parts, Batch&) override {
    for (Batch& part : parts) part = in;
    return {};
  }
};

// choose(test, yes[, no])
class TestOperator final : public BranchOperator {
 public:
  using BranchOperator::BranchOperator;

 protected:
  Status Route(Batch in, std::vector<Batch>& parts, Batch& out) override {
    std::vector<bool> passes;
    if (step().children.front() != nullptr) {
      ORRERY_ASSIGN(passes, TestChild(run(), *step().children.front(), in));
    } else {
      for (const Traverser& traverser : in) {
        ORRERY_ASSIGN(const bool pass, Passes(step().args.front(), traverser.value));
        passes.push_back(pass);
      }
    }
    for (size_t i = 0; i < in.size(); ++i) {
      const size_t branch = passes[i] ? 0 : 1;
      (branch < parts.size() ? parts[branch] : out).push_back(std::move(in[i]));
    }
    return {};
  }
};

// choose(look).option(...) and branch(look).option(...): a branch for each option.
class PickOperator final : public BranchOperator {
 public:
  using BranchOperator::BranchOperator;

 protected:
  Status Route(Batch in, std::vector<Batch>& parts, Batch&) override {
    const Child& look_child = step().children.front();
    ChildResults looks;
    if (look_child != nullptr) {
      ORRERY_ASSIGN(looks, RunChild(run(), *look_child, in, ChildNeed::kFirst));
    }
    for (size_t n = 0; n < in.size(); ++n) {
      const Traverser& traverser = in[n];
      Value look = traverser.value;
      if (step().args.front().is_enum("T")) {
        const auto token = TokenValue(traverser.value, step().args.front().AsEnum().name);
        if (!token.has_value()) {
          return Fail(Code::kInvalidArgument,
                      "The provided traverser does not map to a value: " + ToText(traverser.value));
        }
        look = *token;
      } else if (look_child != nullptr) {
        if (looks[n].empty()) {
          return Fail(Code::kInvalidArgument,
                      "The provided traverser does not map to a value: " + ToText(traverser.value));
        }
        look = looks[n].front().value;
      }
      bool is_matched = false;
      for (size_t i = 0; i < step().options.size(); ++i) {
        const Option& option = step().options[i];
        if (option.pick.is_enum("Pick", "any")) {
          parts[i].push_back(traverser);
        }
        if (option.pick.is_enum("Pick")) continue;
        ORRERY_ASSIGN(const bool matches, Matches(option, look, traverser));
        if (!matches) continue;
        parts[i].push_back(traverser);
        is_matched = true;
      }
      for (size_t i = 0; i < step().options.size() && !is_matched; ++i) {
        if (!step().options[i].pick.is_enum("Pick", "none")) continue;
        parts[i].push_back(traverser);
      }
    }
    return {};
  }

 private:
  Result<bool> Matches(const Option& option, const Value& look, const Traverser& traverser) {
    if (option.pick_child == nullptr) return Passes(option.pick, look);
    Traverser placed = traverser;
    placed.value = look;
    ORRERY_ASSIGN(const std::vector<bool> passes, TestChild(run(), *option.pick_child, {placed}));
    return static_cast<bool>(passes.front());
  }
};

template <typename Made>
MadeOperator MakeBranches(Run& run, const Step& step, const Pipeline& pipeline,
                          const std::vector<Child>& children) {
  std::vector<std::unique_ptr<Pipeline>> branches;
  bool has_barrier = false;
  for (const Child& child : children) {
    if (child == nullptr)
      return Fail(Code::kInvalidArgument, step.name + "() takes traversals as its branches");
    ORRERY_ASSIGN(std::unique_ptr<Pipeline> branch, Pipeline::Make(run, *child));
    branches.push_back(std::move(branch));
    has_barrier = has_barrier || EndsInBarrier(*child);
  }
  return std::make_unique<Made>(run, step, pipeline, std::move(branches), has_barrier);
}

class IdentityOperator final : public BatchOperator {
 public:
  using BatchOperator::BatchOperator;

 protected:
  Status Process(Batch in, Batch& out) override {
    std::ranges::move(in, std::back_inserter(out));
    return {};
  }
};

}  // namespace

MadeOperator MakeBranchOperator(Run& run, const Step& step, const Pipeline& pipeline) {
  const std::string& name = step.name;
  const bool has_children =
      !step.children.empty() &&
      std::ranges::all_of(step.children, [](const Child& c) { return c != nullptr; });
  const auto needs = [&](size_t count) -> Status {
    if (has_children && step.children.size() == count) return {};
    return Fail(Code::kInvalidArgument, name + "() takes " + std::to_string(count) + " traversal");
  };
  if (name == "identity" || name == "as")
    return std::make_unique<IdentityOperator>(run, step, pipeline);
  if (name == "map" || name == "flatMap" || name == "local") {
    ORRERY_TRY(needs(1));
    return std::make_unique<FlatMapOperator>(run, step, pipeline);
  }
  if (name == "optional") {
    ORRERY_TRY(needs(1));
    return std::make_unique<OptionalOperator>(run, step, pipeline);
  }
  if (name == "sideEffect") {
    ORRERY_TRY(needs(1));
    return std::make_unique<SideEffectOperator>(run, step, pipeline);
  }
  if (name == "union" || name == "coalesce") {
    if (!step.args.empty() && !has_children)
      return Fail(Code::kInvalidArgument, name + "() takes traversals");
    if (name == "union") return MakeBranches<UnionOperator>(run, step, pipeline, step.children);
    return std::make_unique<CoalesceOperator>(run, step, pipeline);
  }
  if (name == "choose" || name == "branch") {
    if (step.args.empty() || (step.options.empty() && step.args.size() < 2))
      return Fail(Code::kInvalidArgument, name + "() takes a test and traversals, or options");
    std::vector<Child> children;
    if (step.options.empty()) {
      children.assign(step.children.begin() + 1, step.children.end());
      return MakeBranches<TestOperator>(run, step, pipeline, children);
    }
    for (const Option& option : step.options) children.push_back(option.branch);
    return MakeBranches<PickOperator>(run, step, pipeline, children);
  }
  return nullptr;
}

}  // namespace orrery::gremlin
