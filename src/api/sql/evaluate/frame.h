// A Frame is what an expression is evaluated against: one row's values, and what calls may need.
//
// One per row or reused from row to row; used by one thread at a time. Owns nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "api/sql/function/function.h"

namespace orrery::sql {

// Runs the functions that users wrote: udf.f(..).
class UserFunctions {
 public:
  virtual ~UserFunctions() = default;
  // Any error ends the query; kInvalidArgument when there is none of that name.
  virtual Result<model::Value> Call(std::string_view name, Arguments arguments) = 0;
};

struct Frame {
  // By the numbers of the Scope that the expression was bound with. None is null.
  std::span<const model::Value* const> slots;
  const CallContext& context;               // must outlive the frame
  UserFunctions* user_functions = nullptr;  // without it a call of one is kUnsupported
  // How many rows queries have made of one document, those within expressions too; null where none
  // count.
  uint64_t* rows = nullptr;
};

}  // namespace orrery::sql
