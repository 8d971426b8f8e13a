#include "api/cassandra/protocol/consistency.h"

#include <array>

namespace orrery::cassandra {
namespace {

constexpr std::array<std::string_view, 11> kConsistencyNames = {
    "ANY",          "ONE",         "TWO",    "THREE",        "QUORUM",    "ALL",
    "LOCAL_QUORUM", "EACH_QUORUM", "SERIAL", "LOCAL_SERIAL", "LOCAL_ONE",
};

}  // namespace

std::optional<Consistency> ToConsistency(uint16_t number) {
  if (number >= kConsistencyNames.size()) return std::nullopt;
  return static_cast<Consistency>(number);
}

std::string_view ConsistencyName(Consistency consistency) {
  return kConsistencyNames[static_cast<uint16_t>(consistency)];
}

}  // namespace orrery::cassandra
