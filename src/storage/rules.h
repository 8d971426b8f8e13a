// Callbacks by which an engine asks its user about stored entries while it reorganises them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::storage {

// The fate of an entry.
enum class Fate : uint8_t {
  kStays,
  kShrinks,  // to a smaller value
  kGoes,
};

// Says, during compaction, which entries or parts of them have no reason to stay (expired, or
// outside the partition's ranges after a split). Must be invisible: readers hide the same.
//
// Thread-safe: called from background threads at any time while the engine lives.
class KeepRule {
 public:
  virtual ~KeepRule() = default;
  // `rest` is the value that stays of one that shrinks.
  virtual Fate Decide(std::string_view key, std::string_view value, std::string& rest) const = 0;
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
