#include "item/maintenance/consistency_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "item/index/index_terms.h"
#include "item/layout/entry_codec.h"
#include "item/layout/feed_codec.h"
#include "item/layout/key_layout.h"
#include "item/layout/record_codec.h"
#include "item/write/ledger.h"
#include "item/write/prepared_item.h"

namespace orrery::item {
namespace {

using LogicalKey = std::pair<Hash128, std::string>;

class SliceChecker {
 public:
  SliceChecker(const storage::Engine& engine, const storage::Snapshot& snapshot,
               const CheckedSlice& slice, const CheckOptions& options, CheckReport& report)
      : engine_(engine),
        snapshot_(snapshot),
        schema_(*slice.schema),
        range_(slice.range),
        options_(options),
        report_(report) {}

  // Returns the slice's totals as its records have them.
  Result<Totals> Run() {
    ORRERY_TRY(CheckExpiryEntries());
    ORRERY_TRY(CheckRecords());
    ORRERY_TRY(CheckSizes());
    ORRERY_TRY(CheckCount(Space::kIndex, "index", index_entries_, &SliceChecker::IsIndexEntryDue));
    ORRERY_TRY(
        CheckCount(Space::kUnique, "unique", unique_entries_, &SliceChecker::IsUniqueEntryDue));
    ORRERY_TRY(CheckCount(Space::kFeed, "feed", feed_entries_, &SliceChecker::IsFeedEntryDue));
    report_.index_entries += index_entries_;
    report_.unique_entries += unique_entries_;
    report_.feed_entries += feed_entries_;
    return totals_;
  }

 private:
  using IsDue = Result<bool> (SliceChecker::*)(const DecodedKey& key, std::string_view value);

  void Disagree(std::string_view what, std::string_view key) {
    ++report_.disagreements;
    if (report_.reported.size() < options_.reported_max) {
      report_.reported.push_back(
          fmt::format("container {}: {} ({})", schema_.id.value(), what, ToHex(key)));
    }
  }

  Status Walk(
      Space space,
      const std::function<Status(const DecodedKey&, std::string_view, std::string_view)>& visit) {
    const std::string prefix = SpacePrefix(space, schema_.id);
    const auto cursor = engine_.NewIterator(
        {.lower = prefix, .upper = PrefixEnd(prefix), .snapshot = &snapshot_, .fill_cache = false});
    for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
      const auto key = DecodeKey(cursor->key());
      if (!key.has_value()) {
        Disagree("a key is damaged", cursor->key());
      } else if (range_.Contains(key->hash)) {
        ORRERY_TRY(visit(*key, cursor->key(), cursor->value()));
      }
    }
    return cursor->status();
  }

  Result<std::optional<std::string_view>> Get(std::string_view key) {
    ORRERY_ASSIGN(const bool exists,
                  engine_.Get(key, pinned_, storage::ReadMode::kMayBlock, &snapshot_));
    if (!exists) return std::nullopt;
    return pinned_.view();
  }

  // Checks that `key` is there with exactly `value`.
  Status Expect(std::string_view what, std::string_view key, std::string_view value) {
    ORRERY_ASSIGN(const auto stored, Get(key));
    if (!stored.has_value()) {
      Disagree(fmt::format("a record's {} entry is missing", what), key);
    } else if (*stored != value) {
      Disagree(fmt::format("a record's {} entry is not what it should be", what), key);
    }
    return {};
  }

  // The record of an item, when it can be read; the view is good until the next Get.
  Result<std::optional<RecordView>> RecordOf(ItemRef item) {
    WriteDataKey(key_, schema_.id, item);
    ORRERY_ASSIGN(const auto stored, Get(key_));
    if (!stored.has_value()) return std::nullopt;
    const auto record = DecodeRecord(*stored);
    if (!record.has_value()) return std::nullopt;
    return *record;
  }

  // Expiry entries without their record stand for what compaction has dropped.
  Status CheckExpiryEntries() {
    return Walk(
        Space::kExpiry,
        [this](const DecodedKey& key, std::string_view bytes, std::string_view value) -> Status {
          const auto entry = DecodeExpiryEntry(value);
          if (!entry.has_value()) {
            Disagree("an expiry entry is damaged", bytes);
            return {};
          }
          ORRERY_ASSIGN(const auto record, RecordOf(key.ref()));
          if (record.has_value() && record->lsn == entry->lsn && record->seq == entry->seq) {
            if (record->expiry != key.expiry) {
              Disagree("an expiry entry has another time than its record", bytes);
            }
            return {};
          }
          if (key.expiry > options_.now) {
            Disagree("an expiry entry has no record", bytes);
            return {};
          }
          Count(key, {static_cast<int64_t>(entry->bytes), 1});
          ORRERY_ASSIGN(const auto feed_entry,
                        Get(FeedKey(schema_.id, entry->lsn, key.hash, entry->seq)));
          if (feed_entry.has_value()) ++feed_entries_;
          return {};
        });
  }

