#include "item/read/page_builder.h"

#include <algorithm>
#include <utility>

namespace orrery::item {

bool PageBuilder::full() const {
  return page_.items.size() >= limits_.items_max || bytes_ >= limits_.bytes_max ||
         page_.looked_at >= limits_.looked_at_max;
}

void PageBuilder::Look(size_t bytes) {
  ++page_.looked_at;
  page_.bytes_looked_at += bytes;
}

void PageBuilder::Pass(size_t entries, size_t bytes) {
  page_.entries_passed += entries;
  page_.bytes_looked_at += bytes;
}

void PageBuilder::Offer(ItemRef key, const RecordView& record, std::string_view value) {
  if (filter_ != nullptr &&
      !model::Matches(*filter_, model::DocumentView::Trusted(record.document)))
    return;
  bytes_ += record.document.size();
  page_.items.push_back(
      {.key = {key.hash, std::string(key.partition_key), std::string(key.row_key)},
       .lsn = record.lsn,
       .time = record.time,
       .document = model::Document::Trusted(std::string(record.document)),
       .value = std::string(value)});
}

void PageBuilder::OfferEntry(ItemRef key, std::string_view value) {
  bytes_ += value.size() + key.partition_key.size() + key.row_key.size();
  ScannedItem& item = page_.items.emplace_back();
  item.key = {key.hash, std::string(key.partition_key), std::string(key.row_key)};
  item.value = value;
}

Page PageBuilder::Cut() && {
  page_.next = std::move(last_done_);
  return std::move(page_);
}

Result<Page> PageBuilder::Failed(Error error) && {
  if (error.code() == Code::kWouldBlock && !page_.items.empty()) return std::move(*this).Cut();
  return Fail(std::move(error));
}

Status Resume(const std::string& continuation, Space space, ContainerId container, IndexId index,
              bool descending, KeyBounds& bounds) {
  const auto key = DecodeKey(continuation);
  if (!key.has_value() || key->space != space || key->container != container ||
      key->index != index) {
    return Fail(Code::kInvalidArgument, "the continuation is not one of this scan's");
  }
  if (descending) {
    bounds.upper = std::min(bounds.upper, continuation);
  } else {
    std::string after = continuation;
    after.push_back('\0');
    bounds.lower = std::max(bounds.lower, after);
  }
  return {};
}

}  // namespace orrery::item
