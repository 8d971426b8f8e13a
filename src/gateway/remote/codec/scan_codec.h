// Messages that ask the owner of a partition for its part of a page of a scan (kScanItems).
//
//   scan   := piece:range inner:maybe all:range key:bytes by_prefix:flag partition_key:maybe hash
//             lower:maybe upper:maybe descending:flag (00 | 01 index)
//             index_only:flag (00 | 01 nearest) n:number key*n (00 | 01 filter:expression)
//             (00 | 01 n:number path*n) (00 | 01 grouping path) patience:number limits
//             goes_on:flag session:bytes
//   index  := id:number bound bound descending:flag n:number (bound bound)*n
//   bound  := 00 | 01 encoded:bytes inclusive:flag
//   nearest := id:number n:number component:number*n measure:number descending:flag
//             compares_all:flag n:number index*n (00 | 01 position:bytes with_item:flag)
//             ; a component is the bits of a float64
//   answer := charge session:bytes visited:number examined:number passed:number
//             rejected:number rejected_bytes:number grouped:number grouped_bytes:number
//             (00 | 01 key value:bytes) next:maybe n:number item*n
//             ; the key is that of the last item examined
//   item   := key lsn:number time document value:bytes bytes:number
//   ; the paths are those of a projection, and that of the index whose entries are grouped;
//   ; patience is in microseconds, 0: as long as it takes
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/requests.h"
#include "gateway/scan_run.h"

namespace orrery::gateway {

struct ScanPiece {
  partition::HashRange range;        // of one physical partition
  std::optional<std::string> inner;  // where to go on in it
  ScanSpec spec;                     // its index, filter, limits, goes_on and session
  ScanTarget target;                 // its filter, projection and grouping are the spec's
  Micros patience{0};                // how long the answer is waited for; 0: as long as it takes
};

// `room` is what the page may still have.
std::string EncodeScanPiece(const partition::HashRange& range,
                            const std::optional<std::string>& inner, const ScanSpec& spec,
                            const ScanTarget& target, const item::PageLimits& room,
                            Micros patience);
Result<ScanPiece> DecodeScanPiece(std::string_view bytes);

std::string EncodeScanAnswer(const ScanPieceAnswer& answer);
Result<ScanPieceAnswer> DecodeScanAnswer(std::string_view bytes);

}  // namespace orrery::gateway
