// KeyRanges is a set of keys: intervals of strings, rising and disjoint.
//
// Made of what a filter says of PartitionKey or RowKey; keys that it leaves out cannot be wanted. A
// value; thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/table/filter/filter.h"

namespace orrery::table {

// The keys from `lower` on and before `upper`. What comes right behind a key is the key and a NUL.
struct KeyInterval {
  std::string lower{};
  std::optional<std::string> upper{};  // none: to the end

  // Returns whether it holds exactly one key: `lower`.
  bool is_single() const;
  bool Contains(std::string_view key) const {
    return key >= lower && (!upper.has_value() || key < *upper);
  }
  friend bool operator==(const KeyInterval&, const KeyInterval&) = default;
};

class KeyRanges {
 public:
  static KeyRanges All() { return KeyRanges({KeyInterval()}); }
  static KeyRanges None() { return KeyRanges({}); }
  static KeyRanges Of(KeyInterval interval) { return KeyRanges({std::move(interval)}); }
  // Both ends included; nullopt: unbounded.
  static KeyRanges Between(const std::optional<std::string>& first,
                           const std::optional<std::string>& last);

  // The keys that entities of which the filter holds may have in the property of that name. All for
  // no filter.
  static KeyRanges Allowed(const Filter* filter, std::string_view property);

  const std::vector<KeyInterval>& intervals() const { return intervals_; }
  bool empty() const { return intervals_.empty(); }
  // Returns the one key that is left; nullopt if there are none or several.
  std::optional<std::string> single() const;

  KeyRanges Intersect(const KeyRanges& other) const;
  KeyRanges Unite(const KeyRanges& other) const;

  friend bool operator==(const KeyRanges&, const KeyRanges&) = default;

 private:
  explicit KeyRanges(std::vector<KeyInterval> intervals) : intervals_(std::move(intervals)) {}

  std::vector<KeyInterval> intervals_;
};

}  // namespace orrery::table
