// From the text of a query to tokens. Comments (-- to the line's end, /* */) and blanks are
// dropped.
//
// A minus never belongs to a number: "a-1" is three tokens. Words are ASCII letters, digits and
// "_"; properties with other names are written in brackets.
#pragma once

#include <string_view>
#include <vector>

#include "api/sql/parser/limits.h"
#include "api/sql/parser/query_error.h"
#include "api/sql/parser/token/token.h"

namespace orrery::sql {

// All tokens of `text` and the one that marks its end. Fails on text that is too long, is not
// UTF-8, or has characters, an open comment or an open string that no token can have.
Parsed<std::vector<Token>> Tokenize(std::string_view text, const ParserLimits& limits);

}  // namespace orrery::sql
