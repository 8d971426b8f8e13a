// A write of rows on its way to the partition's owner, and what came of it (kWriteRows; with a
// guard that only looks, kReadForProgram).
//
//   write  := partition_key:bytes debt:varint changes (00 | 01 guard)
//   answer := status charge (00 | 01 seen)
//
// guarded_changes.h has the guard, rows_seen.h what was seen: it comes when the guard refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/request_units.h"
#include "base/status.h"
#include "gateway/remote/guarded_changes.h"
#include "gateway/remote/rows_seen.h"
#include "item/row/row_changes.h"

namespace orrery::gateway {

// Says whether it follows from a write that was accepted, so that no budget and no limit refuses
// it; and whether it is a derived write that maintains views (item/row/row_changes.h).
enum class WriteDebt : uint8_t { kNone = 0, kOwed = 1, kMaintainsViews = 2 };

struct RowWrite {
  std::string partition_key;  // the bytes that are hashed
  WriteDebt debt = WriteDebt::kNone;
  item::RowChanges changes;
  std::optional<Guard> guard;
};
struct RowWriteAnswer {
  Status status;
  RequestUnits charge;
  std::optional<RowsSeen> seen;
};

std::string EncodeRowWrite(std::string_view partition_key, const item::RowChanges& changes,
                           WriteDebt debt, const Guard* guard);
Result<RowWrite> DecodeRowWrite(std::string_view bytes);

std::string EncodeRowWriteAnswer(const RowWriteAnswer& answer);
Result<RowWriteAnswer> DecodeRowWriteAnswer(std::string_view bytes);

}  // namespace orrery::gateway