  void Count(const DecodedKey& key, Totals totals) {
    sizes_[{key.hash, std::string(key.partition_key)}] += totals;
    totals_ += totals;
  }

  Status CheckRecords() {
    return Walk(
        Space::kData,
        [this](const DecodedKey& key, std::string_view bytes, std::string_view value) -> Status {
          const auto record = DecodeRecord(value);
          if (!record.has_value() || !model::DocumentView::FromBson(record->document).has_value()) {
            Disagree("a record is damaged", bytes);
            return {};
          }
          ++report_.items;
          Count(key, {static_cast<int64_t>(bytes.size() + value.size()), 1});
          if (record->expiry.has_value()) {
            ORRERY_TRY(ExpectExpiry(key, *record, bytes.size() + value.size()));
          }
          ORRERY_TRY(ExpectFeedEntry(key, *record));
          if (record->ExpiredAt(options_.now)) return {};
          ORRERY_TRY(ExpectIndexEntries(key, *record));
          return ExpectUniqueEntries(key, *record);
        });
  }

  Status ExpectExpiry(const DecodedKey& key, const RecordView& record, size_t bytes) {
    WriteExpiryKey(key_, schema_.id, *record.expiry, key.ref());
    WriteExpiryEntry(value_, {.lsn = record.lsn, .seq = record.seq, .bytes = bytes});
    return Expect("expiry", key_, value_);
  }

  Status ExpectIndexEntries(const DecodedKey& key, const RecordView& record) {
    ORRERY_ASSIGN(
        const auto terms,
        TermsOf(schema_.indexing, model::DocumentView::Trusted(record.document), schema_.order));
    for (const IndexTerm& term : terms) {
      WriteIndexKey(key_, schema_.id, term.index, term.value, key.ref());
      WriteIndexEntry(value_, {.expiry = record.expiry,
                               .one_of_several = term.one_of_several,
                               .payload = term.payload});
      ORRERY_TRY(Expect("index", key_, value_));
    }
    index_entries_ += terms.size();
    return {};
  }

  Status ExpectUniqueEntries(const DecodedKey& key, const RecordView& record) {
    ORRERY_ASSIGN(const auto unique_keys,
                  UniqueKeysOf(schema_, key.hash, key.partition_key,
                               model::DocumentView::Trusted(record.document)));
    WriteUniqueEntry(value_, {.expiry = record.expiry, .row_key = key.row_key});
    for (const std::string& unique_key : unique_keys) {
      ORRERY_TRY(Expect("unique", unique_key, value_));
    }
    unique_entries_ += unique_keys.size();
    return {};
  }

  Status ExpectFeedEntry(const DecodedKey& key, const RecordView& record) {
    ++feed_entries_;
    const std::string feed_key = FeedKey(schema_.id, record.lsn, key.hash, record.seq);
    ORRERY_ASSIGN(const auto stored, Get(feed_key));
    if (!stored.has_value()) {
      Disagree("a record's feed entry is missing", feed_key);
      return {};
    }
    const auto change = DecodeChange(*stored);
    if (!change.has_value() || change->superseded || change->kind == ChangeKind::kDelete ||
        change->partition_key != key.partition_key || change->row_key != key.row_key ||
        change->time != record.time ||
        (change->image.has_value() && *change->image != record.document)) {
      Disagree("a record's feed entry is not what it should be", feed_key);
    }
    return {};
  }

  Status CheckSizes() {
    ORRERY_TRY(Walk(
        Space::kSizes,
        [this](const DecodedKey& key, std::string_view bytes, std::string_view value) -> Status {
          const auto stored = DecodeTotals(value);
          const auto counted = sizes_.find({key.hash, std::string(key.partition_key)});
          if (counted == sizes_.end()) {
            Disagree("a size entry has no items", bytes);
          } else if (!stored.has_value() || *stored != counted->second) {
            Disagree(
                fmt::format(
                    "a logical partition has {} items of {} bytes, its size entry says otherwise",
                    counted->second.items, counted->second.bytes),
                bytes);
          }
          if (counted != sizes_.end()) sizes_.erase(counted);
          return {};
        }));
    for (const auto& [logical, totals] : sizes_) {
      Disagree("a logical partition's size entry is missing",
               SizesKey(schema_.id, logical.first, logical.second));
    }
    return {};
  }

  // All entries that records call for are there. That there are no others shows in the number; only
  // when it differs is every entry looked up.
  Status CheckCount(Space space, std::string_view what, uint64_t expected, IsDue is_due) {
    uint64_t found = 0;
    ORRERY_TRY(
        Walk(space,
             [&](const DecodedKey& key, std::string_view bytes, std::string_view value) -> Status {
               ORRERY_ASSIGN(const bool is_void, IsVoid(key, bytes, value));
               if (!is_void) ++found;
               return {};
             }));
    if (found == expected) return {};
    return Walk(
        space,
        [&](const DecodedKey& key, std::string_view bytes, std::string_view value) -> Status {
          ORRERY_ASSIGN(const bool is_void, IsVoid(key, bytes, value));
          if (is_void) return {};
          ORRERY_ASSIGN(const bool due, (this->*is_due)(key, value));
          if (!due) Disagree(fmt::format("no record calls for this {} entry", what), bytes);
          return {};
        });
  }

