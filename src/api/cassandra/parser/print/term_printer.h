// The same as PrintTerm, at the end of a text that has begun.
#pragma once

#include <string>

#include "api/cassandra/parser/ast/term.h"

namespace orrery::cassandra {

void AppendTerm(std::string& out, const ast::Term& term);
void AppendFunctionCall(std::string& out, const ast::FunctionCall& call);

}  // namespace orrery::cassandra
