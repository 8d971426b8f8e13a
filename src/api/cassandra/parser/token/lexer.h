// From CQL text to tokens. Comments (--, //, /* */) and blanks are dropped.
//
// Two rules of Cassandra's lexer that surprise: a minus directly before a digit belongs to the
// number, so "a -1" is a name and a number; and the longest literal wins, so a word that continues
// as a UUID is one.
#pragma once

#include <string_view>
#include <vector>

#include "api/cassandra/parser/limits.h"
#include "api/cassandra/parser/syntax_error.h"
#include "api/cassandra/parser/token/token.h"

namespace orrery::cassandra {

// All tokens of `text` and the one that marks its end. Fails on text that is too long, is not
// UTF-8, or has a character or an open quote that no token can have.
Parsed<std::vector<Token>> Tokenize(std::string_view text, const ParserLimits& limits);

}  // namespace orrery::cassandra
