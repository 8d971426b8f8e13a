#include <algorithm>
#include <utility>

#include "query/operator/kept_bytes.h"
#include "query/operator/pipeline.h"
#include "query/run/page_run.h"

namespace orrery::query {
namespace {

// Keeps the rows that come next: those that the page needs, and as many more as fit. When they are
// too many the further half goes, so that a row costs about the same however many there are.
class SortedRun {
 public:
  SortedRun(const PageContext& context, const std::optional<QueryToken>& token)
      : context_(context),
        offset_(token.has_value() ? token->offset : context.plan.offset),
        limit_(token.has_value() ? token->limit : context.plan.limit) {
    if (!token.has_value()) return;
    const auto& state = std::get<SortState>(token->state);
    after_ = {.row = {.value = {}, .order = state.values}, .key = state.key, .number = state.row};
  }

  Result<Page> Run() {
    if (after_.has_value() && after_->row.order.size() != context_.plan.order_by.size())
      return Fail(Code::kInvalidArgument, "the continuation token was made for another query");
    const RunLimits& limits = context_.limits;
    const uint64_t wanted = std::min<uint64_t>(limit_.value_or(UINT64_MAX), context_.rows_max);
    if (offset_ + wanted > limits.sorted_rows_max)
      return Fail(Code::kTooLarge,
                  "the query skips too many sorted rows; index the path that it is ordered by");
    // One more than the page needs tells whether there is another.
    needed_ = offset_ + wanted + 1;
    keeps_ = context_.keeps_rows && wanted < limit_.value_or(UINT64_MAX);
    rows_max_ = keeps_ ? std::max(limits.sorted_rows_max, 2 * needed_) : 2 * needed_;
    bytes_max_ = keeps_ ? limits.ahead_bytes_max : limits.kept_bytes_max;
    ORRERY_TRY(Gather());
    return MakePage();
  }

 private:
  auto Before() const {
    return [this](const PlacedRow& a, const PlacedRow& b) {
      return ComparePlaces(a, b, context_) < 0;
    };
  }

  Status Gather() {
    Pipeline pipeline(context_.plan, context_.frame, context_.documents, context_.limits,
                      Pipeline::Until::kProjected);
    std::string key;
    uint64_t number = 0;
    while (true) {
      PlacedRow row;
      ORRERY_ASSIGN(const bool found, pipeline.Next(row.row));
      if (!found) return {};
      if (context_.documents->key() != key) {
        key = context_.documents->key();
        number = 0;
      }
      row.key = key;
      row.number = ++number;
      if (after_.has_value() && ComparePlaces(row, *after_, context_) <= 0) continue;
      // Rows have gone that come behind this one.
      if (last_.has_value() && ComparePlaces(row, rows_[*last_], context_) >= 0) continue;
      bytes_ += row.bytes();
      rows_.push_back(std::move(row));
      if (rows_.size() >= rows_max_ || bytes_ > bytes_max_) ORRERY_TRY(MakeRoom());
    }
  }

  // kTooLarge if what the page needs is too much by itself.
  Status MakeRoom() {
    const size_t kept_bytes_max = context_.limits.kept_bytes_max;
    Truncate(std::max(needed_, rows_.size() / 2));
    if (bytes_ > kept_bytes_max) Truncate(needed_);
    ORRERY_TRY(KeptBytes(kept_bytes_max).Add(bytes_));
    rows_max_ = std::max(rows_max_, 2 * rows_.size());
    bytes_max_ = std::min(kept_bytes_max, std::max(bytes_max_, 2 * bytes_));
    return {};
  }

  // Leaves the `count` rows that come first, with the last of them at the end.
  void Truncate(size_t count) {
    if (count >= rows_.size()) return;
    const auto last = rows_.begin() + static_cast<ptrdiff_t>(count - 1);
    std::ranges::nth_element(rows_, last, Before());
    for (auto at = last + 1; at != rows_.end(); ++at) bytes_ -= at->bytes();
    rows_.erase(last + 1, rows_.end());
    last_ = count - 1;
  }

  Page MakePage() {
    auto end = rows_.end();
    if (needed_ < rows_.size()) {
      end = rows_.begin() + static_cast<ptrdiff_t>(needed_);
      std::ranges::nth_element(rows_, end, Before());
    }
    std::ranges::sort(rows_.begin(), end, Before());
    size_t next = std::min<size_t>(offset_, rows_.size());
    Page page = MakePageOfSorted(context_, rows_, next, limit_);
    if (!page.next.has_value() || !keeps_) return page;
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<ptrdiff_t>(next));
    page.kept = std::make_unique<KeptRows>(page.next->state, std::move(rows_),
                                           /*is_complete=*/!last_.has_value());
    return page;
  }

  const PageContext& context_;
  const uint64_t offset_;
  const std::optional<uint64_t> limit_;
  std::optional<PlacedRow> after_;
  size_t needed_ = 0;
  bool keeps_ = false;
  // The sizes at which rows are dropped to make space.
  size_t rows_max_ = 0;
  size_t bytes_max_ = 0;
  std::vector<PlacedRow> rows_;
  size_t bytes_ = 0;
  std::optional<size_t> last_;  // of the rows that stayed when others went
};

}  // namespace

Result<Page> RunSorted(const PageContext& context, const std::optional<QueryToken>& token) {
  return SortedRun(context, token).Run();
}

}  // namespace orrery::query
