#include "gateway/row/row_scan_run.h"

#include <algorithm>
#include <iterator>

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
    : parts_(parts), fan_out_(pieces.size() > 1), pieces_(std::move(pieces)), left_(limits) {
  left_.items_max = std::max<size_t>(left_.items_max, 1);
  left_.bytes_max = std::max<size_t>(left_.bytes_max, 1);
  left_.looked_at_max = std::max<size_t>(left_.looked_at_max, 1);
}

Result<RowScanResponse> RowScanRun::Run() {
  RowScanResponse response;
  const RequestUnits reserved = PriceOf({});
  bool any = false;
  while (next_ < pieces_.size() && left_.items_max > 0 && left_.bytes_max > 0 &&
         left_.looked_at_max > 0) {
    RingPiece& piece = pieces_[next_];
    Status admitted = parts_.metering.Reserve(*piece.partition, parts_.container, reserved);
    Result<item::RowPage> page =
        admitted.has_value() ? ReadPiece(piece) : Fail(std::move(admitted).error());
    if (!page.has_value()) {
      // What was found before is a page of its own.
      if (admitted.has_value())
        parts_.metering.Settle(*piece.partition, parts_.container, reserved, {});
      if (any) return response;
      return Fail(std::move(page).error());
    }
    any = true;
    const RequestUnits charge = PriceOf(*page);
    parts_.metering.Settle(*piece.partition, parts_.container, reserved, charge);
    if (parts_.request.partition_key.has_value()) {
      piece.partition->RecordUse(parts_.container.id, *parts_.request.partition_key, charge);
    }
    response.charge += charge;
    response.rows += page->rows;
    Take(left_.items_max, page->rows);
    Take(left_.bytes_max, BytesOf(*page));
    Take(left_.looked_at_max, page->looked_at);
    std::ranges::move(page->partitions, std::back_inserter(response.partitions));
    if (page->next.has_value()) {
      piece.inner = std::move(page->next);
      return response;
    }
    ++next_;
  }
  return response;
}

Result<item::RowPage> RowScanRun::ReadPiece(const RingPiece& piece) const {
  const item::RowReader reader(piece.partition->engine(), *parts_.container.schema, piece.range,
                               parts_.now);
  return reader.Scan(parts_.request, piece.inner, left_, parts_.mode);
}

RequestUnits RowScanRun::PriceOf(const item::RowPage& page) const {
  return item::PriceOfQuery({.records_looked_at = page.looked_at,
                             .bytes_looked_at = page.bytes_looked_at,
                             .index_lookups = parts_.request.index.has_value() ? 1u : 0u,
                             .fan_out = fan_out_});
}

}  // namespace orrery::gateway
