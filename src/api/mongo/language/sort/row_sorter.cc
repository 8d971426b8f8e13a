#include "api/mongo/executor/read/row_sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery::mongo {

RowSorter::RowSorter(std::unique_ptr<RowSource> input, SortPattern sort, QueryContextPtr context,
                     std::optional<uint64_t> first_rows)
    : input_(std::move(input)),
      sort_(std::move(sort)),
      context_(std::move(context)),
      first_rows_(first_rows) {}

bool RowSorter::IsBefore(const Kept& a, const Kept& b) const {
  const std::weak_ordering order = sort_.Compare(a.key, b.key);
  return order == 0 ? a.number < b.number : order < 0;
}

Outcome RowSorter::Fill() {
  is_filled_ = true;
  const auto before = [this](const Kept& a, const Kept& b) { return IsBefore(a, b); };
  size_t bytes = 0;
  uint64_t number = 0;
  while (true) {
    MONGO_ASSIGN(std::optional<Row> row, input_->Next());
    if (!row.has_value()) break;
    MONGO_ASSIGN(SortKey key, sort_.KeyOf(*row, context_->collator.get()));
    Kept kept{.key = std::move(key), .number = number++, .row = *std::move(row)};
    const bool is_full = first_rows_.has_value() && rows_.size() >= *first_rows_;
    if (is_full) {
      if (rows_.empty() || !before(kept, rows_.front())) continue;
      std::ranges::pop_heap(rows_, before);
      bytes -= rows_.back().row.document.bson().size();
      rows_.pop_back();
    }
    bytes += kept.row.document.bson().size();
    rows_.push_back(std::move(kept));
    if (first_rows_.has_value()) std::ranges::push_heap(rows_, before);
    if (bytes > context_->stage_memory_bytes_max) {
      return Refuse(
          ErrorCode::kQueryExceededMemoryLimitNoDiskUseAllowed,
          fmt::format("Sort exceeded memory limit of {} bytes, but did not opt in to external "
                      "sorting.",
                      context_->stage_memory_bytes_max));
    }
  }
  std::ranges::sort(rows_, before);
  return {};
}

Answer<std::optional<Row>> RowSorter::Next() {
  if (!is_filled_) MONGO_TRY(Fill());
  if (next_ == rows_.size()) return std::nullopt;
  return std::move(rows_[next_++].row);
}

}  // namespace orrery::mongo
