// A FunctionTemplate makes functions for the types that a call happens to have: toJson(any),
// map_keys(map), max(any). They are too many, or unbounded, to be listed as overloads.
//
// Immutable after construction, so thread-safe.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "api/cassandra/function/argument.h"
#include "api/cassandra/function/function.h"
#include "api/cassandra/function/parameter.h"

namespace orrery::cassandra {

class FunctionTemplate {
 public:
  // Makes the function for argument types that the parameters accept. `receiver`, the type that the
  // result is wanted as, is null where nobody says. kInvalidArgument when there is none for them.
  using Make = std::function<Result<FunctionPtr>(const FunctionName& name, const TypeList& types,
                                                 const TypePtr& receiver)>;

  // REQUIRES: optional parameters last.
  FunctionTemplate(std::string name, std::vector<Parameter> parameters, Make make);

  const FunctionName& name() const { return name_; }

  // kInvalidArgument: the wrong number of arguments, one of the wrong type, or one whose type
  // cannot be told. `receiver` may be null.
  Result<FunctionPtr> Instantiate(std::span<const Argument> arguments,
                                  const TypePtr& receiver) const;

 private:
  // "system.map_keys(map)".
  std::string Text() const;

  FunctionName name_;
  std::vector<Parameter> parameters_;
  size_t mandatory_;
  Make make_;
};

}  // namespace orrery::cassandra
