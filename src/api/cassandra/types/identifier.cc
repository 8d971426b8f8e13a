#include "api/cassandra/types/identifier.h"

#include <algorithm>
#include <iterator>

namespace orrery::cassandra {
namespace {

// Sorted: looked up by binary search.
constexpr std::string_view kReservedWords[] = {
    "ADD",      "ALLOW",    "ALTER",        "AND",          "APPLY",  "ASC",         "AUTHORIZE",
    "BATCH",    "BEGIN",    "BY",           "COLUMNFAMILY", "CREATE", "DELETE",      "DESC",
    "DESCRIBE", "DROP",     "ENTRIES",      "EXECUTE",      "FROM",   "FULL",        "GRANT",
    "IF",       "IN",       "INDEX",        "INFINITY",     "INSERT", "INTO",        "IS",
    "KEYSPACE", "LIMIT",    "MATERIALIZED", "MODIFY",       "NAN",    "NORECURSIVE", "NOT",
    "NULL",     "OF",       "ON",           "OR",           "ORDER",  "PRIMARY",     "RENAME",
    "REVOKE",   "SCHEMA",   "SELECT",       "SET",          "TABLE",  "TO",          "TOKEN",
    "TRUNCATE", "UNLOGGED", "UPDATE",       "USE",          "USING",  "VIEW",        "WHERE",
    "WITH"};
static_assert(std::is_sorted(std::begin(kReservedWords), std::end(kReservedWords)));

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }

bool IsBare(std::string_view name) {
  if (name.empty() || !IsLower(name[0])) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return IsLower(c) || (c >= '0' && c <= '9') || c == '_'; });
}

std::string Quote(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted.push_back(quote);
    quoted.push_back(c);
  }
  quoted.push_back(quote);
  return quoted;
}

}  // namespace

bool IsReservedWord(std::string_view word) {
  std::string upper(word);
  for (char& c : upper) {
    if (IsLower(c)) c = static_cast<char>(c - 'a' + 'A');
  }
  return std::binary_search(std::begin(kReservedWords), std::end(kReservedWords), upper);
}

std::string QuoteIdentifier(std::string_view name) {
  if (IsBare(name) && !IsReservedWord(name)) return std::string(name);
  return Quote(name, '"');
}

std::string QuoteString(std::string_view text) { return Quote(text, '\''); }

}  // namespace orrery::cassandra
