// Gathers one page of a scan: which candidates get in, and when the page is full.
//
// Not thread-safe; lives for one Scan.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "item/layout/key_layout.h"
#include "item/layout/record_codec.h"
#include "item/read/reader.h"

namespace orrery::item {

class PageBuilder {
 public:
  // `filter` may be null.
  PageBuilder(const PageLimits& limits, const model::Expression* filter)
      : limits_(limits), filter_(filter) {}

  // Whether the next entry must be left to the next page.
  bool full() const;
  const PageLimits& limits() const { return limits_; }
  size_t passed() const { return page_.entries_passed; }

  // Every record or entry that the cursor stands on and that may become a candidate.
  void Look(size_t bytes);
  // A record read for such an entry.
  void LookUp(size_t bytes) { page_.bytes_looked_at += bytes; }
  // Entries of an index that are none of the wanted, or that are all that is read of their items.
  void Pass(size_t entries, size_t bytes);
  void Seek() { ++page_.ranges_sought; }
  // A live item of the slice: taken when the filter is true of it. `value`: in the index read.
  void Offer(ItemRef key, const RecordView& record, std::string_view value = {});
  // The same of one whose record is not read.
  void OfferEntry(ItemRef key, std::string_view value);
  // The entry at `key` is dealt with: the next page begins after it.
  void Done(std::string_view key) { last_done_.assign(key); }

  // The page when entries are left, and when there are none.
  Page Cut() &&;
  Page Finish() && { return std::move(page_); }
  // What to answer when the cursor failed: the page so far rather than kWouldBlock, when it has
  // items.
  Result<Page> Failed(Error error) &&;

 private:
  const PageLimits& limits_;
  const model::Expression* const filter_;
  Page page_;
  size_t bytes_ = 0;
  std::string last_done_;
};

// Narrows [lower, upper) to what follows the key in `continuation`, in the direction of the scan.
// kInvalidArgument unless that is a key of this space, container and index (IndexId() for none).
Status Resume(const std::string& continuation, Space space, ContainerId container, IndexId index,
              bool descending, KeyBounds& bounds);

}  // namespace orrery::item
