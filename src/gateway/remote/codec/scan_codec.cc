#include "gateway/remote/codec/scan_codec.h"

#include <utility>

#include "gateway/remote/codec/expression_codec.h"
#include "gateway/remote/codec/page_codec.h"
#include "gateway/remote/message.h"

namespace orrery::gateway {
namespace {

void AppendBound(MessageWriter& out, const std::optional<item::ValueBound>& bound) {
  out.Flag(bound.has_value());
  if (!bound.has_value()) return;
  out.Bytes(bound->encoded);
  out.Flag(bound->inclusive);
}

std::optional<item::ValueBound> ReadBound(MessageReader& in) {
  if (!in.Flag()) return std::nullopt;
  item::ValueBound bound;
  bound.encoded = in.String();
  bound.inclusive = in.Flag();
  return bound;
}

void AppendIndex(MessageWriter& out, const std::optional<item::IndexRange>& index) {
  out.Flag(index.has_value());
  if (!index.has_value()) return;
  out.Number(index->index.value());
  AppendBound(out, index->lower);
  AppendBound(out, index->upper);
  out.Flag(index->descending);
}

std::optional<item::IndexRange> ReadIndex(MessageReader& in) {
  if (!in.Flag()) return std::nullopt;
  item::IndexRange index;
  index.index = item::IndexId(in.Number());
  index.lower = ReadBound(in);
  index.upper = ReadBound(in);
  index.descending = in.Flag();
  return index;
}

ScanTarget ReadTarget(MessageReader& in) {
  ScanTarget target;
  target.range = in.Range();
  target.key = in.String();
  target.by_prefix = in.Flag();
  target.request.partition_key = in.Maybe();
  target.request.hash = in.Hash();
  target.request.row_key_lower = in.Maybe();
  target.request.row_key_upper = in.Maybe();
  target.request.descending = in.Flag();
  return target;
}

}  // namespace

std::string EncodeScanPiece(const partition::HashRange& range,
                            const std::optional<std::string>& inner, const ScanSpec& spec,
                            const ScanTarget& target, const item::PageLimits& room) {
  MessageWriter out;
  out.Range(range);
  out.Maybe(inner);
  out.Range(target.range);
  out.Bytes(target.key);
  out.Flag(target.by_prefix);
  out.Maybe(target.request.partition_key);
  out.Hash(target.request.hash);
  out.Maybe(target.request.row_key_lower);
  out.Maybe(target.request.row_key_upper);
  out.Flag(target.request.descending);
  AppendIndex(out, spec.index);
  out.Flag(spec.filter != nullptr);
  if (spec.filter != nullptr) AppendExpression(out, *spec.filter);
  AppendLimits(out, room);
  out.Flag(spec.goes_on);
  out.Bytes(spec.session);
  return std::move(out).Take();
}

Result<ScanPiece> DecodeScanPiece(std::string_view bytes) {
  MessageReader in(bytes);
  ScanPiece piece;
  piece.range = in.Range();
  piece.inner = in.Maybe();
  piece.target = ReadTarget(in);
  piece.spec.index = ReadIndex(in);
  piece.target.request.index = piece.spec.index;
  if (in.Flag()) piece.spec.filter = std::make_shared<model::Expression>(ReadExpression(in));
  piece.target.request.filter = piece.spec.filter.get();
  piece.spec.limits = ReadLimits(in);
  piece.spec.goes_on = in.Flag();
  piece.spec.session = in.String();
  ORRERY_TRY(in.End());
  return piece;
}

std::string EncodeScanAnswer(const ScanPieceAnswer& answer) {
  MessageWriter out;
  out.Charge(answer.page.charge);
  out.Bytes(answer.page.session);
  out.Number(answer.page.partitions_visited);
  out.Number(answer.page.looked_at);
  out.Maybe(answer.next);
  out.Number(answer.page.items.size());
  for (const item::ScannedItem& item : answer.page.items) {
    AppendItemKey(out, item.key);
    out.Number(item.lsn.value());
    out.Time(item.time);
    out.Bytes(item.document.bson());
  }
  return std::move(out).Take();
}

Result<ScanPieceAnswer> DecodeScanAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  ScanPieceAnswer answer;
  answer.page.charge = in.Charge();
  answer.page.session = in.String();
  answer.page.partitions_visited = in.Number();
  answer.page.looked_at = in.Number();
  answer.next = in.Maybe();
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) {
    item::ScannedItem& item = answer.page.items.emplace_back();
    item.key = ReadItemKey(in);
    item.lsn = Lsn(in.Number());
    item.time = in.Time();
    item.document = ReadDocument(in);
  }
  ORRERY_TRY(in.End());
  return answer;
}

}  // namespace orrery::gateway
