// An Event is something that happened to partitions or containers and that somebody may want to
// know of later: a split, a merge, a move, an episode of throttling, a changed setting.
//
// Stored in the system store, as documents (docs/format/system.md):
//
//   "event/" number:uint64 -> event
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::gateway {

struct Event {
  uint64_t number = 0;  // rises; given when it is stored
  int64_t time_ms = 0;  // since 1970
  std::string kind{};   // "split", "merge", "move", "throttling", "setting"
  // Empty when it is of several containers, or of none.
  std::string database{};
  std::string container{};
  std::vector<uint32_t> container_ids{};  // that it is of; at most kEventContainersMax
  std::vector<uint64_t> before{};         // partitions
  std::vector<uint64_t> after{};
  std::string why{};  // "size", "load", "asked"
  std::optional<double> pause_ms{};
  // Of a move.
  uint64_t from_node = 0;
  uint64_t to_node = 0;
  // Of an episode of throttling: the number under which its beginning was told, when it ended, how
  // many requests were refused, and the busiest key (JSON).
  uint64_t begins = 0;
  std::optional<int64_t> ended_ms{};
  uint64_t refused = 0;
  std::string hottest{};
  // Of a setting: what was changed, and from what to what.
  std::string what{};
  std::string text{};

  friend bool operator==(const Event&, const Event&) = default;
};

inline constexpr size_t kEventContainersMax = 16;
inline constexpr size_t kEventTextBytesMax = 512;  // of each text

inline constexpr std::string_view kEventPrefix = "event/";
std::string EventKey(uint64_t number);
// The number in a key; 0: it is none.
uint64_t EventNumber(std::string_view key);
std::string EncodeEvent(const Event& event);
// Without its number. kCorruption for bytes that are not an event's.
Result<Event> DecodeEvent(std::string_view bytes);

}  // namespace orrery::gateway
