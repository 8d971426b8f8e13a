#include <algorithm>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/parser/token/keyword.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

std::string Quote(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    quoted += c;
    if (c == quote) quoted += quote;
  }
  quoted += quote;
  return quoted;
}

bool IsLowerLetter(char c) { return c >= 'a' && c <= 'z'; }

bool NeedsQuotes(std::string_view name) {
  if (name.empty() || !IsLowerLetter(name[0])) return true;
  const bool plain = std::ranges::all_of(
      name, [](char c) { return IsLowerLetter(c) || query::IsDigit(c) || c == '_'; });
  if (!plain || name == "true" || name == "false") return true;
  const Keyword keyword = FindKeyword(name);
  return keyword != Keyword::kNone && ClassOf(keyword) == KeywordClass::kReserved;
}

}  // namespace

std::string PrintName(std::string_view name) {
  return NeedsQuotes(name) ? Quote(name, '"') : std::string(name);
}

std::string PrintQualifiedName(const ast::QualifiedName& name) {
  if (name.keyspace.empty()) return PrintName(name.name.text);
  return PrintName(name.keyspace) + '.' + PrintName(name.name.text);
}

std::string PrintString(std::string_view text) { return Quote(text, '\''); }

}  // namespace orrery::cassandra
