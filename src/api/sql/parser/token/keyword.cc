#include "api/sql/parser/token/keyword.h"

#include <array>
#include <cstddef>
#include <iterator>

#include "query/lexer/character_class.h"

namespace orrery::sql {
namespace {

struct Entry {
  std::string_view text;
  bool is_reserved = false;
};

// Indexed by keyword.
constexpr Entry kEntries[] = {{},
#define ORRERY_SQL_KEYWORD(name, text, is_reserved) {text, is_reserved},
                              ORRERY_SQL_KEYWORDS(ORRERY_SQL_KEYWORD)
#undef ORRERY_SQL_KEYWORD
};

constexpr size_t kSlots = 128;

constexpr size_t SlotOf(std::string_view word) {
  uint32_t hash = static_cast<uint32_t>(word.size());
  for (const char c : word) hash = hash * 31 + static_cast<unsigned char>(query::ToLower(c));
  return (hash ^ (hash >> 7)) % kSlots;
}

// Open addressing, computed by the compiler: one look and one comparison for most words.
constexpr std::array<Keyword, kSlots> MakeTable() {
  std::array<Keyword, kSlots> table{};
  for (size_t i = 1; i < std::size(kEntries); ++i) {
    size_t slot = SlotOf(kEntries[i].text);
    while (table[slot] != Keyword::kNone) slot = (slot + 1) % kSlots;
    table[slot] = static_cast<Keyword>(i);
  }
  return table;
}

constexpr std::array<Keyword, kSlots> kTable = MakeTable();
constexpr size_t kWordLengthMax = 9;

}  // namespace

Keyword FindKeyword(std::string_view word) {
  if (word.size() > kWordLengthMax) return Keyword::kNone;
  for (size_t slot = SlotOf(word); kTable[slot] != Keyword::kNone; slot = (slot + 1) % kSlots) {
    const Keyword keyword = kTable[slot];
    if (query::EqualsIgnoringCase(word, kEntries[static_cast<size_t>(keyword)].text))
      return keyword;
  }
  return Keyword::kNone;
}

bool IsReserved(Keyword keyword) { return kEntries[static_cast<size_t>(keyword)].is_reserved; }

}  // namespace orrery::sql
