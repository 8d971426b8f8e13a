#include "query/run/kept_rows.h"

#include <algorithm>

#include "model/value_size.h"
#include "query/run/page_run.h"

namespace orrery::query {

size_t PlacedRow::bytes() const {
  size_t bytes = sizeof(PlacedRow) + key.size() + model::ApproximateBytes(row.value);
  for (const model::Value& value : row.order) bytes += model::ApproximateBytes(value);
  return bytes;
}

int ComparePlaces(const PlacedRow& a, const PlacedRow& b, const PageContext& context) {
  if (const int order = CompareOrder(a.row.order, b.row.order, context.plan)) return order;
  // Clients that merge expect equal rows downwards when the first order is.
  const bool downwards = context.is_merged && context.plan.order_by.front().descending;
  if (const int order = a.key.compare(b.key)) return downwards ? -order : order;
  return a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
}

Page MakePageOfSorted(const PageContext& context, const std::vector<PlacedRow>& rows, size_t& next,
                      std::optional<uint64_t> limit) {
  Page page;
  const uint64_t wanted = std::min<uint64_t>(limit.value_or(UINT64_MAX), context.rows_max);
  for (; next < rows.size() && page.rows < wanted && !page.IsFull(context); ++next)
    page.Add(context, rows[next].row.value);
  if (limit.has_value()) *limit -= page.rows;
  if (next == rows.size() || limit == 0) return page;
  page.next = {.api = context.api,
               .query = context.query_hash,
               .offset = 0,
               .limit = limit,
               .state = rows[next - 1].place()};
  return page;
}

KeptRows::KeptRows(decltype(QueryToken::state) start, std::vector<PlacedRow> rows, bool is_complete)
    : start_(std::move(start)), rows_(std::move(rows)), is_complete_(is_complete), bytes_([this] {
        size_t bytes = sizeof(KeptRows);
        for (const PlacedRow& row : rows_) bytes += row.bytes();
        return bytes;
      }()) {}

std::optional<Page> KeptRows::MakePage(const PageContext& context, const QueryToken& token) {
  if (token.state.index() != start_.index() || token.offset != 0) return std::nullopt;
  if (const auto* whole = std::get_if<WholeState>(&token.state))
    return MakeWholePage(context, *whole);
  return MakeSortedPage(context, std::get<SortState>(token.state), token.limit);
}

std::optional<Page> KeptRows::MakeWholePage(const PageContext& context,
                                            const WholeState& from) const {
  const uint64_t first = std::get<WholeState>(start_).rows;
  if (from.rows < first || from.rows - first > rows_.size()) return std::nullopt;
  Page page;
  for (size_t i = from.rows - first; i < rows_.size(); ++i) {
    if (page.IsFull(context)) {
      page.next = {.api = context.api,
                   .query = context.query_hash,
                   .limit = {},
                   .state = WholeState{first + i}};
      return page;
    }
    page.Add(context, rows_[i].row.value);
  }
  if (!is_complete_) return std::nullopt;
  return page;
}

std::optional<Page> KeptRows::MakeSortedPage(const PageContext& context, const SortState& from,
                                             std::optional<uint64_t> limit) {
  const auto place_of = [](const SortState& state) {
    return PlacedRow{
        .row = {.value = {}, .order = state.values}, .key = state.key, .number = state.row};
  };
  const auto before = [&](const PlacedRow& a, const PlacedRow& b) {
    return ComparePlaces(a, b, context) < 0;
  };
  const PlacedRow start = place_of(std::get<SortState>(start_));
  const PlacedRow after = place_of(from);
  if (after.row.order.size() != start.row.order.size() || before(after, start)) return std::nullopt;
  if (!is_sorted_) std::ranges::sort(rows_, before);
  is_sorted_ = true;
  size_t next = static_cast<size_t>(std::ranges::upper_bound(rows_, after, before) - rows_.begin());
  if (next == rows_.size() && !is_complete_) return std::nullopt;
  Page page = MakePageOfSorted(context, rows_, next, limit);
  const bool has_all = is_complete_ || page.next.has_value() || page.rows == limit;
  if (!has_all) return std::nullopt;
  return page;
}

}  // namespace orrery::query
