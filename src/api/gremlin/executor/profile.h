// A Profile measures the steps of a whole traversal: how long each took without those before it,
// and how much came out of it.
//
// Used by the run's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/gremlin/value/value.h"
#include "base/clock.h"

namespace orrery::gremlin {

struct StepProfile {
  std::string name{};
  Micros inclusive{};  // with the steps before it
  int64_t traversers = 0;
  int64_t elements = 0;  // traversers, each as often as its bulk says
};

class Profile {
 public:
  // The entry of the next step; stays where it is.
  StepProfile& Add(std::string name);

  // The answer of profile(): TinkerPop's metrics.
  Value Metrics() const;
  // The answer of Cosmos DB's executionProfile().
  Value ExecutionProfile(const std::string& gremlin) const;

 private:
  // The time of each step without those before it.
  std::vector<Micros> Times() const;

  std::vector<std::unique_ptr<StepProfile>> steps_;
};

}  // namespace orrery::gremlin
