#include "api/mongo/executor/write/document_checks.h"

#include <fmt/format.h>

#include "api/mongo/catalog/collection_forms.h"
#include "api/mongo/catalog/index_checks.h"

namespace orrery::mongo {

Outcome CheckId(const model::ElementView& id) {
  switch (id.kind()) {
    case model::Kind::kArray:
      return Refuse(ErrorCode::kInvalidIdField, "The '_id' value cannot be of type array");
    case model::Kind::kRegex:
      return Refuse(ErrorCode::kInvalidIdField, "The '_id' value cannot be of type regex");
    case model::Kind::kUndefined:
      return Refuse(ErrorCode::kInvalidIdField, "The '_id' value cannot be of type undefined");
    case model::Kind::kObject:
      for (const model::ElementView field : id.AsDocument()) {
        if (!field.name().starts_with('$')) continue;
        return Refuse(ErrorCode::kDollarPrefixedFieldName,
                      fmt::format("_id fields may not contain '$'-prefixed fields: {} is not valid "
                                  "for storage.",
                                  field.name()));
      }
      return {};
    default:
      return {};
  }
}

Outcome CheckShardKey(const Collection& collection, model::DocumentView document) {
  if (!collection.is_sharded()) return {};
  model::DocumentView at = document;
  for (const std::string& step : PathOf(*collection.shard_key).steps()) {
    const auto found = at.Find(step);
    if (!found.has_value()) return {};
    if (found->kind() == model::Kind::kArray) {
      return Refuse(ErrorCode::kShardKeyNotFound,
                    "Shard key cannot contain array values or array descendants.");
    }
    if (found->kind() != model::Kind::kObject) return {};
    at = found->AsDocument();
  }
  return {};
}

Answer<model::Document> PrepareInsert(const Collection& collection, model::DocumentView document,
                                      const model::Value& made, bool validates,
                                      size_t document_bytes_max) {
  if (document.bson().size() > document_bytes_max) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("object to insert too large. size in bytes: {}, max size: {}",
                              document.bson().size(), document_bytes_max));
  }
  if (const auto id = document.Find("_id")) MONGO_TRY(CheckId(*id));
  MONGO_TRY(CheckShardKey(collection, document));
  MONGO_TRY(CheckIndexKeys(collection, document));
  MONGO_TRY(CheckTime(collection, document));
  // One of another API may come without an `_id`, but not without its own row key.
  const bool has_key = collection.form == DocumentForm::kOther && document.Find("id").has_value();
  model::Document prepared =
      has_key ? ToMongoForm(document, collection.form) : WithIdFirst(document, made);
  if (validates && collection.validator != nullptr)
    MONGO_TRY(collection.validator->Check(prepared, std::nullopt));
  return ToStoredForm(std::move(prepared), collection.form);
}

}  // namespace orrery::mongo
