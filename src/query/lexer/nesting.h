// Nesting limits the recursion of a recursive-descent parser: foreign text must never decide how
// much stack is used.
//
//   NestingLevel level(nesting_);
//   if (!level.ok()) return TooDeep();
//
// Not thread-safe: one per parse.
#pragma once

#include <cstdint>

namespace orrery::query {

class Nesting {
 public:
  explicit Nesting(uint32_t depth_max) : depth_max_(depth_max) {}

  uint32_t depth() const { return depth_; }
  uint32_t depth_max() const { return depth_max_; }

 private:
  friend class NestingLevel;
  const uint32_t depth_max_;
  uint32_t depth_ = 0;
};

// One level, for as long as it lives. `nesting` must outlive it.
class NestingLevel {
 public:
  explicit NestingLevel(Nesting& nesting) : nesting_(nesting) { ++nesting_.depth_; }
  ~NestingLevel() { --nesting_.depth_; }
  NestingLevel(const NestingLevel&) = delete;
  NestingLevel& operator=(const NestingLevel&) = delete;

  [[nodiscard]] bool ok() const { return nesting_.depth_ <= nesting_.depth_max_; }

 private:
  Nesting& nesting_;
};

}  // namespace orrery::query
