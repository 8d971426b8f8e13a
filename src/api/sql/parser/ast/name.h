// A word that names something: an alias, a function. Case counts, except in names of built-in
// functions.
#pragma once

#include <string>

#include "api/sql/parser/ast/source_range.h"

namespace orrery::sql::ast {

struct Name {
  std::string text;
  SourceRange range = {};
};

}  // namespace orrery::sql::ast
