// Fields reads the arguments of a command, and says what is wrong with them in MongoDB's words.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"

namespace orrery::mongo {

// "int", "string", "objectId": the name of an element's BSON type.
std::string TypeNameOf(const model::ElementView& element);

// Returns whether a number, or a bool, is true; nullopt for other kinds.
std::optional<bool> AsFlag(const model::ElementView& element);
// A number of any type without a fraction, cut to int64; nullopt for other kinds.
std::optional<int64_t> AsWhole(const model::ElementView& element);

class Fields {
 public:
  // A command's body, whose first field names the command, or a part of one.
  enum class Of : uint8_t { kCommand, kPart };

  // `context` stands before the names of fields in errors: "FindCommandRequest".
  Fields(model::DocumentView document, std::string_view context, Of of = Of::kCommand)
      : document_(document), context_(context), of_(of) {}

  model::DocumentView document() const { return document_; }

  // 40415 for a field that is neither among these nor one that all commands may have.
  Outcome CheckKnown(std::span<const std::string_view> known) const;
  Outcome CheckKnown(std::initializer_list<std::string_view> known) const {
    return CheckKnown(std::span<const std::string_view>(known.begin(), known.size()));
  }

  // Each is kTypeMismatch when the field is of another type; null counts as absent.
  Answer<std::optional<model::DocumentView>> Object(std::string_view name) const;
  Answer<std::optional<model::DocumentView>> Array(std::string_view name) const;
  Answer<std::optional<std::string>> Text(std::string_view name) const;
  Answer<std::optional<int64_t>> Integer(std::string_view name) const;
  // 51024 below zero.
  Answer<std::optional<int64_t>> Count(std::string_view name) const;
  Answer<bool> Flag(std::string_view name, bool otherwise = false) const;
  // 40414 when it is absent.
  Answer<std::string> RequiredText(std::string_view name) const;
  Answer<model::DocumentView> RequiredObject(std::string_view name) const;

 private:
  std::optional<model::ElementView> Find(std::string_view name) const;
  std::unexpected<MongoError> WrongType(const model::ElementView& field,
                                        std::string_view expected) const;
  std::unexpected<MongoError> Missing(std::string_view name) const;

  const model::DocumentView document_;
  const std::string_view context_;
  const Of of_;
};

}  // namespace orrery::mongo
