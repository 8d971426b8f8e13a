// A LoginLimit makes guessing keys slow: after ten wrong ones from an address within a minute no
// more are looked at from there until the minute is over.
//
// Of at most kAddressesMax addresses; the one whose minute began first is forgotten for another.
// Thread-safe.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"

namespace orrery::portal {

class LoginLimit {
 public:
  static constexpr int kWrongMax = 10;
  static constexpr Micros kPeriod = std::chrono::minutes(1);
  static constexpr size_t kAddressesMax = 1'024;

  // Returns how long the address must wait before it may try again; nullopt: it may now.
  std::optional<Micros> WaitOf(std::string_view address, Micros now) const EXCLUDES(mutex_);
  void NoteWrong(std::string_view address, Micros now) EXCLUDES(mutex_);

 private:
  struct Tries {
    Micros since{0};
    int wrong = 0;
  };

  mutable Mutex mutex_;
  std::map<std::string, Tries, std::less<>> tries_ GUARDED_BY(mutex_);
};

}  // namespace orrery::portal
