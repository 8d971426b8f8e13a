// Continuation tokens: where a scan or a feed goes on, in a form that a client keeps for days.
//
//   token := base64url(body check:uint32)             ; check: CRC32C of the body, big-endian
//   body  := version:uint8 (1) kind:uint8 container:varint shape:uint64 turn:varint n:varint part*n
//   kind  := 01 scan | 02 feed | 03 rows
//   part  := begin:hash16 last:hash16 (00 | 01 inner:bytes)
//   bytes := length:varint data
//
// Parts are pieces of the ring, rising and disjoint; what no part covers is done. A part names no
// partition, so that a split or a merge between two pages changes nothing: each descendant goes on
// from `inner`, which the partition that had the range gave and its descendants understand.
// The check finds damage, not forgery: nothing in a token gives a right.
//
// docs/format/tokens.md has a worked example.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/status.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

inline constexpr size_t kContinuationPartsMax = 65'536;
inline constexpr size_t kContinuationTextMax = size_t{8} << 20;

// Stored by clients: never renumber one.
enum class ContinuationKind : uint8_t { kScan = 1, kFeed = 2, kRows = 3 };

struct Continuation {
  struct Part {
    partition::HashRange range;
    std::optional<std::string> inner;  // none: from the range's beginning
    friend bool operator==(const Part&, const Part&) = default;
  };

  ContinuationKind kind = ContinuationKind::kScan;
  ContainerId container;
  uint64_t shape = 0;  // what was asked for; another question cannot go on from here
  uint32_t turn = 0;   // feed: which part comes first in the next page
  std::vector<Part> parts;

  friend bool operator==(const Continuation&, const Continuation&) = default;
};

// A position of a feed as a part's inner bytes:
//   inner := lsn:varint [complete_until_us:varint]
struct FeedPosition {
  Lsn lsn;
  Micros complete_until{0};  // no later change has this time or an earlier one; 0: not known
};
std::string EncodeFeedPosition(const FeedPosition& position);
Result<FeedPosition> DecodeFeedPosition(std::string_view inner);

// REQUIRES: parts as stated above.
std::string EncodeContinuation(const Continuation& continuation);
// kInvalidArgument when `text` is not a token of ours, is damaged, or was made for another kind,
// container or question.
Result<Continuation> DecodeContinuation(std::string_view text, ContinuationKind kind,
                                        ContainerId container, uint64_t shape);

}  // namespace orrery::gateway
