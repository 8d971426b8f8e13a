// A Command is one request as handlers see it: its name, database and arguments.
//
// Immutable, so thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/catalog/namespace.h"
#include "api/mongo/error/mongo_error.h"
#include "api/mongo/protocol/message.h"
#include "model/document/document.h"

namespace orrery::mongo {

class Command {
 public:
  // REQUIRES: the message was read without an error.
  explicit Command(std::unique_ptr<const Message> message);

  const Message& message() const { return *message_; }
  model::DocumentView body() const { return message_->body; }
  // The name of the first field; empty for an empty body.
  std::string_view name() const { return name_; }
  // The value of that field. REQUIRES: the body is not empty.
  model::ElementView target() const { return *body().begin(); }
  const std::string& database() const { return database_; }

  // The collection that the first field names. kBadValue, kInvalidNamespace.
  Answer<Namespace> CollectionOf() const;
  // The documents of an argument: of the body's array, or of a section beside it. kTypeMismatch;
  // 40414 when there are none.
  Answer<std::vector<model::DocumentView>> Documents(std::string_view name,
                                                     std::string_view context) const;

 private:
  const std::shared_ptr<const Message> message_;
  std::string_view name_;
  std::string database_;
};

}  // namespace orrery::mongo
