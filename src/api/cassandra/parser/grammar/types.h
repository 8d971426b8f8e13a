// Rules for types.
#pragma once

#include <optional>
#include <vector>

#include "api/cassandra/parser/ast/type.h"
#include "api/cassandra/parser/grammar/token_stream.h"

namespace orrery::cassandra::grammar {

// The native type a keyword names.
std::optional<ast::NativeType> FindNativeType(Keyword keyword);

ast::RawType ParseType(TokenStream& stream);
ast::NativeType ParseNativeType(TokenStream& stream);

// "(" [type ("," type)*] ")"
std::vector<ast::RawType> ParseTypeList(TokenStream& stream);

// The number of tokens from `ahead` on that are a type, 0 when they are none. Takes nothing, never
// fails the stream: it is how "(int) x" is told from "(a)".
size_t CountTypeTokens(const TokenStream& stream, size_t ahead);

}  // namespace orrery::cassandra::grammar
