#include "api/mongo/executor/read/near_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace orrery::mongo {

NearRows::NearRows(std::unique_ptr<RowSource> input, NearSearch search, size_t memory_bytes_max,
                   std::optional<uint64_t> first_rows)
    : input_(std::move(input)),
      search_(std::move(search)),
      memory_bytes_max_(memory_bytes_max),
      first_rows_(first_rows) {}

bool NearRows::IsNearer(const Kept& a, const Kept& b) {
  return std::tie(a.distance, a.number) < std::tie(b.distance, b.number);
}

Outcome NearRows::Fill() {
  size_t bytes = 0;
  for (uint64_t number = 0;; ++number) {
    MONGO_ASSIGN(std::optional<Row> row, input_->Next());
    if (!row.has_value()) break;
    auto found = search_.Measure(row->document);
    if (!found.has_value()) continue;
    RowMeta meta = row->meta == nullptr ? RowMeta() : *row->meta;
    meta.geo_distance = found->distance;
    meta.geo_point = std::move(found->place);
    row->meta = std::make_shared<const RowMeta>(std::move(meta));
    bytes += row->document.bson().size();
    rows_.push_back({.distance = found->distance, .number = number, .row = *std::move(row)});
    std::ranges::push_heap(rows_, IsNearer);
    if (first_rows_.has_value() && rows_.size() > *first_rows_) {
      std::ranges::pop_heap(rows_, IsNearer);
      bytes -= rows_.back().row.document.bson().size();
      rows_.pop_back();
    }
    if (bytes > memory_bytes_max_) {
      return Refuse(
          ErrorCode::kQueryExceededMemoryLimitNoDiskUseAllowed,
          fmt::format("the documents of a query by distance exceed {} bytes; give a limit "
                      "or a maximum distance",
                      memory_bytes_max_));
    }
  }
  std::ranges::sort_heap(rows_, IsNearer);
  is_filled_ = true;
  return {};
}

Answer<std::optional<Row>> NearRows::Next() {
  if (!is_filled_) MONGO_TRY(Fill());
  if (next_ == rows_.size()) return std::nullopt;
  return std::move(rows_[next_++].row);
}

}  // namespace orrery::mongo
