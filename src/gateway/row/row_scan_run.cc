#include "gateway/row/row_scan_run.h"

#include <algorithm>
#include <iterator>

#include "gateway/remote/remote_gateway.h"
#include "item/price_list.h"

namespace orrery::gateway {
namespace {

size_t BytesOf(const item::RowPage& page) {
  size_t bytes = 0;
  for (const item::ScannedPartition& partition : page.partitions) {
    for (const item::ScannedRow& row : partition.rows) {
      bytes += row.clustering.size() + row.row.size();
    }
  }
  return bytes;
}

void Take(size_t& left, size_t used) { left = used < left ? left - used : 0; }

}  // namespace

RowScanRun::RowScanRun(const Parts& parts, std::vector<RingPiece> pieces,
                       const item::PageLimits& limits)
    : parts_(parts), pieces_(std::move(pieces)), left_(limits) {
  left_.items_max = std::max<size_t>(left_.items_max, 1);
  left_.bytes_max = std::max<size_t>(left_.bytes_max, 1);
  left_.examined_max = std::max<size_t>(left_.examined_max, 1);
}

Result<RowScanResponse> RowScanRun::Run() {
  RowScanResponse response;
  bool any = false;
  while (next_ < pieces_.size() && left_.items_max > 0 && left_.bytes_max > 0 &&
         left_.examined_max > 0) {
    Result<RowPieceAnswer> answer = ReadNext();
    if (!answer.has_value()) {
      // Rows that were found before are a page of their own.
      if (any) return response;
      return Fail(std::move(answer).error());
    }
    any = true;
    item::RowPage& page = answer->page;
    response.charge += answer->charge;
    response.rows += page.rows;
    Take(left_.items_max, page.rows);
    Take(left_.bytes_max, BytesOf(page));
    Take(left_.examined_max, page.examined);
    std::ranges::move(page.partitions, std::back_inserter(response.partitions));
    if (page.next.has_value()) {
      pieces_[next_].inner = std::move(page.next);
      return response;
    }
    ++next_;
  }
  return response;
}

Result<RowPieceAnswer> RowScanRun::ReadNext() const {
  const RingPiece& piece = pieces_[next_];
  return piece.remote == nullptr ? ReadHere(piece) : ReadRemotely(piece);
}

Result<RowPieceAnswer> RowScanRun::ReadHere(const RingPiece& piece) const {
  const RequestUnits reserved = PriceOf({});
  ORRERY_TRY(parts_.metering.Reserve(*piece.partition, parts_.container, reserved));
  const item::RowReader reader(piece.partition->engine(), *parts_.container.schema, piece.range,
                               parts_.now);
  auto page = reader.Scan(parts_.request, piece.inner, left_, parts_.mode);
  if (!page.has_value()) {
    parts_.metering.Settle(*piece.partition, parts_.container, reserved, {});
    return Fail(std::move(page).error());
  }
  const RequestUnits charge = PriceOf(*page);
  if (const auto& trace = ChargeTrace::Current(); trace != nullptr)
    trace->Add(item::ExplainQuery(WorkOf(*page)), piece.partition->id().value());
  parts_.metering.Settle(*piece.partition, parts_.container, reserved, charge);
  if (parts_.request.partition_key.has_value())
    piece.partition->RecordUse(parts_.container.id, *parts_.request.partition_key, charge);
  ORRERY_TRY(piece.partition->CheckLease());
  return RowPieceAnswer{.page = *std::move(page), .charge = charge};
}

Result<RowPieceAnswer> RowScanRun::ReadRemotely(const RingPiece& piece) const {
  if (parts_.remote == nullptr) return Fail(Code::kUnavailable, "another node has the partition");
  if (parts_.mode == storage::ReadMode::kCachedOnly)
    return Fail(Code::kWouldBlock, "another node has the partition");
  return parts_.remote->ScanRows(parts_.container, *piece.remote,
                                 {.range = piece.range,
                                  .inner = piece.inner,
                                  .fan_out = parts_.fan_out,
                                  .request = parts_.request,
                                  .limits = left_});
}

item::QueryWork RowScanRun::WorkOf(const item::RowPage& page) const {
  return {.records_examined = page.examined,
          .bytes_examined = page.bytes_examined,
          .index_lookups = parts_.request.index.has_value() ? 1u : 0u,
          .fan_out = parts_.fan_out};
}

RequestUnits RowScanRun::PriceOf(const item::RowPage& page) const {
  return item::PriceOfQuery(WorkOf(page));
}

}  // namespace orrery::gateway
