#include "gateway/remote/codec/row_change_codec.h"

#include <utility>

#include "item/outbox/follower_codec.h"
#include "item/row/cleared_ranges.h"
#include "model/row/row_codec.h"

namespace orrery::gateway {
namespace {

void AppendFollowers(MessageWriter& out, const std::vector<item::Follower>& followers) {
  std::string bytes;
  if (!followers.empty()) item::EncodeFollowers(bytes, followers, {});
  out.Bytes(bytes);
}

std::vector<item::Follower> ReadFollowers(MessageReader& in) {
  const std::string_view bytes = in.Bytes();
  if (bytes.empty()) return {};
  auto followers = item::DecodeFollowers(bytes);
  if (followers.has_value()) return *std::move(followers);
  in.Refuse();
  return {};
}

item::ClearedRange ReadCleared(MessageReader& in) {
  const std::string_view lower = in.Bytes();
  const std::string_view value = in.Bytes();
  auto range = item::DecodeCleared(lower, value);
  if (range.has_value()) return *std::move(range);
  in.Refuse();
  return {};
}

}  // namespace

std::string ReadRowBytes(MessageReader& in) {
  std::string bytes = in.String();
  model::Row row;
  if (!model::DecodeRow(bytes, row).has_value()) in.Refuse();
  return bytes;
}

void AppendChanges(MessageWriter& out, const item::RowChanges& changes) {
  out.Number(changes.rows.size());
  for (const item::RowChange& change : changes.rows) {
    out.Bytes(change.clustering);
    out.Bytes(change.row);
  }
  out.Number(changes.cleared.size());
  std::string value;
  for (const item::ClearedRange& range : changes.cleared) {
    out.Bytes(range.lower);
    item::WriteClearedValue(value, range);
    out.Bytes(value);
  }
  AppendFollowers(out, changes.followers);
}

item::RowChanges ReadChanges(MessageReader& in) {
  item::RowChanges changes;
  const size_t rows = in.Count();
  for (size_t i = 0; i < rows && in.ok(); ++i) {
    std::string clustering = in.String();
    changes.rows.push_back({std::move(clustering), ReadRowBytes(in)});
  }
  const size_t cleared = in.Count();
  for (size_t i = 0; i < cleared && in.ok(); ++i) changes.cleared.push_back(ReadCleared(in));
  changes.followers = ReadFollowers(in);
  return changes;
}

void AppendDeletion(MessageWriter& out, const model::Deletion& deletion) {
  out.Signed(deletion.timestamp);
  out.Number(deletion.local_s);
}

model::Deletion ReadDeletion(MessageReader& in) {
  model::Deletion deletion;
  deletion.timestamp = in.Signed();
  deletion.local_s = static_cast<uint32_t>(in.Number(UINT32_MAX));
  return deletion;
}

}  // namespace orrery::gateway
