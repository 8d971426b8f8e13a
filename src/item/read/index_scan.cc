// Scans in index order: by value, then ring position, partition key and row key.
//
// Index and data are read in one snapshot, and entries carry their record's expiry; so an entry
// that is not void belongs to its record. Values are stored cut: whether a candidate really meets a
// bound longer than the cut is for the filter to say.
#include <algorithm>

#include "base/bytes.h"
#include "item/index/index_terms.h"
#include "item/layout/entry_codec.h"
#include "item/read/page_builder.h"
#include "item/read/reader.h"
#include "model/key/key_codec.h"

namespace orrery::item {
namespace {

std::optional<ValueBound> Cut(std::optional<ValueBound> bound) {
  if (bound.has_value() && bound->encoded.size() >= kIndexValueBytesMax) {
    bound->encoded.resize(kIndexValueBytesMax);
    bound->inclusive = true;
  }
  return bound;
}

IndexRange Cut(const IndexRange& range) {
  return {range.index, Cut(range.lower), Cut(range.upper), range.descending};
}

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

// Whether stored values that begin with `encoded` are equal to it, not merely longer.
bool IsWholeValue(const IndexPolicy& policy, IndexId index, std::string_view encoded) {
  if (encoded.size() >= kIndexValueBytesMax) return true;
  const auto named = std::ranges::find_if(policy.named(), [index](const NamedIndex& candidate) {
    return NamedIndexId(candidate.id) == index;
  });
  if (named == policy.named().end() || named->paths.size() == 1) return true;
  ByteReader reader(encoded);
  for (size_t i = 0; i < named->paths.size(); ++i)
    if (!model::ReadKey(reader, named->direction(i)).has_value()) return false;
  return reader.empty();
}

bool IsOneValue(const IndexPolicy& policy, const IndexRange& range) {
  return range.lower.has_value() && range.upper.has_value() && range.lower->inclusive &&
         range.upper->inclusive && range.lower->encoded == range.upper->encoded &&
         IsWholeValue(policy, range.index, range.lower->encoded);
}

// Entries of one value are in ring order: only the slice's or logical partition's own are met.
KeyBounds BoundsOfOneValue(const ScanRequest& request, std::string prefix,
                           const partition::HashRange& range) {
  if (request.partition_key.has_value()) {
    request.hash.AppendTo(prefix);
    prefix += *request.partition_key;
    KeyBounds bounds{prefix, PrefixEnd(prefix)};
    if (request.row_key_lower.has_value()) bounds.lower += *request.row_key_lower;
    if (request.row_key_upper.has_value()) bounds.upper = prefix + *request.row_key_upper;
    return bounds;
  }
  std::string lower = prefix;
  range.begin().AppendTo(lower);
  const auto end = range.end();
  if (!end.has_value()) return {std::move(lower), PrefixEnd(std::move(prefix))};
  end->AppendTo(prefix);
  return {std::move(lower), std::move(prefix)};
}

KeyBounds BoundsOf(const ScanRequest& request, const IndexRange& index,
                   const ContainerSchema& schema, const partition::HashRange& range) {
  const std::string prefix = IndexPrefix(schema.id, index.index);
  if (IsOneValue(schema.indexing, index)) {
    return BoundsOfOneValue(request, prefix + index.lower->encoded, range);
  }
  KeyBounds bounds{prefix, PrefixEnd(prefix)};
  if (index.lower.has_value()) {
    bounds.lower += index.lower->encoded;
    if (!index.lower->inclusive) bounds.lower = PrefixEnd(std::move(bounds.lower));
  }
  if (index.upper.has_value()) {
    bounds.upper = prefix + index.upper->encoded;
    if (index.upper->inclusive) bounds.upper = PrefixEnd(std::move(bounds.upper));
  }
  return bounds;
}

bool IsWanted(const ScanRequest& request, const DecodedKey& key,
              const partition::HashRange& range) {
  if (!range.Contains(key.hash)) return false;
  if (!request.partition_key.has_value()) return true;
  if (key.hash != request.hash || key.partition_key != *request.partition_key) return false;
  if (request.row_key_lower.has_value() && key.row_key < *request.row_key_lower) return false;
  return !request.row_key_upper.has_value() || key.row_key < *request.row_key_upper;
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
  KeyBounds bounds = BoundsOf(request, index, schema_, range_);
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
