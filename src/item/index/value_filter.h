// A ValueFilter tells which values an index of one physical partition cannot have: a Bloom filter
// that grows.
//
// It may say that a value is there when it is not, never the other way round, of all values that
// were added. Values are never taken out.
//
// It is a list of levels, each twice as large as the one before; a value goes into the last one
// unless some level seems to have it already, so that many entries of one value count once.
//
// MayHave is lock-free and thread-safe; Add is thread-safe. What was added before another thread
// was told so is seen by that thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/mutex.h"

namespace orrery::item {

class ValueFilter {
 public:
  static constexpr size_t kFirstLevelValues = 4'096;
  static constexpr size_t kBitsPerValue = 12;
  static constexpr size_t kLevelsMax = 16;  // 268 million values in all

  void Add(std::string_view value) EXCLUDES(mutex_);
  bool MayHave(std::string_view value) const;
  size_t bytes() const;

 private:
  struct Level {
    explicit Level(size_t values);
    std::vector<std::atomic<uint64_t>> words;
    size_t room;  // of further values; of Add
  };
  static bool IsSet(const Level& level, uint64_t hash);
  bool HasHash(uint64_t hash) const;

  Mutex mutex_;                                            // of Add
  std::array<std::unique_ptr<Level>, kLevelsMax> levels_;  // up to level_count_ they do not change
  std::atomic<size_t> level_count_{0};
};

}  // namespace orrery::item
