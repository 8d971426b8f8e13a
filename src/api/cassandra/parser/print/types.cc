#include <fmt/format.h>

#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/parser/token/keyword.h"

namespace orrery::cassandra {
namespace {

std::string_view ConstructorName(ast::TypeConstructor constructor) {
  constexpr std::string_view kNames[] = {"list", "set", "map", "tuple", "frozen", "vector"};
  return kNames[static_cast<size_t>(constructor)];
}

// A type's name is quoted in more cases than others: alone, text and "text" are two types.
std::string PrintUserType(const ast::QualifiedName& type) {
  const Keyword keyword = FindKeyword(type.name.text);
  const bool is_plain = keyword == Keyword::kNone || ClassOf(keyword) == KeywordClass::kBasic;
  if (is_plain && !grammar::IsReservedTypeName(type.name.text)) return PrintQualifiedName(type);
  const std::string quoted = fmt::format("\"{}\"", type.name.text);
  return type.keyspace.empty() ? quoted : PrintName(type.keyspace) + '.' + quoted;
}

struct TypePrinter {
  std::string operator()(ast::NativeType type) const {
    return std::string(ast::NativeTypeName(type));
  }
  std::string operator()(const ast::UserType& type) const { return PrintUserType(type.name); }
  std::string operator()(const ast::CustomType& type) const { return PrintString(type.class_name); }
  std::string operator()(const ast::ConstructedType& type) const {
    std::string text = fmt::format("{}<", ConstructorName(type.constructor));
    for (size_t i = 0; i < type.parameters.size(); ++i) {
      if (i > 0) text += ", ";
      text += PrintType(type.parameters[i]);
    }
    if (type.constructor == ast::TypeConstructor::kVector)
      text += fmt::format(", {}", type.dimension);
    text += '>';
    return text;
  }
};

}  // namespace

std::string PrintType(const ast::RawType& type) { return std::visit(TypePrinter{}, type.type); }

}  // namespace orrery::cassandra
