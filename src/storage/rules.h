// What an engine asks its user about stored entries while it reorganises them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::storage {

// Says, during compaction, which entries have no reason to stay (expired, or outside the
// partition's ranges after a split). Dropping must be invisible: readers hide the same entries.
//
// Thread-safe: called from background threads at any time while the engine lives.
class KeepRule {
 public:
  virtual ~KeepRule() = default;
  virtual bool Keep(std::string_view key, std::string_view value) const = 0;
};

// Combines the operands of Batch::Merge with the stored value, oldest operand first.
// Must be associative: operands may be combined among themselves (existing = nullopt, partial).
//
// Thread-safe.
class MergeRule {
 public:
  virtual ~MergeRule() = default;
  // False when the bytes cannot be understood: the read fails with kCorruption.
  virtual bool Merge(std::string_view key, std::optional<std::string_view> existing,
                     const std::vector<std::string_view>& operands, bool partial,
                     std::string& merged) const = 0;
};

}  // namespace orrery::storage
