#include "item/outbox/derived_write_check.h"

#include <fmt/format.h>

#include "model/row/row_codec.h"

namespace orrery::item {
namespace {

Status RefuseCounters(std::string_view row) {
  ORRERY_ASSIGN(model::RowCursor cursor, model::RowCursor::Open(row));
  for (model::Cell cell;;) {
    ORRERY_ASSIGN(const bool found, cursor.Next(cell));
    if (!found) return {};
    if (cell.kind == model::CellKind::kCounter) {
      return Fail(Code::kInvalidArgument,
                  "a counter cannot follow from another write: it might be counted twice");
    }
  }
}

}  // namespace

Status DerivedWriteCheck::Add(std::span<const DerivedWrite> derived_writes) {
  count_ += derived_writes.size();
  if (count_ > kDerivedWritesMax) {
    return Fail(Code::kTooLarge,
                fmt::format("{} changes of other partitions follow from the write, "
                            "the most is {}",
                            count_, kDerivedWritesMax));
  }
  for (const DerivedWrite& derived_write : derived_writes) ORRERY_TRY(AddOne(derived_write));
  return {};
}

Status DerivedWriteCheck::AddOne(const DerivedWrite& derived_write) {
  const RowChanges& changes = derived_write.changes;
  if (derived_write.partition_key.empty())
    return Fail(Code::kInvalidArgument, "Key may not be empty");
  if (derived_write.partition_key.size() > limits_.partition_key_bytes_max) {
    return Fail(
        Code::kTooLarge,
        fmt::format("the partition key of a change that follows has {} bytes, the most is {}",
                    derived_write.partition_key.size(), limits_.partition_key_bytes_max));
  }
  if (!changes.derived_writes.empty()) {
    return Fail(Code::kInvalidArgument, "what follows from a write has derived writes of its own");
  }
  ORRERY_TRY(AddBytes(derived_write.partition_key.size()));
  for (const RowChange& change : changes.rows) {
    if (change.row.size() > limits_.row_bytes_max) {
      return Fail(Code::kTooLarge, fmt::format("a row that follows has {} bytes, the most is {}",
                                               change.row.size(), limits_.row_bytes_max));
    }
    ORRERY_TRY(AddBytes(change.clustering.size() + change.row.size()));
    ORRERY_TRY(RefuseCounters(change.row));
  }
  for (const RangeTombstone& range : changes.range_tombstones) {
    ORRERY_TRY(AddBytes(range.lower.size() + range.upper.value_or("").size()));
  }
  return {};
}

Status DerivedWriteCheck::AddBytes(size_t bytes) {
  bytes_ += bytes;
  if (bytes_ <= kDerivedWriteBytesMax) return {};
  return Fail(Code::kTooLarge,
              fmt::format("what follows from the write has more than {} bytes: send it in parts",
                          kDerivedWriteBytesMax));
}

}  // namespace orrery::item
