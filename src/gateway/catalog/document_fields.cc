#include "gateway/catalog/document_fields.h"

#include <fmt/format.h>

#include <cmath>

namespace orrery::gateway {
namespace {

using model::ElementView;
using model::Kind;

std::unexpected<Error> WrongType(const ElementView& field, std::string_view wanted) {
  return Fail(Code::kInvalidArgument, fmt::format("field '{}' must be {}, not {}", field.name(),
                                                  wanted, model::KindName(field.kind())));
}

}  // namespace

Result<std::string> StringField(const ElementView& field) {
  if (field.kind() != Kind::kString) return WrongType(field, "a string");
  return std::string(field.AsString());
}

Result<bool> BoolField(const ElementView& field) {
  if (field.kind() != Kind::kBool) return WrongType(field, "true or false");
  return field.AsBool();
}

Result<int64_t> IntegerField(const ElementView& field, int64_t low, int64_t high) {
  int64_t number = 0;
  if (field.kind() == Kind::kInt32 || field.kind() == Kind::kInt64) {
    number = field.AsInteger();
  } else if (field.kind() == Kind::kDouble) {
    const double real = field.AsDouble();
    // Beyond 2^53 a double no longer says which whole number was meant.
    if (std::trunc(real) != real || std::abs(real) > 9007199254740992.0) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("field '{}' is {}; it must be a whole number below 2^53",
                              field.name(), real));
    }
    number = static_cast<int64_t>(real);
  } else {
    return WrongType(field, "a whole number");
  }
  if (number < low || number > high) {
    return Fail(Code::kInvalidArgument,
                fmt::format("field '{}' is {}; it must be between {} and {}", field.name(), number,
                            low, high));
  }
  return number;
}

Result<model::DocumentView> ObjectField(const ElementView& field) {
  if (field.kind() != Kind::kObject) return WrongType(field, "an object");
  return field.AsDocument();
}

Result<model::DocumentView> ArrayField(const ElementView& field) {
  if (field.kind() != Kind::kArray) return WrongType(field, "an array");
  return field.AsDocument();
}

Result<std::vector<std::string>> StringsField(const ElementView& field) {
  ORRERY_ASSIGN(const model::DocumentView array, ArrayField(field));
  std::vector<std::string> strings;
  for (const ElementView element : array) {
    if (element.kind() != Kind::kString) return WrongType(field, "an array of strings");
    strings.emplace_back(element.AsString());
  }
  return strings;
}

std::unexpected<Error> UnknownField(std::string_view of, std::string_view name,
                                    std::string_view known) {
  return Fail(Code::kInvalidArgument,
              fmt::format("{} has no field '{}'; the fields are {}", of, name, known));
}

}  // namespace orrery::gateway
