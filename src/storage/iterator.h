// Reading an engine in key order, and at a fixed moment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::storage {

// Says whether a read may touch the disk. On an event loop: kCachedOnly, and on kWouldBlock the
// same call again on an I/O thread with kMayBlock.
enum class ReadMode { kCachedOnly, kMayBlock };

// A frozen view of an engine. Destroy before the engine; long-lived ones hold disk space back.
//
// It does not hold back a KeepRule: entries that the rule drops go from snapshots too.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  // Position in the engine's own write order, for ReadUpdatesSince.
  virtual uint64_t sequence() const = 0;
};

struct ScanOptions {
  std::string lower = {};  // inclusive; empty = from the first key
  std::string upper = {};  // exclusive; empty = to the last key
  ReadMode mode = ReadMode::kMayBlock;
  const Snapshot* snapshot = nullptr;
  bool fill_cache = true;  // false for one-off passes over much data
};

// A cursor in key order, over what the engine held when it was made. Destroy before the engine.
// Not thread-safe. After a move check Valid(), and when it is false, status(): the end was reached
// (ok), or kWouldBlock, kCorruption, kUnavailable.
class Iterator {
 public:
  virtual ~Iterator() = default;
  virtual bool Valid() const = 0;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  virtual void Seek(std::string_view target) = 0;         // first key >= target
  virtual void SeekForPrev(std::string_view target) = 0;  // last key <= target
  virtual void Next() = 0;                                // REQUIRES: Valid()
  virtual void Prev() = 0;                                // REQUIRES: Valid()
  virtual std::string_view key() const = 0;               // valid until the next move
  virtual std::string_view value() const = 0;
  virtual Status status() const = 0;
};

}  // namespace orrery::storage
