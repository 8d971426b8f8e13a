// Splits the text of a $filter into tokens: words, symbols and literals with their values.
//
// A view: the text must outlive the lexer. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/table/entity/edm_value.h"
#include "api/table/protocol/error_response.h"
#include "query/lexer/char_cursor.h"

namespace orrery::table {

struct FilterToken {
  enum class Kind : uint8_t { kEnd, kWord, kLiteral, kOpen, kClose };
  Kind kind = Kind::kEnd;
  std::string word{};  // as written
  std::optional<EdmValue> literal{};
  size_t offset = 0;
};

class FilterLexer {
 public:
  explicit FilterLexer(std::string_view text) : cursor_(text) {}

  // InvalidInput says what is malformed and where.
  Outcome<FilterToken> Next();

 private:
  Outcome<FilterToken> Number();
  Outcome<FilterToken> WordOrTyped();
  // The text between quotes, a quote in it doubled. REQUIRES: the cursor is at the first quote.
  Outcome<std::string> Quoted();
  Outcome<FilterToken> Typed(std::string_view prefix, size_t offset);
  std::unexpected<ErrorResponse> Malformed(std::string_view what) const;

  query::CharCursor cursor_;
};

// InvalidInput at a place of the filter's text.
std::unexpected<ErrorResponse> BadFilter(std::string_view what, size_t offset);

}  // namespace orrery::table
