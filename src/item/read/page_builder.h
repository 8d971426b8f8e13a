// Gathers one page of a scan: which candidates get in, and when the page is full.
//
// Not thread-safe; lives for one Scan.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "item/layout/key_layout.h"
#include "item/layout/record_codec.h"
#include "item/read/reader.h"
#include "model/aggregate/partial_groups.h"

namespace orrery::item {

class PageBuilder {
 public:
  // Both must outlive it.
  PageBuilder(const PageLimits& limits, const ScanRequest& request)
      : limits_(limits),
        request_(request),
        steps_(request.filter == nullptr ? 1 : 1 + StepsOf(*request.filter)) {
    if (request.grouping != nullptr) groups_.emplace(*request.grouping);
  }

  // Returns whether the next entry must be left to the next page.
  bool full() const;
  const PageLimits& limits() const { return limits_; }
  // Returns kCancelled if nobody wants the page any more. To be asked for every record or entry.
  Status CheckStop() {
    if (request_.context == nullptr || steps_left_ > steps_) {
      steps_left_ -= steps_;
      return {};
    }
    return LookAtContext();
  }
  size_t passed() const { return page_.entries_passed; }

  // Every record or entry that the cursor stands on and that may become a candidate.
  void Look(size_t bytes);
  // A record read for such an entry.
  void LookUp(size_t bytes) { page_.bytes_examined += bytes; }
  // Entries of an index that are none of the wanted, or that are all that is read of their items.
  void Pass(size_t entries, size_t bytes);
  void Seek() { ++page_.ranges_sought; }
  // Returns whether the filter is true of a live item of the slice.
  bool Wants(const RecordView& record);
  // Takes an item that is wanted, or adds it to its group. `value`: in the index read.
  Status Take(ItemRef key, const RecordView& record, std::string_view value = {});
  Status Offer(ItemRef key, const RecordView& record, std::string_view value = {}) {
    return Wants(record) ? Take(key, record, value) : Status();
  }
  // The same of one whose record is not read. REQUIRES: no grouping.
  void OfferEntry(ItemRef key, std::string_view value);
  // The same, where `document` has all of it that filter and grouping look at.
  Status OfferToGroup(ItemRef key, model::DocumentView document, std::string_view value);
  // The entry at `key` is dealt with: the next page begins after it.
  void Done(std::string_view key) { last_done_.assign(key); }

  // The page when entries are left, and when there are none.
  Page Cut() &&;
  Page Finish() &&;
  // Returns the answer when the cursor failed: the page so far rather than kWouldBlock, if it has
  // items.
  Result<Page> Failed(Error error) &&;

 private:
  bool IsOfAnotherKey(ItemRef key) const {
    return !key.partition_key.starts_with(request_.key_prefix);
  }
  Status AddToGroup(ItemRef key, model::DocumentView document, std::string_view value);
  Status LookAtContext();
  void NoteLast();
  void MakeGroups();

  // The work of a filter on one record, in terms.
  static int64_t StepsOf(const model::Expression& filter);

  const PageLimits& limits_;
  const ScanRequest& request_;
  const int64_t steps_;  // of work, for each record
  int64_t steps_left_ = StopCheck::kStepsPerLook;
  bool is_late_ = false;  // the page should end
  Page page_;
  std::optional<model::PartialGroups> groups_;  // whose first items page_.items has
  size_t bytes_ = 0;
  std::string last_done_;
};

// Narrows [lower, upper) to what follows the key in `continuation`, in the direction of the scan.
// kInvalidArgument unless that is a key of this space, container and index (IndexId() for none).
Status Resume(const std::string& continuation, Space space, ContainerId container, IndexId index,
              bool descending, KeyBounds& bounds);

}  // namespace orrery::item
