#include "item/read/partition_order.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "item/index/index_terms.h"
#include "item/read/index_bounds.h"

namespace orrery::item {
namespace {

class Gatherer {
  struct Kept {
    std::string entry;   // the key that it has in the index
    std::string record;  // when it is wanted
  };

  bool IsBehind(const std::string& entry, const std::string& other) const {
    return index_.descending ? entry < other : entry > other;
  }
  auto Before() const {
    return [this](const Kept& a, const Kept& b) { return IsBehind(b.entry, a.entry); };
  }

 public:
  Gatherer(const PartitionOrder& order, PageBuilder& page)
      : order_(order),
        index_(*order.request.index),
        page_(page),
        needs_records_(!order.request.index_only || order.request.grouping != nullptr),
        items_max_(std::max(page.limits().items_max, kReadItemsMin)) {}

  Result<bool> Run() {
    ORRERY_TRY(ReadAll());
    std::ranges::sort_heap(kept_, Before());
    for (const Kept& item : kept_) {
      const auto key = DecodeKey(item.entry);
      ORRERY_CHECK(key.has_value());
      if (!needs_records_) {
        page_.OfferEntry(key->ref(), key->value);
      } else {
        ORRERY_ASSIGN(const RecordView record, DecodeRecord(item.record));
        ORRERY_TRY(page_.Take(key->ref(), record, key->value));
      }
      page_.Done(item.entry);
    }
    return left_out_;
  }

 private:
  Status ReadAll() {
    KeyBounds bounds = PartitionBounds(order_.request, order_.schema.id);
    const auto cursor = order_.view.NewIterator(
        {.lower = std::move(bounds.lower), .upper = std::move(bounds.upper), .mode = order_.mode});
    for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
      ORRERY_TRY(page_.CheckStop());
      page_.Look(cursor->value().size());
      const auto key = DecodeKey(cursor->key());
      if (!key.has_value()) return Fail(Code::kCorruption, "a stored item's key is damaged");
      ORRERY_ASSIGN(const RecordView record, DecodeRecord(cursor->value()));
      if (!record.ExpiredAt(order_.now)) ORRERY_TRY(LookAt(key->ref(), record, cursor->value()));
    }
    return cursor->status();
  }

  Status LookAt(ItemRef item, const RecordView& record, std::string_view stored) {
    const auto document = model::DocumentView::Trusted(record.document);
    ORRERY_ASSIGN(const std::vector<std::string> values,
                  ValuesIn(order_.schema.indexing, index_.index, document, order_.schema.order));
    const auto is_wanted = [&](const std::string& value) {
      return std::ranges::any_of(order_.intervals, [&](const ValueInterval& interval) {
        return IsWithin(interval, value);
      });
    };
    const std::string* first = nullptr;
    for (const std::string& value : values) {
      if (!is_wanted(value)) continue;
      first = &value;
      if (!index_.descending) break;
    }
    if (first == nullptr) return {};
    WriteIndexKey(entry_, order_.schema.id, index_.index, *first, item);
    if (order_.after.has_value() && !IsBehind(entry_, *order_.after)) return {};
    if (page_.Wants(record)) Keep(stored);
    return {};
  }

  void Keep(std::string_view stored) {
    Kept& kept = kept_.emplace_back();
    kept.entry = entry_;
    if (needs_records_) kept.record = stored;
    bytes_ += kept.record.size();
    std::ranges::push_heap(kept_, Before());
    while (kept_.size() > 1 && (kept_.size() > items_max_ || bytes_ > page_.limits().bytes_max)) {
      std::ranges::pop_heap(kept_, Before());
      bytes_ -= kept_.back().record.size();
      kept_.pop_back();
      left_out_ = true;
    }
  }

  const PartitionOrder& order_;
  const IndexRange& index_;
  PageBuilder& page_;
  const bool needs_records_;
  const size_t items_max_;
  std::vector<Kept> kept_;  // a heap, the last on top
  size_t bytes_ = 0;
  bool left_out_ = false;
  std::string entry_;  // reused for every item
};

}  // namespace

Result<bool> AddInOrder(const PartitionOrder& order, PageBuilder& page) {
  return Gatherer(order, page).Run();
}

}  // namespace orrery::item
