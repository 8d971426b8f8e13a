#include "api/mongo/command/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "api/mongo/language/value/bson_type_name.h"

namespace orrery::mongo {
namespace {

// The fields that every command may have.
constexpr std::array<std::string_view, 21> kGenericFields = {"$db",
                                                             "lsid",
                                                             "txnNumber",
                                                             "autocommit",
                                                             "startTransaction",
                                                             "$clusterTime",
                                                             "$readPreference",
                                                             "readConcern",
                                                             "writeConcern",
                                                             "maxTimeMS",
                                                             "comment",
                                                             "apiVersion",
                                                             "apiStrict",
                                                             "apiDeprecationErrors",
                                                             "$audit",
                                                             "$client",
                                                             "stmtId",
                                                             "stmtIds",
                                                             "mayBypassWriteBlocking",
                                                             "$configServerState",
                                                             "$queryOptions"};

}  // namespace

std::string TypeNameOf(const model::ElementView& element) {
  return std::string(BsonTypeName(element.kind()));
}

std::optional<bool> AsFlag(const model::ElementView& element) {
  switch (element.kind()) {
    case model::Kind::kBool:
      return element.AsBool();
    case model::Kind::kInt32:
    case model::Kind::kInt64:
      return element.AsInteger() != 0;
    case model::Kind::kDouble:
      return element.AsDouble() != 0;
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> AsWhole(const model::ElementView& element) {
  switch (element.kind()) {
    case model::Kind::kInt32:
    case model::Kind::kInt64:
      return element.AsInteger();
    case model::Kind::kDouble: {
      const double number = element.AsDouble();
      if (std::isnan(number)) return 0;
      if (number >= 9.2233720368547758e18) return INT64_MAX;
      if (number <= -9.2233720368547758e18) return INT64_MIN;
      return static_cast<int64_t>(number);
    }
    default:
      return std::nullopt;
  }
}

Outcome Fields::CheckKnown(std::span<const std::string_view> known) const {
  bool is_name = of_ == Of::kCommand;
  for (const model::ElementView field : document_) {
    if (std::exchange(is_name, false)) continue;
    const std::string_view name = field.name();
    if (std::ranges::find(known, name) != known.end()) continue;
    if (std::ranges::find(kGenericFields, name) != kGenericFields.end()) continue;
    return Refuse(40415, fmt::format("BSON field '{}.{}' is an unknown field.", context_, name));
  }
  return {};
}

std::optional<model::ElementView> Fields::Find(std::string_view name) const {
  const auto found = document_.Find(name);
  if (!found.has_value() || found->kind() == model::Kind::kNull) return std::nullopt;
  return found;
}

std::unexpected<MongoError> Fields::WrongType(const model::ElementView& field,
                                              std::string_view expected) const {
  return Refuse(ErrorCode::kTypeMismatch,
                fmt::format("BSON field '{}.{}' is the wrong type '{}', expected type{}", context_,
                            field.name(), TypeNameOf(field), expected));
}

std::unexpected<MongoError> Fields::Missing(std::string_view name) const {
  return Refuse(40414,
                fmt::format("BSON field '{}.{}' is missing but a required field", context_, name));
}

Answer<std::optional<model::DocumentView>> Fields::Object(std::string_view name) const {
  const auto found = Find(name);
  if (!found.has_value()) return std::nullopt;
  if (found->kind() != model::Kind::kObject) return WrongType(*found, " 'object'");
  return found->AsDocument();
}

Answer<std::optional<model::DocumentView>> Fields::Array(std::string_view name) const {
  const auto found = Find(name);
  if (!found.has_value()) return std::nullopt;
  if (found->kind() != model::Kind::kArray) return WrongType(*found, " 'array'");
  return found->AsDocument();
}

Answer<std::optional<std::string>> Fields::Text(std::string_view name) const {
  const auto found = Find(name);
  if (!found.has_value()) return std::nullopt;
  if (found->kind() != model::Kind::kString) return WrongType(*found, " 'string'");
  return std::string(found->AsString());
}

Answer<std::optional<int64_t>> Fields::Integer(std::string_view name) const {
  const auto found = Find(name);
  if (!found.has_value()) return std::nullopt;
  const auto whole = AsWhole(*found);
  if (!whole.has_value()) return WrongType(*found, "s '[long, int, decimal, double]'");
  return *whole;
}

Answer<std::optional<int64_t>> Fields::Count(std::string_view name) const {
  MONGO_ASSIGN(const std::optional<int64_t> value, Integer(name));
  if (value.has_value() && *value < 0) {
    return Refuse(
        51024, fmt::format("BSON field '{}' value must be >= 0, actual value '{}'", name, *value));
  }
  return value;
}

Answer<bool> Fields::Flag(std::string_view name, bool otherwise) const {
  const auto found = Find(name);
  if (!found.has_value()) return otherwise;
  const auto flag = AsFlag(*found);
  if (!flag.has_value()) return WrongType(*found, "s '[bool, long, int, decimal, double]'");
  return *flag;
}

Answer<std::string> Fields::RequiredText(std::string_view name) const {
  MONGO_ASSIGN(std::optional<std::string> text, Text(name));
  if (!text.has_value()) return Missing(name);
  return *std::move(text);
}

Answer<model::DocumentView> Fields::RequiredObject(std::string_view name) const {
  MONGO_ASSIGN(const std::optional<model::DocumentView> object, Object(name));
  if (!object.has_value()) return Missing(name);
  return *object;
}

}  // namespace orrery::mongo
