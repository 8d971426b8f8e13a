// Scans in index order: by value, then ring position, partition key and row key.
//
// Index and data are read in one snapshot, and entries carry their record's expiry; so an entry
// that is not void belongs to its record. Values are stored cut: whether a candidate really meets a
// bound longer than the cut is for the filter to say.
#include <algorithm>

#include "item/index/index_terms.h"
#include "item/layout/entry_codec.h"
#include "item/read/index_bounds.h"
#include "item/read/page_builder.h"
#include "item/read/reader.h"

namespace orrery::item {
namespace {

bool Within(const IndexRange& range, std::string_view value) {
  if (range.lower.has_value()) {
    const std::string& lower = range.lower->encoded;
    if (value < lower || (!range.lower->inclusive && value.starts_with(lower))) return false;
  }
  if (range.upper.has_value()) {
    const std::string& upper = range.upper->encoded;
    if (value >= upper && !(range.upper->inclusive && value.starts_with(upper))) return false;
  }
  return true;
}

// An item with several terms within the bounds is met once for each, on any page: only the first
// in scan order counts.
Result<bool> IsFirstTerm(const ContainerSchema& schema, const IndexRange& range,
                         std::string_view value, const RecordView& record) {
  ORRERY_ASSIGN(
      const auto terms,
      TermsOf(schema.indexing, model::DocumentView::Trusted(record.document), schema.order));
  return std::ranges::none_of(terms, [&](const IndexTerm& term) {
    if (term.index != range.index || !Within(range, term.value)) return false;
    return range.descending ? term.value > value : term.value < value;
  });
}

}  // namespace

Result<Page> SliceReader::ScanIndex(const ScanRequest& request,
                                    const std::optional<std::string>& continuation,
                                    const PageLimits& limits, storage::ReadMode mode) const {
  const IndexRange index = Cut(*request.index);
  KeyBounds bounds = IndexBounds(request, index, schema_, range_);
  if (continuation.has_value()) {
    ORRERY_TRY(
        Resume(*continuation, Space::kIndex, schema_.id, index.index, index.descending, bounds));
  }
  if (bounds.lower >= bounds.upper) return Page{};
  const bool may_repeat = !IsOneValue(schema_.indexing, index);

  PageBuilder page(limits, request.filter);
  const auto snapshot = engine_.TakeSnapshot();
  const auto cursor = engine_.NewIterator(
      {.lower = bounds.lower, .upper = bounds.upper, .mode = mode, .snapshot = snapshot.get()});
  std::string data_key;
  storage::PinnedValue stored;

  const auto visit = [&]() -> Status {
    page.Look(cursor->key().size());
    const auto key = DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored index entry's key is damaged");
    if (!IsWanted(request, *key, range_)) return {};
    ORRERY_ASSIGN(const IndexEntry entry, DecodeIndexEntry(cursor->value()));
    if (ExpiredAt(entry.expiry, now_)) return {};
    WriteDataKey(data_key, schema_.id, key->ref());
    ORRERY_ASSIGN(const bool exists, engine_.Get(data_key, stored, mode, snapshot.get()));
    if (!exists) return {};
    page.LookUp(stored.view().size());
    ORRERY_ASSIGN(const RecordView record, DecodeRecord(stored.view()));
    if (record.ExpiredAt(now_)) return {};
    if (entry.one_of_several && may_repeat) {
      ORRERY_ASSIGN(const bool first, IsFirstTerm(schema_, index, key->value, record));
      if (!first) return {};
    }
    page.Offer(key->ref(), record);
    return {};
  };

  index.descending ? cursor->SeekToLast() : cursor->SeekToFirst();
  while (cursor->Valid()) {
    if (page.full()) return std::move(page).Cut();
    if (Status status = visit(); !status.has_value()) {
      return std::move(page).Failed(std::move(status).error());
    }
    page.Done(cursor->key());
    index.descending ? cursor->Prev() : cursor->Next();
  }
  if (Status status = cursor->status(); !status.has_value()) {
    return std::move(page).Failed(std::move(status).error());
  }
  return std::move(page).Finish();
}

}  // namespace orrery::item
