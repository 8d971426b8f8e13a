// Rules for expressions. ast/term.h says what they become.
#pragma once

#include <utility>
#include <vector>

#include "api/cassandra/parser/ast/term.h"
#include "api/cassandra/parser/grammar/token_stream.h"

namespace orrery::cassandra::grammar {

// The position of an expression decides what may appear in it.
enum class TermPlace : uint8_t {
  kValue,      // to store or compare with: no columns
  kSelection,  // after SELECT or GROUP BY
};

// Sums of products of terms. In a value "+" before a column's name is left: see update.cc.
ast::Term ParseTerm(TokenStream& stream, TermPlace place = TermPlace::kValue);

// An integer or a marker.
ast::Term ParseIntegerOrMarker(TokenStream& stream);

// A string or a marker.
ast::Term ParseStringOrMarker(TokenStream& stream);

bool AtMarker(const TokenStream& stream);
ast::Term ParseMarker(TokenStream& stream);

bool AtConstant(const TokenStream& stream, size_t ahead = 0);
// REQUIRES: AtConstant(stream)
ast::Constant TakeConstant(TokenStream& stream);

// term ("," term)* up to `close`, which is taken. May be empty.
std::vector<ast::Term> ParseTermsUntil(TokenStream& stream, Symbol close, TermPlace place);

// Returns whether an expression could start at the token.
bool AtTermStart(const TokenStream& stream, TermPlace place, size_t ahead = 0);

// Literals, markers, calls and columns, without what may follow them ("[k]", ".f").
ast::Term ParseSimpleTerm(TokenStream& stream, TermPlace place);

// The rules below belong to ParseSimpleTerm and are apart only because each is an idea of its own.
ast::Term ParseCollectionLiteral(TokenStream& stream, TermPlace place);  // "[" or "{" is next
ast::Term ParseParentheses(TokenStream& stream, TermPlace place);        // "(" is next
bool AtCall(const TokenStream& stream, TermPlace place);
ast::Term ParseCall(TokenStream& stream, TermPlace place);  // REQUIRES: AtCall

// Parses what may follow a selected value: ".f", "[k]", "[a..b]", any number of times.
ast::Term ParseAccesses(TokenStream& stream, ast::Term value);

}  // namespace orrery::cassandra::grammar
