// Names as a statement gives them: case folded unless quoted, escapes resolved, not looked up.
#pragma once

#include <string>

#include "query/lexer/text_position.h"

namespace orrery::cassandra::ast {

using query::TextPosition;

struct Name {
  std::string text;
  TextPosition position;
};

// A table, view, index, type, function or aggregate, with or without its keyspace.
struct QualifiedName {
  std::string keyspace;  // empty when the statement does not say
  Name name;
};

}  // namespace orrery::cassandra::ast
