#include "gateway/remote/codec/scan_codec.h"

#include <bit>
#include <cmath>
#include <memory>
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

void AppendIndex(MessageWriter& out, const item::IndexRange& index) {
  out.Number(index.index.value());
  AppendBound(out, index.lower);
  AppendBound(out, index.upper);
  out.Flag(index.descending);
  out.Number(index.further.size());
  for (const item::ValueInterval& interval : index.further) {
    AppendBound(out, interval.lower);
    AppendBound(out, interval.upper);
  }
}

item::IndexRange ReadIndex(MessageReader& in) {
  item::IndexRange index;
  index.index = item::IndexId(in.Number());
  index.lower = ReadBound(in);
  index.upper = ReadBound(in);
  index.descending = in.Flag();
  const size_t further = in.Count();
  for (size_t i = 0; i < further && in.ok(); ++i) {
    item::ValueInterval& interval = index.further.emplace_back();
    interval.lower = ReadBound(in);
    interval.upper = ReadBound(in);
  }
  return index;
}

void AppendNearest(MessageWriter& out, const item::NearestSearch& search) {
  out.Number(search.index.value());
  out.Number(search.target.size());
  for (const double number : search.target) out.Number(std::bit_cast<uint64_t>(number));
  out.Number(static_cast<uint64_t>(search.measure));
  out.Flag(search.descending);
  out.Flag(search.compares_all);
  out.Number(search.among.size());
  for (const item::IndexRange& range : search.among) AppendIndex(out, range);
  out.Flag(search.after.has_value());
  if (!search.after.has_value()) return;
  out.Bytes(item::EncodeNearestPosition(*search.after));
  out.Flag(search.after->with_item);
}

std::shared_ptr<const item::NearestSearch> ReadNearest(MessageReader& in) {
  auto search = std::make_shared<item::NearestSearch>();
  search->index = item::IndexId(in.Number());
  const size_t dimensions = in.Count();
  for (size_t i = 0; i < dimensions && in.ok(); ++i) {
    search->target.push_back(std::bit_cast<double>(in.Number()));
    if (!std::isfinite(search->target.back())) in.Refuse();
  }
  search->measure = in.Choice(model::VectorMeasure::kEuclidean);
  search->descending = in.Flag();
  search->compares_all = in.Flag();
  const size_t ranges = in.Count();
  for (size_t i = 0; i < ranges && in.ok(); ++i) search->among.push_back(ReadIndex(in));
  if (!in.Flag()) return search;
  auto after = item::DecodeNearestPosition(in.Bytes());
  if (!after.has_value()) {
    in.Refuse();
    return search;
  }
  search->after = *std::move(after);
  search->after->with_item = in.Flag();
  return search;
}

std::shared_ptr<const model::Projection> ReadProjection(MessageReader& in) {
  std::vector<model::Path> paths;
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) paths.push_back(ReadPath(in));
  return std::make_shared<const model::Projection>(std::move(paths));
}

void ReadGroups(MessageReader& in, ScanSpec& spec) {
  spec.grouping = std::make_shared<const model::Grouping>(ReadGrouping(in));
  spec.entry_path = ReadPath(in);
  // The entry of an index is a value at its path.
  if (spec.index_only && spec.entry_path.steps().empty()) in.Refuse();
}

