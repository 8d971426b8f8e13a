// A NearestPosition is an item's place in the order of distance, from which a nearest-neighbour
// search goes on. It names no partition: it is valid in any partition that has the items behind it.
//
//   position := rank:uint64 hash16 pk_size:varint pk rk
//   rank     := ordered bits of a float64: the number, or its negative where the greatest comes
//   first
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "item/layout/key_layout.h"

namespace orrery::item {

struct NearestPosition {
  double rank = 0;         // the least comes first
  ItemKey key;             // among equal ones
  bool with_item = false;  // the item itself still comes; not part of the bytes

  friend bool operator==(const NearestPosition&, const NearestPosition&) = default;
};

// Bytes that order as ranks do.
std::string EncodeRank(double rank);
// kInvalidArgument when they are none of these.
Result<double> DecodeRank(std::string_view bytes);

std::string EncodeNearestPosition(const NearestPosition& position);
Result<NearestPosition> DecodeNearestPosition(std::string_view bytes);

// Less than 0 when an item of this rank and key comes before the position's, 0 when it is the one.
int Compare(double rank, ItemRef key, const NearestPosition& position);

}  // namespace orrery::item
