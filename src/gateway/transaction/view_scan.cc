// Scans of a TransactionView: pages of what is stored, with the transaction's writes laid over
// them.
#include <algorithm>
#include <utility>

#include "gateway/transaction/transaction_view.h"

namespace orrery::gateway {

Result<TransactionView::StoredPage> TransactionView::ReadStored(const Scan& scan) {
  ScanSpec spec;
  spec.partition_key = partition_key_;
  spec.index = scan.index;
  spec.limits.items_max = scan.documents_max;
  spec.limits.bytes_max = scan.bytes_max;
  if (!scan.from.empty()) {
    // The bound is part of the range: unless it is wanted, one more is read than is shown.
    spec.row_key_lower = scan.from;
    if (!scan.with) ++spec.limits.items_max;
  }
  std::string continuation;
  for (int pages = 0; pages < kEmptyPagesMax; ++pages) {
    ORRERY_ASSIGN(ScanResponse response, gateway_.Scan(container_, spec, continuation));
    Lsn newest;
    for (const Document& document : response.items) newest = std::max(newest, document.lsn);
    ORRERY_TRY(Account(response.charge, response.session, newest));
    std::erase_if(response.items, [&scan](const Document& document) {
      return !scan.with && document.key.row_key == scan.from;
    });
    if (!response.items.empty() || response.continuation.empty())
      return StoredPage{std::move(response.items), response.continuation.empty()};
    continuation = std::move(response.continuation);
  }
  return Fail(Code::kUnavailable, "too many documents have expired and are not yet removed");
}

Result<TransactionView::Page> TransactionView::ReadPage(const Scan& scan) {
  ORRERY_ASSIGN(StoredPage stored, ReadStored(scan));
  Page page;
  if (!stored.last) page.next = stored.documents.back().key.row_key;
  auto entry = scan.with ? entries_.lower_bound(scan.from) : entries_.upper_bound(scan.from);
  const auto add_own = [&page](const Entry& own) {
    if (own.written && own.now.has_value()) page.documents.push_back(*own.now);
  };
  for (Document& document : stored.documents) {
    for (; entry != entries_.end() && entry->first < document.key.row_key; ++entry)
      add_own(entry->second);
    const bool known = entry != entries_.end() && entry->first == document.key.row_key;
    if (known && entry->second.written) {
      add_own(entry->second);
    } else {
      page.documents.push_back(std::move(document));
    }
    if (known) ++entry;
  }
  for (; stored.last && entry != entries_.end(); ++entry) add_own(entry->second);
  const size_t documents_max = std::max<size_t>(scan.documents_max, 1);
  if (page.documents.size() > documents_max) {
    page.documents.resize(documents_max);
    page.next = page.documents.back().key.row_key;
  }
  return page;
}

std::optional<model::Value> TransactionView::FindKnown(
    const std::function<bool(const item::ItemKey&)>& matches) const {
  for (const auto& [encoded, entry] : entries_) {
    if (matches(KeyOf(encoded))) return entry.row_key;
  }
  return std::nullopt;
}

}  // namespace orrery::gateway
