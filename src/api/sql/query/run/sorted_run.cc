#include <algorithm>
#include <utility>

#include "api/sql/function/value_size.h"
#include "api/sql/query/operator/kept_bytes.h"
#include "api/sql/query/operator/pipeline.h"
#include "api/sql/query/run/page_run.h"

namespace orrery::sql {
namespace {

// Keeps the rows that come next, as many as the page can use: a heap with the last of them on top.
class SortedRun {
 public:
  SortedRun(const PageContext& context, const std::optional<QueryToken>& token)
      : context_(context),
        kept_(context.limits.kept_bytes_max),
        offset_(token.has_value() ? token->offset : context.query.offset),
        limit_(token.has_value() ? token->limit : context.query.limit) {
    if (!token.has_value()) return;
    const auto& state = std::get<SortState>(token->state);
    after_ = {.row = {.value = {}, .order = state.values}, .key = state.key, .number = state.row};
  }

  Result<PageOfRows> Run() {
    if (after_.has_value() && after_->row.order.size() != context_.query.order_by.size())
      return Fail(Code::kInvalidArgument, "the continuation token was made for another query");
    const uint64_t wanted = std::min<uint64_t>(limit_.value_or(UINT64_MAX), context_.rows_max);
    if (offset_ + wanted > context_.limits.sorted_rows_max)
      return Fail(Code::kTooLarge,
                  "the query skips too many sorted rows; index the path that it is ordered by");
    // One more than the page needs tells whether there is another.
    rows_max_ = offset_ + wanted + 1;
    ORRERY_TRY(Gather());
    return MakePage(wanted);
  }

 private:
  struct Row {
    OutputRow row;
    std::string key;      // of its document
    uint64_t number = 0;  // of the document's rows
  };

  int Compare(const Row& a, const Row& b) const {
    if (const int order = CompareOrder(a.row.order, b.row.order, context_.query)) return order;
    // Clients that merge expect equal rows downwards when the first order is.
    const bool downwards = context_.is_merged && context_.query.order_by.front().descending;
    if (const int order = a.key.compare(b.key)) return downwards ? -order : order;
    return a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
  }
  auto Before() const {
    return [this](const Row& a, const Row& b) { return Compare(a, b) < 0; };
  }

  Status Gather() {
    Pipeline pipeline(context_.query, context_.frame, context_.documents, context_.limits,
                      Pipeline::Until::kProjected);
    std::string key;
    uint64_t number = 0;
    while (true) {
      Row row;
      ORRERY_ASSIGN(const bool found, pipeline.Next(row.row));
      if (!found) break;
      if (context_.documents->key() != key) {
        key = context_.documents->key();
        number = 0;
      }
      row.key = key;
      row.number = ++number;
      if (after_.has_value() && Compare(row, *after_) <= 0) continue;
      ORRERY_TRY(Keep(std::move(row)));
    }
    std::ranges::sort_heap(rows_, Before());
    return {};
  }

  Status Keep(Row row) {
    if (rows_.size() == rows_max_) {
      if (Compare(row, rows_.front()) >= 0) return {};
      std::ranges::pop_heap(rows_, Before());
      kept_.Remove(BytesOf(rows_.back()));
      rows_.pop_back();
    }
    ORRERY_TRY(kept_.Add(BytesOf(row)));
    rows_.push_back(std::move(row));
    std::ranges::push_heap(rows_, Before());
    return {};
  }

  static size_t BytesOf(const Row& row) {
    size_t bytes = row.key.size() + ApproximateBytes(row.row.value);
    for (const model::Value& value : row.row.order) bytes += ApproximateBytes(value);
    return bytes;
  }

  PageOfRows MakePage(uint64_t wanted) {
    PageOfRows page;
    size_t i = std::min<size_t>(offset_, rows_.size());
    for (; i < rows_.size() && page.rows.size() < wanted && !page.IsFull(context_); ++i)
      page.Add(rows_[i].row.value);
    if (limit_.has_value()) *limit_ -= page.rows.size();
    if (i == rows_.size() || limit_ == 0) return page;
    const Row& last = rows_[i - 1];
    page.next = {.query = context_.query_hash,
                 .offset = 0,
                 .limit = limit_,
                 .state = SortState{last.row.order, last.key, last.number}};
    return page;
  }

  const PageContext& context_;
  KeptBytes kept_;
  const uint64_t offset_;
  std::optional<uint64_t> limit_;
  std::optional<Row> after_;
  size_t rows_max_ = 0;
  std::vector<Row> rows_;
};

}  // namespace

Result<PageOfRows> RunSorted(const PageContext& context, const std::optional<QueryToken>& token) {
  return SortedRun(context, token).Run();
}

}  // namespace orrery::sql
