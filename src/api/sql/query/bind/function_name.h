// Names of functions as queries write them: in letters of either case.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "api/sql/parser/ast/expression.h"
#include "query/lexer/character_class.h"

namespace orrery::sql {

// Returns the name as the registry of functions has it.
inline std::string UpperCase(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

inline bool SameLetters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b,
                            [](char x, char y) { return query::ToLower(x) == query::ToLower(y); });
}

// Returns true if the expression calls the built-in function of this name.
inline bool IsCallOf(const ast::Expression& expression, std::string_view name) {
  const auto* call = expression.As<ast::FunctionCall>();
  return call != nullptr && !call->is_user_defined && SameLetters(call->function.text, name);
}

}  // namespace orrery::sql
