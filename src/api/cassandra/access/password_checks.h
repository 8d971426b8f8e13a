// Remembers which passwords were right a moment ago, so that a client that opens a thousand
// connections costs one bcrypt and not a thousand.
//
// Kept are HMACs of password and salted hash under a key that is made at the start and never leaves
// the process: neither is there in clear, and a changed password is another entry. Wrong passwords
// are never kept, so guessing costs a bcrypt each time. Entries go after kRememberedFor and when
// there are kRememberedMax.
//
// Thread-safe. May block for as long as a bcrypt takes.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"

namespace orrery::cassandra {

class PasswordChecks {
 public:
  static constexpr std::chrono::seconds kRememberedFor{30};
  static constexpr size_t kRememberedMax = 1'024;

  // `clock` must outlive it.
  explicit PasswordChecks(const Clock& clock);

  bool Matches(std::string_view password, const std::string& salted_hash) EXCLUDES(mutex_);
  size_t remembered() const EXCLUDES(mutex_);

 private:
  std::string KeyOf(std::string_view password, const std::string& salted_hash) const;
  // Drops entries that are too old, and the oldest beyond so many.
  void Forget(Micros now, size_t size_max) REQUIRES(mutex_);

  const Clock& clock_;
  std::array<uint8_t, 32> secret_{};  // constant after construction

  mutable Mutex mutex_;
  std::unordered_map<std::string, Micros> until_ GUARDED_BY(mutex_);  // by KeyOf
  std::deque<std::string> oldest_first_ GUARDED_BY(mutex_);
};

}  // namespace orrery::cassandra
