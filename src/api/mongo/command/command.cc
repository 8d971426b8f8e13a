#include "api/mongo/command/command.h"

#include <fmt/format.h>

#include <utility>

#include "api/mongo/command/fields.h"

namespace orrery::mongo {

Command::Command(std::unique_ptr<const Message> message) : message_(std::move(message)) {
  if (!body().empty()) name_ = target().name();
  if (message_->opcode == OpCode::kQuery) {
    database_ = message_->query_namespace.substr(0, message_->query_namespace.find('.'));
  } else if (const auto database = body().Find("$db");
             database.has_value() && database->kind() == model::Kind::kString) {
    database_ = database->AsString();
  }
}

Answer<Namespace> Command::CollectionOf() const {
  const model::ElementView first = target();
  if (first.kind() != model::Kind::kString) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("collection name has invalid type {}", TypeNameOf(first)));
  }
  Namespace name{database_, std::string(first.AsString())};
  MONGO_TRY(CheckCollectionName(name));
  return name;
}

Answer<std::vector<model::DocumentView>> Command::Documents(std::string_view name,
                                                            std::string_view context) const {
  for (const DocumentSequence& sequence : message_->sequences) {
    if (sequence.name == name) return sequence.documents;
  }
  const auto found = body().Find(name);
  if (!found.has_value()) {
    return Refuse(40414,
                  fmt::format("BSON field '{}.{}' is missing but a required field", context, name));
  }
  if (found->kind() != model::Kind::kArray) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field '{}.{}' is the wrong type '{}', expected type 'array'",
                              context, name, TypeNameOf(*found)));
  }
  std::vector<model::DocumentView> documents;
  for (const model::ElementView element : found->AsDocument()) {
    if (element.kind() != model::Kind::kObject) {
      return Refuse(
          ErrorCode::kTypeMismatch,
          fmt::format("BSON field '{}.{}.{}' is the wrong type '{}', expected type 'object'",
                      context, name, element.name(), TypeNameOf(element)));
    }
    documents.push_back(element.AsDocument());
  }
  return documents;
}

}  // namespace orrery::mongo
