// A Traverser is a place that a traversal has reached: a value, how many equal ones there are, and
// where it came from.
//
// Traversers move in batches. The tag says which start of a nested traversal one descends from, so
// that a nested traversal runs once for a whole batch and its results are told apart again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/gremlin/value/value.h"

namespace orrery::gremlin {

// One object of a path; paths share their beginnings.
struct PathNode {
  Value value;
  std::vector<std::string> labels;
  std::shared_ptr<const PathNode> parent;
  size_t length = 1;

  PathNode(Value object, std::vector<std::string> names, std::shared_ptr<const PathNode> before)
      : value(std::move(object)),
        labels(std::move(names)),
        parent(std::move(before)),
        length(parent == nullptr ? 1 : parent->length + 1) {}
  PathNode(const PathNode&) = delete;
  PathNode& operator=(const PathNode&) = delete;
  // Long paths are taken down in a loop, not by recursion.
  ~PathNode() {
    while (parent != nullptr && parent.use_count() == 1)
      parent = std::exchange(const_cast<PathNode&>(*parent).parent, nullptr);
  }
};
using PathRef = std::shared_ptr<const PathNode>;

struct LoopCount {
  std::string name;
  int64_t count = 0;
};

struct Traverser {
  Value value{};
  int64_t bulk = 1;
  // In a nested traversal, where bulks begin at one: the bulk of what it was started with.
  int64_t weight = 1;
  uint32_t tag = 0;
  PathRef path{};  // null if paths are not tracked
  std::vector<LoopCount> loops{};
  Value sack{};
};
using Batch = std::vector<Traverser>;

}  // namespace orrery::gremlin
