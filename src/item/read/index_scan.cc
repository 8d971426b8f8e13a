// Scans in index order: by value, then ring position, partition key and row key.
//
// Index and data are read in one snapshot, and entries carry their record's expiry; so an entry
// that is not void belongs to its record. Values are stored cut: whether a candidate really meets a
// bound longer than the cut is for the filter to say.
//
// Entries of one value are in ring order: those of a slice or a logical partition are sought. Of
// several values those of others lie between: they are skipped, one after the other, or from
// one value to the next where many have the same. That is cheap where a logical partition has much
// of what the engine has. Where it has little, its own items are sooner read and sorted
// (partition_order.h): passing ends when it has cost about as much, so that both together cost
// never much more than the better one (docs/decisions/0019-order-within-a-partition.md).
#include <algorithm>
#include <utility>

#include "item/index/index_terms.h"
#include "item/layout/entry_codec.h"
#include "item/read/index_bounds.h"
#include "item/read/page_builder.h"
#include "item/read/partition_order.h"
#include "item/read/reader.h"
#include "model/document/document_builder.h"
#include "model/key/entry_document.h"

namespace orrery::item {
namespace {

// Entries that are skipped in about the time that one item is read, and its value compared.
constexpr size_t kPassedPerItem = 16;
// The same for moving a cursor elsewhere; and so many of one value must have been met for that.
constexpr size_t kPassedPerSeek = 8;
// Of one page.
constexpr size_t kPassedMax = 500'000;
// Of one that must not block: who asks for it has other things to do.
constexpr size_t kPassedInMemory = 4'000;
// Logical partitions of so few items are read at once.
constexpr uint64_t kReadAtOnce = 32;

class IndexScan {
 public:
  struct Parts {
    storage::ReadView view;  // frozen
    const ContainerSchema& schema;
    const partition::HashRange& range;
    const ScanRequest& request;
    const PageLimits& limits;
    storage::ReadMode mode;
    Micros now;
  };
  IndexScan(const Parts& parts, const std::optional<std::string>& continuation)
      : parts_(parts),
        index_(*parts.request.index),
        intervals_(CutIntervals(parts.schema.indexing, index_)),
        prefix_(IndexPrefix(parts.schema.id, index_.index)),
        continuation_(continuation),
        page_(parts.limits, parts.request) {
    const ScanRequest& request = parts.request;
    if (request.index_only && request.grouping != nullptr &&
        (request.filter != nullptr || request.grouping->reads_documents()))
      entry_document_.emplace(
          model::EntryDocument::Paths{.partition_key = parts.schema.partition_key_paths,
                                      .row_key = parts.schema.row_key_path,
                                      .value = request.entry_path},
          kIndexValueBytesMax);
  }

  Result<Page> Run() {
    ORRERY_TRY(FindPlaces());
    if (places_.empty()) return Page{};
    if (passes_others_) {
      ORRERY_ASSIGN(const uint64_t items, ItemsOfPartition());
      if (items <= kReadAtOnce) return ReadPartition(continuation_);
      passed_max_ = std::min<uint64_t>(kPassedMax, items * kPassedPerItem);
    }
    KeyBounds all = places_.front();
    for (const KeyBounds& place : places_) {
      all.lower = std::min(all.lower, place.lower);
      all.upper = std::max(all.upper, place.upper);
    }
    cursor_ = parts_.view.NewIterator(
        {.lower = std::move(all.lower), .upper = std::move(all.upper), .mode = parts_.mode});
    for (const KeyBounds& place : places_) {
      Begin(place);
      while (cursor_->Valid() && Holds(place)) {
        if (page_.full()) return std::move(page_).Cut();
        ORRERY_TRY(page_.CheckStop());
        if (parts_.mode == storage::ReadMode::kCachedOnly && page_.passed() > kPassedInMemory)
          return std::move(page_).Cut();
        if (page_.passed() > passed_max_) {
          const bool is_slow = passes_others_ && passed_max_ < kPassedMax;
          return is_slow ? ReadPartition(std::string(last_)) : std::move(page_).Cut();
        }
        if (Status status = Visit(); !status.has_value())
          return std::move(page_).Failed(std::move(status).error());
        last_ = cursor_->key();
        page_.Done(last_);
        Move();
      }
      if (Status status = cursor_->status(); !status.has_value())
        return std::move(page_).Failed(std::move(status).error());
    }
    return std::move(page_).Finish();
  }

