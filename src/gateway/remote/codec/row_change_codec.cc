#include "gateway/remote/codec/row_change_codec.h"

#include <utility>

#include "item/outbox/derived_write_codec.h"
#include "item/row/range_tombstones.h"
#include "model/row/row_codec.h"

namespace orrery::gateway {
namespace {

void AppendDerivedWrites(MessageWriter& out,
                         const std::vector<item::DerivedWrite>& derived_writes) {
  std::string bytes;
  if (!derived_writes.empty()) item::EncodeDerivedWrites(bytes, derived_writes, {});
  out.Bytes(bytes);
}

std::vector<item::DerivedWrite> ReadDerivedWrites(MessageReader& in) {
  const std::string_view bytes = in.Bytes();
  if (bytes.empty()) return {};
  auto derived_writes = item::DecodeDerivedWrites(bytes);
  if (derived_writes.has_value()) return *std::move(derived_writes);
  in.Refuse();
  return {};
}

item::RangeTombstone ReadRangeTombstone(MessageReader& in) {
  const std::string_view lower = in.Bytes();
  const std::string_view value = in.Bytes();
  auto range = item::DecodeRangeTombstone(lower, value);
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
  out.Number(changes.range_tombstones.size());
  std::string value;
  for (const item::RangeTombstone& range : changes.range_tombstones) {
    out.Bytes(range.lower);
    item::WriteRangeTombstoneValue(value, range);
    out.Bytes(value);
  }
  AppendDerivedWrites(out, changes.derived_writes);
}

item::RowChanges ReadChanges(MessageReader& in) {
  item::RowChanges changes;
  const size_t rows = in.Count();
  for (size_t i = 0; i < rows && in.ok(); ++i) {
    std::string clustering = in.String();
    changes.rows.push_back({std::move(clustering), ReadRowBytes(in)});
  }
  const size_t tombstones = in.Count();
  for (size_t i = 0; i < tombstones && in.ok(); ++i)
    changes.range_tombstones.push_back(ReadRangeTombstone(in));
  changes.derived_writes = ReadDerivedWrites(in);
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
