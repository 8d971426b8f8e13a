// A KeySet is a set of partition keys that a condition leaves possible: a union of patterns, each
// of which fixes some of the key's values and leaves the others open.
//
// Sets only ever err by having too many keys. One that would be too large becomes the set of all.
//
// Values; thread-safe.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/value.h"

namespace orrery::sql {

class KeySet {
 public:
  // More than these are not listed.
  static constexpr size_t kPatternsMax = 1'000;

  // One of the key's values, and what it is compared by.
  struct Component {
    model::Value value;
    std::string encoded;
  };
  // One for each path of the key; nothing: any value.
  using Pattern = std::vector<std::optional<Component>>;

  // `paths`: how many values a key has.
  static KeySet All(size_t paths);
  static KeySet None() { return KeySet(); }
  // All keys that have this value at this path.
  static KeySet At(size_t paths, size_t path, Component component);

  // Returns the intersection, or a little more.
  static KeySet Intersect(KeySet a, KeySet b);
  // Adds all of the other set.
  void Add(KeySet other);

  bool is_empty() const { return patterns_.empty(); }
  bool is_all() const;
  const std::vector<Pattern>& patterns() const { return patterns_; }

 private:
  KeySet() = default;

  std::vector<Pattern> patterns_;
};

}  // namespace orrery::sql
