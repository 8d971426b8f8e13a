// A Run is one execution of a plan: what all its operators share.
//
// Used by one thread; all references must outlive it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>

#include "api/gremlin/executor/profile.h"
#include "api/gremlin/executor/traverser.h"
#include "api/gremlin/graph/graph_transaction.h"
#include "api/gremlin/planner/plan.h"
#include "base/clock.h"
#include "base/request_context.h"
#include "base/status.h"

namespace orrery::gremlin {

struct RunLimits {
  // Traversers that barriers, side effects and loops keep at a time.
  size_t kept_max = 2'000'000;
  size_t path_length_max = 10'000;
  // Traversers that all steps together have made.
  uint64_t moves_max = 200'000'000;
};

// A side effect: what aggregate(), group('x') and the like gather under a key.
struct SideEffect {
  Value value{};
  std::string reducer{};  // of withSideEffect(); a constant of Operator
};

class Run {
 public:
  struct Parts {
    const Plan& plan;
    GraphTransaction& graph;
    const RequestContext& context;
    const Clock& clock;
    uint64_t random_seed = 0;
    RunLimits limits{};
  };
  explicit Run(const Parts& parts);

  const Plan& plan() const { return parts_.plan; }
  GraphTransaction& graph() const { return parts_.graph; }
  const Clock& clock() const { return parts_.clock; }
  std::mt19937_64& random() { return random_; }
  std::map<std::string, SideEffect, std::less<>>& side_effects() { return side_effects_; }

  // A traverser that starts a traversal with this value.
  Traverser Start(Value value, uint32_t tag) const;
  // The traverser that `from` becomes when a step gives this value.
  Result<Traverser> Moved(const Traverser& from, Value value) const;
  // Puts labels on the last object of the path.
  static void AddLabels(Traverser& traverser, const std::vector<std::string>& labels);

  // To be called for every batch: kCancelled when the request should stop, kResourceExhausted
  // beyond a limit.
  Status Check(size_t made);
  void ForgetUse(const Step& step) { used_.erase(&step); }
  // Returns what all group() steps of a key have gathered so far.
  Batch& group_members(const std::string& key) { return group_members_[key]; }
  // Returns the answer of profile(); measured only if the plan asks for it.
  Profile& profile() { return profile_; }
  // Returns whether the step asks for the first time: for what a step does once, however often its
  // traversal is run.
  bool FirstUse(const Step& step) { return used_.insert(&step).second; }
  // fail() was reached, with this message.
  void SetFailed(std::string message) { failed_ = std::move(message); }
  const std::optional<std::string>& failed() const { return failed_; }
  // Count traversers that are kept, and those that are given back.
  Status Keep(size_t traversers);
  void Release(size_t traversers) { kept_ -= std::min(kept_, traversers); }

 private:
  const Parts parts_;
  std::mt19937_64 random_;
  std::map<std::string, SideEffect, std::less<>> side_effects_;
  std::optional<std::string> failed_;
  std::set<const Step*> used_;
  Profile profile_;
  std::map<std::string, Batch> group_members_;
  size_t kept_ = 0;
  uint64_t moves_ = 0;
};

}  // namespace orrery::gremlin
