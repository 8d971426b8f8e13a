#include "api/mongo/language/pipeline/group_files.h"

#include <utility>

#include "api/mongo/error/error_map.h"
#include "model/document/document_builder.h"
#include "model/key/key_codec.h"

namespace orrery::mongo {

GroupFiles::GroupFiles(const QueryContext& context)
    : context_(context), files_(*context.spill, context.stage_memory_bytes_max) {}

std::string GroupFiles::KeyOf(const model::Value& id) const {
  std::string key;
  model::AppendKey(key, context_.collator == nullptr ? id : Collated(id, *context_.collator),
                   model::Order::kMongo);
  return key;
}

Outcome GroupFiles::Add(const model::Value& id, model::DocumentView content) {
  model::DocumentBuilder record;
  record.Append("i", id).AppendDocument("c", content);
  const Status added = files_.Add(KeyOf(id), std::move(record).Finish().bson());
  if (!added.has_value()) return Refuse(added.error());
  return {};
}

Outcome GroupFiles::Finish() {
  const Status finished = files_.Finish();
  if (!finished.has_value()) return Refuse(finished.error());
  return {};
}

Outcome GroupFiles::Advance() {
  std::string bson;
  const Result<bool> next = files_.Next(bson);
  if (!next.has_value()) return Refuse(next.error());
  if (!*next) {
    head_.reset();
    return {};
  }
  head_ = model::Document::Trusted(std::move(bson));
  head_key_ = KeyOf(head_->view().Get("i"));
  return {};
}

Answer<const model::Value*> GroupFiles::NextGroup() {
  if (!std::exchange(is_begun_, true)) {
    MONGO_TRY(Advance());
  } else {
    while (head_.has_value() && head_key_ == key_) MONGO_TRY(Advance());
  }
  if (!head_.has_value()) return nullptr;
  id_ = head_->view().Get("i");
  key_ = head_key_;
  return &id_;
}

Answer<std::optional<model::Document>> GroupFiles::NextContent() {
  if (!head_.has_value() || head_key_ != key_) return std::nullopt;
  const auto content = head_->view().Find("c");
  model::Document given = model::Document::Trusted(std::string(content->AsDocument().bson()));
  MONGO_TRY(Advance());
  return given;
}

}  // namespace orrery::mongo
