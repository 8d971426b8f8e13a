#include "api/cassandra/parser/token/keyword.h"

#include <array>

#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

struct Entry {
  std::string_view text;
  KeywordClass keyword_class = KeywordClass::kReserved;
};

// Indexed by keyword.
constexpr Entry kEntries[] = {{},
#define ORRERY_CQL_KEYWORD(name, text, keyword_class) {text, KeywordClass::keyword_class},
                              ORRERY_CQL_KEYWORDS(ORRERY_CQL_KEYWORD)
#undef ORRERY_CQL_KEYWORD
};

struct Spelling {
  std::string_view text;
  Keyword keyword = Keyword::kNone;
};

constexpr Spelling kOtherSpellings[] = {
    {"columnfamily", Keyword::kTable},
    {"columnfamilies", Keyword::kTables},
};

constexpr size_t kWordLengthMax = 14;
constexpr size_t kSlots = 512;

constexpr size_t SlotOf(std::string_view word) {
  uint32_t hash = static_cast<uint32_t>(word.size());
  for (const char c : word) hash = hash * 31 + static_cast<unsigned char>(query::ToLower(c));
  return (hash ^ (hash >> 9)) % kSlots;
}

// Open addressing, computed by the compiler: one look and one comparison for most words.
constexpr std::array<Spelling, kSlots> MakeTable() {
  std::array<Spelling, kSlots> table;
  const auto add = [&](Spelling spelling) {
    size_t slot = SlotOf(spelling.text);
    while (!table[slot].text.empty()) slot = (slot + 1) % kSlots;
    table[slot] = spelling;
  };
  for (size_t i = 1; i < std::size(kEntries); ++i) add({kEntries[i].text, static_cast<Keyword>(i)});
  for (const Spelling& spelling : kOtherSpellings) add(spelling);
  return table;
}

constexpr std::array<Spelling, kSlots> kTable = MakeTable();

}  // namespace

Keyword FindKeyword(std::string_view word) {
  if (word.size() > kWordLengthMax) return Keyword::kNone;
  for (size_t slot = SlotOf(word); !kTable[slot].text.empty(); slot = (slot + 1) % kSlots) {
    if (query::EqualsIgnoringCase(word, kTable[slot].text)) return kTable[slot].keyword;
  }
  return Keyword::kNone;
}

std::string_view KeywordText(Keyword keyword) {
  return kEntries[static_cast<size_t>(keyword)].text;
}

KeywordClass ClassOf(Keyword keyword) {
  return kEntries[static_cast<size_t>(keyword)].keyword_class;
}

}  // namespace orrery::cassandra
