#include "api/mongo/language/sort/row_sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "api/mongo/error/error_map.h"
#include "base/bytes.h"
#include "model/key/key_codec.h"

namespace orrery::mongo {
namespace {

// Keys of the files are in the order of their bytes; a descending part has all of its bits flipped.
std::string BytesOfKey(const SortKey& key, const SortPattern& sort, uint64_t number) {
  std::string bytes;
  for (size_t i = 0; i < key.size(); ++i) {
    const size_t begin = bytes.size();
    model::AppendKey(bytes, key[i], model::Order::kMongo);
    if (!sort.parts()[i].descending) continue;
    for (size_t at = begin; at < bytes.size(); ++at) bytes[at] = static_cast<char>(~bytes[at]);
  }
  AppendBigEndian(bytes, number);
  return bytes;
}

}  // namespace

RowSorter::RowSorter(std::unique_ptr<RowSource> input, SortPattern sort, QueryContextPtr context,
                     std::optional<uint64_t> first_rows)
    : input_(std::move(input)),
      sort_(std::move(sort)),
      context_(std::move(context)),
      first_rows_(first_rows) {}

bool RowSorter::IsBefore(const Kept& a, const Kept& b) const {
  const std::weak_ordering order = sort_.Compare(a.key, b.key);
  return order == 0 ? a.number < b.number : order < 0;
}

Outcome RowSorter::AddToFiles(const Kept& kept) {
  // What is known of a row beside its fields has no place in a file.
  if (kept.row.meta != nullptr) {
    return Refuse(ErrorCode::kQueryExceededMemoryLimitNoDiskUseAllowed,
                  "Sort exceeded memory limit, and rows with metadata cannot be sorted on disk.");
  }
  const Status added =
      files_->Add(BytesOfKey(kept.key, sort_, kept.number), kept.row.document.bson());
  if (!added.has_value()) return Refuse(added.error());
  return {};
}

Outcome RowSorter::Spill() {
  if (context_->spill == nullptr) {
    return Refuse(ErrorCode::kQueryExceededMemoryLimitNoDiskUseAllowed,
                  fmt::format("Sort exceeded memory limit of {} bytes, but did not opt in to "
                              "external sorting.",
                              context_->stage_memory_bytes_max));
  }
  files_.emplace(*context_->spill, context_->stage_memory_bytes_max);
  for (const Kept& kept : rows_) MONGO_TRY(AddToFiles(kept));
  rows_.clear();
  return {};
}

Outcome RowSorter::Fill() {
  is_filled_ = true;
  const auto before = [this](const Kept& a, const Kept& b) { return IsBefore(a, b); };
  size_t bytes = 0;
  uint64_t number = 0;
  while (true) {
    MONGO_ASSIGN(std::optional<Row> row, input_->Next());
    if (!row.has_value()) break;
    MONGO_ASSIGN(SortKey key, sort_.KeyOf(*row, context_->collator.get()));
    Kept kept{.key = std::move(key), .number = number++, .row = *std::move(row)};
    if (files_.has_value()) {
      MONGO_TRY(AddToFiles(kept));
      continue;
    }
    const bool is_full = first_rows_.has_value() && rows_.size() >= *first_rows_;
    if (is_full) {
      if (rows_.empty() || !before(kept, rows_.front())) continue;
      std::ranges::pop_heap(rows_, before);
      bytes -= rows_.back().row.document.bson().size();
      rows_.pop_back();
    }
    bytes += kept.row.document.bson().size();
    rows_.push_back(std::move(kept));
    if (first_rows_.has_value()) std::ranges::push_heap(rows_, before);
    if (bytes > context_->stage_memory_bytes_max) MONGO_TRY(Spill());
  }
  if (files_.has_value()) {
    const Status finished = files_->Finish();
    if (!finished.has_value()) return Refuse(finished.error());
    return {};
  }
  std::ranges::sort(rows_, before);
  return {};
}

Answer<std::optional<Row>> RowSorter::Next() {
  if (!is_filled_) MONGO_TRY(Fill());
  if (files_.has_value()) {
    std::string bson;
    const Result<bool> next = files_->Next(bson);
    if (!next.has_value()) return Refuse(next.error());
    if (!*next) return std::nullopt;
    return Row{.document = model::Document::Trusted(std::move(bson))};
  }
  if (next_ == rows_.size()) return std::nullopt;
  return std::move(rows_[next_++].row);
}

}  // namespace orrery::mongo
