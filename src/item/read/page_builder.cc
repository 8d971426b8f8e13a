#include "item/read/page_builder.h"

#include <algorithm>
#include <utility>

namespace orrery::item {
namespace {

// Entries of an index that are looked at in about the time of one record.
constexpr size_t kEntriesPerRecord = 16;

}  // namespace

int64_t PageBuilder::StepsOf(const model::Expression& filter) {
  int64_t steps = 1;
  for (const model::Expression& operand : filter.operands()) steps += StepsOf(operand);
  return steps;
}

Status PageBuilder::LookAtContext() {
  steps_left_ = StopCheck::kStepsPerLook;
  is_late_ = request_.context->is_late();
  return request_.context->Check();
}

bool PageBuilder::full() const {
  if (page_.examined >= limits_.examined_max || (is_late_ && !last_done_.empty())) return true;
  if (!groups_.has_value())
    return page_.items.size() >= limits_.items_max || bytes_ >= limits_.bytes_max;
  // One group has room on every page. Of entries a page could pass any number.
  return (!groups_->grouping().is_one_group() && groups_->size() >= limits_.items_max) ||
         groups_->bytes() >= limits_.bytes_max ||
         page_.entries_passed / kEntriesPerRecord >= limits_.examined_max;
}

void PageBuilder::Look(size_t bytes) {
  ++page_.examined;
  page_.bytes_examined += bytes;
}

void PageBuilder::Pass(size_t entries, size_t bytes) {
  page_.entries_passed += entries;
  page_.bytes_examined += bytes;
}

bool PageBuilder::Wants(const RecordView& record) {
  if (request_.filter == nullptr ||
      model::Matches(*request_.filter, model::DocumentView::Trusted(record.document)))
    return true;
  ++page_.items_rejected;
  page_.bytes_rejected += record.document.size();
  return false;
}

Status PageBuilder::AddToGroup(ItemRef key, model::DocumentView document, std::string_view value) {
  ORRERY_ASSIGN(const size_t group, groups_->Add(document));
  if (group < page_.items.size()) return {};
  ScannedItem& first = page_.items.emplace_back();
  first.key = {key.hash, std::string(key.partition_key), std::string(key.row_key)};
  first.value = value;
  return {};
}

Status PageBuilder::OfferToGroup(ItemRef key, model::DocumentView document,
                                 std::string_view value) {
  if (IsOfAnotherKey(key)) return {};
  if (request_.filter != nullptr && !model::Matches(*request_.filter, document)) return {};
  return AddToGroup(key, document, value);
}

Status PageBuilder::Take(ItemRef key, const RecordView& record, std::string_view value) {
  if (IsOfAnotherKey(key)) return {};
  if (groups_.has_value()) {
    ++page_.items_grouped;
    page_.bytes_grouped += record.document.size();
    return AddToGroup(key, model::DocumentView::Trusted(record.document), value);
  }
  bytes_ += record.document.size();
  page_.items.push_back(
      {.key = {key.hash, std::string(key.partition_key), std::string(key.row_key)},
       .lsn = record.lsn,
       .time = record.time,
       .document = request_.projection == nullptr
                       ? model::Document::Trusted(std::string(record.document))
                       : request_.projection->Apply(model::DocumentView::Trusted(record.document)),
       .value = std::string(value),
       .bytes = record.document.size()});
  return {};
}

void PageBuilder::OfferEntry(ItemRef key, std::string_view value) {
  if (IsOfAnotherKey(key)) return;
  bytes_ += value.size() + key.partition_key.size() + key.row_key.size();
  ScannedItem& item = page_.items.emplace_back();
  item.key = {key.hash, std::string(key.partition_key), std::string(key.row_key)};
  item.value = value;
}

void PageBuilder::NoteLast() {
  const auto key = DecodeKey(last_done_);
  if (!key.has_value()) return;
  page_.last = {.key = {key->hash, std::string(key->partition_key), std::string(key->row_key)},
                .value = std::string(key->value)};
}

void PageBuilder::MakeGroups() {
  if (!groups_.has_value()) return;
  for (size_t i = 0; i < page_.items.size(); ++i) {
    page_.items[i].document = groups_->Encode(i);
    page_.items[i].bytes = page_.items[i].document.bson().size();
  }
}

Page PageBuilder::Finish() && {
  NoteLast();
  MakeGroups();
  return std::move(page_);
}

Page PageBuilder::Cut() && {
  NoteLast();
  MakeGroups();
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
