// Keys that a physical partition keeps about itself, apart from any container's data.
//
// Every key of a partition's engine begins with one byte that names its space. 0x00 is this one;
// the spaces of items are in item/layout/key_layout.h.
//
//   meta key := 0x00 name
//   "\0seq"  -> last_lsn:uint64 last_time_us:uint64 (big-endian), rewritten by each group
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/ids.h"

namespace orrery::partition {

inline constexpr char kMetaSpace = '\0';
inline constexpr std::string_view kSequencerKey{"\0seq", 4};

// The position of a sequencer: the last LSN and the last time that it gave out.
struct Position {
  Lsn lsn;
  Micros time{0};
};

inline std::string EncodePosition(const Position& position) {
  std::string bytes;
  AppendBigEndian(bytes, position.lsn.value());
  AppendBigEndian(bytes, static_cast<uint64_t>(position.time.count()));
  return bytes;
}

[[nodiscard]] inline bool DecodePosition(std::string_view bytes, Position& position) {
  ByteReader reader(bytes);
  uint64_t lsn = 0;
  uint64_t time = 0;
  if (!reader.ReadBigEndian(lsn) || !reader.ReadBigEndian(time) || !reader.empty()) return false;
  position = {Lsn(lsn), Micros(static_cast<int64_t>(time))};
  return true;
}

}  // namespace orrery::partition
