#include "gateway/remote/rows_seen.h"

#include <utility>

#include "base/murmur3.h"
#include "gateway/remote/codec/row_change_codec.h"
#include "model/row/row_codec.h"

namespace orrery::gateway {
namespace {

std::optional<std::string> ReadMaybeRow(MessageReader& in) {
  if (!in.Flag()) return std::nullopt;
  return ReadRowBytes(in);
}

}  // namespace

Hash128 DigestOf(const RowsSeen& seen) {
  MessageWriter bytes;
  for (const SeenRow& row : seen.rows) {
    bytes.Bytes(row.clustering);
    bytes.Maybe(row.before);
  }
  return Murmur3(std::move(bytes).Take());
}

std::optional<std::string> EncodeSeen(const model::Row* row) {
  if (row == nullptr) return std::nullopt;
  std::string bytes;
  model::EncodeRow(bytes, *row);
  return bytes;
}

void AppendSeen(MessageWriter& out, const RowsSeen& seen) {
  out.Time(seen.now);
  out.Number(seen.rows.size());
  for (const SeenRow& row : seen.rows) {
    out.Bytes(row.clustering);
    out.Maybe(row.before);
    out.Maybe(row.after);
  }
  out.Number(seen.looked.size());
  for (const auto& [clustering, row] : seen.looked) {
    out.Bytes(clustering);
    out.Bytes(row);
  }
}

RowsSeen ReadSeen(MessageReader& in) {
  RowsSeen seen;
  seen.now = in.Time();
  const size_t rows = in.Count();
  for (size_t i = 0; i < rows && in.ok(); ++i) {
    SeenRow& row = seen.rows.emplace_back();
    row.clustering = in.String();
    row.before = ReadMaybeRow(in);
    row.after = ReadMaybeRow(in);
  }
  const size_t looked = in.Count();
  for (size_t i = 0; i < looked && in.ok(); ++i) {
    std::string clustering = in.String();
    seen.looked.emplace_back(std::move(clustering), ReadRowBytes(in));
  }
  return seen;
}

}  // namespace orrery::gateway