  // Returns whether no reader would take the entry for valid: expired, or superseded.
  Result<bool> IsVoid(const DecodedKey& key, std::string_view bytes, std::string_view value) {
    bool is_void = false;
    bool damaged = false;
    if (key.space == Space::kIndex) {
      const auto entry = DecodeIndexEntry(value);
      damaged = !entry.has_value();
      is_void = !damaged && ExpiredAt(entry->expiry, options_.now);
    } else if (key.space == Space::kUnique) {
      const auto entry = DecodeUniqueEntry(value);
      damaged = !entry.has_value();
      is_void = !damaged && ExpiredAt(entry->expiry, options_.now);
    } else {
      const auto change = DecodeChange(value);
      damaged = !change.has_value();
      is_void = !damaged && change->superseded;
    }
    if (damaged) Disagree("an entry is damaged", bytes);
    return is_void || damaged;
  }

  Result<bool> IsIndexEntryDue(const DecodedKey& key, std::string_view /*value*/) {
    ORRERY_ASSIGN(const auto record, RecordOf(key.ref()));
    if (!record.has_value()) return false;
    ORRERY_ASSIGN(
        const auto terms,
        TermsOf(schema_.indexing, model::DocumentView::Trusted(record->document), schema_.order));
    return std::ranges::binary_search(
        terms, IndexTerm{.index = key.index, .value = std::string(key.value)});
  }

  Result<bool> IsUniqueEntryDue(const DecodedKey& key, std::string_view value) {
    ORRERY_ASSIGN(const UniqueEntry entry, DecodeUniqueEntry(value));
    ORRERY_ASSIGN(const auto record, RecordOf({key.hash, key.partition_key, entry.row_key}));
    if (!record.has_value()) return false;
    ORRERY_ASSIGN(const auto unique_keys,
                  UniqueKeysOf(schema_, key.hash, key.partition_key,
                               model::DocumentView::Trusted(record->document)));
    WriteUniqueKey(key_, schema_.id, key.hash, key.partition_key, key.unique_rule, key.value);
    return std::ranges::find(unique_keys, key_) != unique_keys.end();
  }

  Result<bool> IsFeedEntryDue(const DecodedKey& key, std::string_view value) {
    ORRERY_ASSIGN(const Change change, DecodeChange(value));
    ORRERY_ASSIGN(const auto record, RecordOf({key.hash, change.partition_key, change.row_key}));
    return record.has_value() && record->lsn == key.lsn && record->seq == key.seq;
  }

  const storage::Engine& engine_;
  const storage::Snapshot& snapshot_;
  const ContainerSchema& schema_;
  const partition::HashRange range_;
  const CheckOptions& options_;
  CheckReport& report_;
  std::map<LogicalKey, Totals> sizes_;
  Totals totals_;
  uint64_t index_entries_ = 0;
  uint64_t unique_entries_ = 0;
  uint64_t feed_entries_ = 0;
  storage::PinnedValue pinned_;
  std::string key_;
  std::string value_;
};

}  // namespace

std::string CheckReport::ToString() const {
  std::string text = fmt::format(
      "{} items, {} index entries, {} unique entries, {} feed entries; {} disagreements", items,
      index_entries, unique_entries, feed_entries, disagreements);
  for (const std::string& line : reported) text += "\n  " + line;
  return text;
}

Result<CheckReport> CheckConsistency(const storage::Engine& engine,
                                     const std::vector<CheckedSlice>& slices,
                                     const CheckOptions& options) {
  const auto snapshot = engine.TakeSnapshot();
  CheckReport report;
  std::map<ContainerId, Totals> counted;
  for (const CheckedSlice& slice : slices) {
    ORRERY_ASSIGN(const Totals totals,
                  SliceChecker(engine, *snapshot, slice, options, report).Run());
    counted[slice.schema->id] += totals;
  }
  if (!options.totals_are_exact) return report;
  ORRERY_ASSIGN(const auto stored, ReadStoredTotals(engine, snapshot.get()));
  for (const auto& [container, totals] : counted) {
    const auto found = stored.find(container);
    if (totals == (found != stored.end() ? found->second : Totals{})) continue;
    ++report.disagreements;
    if (report.reported.size() < options.reported_max) {
      report.reported.push_back(
          fmt::format("container {}: {} items of {} bytes, the running total says otherwise",
                      container.value(), totals.items, totals.bytes));
    }
  }
  return report;
}

}  // namespace orrery::item
