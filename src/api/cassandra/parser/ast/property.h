// A Property of a WITH clause: name = value, where a value is a literal, a bare keyword, or a map.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/cassandra/parser/ast/term.h"

namespace orrery::cassandra::ast {

struct Property {
  using Map = std::vector<std::pair<Constant, Constant>>;

  Name name;
  // A bare keyword is a string constant.
  std::variant<Constant, Map> value;
};

// No name appears twice.
using Properties = std::vector<Property>;

}  // namespace orrery::cassandra::ast
