// Scans in key order: by ring position, then partition key, then row key.
#include "item/read/index_bounds.h"
#include "item/read/page_builder.h"
#include "item/read/reader.h"

namespace orrery::item {
namespace {

KeyBounds BoundsOf(const ScanRequest& request, ContainerId container,
                   const partition::HashRange& range) {
  if (!request.partition_key.has_value()) return RingBounds(Space::kData, container, range);
  return PartitionBounds(request, container);
}

}  // namespace

Result<Page> SliceReader::ScanListed(const ScanRequest& request, const PageLimits& limits,
                                     storage::ReadMode mode) const {
  PageBuilder page(limits, request);
  std::string data_key;
  storage::PinnedValue stored;
  for (const ItemKey& key : *request.keys) {
    if (!range_.Contains(key.hash)) continue;
    if (mode == storage::ReadMode::kCachedOnly && page.full())
      return Fail(Code::kWouldBlock, "the items are more than a page has room for");
    WriteDataKey(data_key, schema_.id, key);
    page.Done(data_key);
    ORRERY_ASSIGN(const bool exists, view_.Get(data_key, stored, mode));
    if (!exists) continue;
    page.Look(stored.view().size());
    ORRERY_ASSIGN(const RecordView record, DecodeRecord(stored.view()));
    if (!record.ExpiredAt(now_)) ORRERY_TRY(page.Offer(key, record));
  }
  return std::move(page).Finish();
}

Result<Page> SliceReader::ScanKeys(const ScanRequest& request,
                                   const std::optional<std::string>& continuation,
                                   const PageLimits& limits, storage::ReadMode mode) const {
  KeyBounds bounds = BoundsOf(request, schema_.id, range_);
  if (continuation.has_value()) {
    ORRERY_TRY(
        Resume(*continuation, Space::kData, schema_.id, IndexId(), request.descending, bounds));
  }
  if (bounds.lower >= bounds.upper) return Page{};

  PageBuilder page(limits, request);
  const auto cursor =
      view_.NewIterator({.lower = bounds.lower, .upper = bounds.upper, .mode = mode});
  request.descending ? cursor->SeekToLast() : cursor->SeekToFirst();
  while (cursor->Valid()) {
    if (page.full()) return std::move(page).Cut();
    ORRERY_TRY(page.CheckStop());
    page.Look(cursor->value().size());
    ORRERY_ASSIGN(const RecordView record, DecodeRecord(cursor->value()));
    // Most keys need not be taken apart.
    if (!record.ExpiredAt(now_) && page.Wants(record)) {
      const auto key = DecodeKey(cursor->key());
      if (!key.has_value()) return Fail(Code::kCorruption, "a stored item's key is damaged");
      ORRERY_TRY(page.Take(key->ref(), record));
    }
    page.Done(cursor->key());
    request.descending ? cursor->Prev() : cursor->Next();
  }
  if (Status status = cursor->status(); !status.has_value()) {
    return std::move(page).Failed(std::move(status).error());
  }
  return std::move(page).Finish();
}

}  // namespace orrery::item
