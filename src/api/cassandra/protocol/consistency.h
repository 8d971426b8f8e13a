// Consistency levels by their numbers and names on the wire.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery::cassandra {

enum class Consistency : uint16_t {
  kAny = 0x0,
  kOne = 0x1,
  kTwo = 0x2,
  kThree = 0x3,
  kQuorum = 0x4,
  kAll = 0x5,
  kLocalQuorum = 0x6,
  kEachQuorum = 0x7,
  kSerial = 0x8,
  kLocalSerial = 0x9,
  kLocalOne = 0xA,
};

// Nothing for a number that is no level.
std::optional<Consistency> ToConsistency(uint16_t number);
// "LOCAL_QUORUM".
std::string_view ConsistencyName(Consistency consistency);
// SERIAL or LOCAL_SERIAL: the only levels of a conditional write's agreement phase.
constexpr bool IsSerial(Consistency consistency) {
  return consistency == Consistency::kSerial || consistency == Consistency::kLocalSerial;
}

}  // namespace orrery::cassandra
