// A TimeZone says how far local time is from UTC at an instant: by the names of the IANA database
// ("Europe/Berlin"), or by a fixed offset.
//
// Immutable and thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace orrery::model {

class TimeZone {
 public:
  static TimeZone Utc() { return TimeZone(0); }
  static TimeZone Fixed(int64_t offset_ms) { return TimeZone(offset_ms); }
  // Returns nullopt for a name that is not in the database.
  static std::optional<TimeZone> Named(std::string_view name);

  // Local time minus UTC.
  int64_t OffsetAt(int64_t unix_ms) const;
  // The instant of a local time; of two that have it, the first.
  int64_t ToUtc(int64_t local_ms) const;

 private:
  class Rules;
  explicit TimeZone(int64_t offset_ms) : offset_ms_(offset_ms) {}

  int64_t offset_ms_ = 0;
  std::shared_ptr<const Rules> rules_;  // nullptr: the offset is fixed
};

}  // namespace orrery::model