 private:
  // Computes the ranges of entries, in the direction of the scan, without those of earlier pages.
  Status FindPlaces() {
    for (const ValueInterval& interval : intervals_) {
      KeyBounds bounds =
          IndexBounds(parts_.request, index_.index, interval, parts_.schema, parts_.range);
      const bool is_one = IsOneValue(parts_.schema.indexing, index_.index, interval);
      if (continuation_.has_value()) {
        ORRERY_TRY(Resume(*continuation_, Space::kIndex, parts_.schema.id, index_.index,
                          index_.descending, bounds));
      }
      may_repeat_ = may_repeat_ || !is_one || intervals_.size() > 1;
      if (bounds.lower >= bounds.upper) continue;
      passes_others_ = passes_others_ || (!is_one && parts_.request.partition_key.has_value());
      places_.push_back(std::move(bounds));
    }
    if (index_.descending) std::ranges::reverse(places_);
    return {};
  }

  Result<uint64_t> ItemsOfPartition() const {
    storage::PinnedValue stored;
    ORRERY_ASSIGN(const bool exists, parts_.view.Get(SizesKey(parts_.schema.id, parts_.request.hash,
                                                              *parts_.request.partition_key),
                                                     stored, parts_.mode));
    if (!exists) return 0;
    ORRERY_ASSIGN(const Totals totals, DecodeTotals(stored.view()));
    return static_cast<uint64_t>(std::max<int64_t>(totals.items, 0));
  }

  Result<Page> ReadPartition(const std::optional<std::string>& after) {
    Result<bool> has_more = AddInOrder({.view = parts_.view,
                                        .schema = parts_.schema,
                                        .request = parts_.request,
                                        .intervals = intervals_,
                                        .after = after,
                                        .mode = parts_.mode,
                                        .now = parts_.now},
                                       page_);
    if (!has_more.has_value()) return std::move(page_).Failed(std::move(has_more).error());
    return *has_more ? std::move(page_).Cut() : std::move(page_).Finish();
  }

  void Begin(const KeyBounds& place) {
    page_.Seek();
    if (!index_.descending) return cursor_->Seek(place.lower);
    cursor_->SeekForPrev(place.upper);
    if (cursor_->Valid() && cursor_->key() == place.upper) cursor_->Prev();
  }
  bool Holds(const KeyBounds& place) const {
    return index_.descending ? cursor_->key() >= place.lower : cursor_->key() < place.upper;
  }
  void Move() {
    if (!skip_to_.empty()) {
      page_.Pass(kPassedPerSeek, 0);
      index_.descending ? cursor_->SeekForPrev(skip_to_) : cursor_->Seek(skip_to_);
      skip_to_.clear();
    } else if (index_.descending) {
      cursor_->Prev();
    } else {
      cursor_->Next();
    }
  }

