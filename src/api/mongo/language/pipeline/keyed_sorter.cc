#include "api/mongo/language/pipeline/keyed_sorter.h"

#include <string>
#include <utility>

#include "api/mongo/error/error_map.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/value/stable_sort.h"
#include "model/document/document_builder.h"
#include "model/key/key_codec.h"

namespace orrery::mongo {
namespace {

// The bytes that an entry takes beside its document.
constexpr size_t kEntryBytes = 64;

}  // namespace

Outcome KeyedSorter::AddToFiles(const Entry& entry) {
  if (entry.row.meta != nullptr) return RefuseStageMemory(stage_);
  std::string bytes;
  model::AppendKey(
      bytes, context_.collator == nullptr ? entry.key : Collated(entry.key, *context_.collator),
      model::Order::kMongo);
  model::DocumentBuilder record;
  record.Append("k", entry.key).AppendDocument("d", entry.row.document);
  const Status added = files_->Add(bytes, std::move(record).Finish().bson());
  if (!added.has_value()) return Refuse(added.error());
  return {};
}

Outcome KeyedSorter::Add(model::Value key, Row row) {
  ++size_;
  Entry entry{.key = std::move(key), .row = std::move(row)};
  if (files_.has_value()) return AddToFiles(entry);
  bytes_ += entry.row.document.bson().size() + kEntryBytes;
  entries_.push_back(std::move(entry));
  if (bytes_ <= context_.stage_memory_bytes_max) return {};
  if (context_.spill == nullptr) return RefuseStageMemory(stage_);
  files_.emplace(*context_.spill, context_.stage_memory_bytes_max);
  for (const Entry& kept : entries_) MONGO_TRY(AddToFiles(kept));
  entries_.clear();
  entries_.shrink_to_fit();
  return {};
}

Outcome KeyedSorter::Finish() {
  if (files_.has_value()) {
    const Status finished = files_->Finish();
    if (!finished.has_value()) return Refuse(finished.error());
    return {};
  }
  StableSort(entries_, [this](const Entry& a, const Entry& b) {
    return CompareValues(a.key, b.key, context_.collator.get()) < 0;
  });
  return {};
}

Answer<std::optional<KeyedSorter::Entry>> KeyedSorter::Next() {
  if (!files_.has_value()) {
    if (next_ == entries_.size()) return std::nullopt;
    return std::move(entries_[next_++]);
  }
  std::string bson;
  const Result<bool> next = files_->Next(bson);
  if (!next.has_value()) return Refuse(next.error());
  if (!*next) return std::nullopt;
  const model::Document record = model::Document::Trusted(std::move(bson));
  const auto document = record.view().Find("d");
  return Entry{
      .key = record.view().Get("k"),
      .row = {.document = model::Document::Trusted(std::string(document->AsDocument().bson()))}};
}

}  // namespace orrery::mongo
