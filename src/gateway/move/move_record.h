// A MoveRecord is how far a container's way into another one is: all that a restart needs to go on.
//
// Stored in the system store, as documents (docs/format/system.md):
//
//   "mv/" number:uint64   -> record
//   "ml/" container:uint32 -> number of the move that has the container, uint64
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/status.h"

namespace orrery::gateway {

enum class MovePhase : uint8_t {
  kCopy,    // the items are copied
  kFollow,  // what was written since is followed, and all is compared
  kDone,
  kFailed,
  kCancelled,
};
std::string_view NameOf(MovePhase phase);

struct MoveRecord {
  uint64_t number = 0;  // given when it is stored
  std::string database;
  std::string container;    // the name that stays
  std::string target_name;  // until the switch
  ContainerId source;
  ContainerId target;
  MovePhase phase = MovePhase::kCopy;
  std::string scan;                 // continuation of the copy
  std::string feed;                 // continuation of the change feed
  // Items are left that the positions above are past: all must be looked at again.
  bool incomplete = false;
  uint32_t retention_minutes = 0;   // of the source's feed, as its users have set it
  uint64_t copied = 0;              // items
  uint64_t changes = 0;             // keys that were followed
  uint64_t total = 0;               // items at the start, about
  int64_t started_ms = 0;           // since 1970
  std::optional<int64_t> ended_ms;  // none: under way
  std::optional<double> pause_ms;   // that writers waited for at the switch
  uint64_t verified = 0;            // items that were compared
  std::string digest;               // of them, on both sides; empty: not compared yet
  std::string error;                // why it failed

  bool is_over() const { return phase >= MovePhase::kDone; }
  friend bool operator==(const MoveRecord&, const MoveRecord&) = default;
};

inline constexpr std::string_view kMovePrefix = "mv/";
std::string MoveKey(uint64_t number);
std::string EncodeMove(const MoveRecord& record);
// kCorruption for bytes that are not a record's.
Result<MoveRecord> DecodeMove(std::string_view key, std::string_view value);

}  // namespace orrery::gateway