ScanTarget ReadTarget(MessageReader& in) {
  ScanTarget target;
  target.range = in.Range();
  target.key = in.String();
  target.by_prefix = in.Flag();
  if (target.by_prefix) target.request.key_prefix = target.key;
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
                            const ScanTarget& target, const item::PageLimits& room,
                            Micros patience) {
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
  out.Flag(spec.index.has_value());
  if (spec.index.has_value()) AppendIndex(out, *spec.index);
  out.Flag(spec.index_only);
  out.Flag(spec.nearest != nullptr);
  if (spec.nearest != nullptr) AppendNearest(out, *spec.nearest);
  out.Number(spec.keys == nullptr ? 0 : spec.keys->size());
  if (spec.keys != nullptr)
    for (const item::ItemKey& key : *spec.keys) AppendItemKey(out, key);
  out.Flag(spec.filter != nullptr);
  if (spec.filter != nullptr) AppendExpression(out, *spec.filter);
  out.Flag(spec.projection != nullptr);
  if (spec.projection != nullptr) {
    out.Number(spec.projection->paths().size());
    for (const model::Path& path : spec.projection->paths()) AppendPath(out, path);
  }
  out.Flag(spec.grouping != nullptr);
  if (spec.grouping != nullptr) {
    AppendGrouping(out, *spec.grouping);
    AppendPath(out, spec.entry_path);
  }
  out.Number(static_cast<uint64_t>(patience.count()));
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
  if (in.Flag()) piece.spec.index = ReadIndex(in);
  piece.target.request.index = piece.spec.index;
  piece.spec.index_only = in.Flag();
  piece.target.request.index_only = piece.spec.index_only;
  if (in.Flag()) piece.spec.nearest = ReadNearest(in);
  piece.target.request.nearest = piece.spec.nearest;
  if (const size_t count = in.Count(); count > 0) {
    std::vector<item::ItemKey> keys;
    for (size_t i = 0; i < count && in.ok(); ++i) keys.push_back(ReadItemKey(in));
    piece.spec.keys = std::make_shared<const std::vector<item::ItemKey>>(std::move(keys));
    piece.target.request.keys = piece.spec.keys;
  }
  if (in.Flag()) piece.spec.filter = std::make_shared<model::Expression>(ReadExpression(in));
  piece.target.request.filter = piece.spec.filter.get();
  if (in.Flag()) piece.spec.projection = ReadProjection(in);
  piece.target.request.projection = piece.spec.projection.get();
  if (in.Flag()) ReadGroups(in, piece.spec);
  piece.target.request.grouping = piece.spec.grouping.get();
  piece.target.request.entry_path = piece.spec.entry_path;
  piece.patience = Micros(static_cast<int64_t>(in.Number(INT64_MAX)));
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
  out.Number(answer.page.examined);
  out.Number(answer.page.entries_passed);
  out.Number(answer.page.items_rejected);
  out.Number(answer.page.bytes_rejected);
  out.Number(answer.page.items_grouped);
  out.Number(answer.page.bytes_grouped);
  out.Flag(answer.page.last.has_value());
  if (answer.page.last.has_value()) {
    AppendItemKey(out, answer.page.last->key);
    out.Bytes(answer.page.last->value);
  }
  out.Maybe(answer.next);
  out.Number(answer.page.items.size());
  for (const item::ScannedItem& item : answer.page.items) {
    AppendItemKey(out, item.key);
    out.Number(item.lsn.value());
    out.Time(item.time);
    out.Bytes(item.document.bson());
    out.Bytes(item.value);
    out.Number(item.bytes);
  }
  return std::move(out).Take();
}

Result<ScanPieceAnswer> DecodeScanAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  ScanPieceAnswer answer;
  answer.page.charge = in.Charge();
  answer.page.session = in.String();
  answer.page.partitions_visited = in.Number();
  answer.page.examined = in.Number();
  answer.page.entries_passed = in.Number();
  answer.page.items_rejected = in.Number();
  answer.page.bytes_rejected = in.Number();
  answer.page.items_grouped = in.Number();
  answer.page.bytes_grouped = in.Number();
  if (in.Flag()) {
    item::ScanPlace last;
    last.key = ReadItemKey(in);
    last.value = in.String();
    answer.page.last = std::move(last);
  }
  answer.next = in.Maybe();
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) {
    item::ScannedItem& item = answer.page.items.emplace_back();
    item.key = ReadItemKey(in);
    item.lsn = Lsn(in.Number());
    item.time = in.Time();
    item.document = ReadDocument(in);
    item.value = in.String();
    item.bytes = in.Number();
  }
  ORRERY_TRY(in.End());
  return answer;
}

}  // namespace orrery::gateway
