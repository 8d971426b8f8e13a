// The keywords of the query language, in any case of letters, and which of them are never names.
//
// A property after a dot and an alias after AS may be any word, so only the other places ask.
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::sql {

// Keyword, text, whether it is reserved. The others are keywords in one place only: RANK after
// ORDER BY, the rest before a parenthesis with a query in it.
#define ORRERY_SQL_KEYWORDS(X)     \
  X(kAll, "all", false)            \
  X(kAnd, "and", true)             \
  X(kArray, "array", false)        \
  X(kAs, "as", true)               \
  X(kAsc, "asc", true)             \
  X(kBetween, "between", true)     \
  X(kBy, "by", true)               \
  X(kDesc, "desc", true)           \
  X(kDistinct, "distinct", true)   \
  X(kEscape, "escape", true)       \
  X(kExists, "exists", true)       \
  X(kFalse, "false", true)         \
  X(kFirst, "first", false)        \
  X(kFrom, "from", true)           \
  X(kGroup, "group", true)         \
  X(kIn, "in", true)               \
  X(kJoin, "join", true)           \
  X(kLast, "last", false)          \
  X(kLike, "like", true)           \
  X(kLimit, "limit", true)         \
  X(kNot, "not", true)             \
  X(kNull, "null", true)           \
  X(kOffset, "offset", true)       \
  X(kOr, "or", true)               \
  X(kOrder, "order", true)         \
  X(kRank, "rank", false)          \
  X(kSelect, "select", true)       \
  X(kTop, "top", true)             \
  X(kTrue, "true", true)           \
  X(kUdf, "udf", false)            \
  X(kUndefined, "undefined", true) \
  X(kValue, "value", true)         \
  X(kWhere, "where", true)

enum class Keyword : uint8_t {
  kNone,
#define ORRERY_SQL_KEYWORD(name, text, is_reserved) name,
  ORRERY_SQL_KEYWORDS(ORRERY_SQL_KEYWORD)
#undef ORRERY_SQL_KEYWORD
};

// The keyword a word of any case spells, kNone when it spells none.
Keyword FindKeyword(std::string_view word);

// False for kNone.
bool IsReserved(Keyword keyword);

}  // namespace orrery::sql
