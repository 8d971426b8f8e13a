// Rules for words that name something.
#pragma once

#include <cstddef>

#include "api/sql/parser/ast/name.h"
#include "api/sql/parser/grammar/token_stream.h"

namespace orrery::sql::grammar {

// A word that is not reserved.
bool AtName(const TokenStream& stream, size_t ahead = 0);
ast::Name ParseName(TokenStream& stream);

// Any word, where nothing else could stand: after a dot or AS, or before the colon of a property.
ast::Name ParseWord(TokenStream& stream);

}  // namespace orrery::sql::grammar
