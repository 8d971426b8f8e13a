#include "api/cassandra/system/build/column_type.h"

#include <utility>
#include <variant>

#include "api/cassandra/parser/parser.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

TypePtr Checked(Result<TypePtr> type) {
  ORRERY_CHECK(type.has_value());
  return *std::move(type);
}

TypePtr Resolve(const ast::RawType& raw, Cells cells) {
  if (const auto* native = std::get_if<ast::NativeType>(&raw.type))
    return Type::NativeNamed(ast::NativeTypeName(*native));
  const auto* constructed = std::get_if<ast::ConstructedType>(&raw.type);
  ORRERY_CHECK(constructed != nullptr);
  using enum ast::TypeConstructor;
  if (constructed->constructor == kFrozen)
    return Resolve(constructed->parameters[0], Cells::kFrozen);
  TypeList parameters;
  for (const ast::RawType& parameter : constructed->parameters)
    parameters.push_back(Resolve(parameter, cells));
  switch (constructed->constructor) {
    case kList:
      return Checked(Type::List(parameters[0], cells));
    case kSet:
      return Checked(Type::Set(parameters[0], cells));
    case kMap:
      return Checked(Type::Map(parameters[0], parameters[1], cells));
    default:
      ORRERY_CHECK(constructed->constructor == kTuple);
      return Checked(Type::Tuple(std::move(parameters)));
  }
}

}  // namespace

TypePtr ColumnType(std::string_view text) {
  const auto parsed = ParseType(text);
  ORRERY_CHECK(parsed.has_value());
  return Resolve(*parsed, Cells::kMulti);
}

}  // namespace orrery::cassandra
