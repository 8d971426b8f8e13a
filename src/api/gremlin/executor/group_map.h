// Traversers by key, in the order of their keys' first appearance.
#pragma once

#include <vector>

#include "api/gremlin/executor/operator.h"

namespace orrery::gremlin {

class GroupMap {
 public:
  void Add(Value key, Traverser member);
  // Returns the map with each group reduced by the second by() of group().
  Result<ValueMap> Reduced(Run& run, const By& by) const;

 private:
  struct Group {
    Value key;
    Batch members;
  };
  std::vector<Group> groups_;
  ValueMap index_;  // from key to position
};

// Returns whether a step of the traversal waits for all that comes.
bool EndsInBarrier(const Traversal& traversal);

// Returns the map that group() or groupCount() makes of these traversers.
Result<Value> GroupOf(Run& run, const Step& step, const Batch& members);

}  // namespace orrery::gremlin
