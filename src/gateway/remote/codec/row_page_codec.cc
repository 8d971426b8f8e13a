#include "gateway/remote/codec/row_page_codec.h"

#include <utility>

#include "gateway/remote/codec/row_change_codec.h"

namespace orrery::gateway {
namespace {

void AppendPartition(MessageWriter& out, const item::ScannedPartition& partition) {
  out.Hash(partition.hash);
  out.Bytes(partition.partition_key);
  out.Bytes(partition.static_row);
  out.Flag(partition.begins);
  out.Flag(partition.ends);
  out.Number(partition.rows.size());
  for (const item::ScannedRow& row : partition.rows) {
    out.Bytes(row.clustering);
    out.Bytes(row.row);
    AppendDeletion(out, row.covering_deletion);
  }
}

item::ScannedPartition ReadPartition(MessageReader& in) {
  item::ScannedPartition partition;
  partition.hash = in.Hash();
  partition.partition_key = in.String();
  partition.static_row = in.String();
  partition.begins = in.Flag();
  partition.ends = in.Flag();
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) {
    item::ScannedRow& row = partition.rows.emplace_back();
    row.clustering = in.String();
    row.row = in.String();
    row.covering_deletion = ReadDeletion(in);
  }
  return partition;
}

void AppendEntry(MessageWriter& out, const item::RowFeedEntry& entry) {
  out.Number(static_cast<uint64_t>(entry.kind));
  out.Number(entry.lsn.value());
  out.Time(entry.time);
  out.Hash(entry.hash);
  out.Bytes(entry.partition_key);
  out.Bytes(entry.clustering);
  out.Maybe(entry.upper);
  out.Bytes(entry.row);
  AppendDeletion(out, entry.covering_deletion);
  AppendDeletion(out, entry.deletion);
}

item::RowFeedEntry ReadRowFeedEntry(MessageReader& in) {
  item::RowFeedEntry entry;
  entry.kind = in.Choice(item::RowChangeKind::kPartitionDeleted);
  entry.lsn = Lsn(in.Number());
  entry.time = in.Time();
  entry.hash = in.Hash();
  entry.partition_key = in.String();
  entry.clustering = in.String();
  entry.upper = in.Maybe();
  entry.row = in.String();
  entry.covering_deletion = ReadDeletion(in);
  entry.deletion = ReadDeletion(in);
  return entry;
}

}  // namespace

std::string EncodeRowScanPiece(const RowScanPiece& piece) {
  MessageWriter out;
  out.Range(piece.range);
  out.Maybe(piece.inner);
  out.Flag(piece.fan_out);
  out.Maybe(piece.request.partition_key);
  out.Hash(piece.request.hash);
  out.Maybe(piece.request.lower);
  out.Maybe(piece.request.upper);
  out.Flag(piece.request.descending);
  out.Number(piece.request.rows_per_partition_max);
  out.Flag(piece.request.index.has_value());
  if (piece.request.index.has_value()) {
    out.Number(piece.request.index->id.value());
    out.Bytes(piece.request.index->value);
  }
  AppendLimits(out, piece.limits);
  return std::move(out).Take();
}

Result<RowScanPiece> DecodeRowScanPiece(std::string_view bytes) {
  MessageReader in(bytes);
  RowScanPiece piece;
  piece.range = in.Range();
  piece.inner = in.Maybe();
  piece.fan_out = in.Flag();
  piece.request.partition_key = in.Maybe();
  piece.request.hash = in.Hash();
  piece.request.lower = in.Maybe();
  piece.request.upper = in.Maybe();
  piece.request.descending = in.Flag();
  piece.request.rows_per_partition_max = in.Number();
  if (in.Flag()) {
    item::RowScanRequest::Index& index = piece.request.index.emplace();
    index.id = item::IndexId(in.Number());
    index.value = in.String();
  }
  piece.limits = ReadLimits(in);
  ORRERY_TRY(in.End());
  return piece;
}

std::string EncodeRowScanAnswer(const RowPieceAnswer& answer) {
  MessageWriter out;
  out.Charge(answer.charge);
  out.Maybe(answer.page.next);
  out.Number(answer.page.rows);
  out.Number(answer.page.examined);
  out.Number(answer.page.bytes_examined);
  out.Number(answer.page.partitions.size());
  for (const item::ScannedPartition& partition : answer.page.partitions)
    AppendPartition(out, partition);
  return std::move(out).Take();
}

Result<RowPieceAnswer> DecodeRowScanAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  RowPieceAnswer answer;
  answer.charge = in.Charge();
  answer.page.next = in.Maybe();
  answer.page.rows = in.Number();
  answer.page.examined = in.Number();
  answer.page.bytes_examined = in.Number();
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) answer.page.partitions.push_back(ReadPartition(in));
  ORRERY_TRY(in.End());
  return answer;
}

std::string EncodeRowFeedPiece(const RowFeedPiece& piece) {
  MessageWriter out;
  AppendFeedPlace(out, piece.place);
  out.Maybe(piece.key);
  return std::move(out).Take();
}

Result<RowFeedPiece> DecodeRowFeedPiece(std::string_view bytes) {
  MessageReader in(bytes);
  RowFeedPiece piece;
  piece.place = ReadFeedPlace(in);
  piece.key = in.Maybe();
  ORRERY_TRY(in.End());
  return piece;
}

std::string EncodeRowFeedAnswer(const RowFeedPieceAnswer& answer) {
  MessageWriter out;
  out.Number(answer.page.position.value());
  out.Flag(answer.page.drained);
  out.Number(answer.page.examined);
  out.Number(answer.page.bytes);
  out.Charge(answer.charge);
  out.Number(answer.page.entries.size());
  for (const item::RowFeedEntry& entry : answer.page.entries) AppendEntry(out, entry);
  return std::move(out).Take();
}

Result<RowFeedPieceAnswer> DecodeRowFeedAnswer(std::string_view bytes) {
  MessageReader in(bytes);
  RowFeedPieceAnswer answer;
  answer.page.position = Lsn(in.Number());
  answer.page.drained = in.Flag();
  answer.page.examined = in.Number();
  answer.page.bytes = in.Number();
  answer.charge = in.Charge();
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) answer.page.entries.push_back(ReadRowFeedEntry(in));
  ORRERY_TRY(in.End());
  return answer;
}

std::string EncodeEstimates(const std::vector<RowRangeEstimate>& estimates) {
  MessageWriter out;
  out.Number(estimates.size());
  for (const RowRangeEstimate& estimate : estimates) {
    out.Range(estimate.range);
    out.Number(estimate.bytes);
    out.Number(estimate.partitions);
  }
  return std::move(out).Take();
}

Result<std::vector<RowRangeEstimate>> DecodeEstimates(std::string_view bytes) {
  MessageReader in(bytes);
  std::vector<RowRangeEstimate> estimates;
  const size_t count = in.Count();
  for (size_t i = 0; i < count && in.ok(); ++i) {
    RowRangeEstimate& estimate = estimates.emplace_back();
    estimate.range = in.Range();
    estimate.bytes = in.Number();
    estimate.partitions = in.Number();
  }
  ORRERY_TRY(in.End());
  return estimates;
}

}  // namespace orrery::gateway