  Status Visit() {
    const auto key = DecodeKey(cursor_->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored index entry's key is damaged");
    if (!IsWanted(parts_.request, *key, parts_.range)) {
      page_.Pass(1, cursor_->key().size());
      if (passes_others_) CountAlike(*key);
      return {};
    }
    alike_ = 0;
    ORRERY_ASSIGN(const IndexEntry entry, DecodeIndexEntry(cursor_->value()));
    const bool is_enough = parts_.request.index_only && !(entry.one_of_several && may_repeat_);
    is_enough ? page_.Pass(1, cursor_->key().size()) : page_.Look(cursor_->key().size());
    if (ExpiredAt(entry.expiry, parts_.now)) return {};
    if (!is_enough) return LookUp(*key, entry);
    if (parts_.request.grouping != nullptr) return GroupEntry(*key, entry);
    page_.OfferEntry(key->ref(), key->value);
    return {};
  }

  // Adds the entry's item to its group, by what the entry says of it if that is enough.
  Status GroupEntry(const DecodedKey& key, const IndexEntry& entry) {
    if (!entry_document_.has_value())
      return page_.OfferToGroup(key.ref(), model::DocumentView(), key.value);
    const auto document = entry_document_->Of(key.partition_key, key.row_key, key.value);
    if (document.has_value())
      return page_.OfferToGroup(key.ref(), model::ToDocument(*document), key.value);
    page_.Look(0);
    return LookUp(key, entry);
  }

  Status LookUp(const DecodedKey& key, const IndexEntry& entry) {
    WriteDataKey(data_key_, parts_.schema.id, key.ref());
    ORRERY_ASSIGN(const bool exists, parts_.view.Get(data_key_, stored_, parts_.mode));
    if (!exists) return {};
    page_.LookUp(stored_.view().size());
    ORRERY_ASSIGN(const RecordView record, DecodeRecord(stored_.view()));
    if (record.ExpiredAt(parts_.now)) return {};
    if (entry.one_of_several && may_repeat_) {
      ORRERY_ASSIGN(const bool first, IsFirstValue(key.value, record));
      if (!first) return {};
    }
    if (!parts_.request.index_only || parts_.request.grouping != nullptr)
      return page_.Offer(key.ref(), record, key.value);
    page_.OfferEntry(key.ref(), key.value);
    return {};
  }

  // An item with several values within the bounds is met once for each, on any page: only the first
  // in scan order counts.
  Result<bool> IsFirstValue(std::string_view value, const RecordView& record) const {
    ORRERY_ASSIGN(const auto values,
                  ValuesIn(parts_.schema.indexing, index_.index,
                           model::DocumentView::Trusted(record.document), parts_.schema.order));
    return std::ranges::none_of(values, [&](const std::string& other) {
      if (index_.descending ? other <= value : other >= value) return false;
      return std::ranges::any_of(
          intervals_, [&](const ValueInterval& interval) { return IsWithin(interval, other); });
    });
  }

  // Notes that an entry of another logical partition was met. After several of one value the cursor
  // goes to where the wanted ones of that value would be, or to the next value.
  void CountAlike(const DecodedKey& key) {
    if (alike_ == 0 || key.value != alike_value_) {
      alike_value_ = key.value;
      alike_ = 0;
    }
    if (++alike_ < kPassedPerSeek) return;
    alike_ = 0;
    const std::string of_value = prefix_ + alike_value_;
    std::string wanted = of_value;
    parts_.request.hash.AppendTo(wanted);
    wanted += *parts_.request.partition_key;
    if (index_.descending) {
      wanted = PrefixEnd(std::move(wanted));
      skip_to_ = cursor_->key() > wanted ? std::move(wanted) : of_value;
    } else {
      skip_to_ = cursor_->key() < wanted ? std::move(wanted) : PrefixEnd(of_value);
    }
  }

  const Parts parts_;
  const IndexRange& index_;
  const std::vector<ValueInterval> intervals_;
  const std::string prefix_;
  const std::optional<std::string>& continuation_;
  std::vector<KeyBounds> places_;
  bool may_repeat_ = false;     // an item may have several entries in the places
  bool passes_others_ = false;  // entries of other logical partitions are in the places
  size_t passed_max_ = kPassedMax;
  PageBuilder page_;
  std::optional<model::EntryDocument> entry_document_;  // when entries are grouped by what they say
  std::unique_ptr<storage::Iterator> cursor_;
  std::string last_;  // the entry visited last
  // Entries of one value, of other logical partitions, that were met in a row.
  std::string alike_value_;
  size_t alike_ = 0;
  std::string skip_to_;  // where the cursor goes next; empty: to its neighbour
  // Reused for every entry.
  std::string data_key_;
  storage::PinnedValue stored_;
};

}  // namespace

Result<Page> SliceReader::ScanIndex(const ScanRequest& request,
                                    const std::optional<std::string>& continuation,
                                    const PageLimits& limits, storage::ReadMode mode) const {
  if (request.index_only && request.filter != nullptr && request.grouping == nullptr)
    return Fail(Code::kInvalidArgument, "entries of an index cannot be filtered");
  const storage::FrozenView frozen(view_);
  return IndexScan({.view = frozen.view(),
                    .schema = schema_,
                    .range = range_,
                    .request = request,
                    .limits = limits,
                    .mode = mode,
                    .now = now_},
                   continuation)
      .Run();
}

}  // namespace orrery::item
