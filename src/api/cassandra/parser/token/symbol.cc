#include "api/cassandra/parser/token/symbol.h"

#include <cstddef>

namespace orrery::cassandra {

std::string_view SymbolText(Symbol symbol) {
  constexpr std::string_view kTexts[] = {"",   "(", ")", "[", "]", "{",  "}",  ",",  ".",
                                         "..", ":", ";", "?", "=", "!=", "<",  "<=", ">",
                                         ">=", "+", "-", "*", "/", "%",  "+=", "-="};
  return kTexts[static_cast<size_t>(symbol)];
}

SymbolSpelling FindSymbol(char first, char second) {
  switch (first) {
    case '(':
      return {Symbol::kLeftParen};
    case ')':
      return {Symbol::kRightParen};
    case '[':
      return {Symbol::kLeftBracket};
    case ']':
      return {Symbol::kRightBracket};
    case '{':
      return {Symbol::kLeftBrace};
    case '}':
      return {Symbol::kRightBrace};
    case ',':
      return {Symbol::kComma};
    case ':':
      return {Symbol::kColon};
    case ';':
      return {Symbol::kSemicolon};
    case '?':
      return {Symbol::kQuestion};
    case '*':
      return {Symbol::kStar};
    case '/':
      return {Symbol::kSlash};
    case '%':
      return {Symbol::kPercent};
    case '=':
      return {Symbol::kEqual};
    case '.':
      return second == '.' ? SymbolSpelling{Symbol::kRange, 2} : SymbolSpelling{Symbol::kDot};
    case '<':
      return second == '=' ? SymbolSpelling{Symbol::kLessOrEqual, 2}
                           : SymbolSpelling{Symbol::kLess};
    case '>':
      return second == '=' ? SymbolSpelling{Symbol::kGreaterOrEqual, 2}
                           : SymbolSpelling{Symbol::kGreater};
    case '+':
      return second == '=' ? SymbolSpelling{Symbol::kPlusEqual, 2} : SymbolSpelling{Symbol::kPlus};
    case '-':
      return second == '=' ? SymbolSpelling{Symbol::kMinusEqual, 2}
                           : SymbolSpelling{Symbol::kMinus};
    case '!':
      return second == '=' ? SymbolSpelling{Symbol::kNotEqual, 2} : SymbolSpelling{};
    default:
      return {};
  }
}

}  // namespace orrery::cassandra
