// CREATE and DROP of functions and aggregates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/cassandra/parser/ast/term.h"

namespace orrery::cassandra::ast {

struct FunctionArgument {
  Name name;
  RawType type;
};

struct CreateFunction {
  QualifiedName function;
  bool or_replace = false;
  bool if_not_exists = false;
  std::vector<FunctionArgument> arguments;
  bool called_on_null_input = false;
  RawType return_type;
  std::string language;  // in lower case
  std::string body;
};

struct CreateAggregate {
  QualifiedName aggregate;
  bool or_replace = false;
  bool if_not_exists = false;
  std::vector<RawType> argument_types;
  Name state_function;
  RawType state_type;
  std::optional<Name> final_function;
  std::optional<Term> initial_condition;
};

// A signature is needed only where the name alone is ambiguous.
using Signature = std::optional<std::vector<RawType>>;

struct DropFunction {
  QualifiedName function;
  bool if_exists = false;
  Signature signature;
};

struct DropAggregate {
  QualifiedName aggregate;
  bool if_exists = false;
  Signature signature;
};

}  // namespace orrery::cassandra::ast
