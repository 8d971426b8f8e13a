// A ScriptRunner calls JavaScript functions for $where, $function and $accumulator.
//
// The language has no JavaScript engine: the executor implements this over src/script. Thread-safe.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "api/mongo/error/mongo_error.h"
#include "model/value.h"

namespace orrery::mongo {

class ScriptRunner {
 public:
  virtual ~ScriptRunner() = default;
  // Calls the function whose source is `body` with `arguments`, and with `self` as `this` (and as
  // `obj`) when it is given. A body that is no function is an expression or the body of one, as
  // $where allows.
  virtual Answer<model::Value> Call(const std::string& body,
                                    std::span<const model::Value> arguments,
                                    const model::Value* self) = 0;
  // Calls the function with `first` and the arguments of the first list, then with its result and
  // those of the next, and returns the last result.
  virtual Answer<model::Value> Fold(const std::string& body, const model::Value& first,
                                    std::span<const model::Value> lists) = 0;
};

}  // namespace orrery::mongo
