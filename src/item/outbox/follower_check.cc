#include "item/outbox/follower_check.h"

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

Status FollowerCheck::Add(std::span<const Follower> followers) {
  count_ += followers.size();
  if (count_ > kFollowersMax) {
    return Fail(Code::kTooLarge,
                fmt::format("{} changes of other partitions follow from the write, "
                            "the most is {}",
                            count_, kFollowersMax));
  }
  for (const Follower& follower : followers) ORRERY_TRY(AddOne(follower));
  return {};
}

Status FollowerCheck::AddOne(const Follower& follower) {
  const RowChanges& changes = follower.changes;
  if (follower.partition_key.empty()) return Fail(Code::kInvalidArgument, "Key may not be empty");
  if (follower.partition_key.size() > limits_.partition_key_bytes_max) {
    return Fail(
        Code::kTooLarge,
        fmt::format("the partition key of a change that follows has {} bytes, the most is {}",
                    follower.partition_key.size(), limits_.partition_key_bytes_max));
  }
  if (!changes.followers.empty()) {
    return Fail(Code::kInvalidArgument, "what follows from a write has followers of its own");
  }
  ORRERY_TRY(AddBytes(follower.partition_key.size()));
  for (const RowChange& change : changes.rows) {
    if (change.row.size() > limits_.row_bytes_max) {
      return Fail(Code::kTooLarge, fmt::format("a row that follows has {} bytes, the most is {}",
                                               change.row.size(), limits_.row_bytes_max));
    }
    ORRERY_TRY(AddBytes(change.clustering.size() + change.row.size()));
    ORRERY_TRY(RefuseCounters(change.row));
  }
  for (const ClearedRange& range : changes.cleared) {
    ORRERY_TRY(AddBytes(range.lower.size() + range.upper.value_or("").size()));
  }
  return {};
}

Status FollowerCheck::AddBytes(size_t bytes) {
  bytes_ += bytes;
  if (bytes_ <= kFollowerBytesMax) return {};
  return Fail(Code::kTooLarge,
              fmt::format("what follows from the write has more than {} bytes: send it in parts",
                          kFollowerBytesMax));
}

}  // namespace orrery::item
