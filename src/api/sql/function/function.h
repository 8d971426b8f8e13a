// A Function is one built-in function of the SQL query language: its name, how many arguments it
// takes, and its body.
//
// A body never fails for the type of an argument: what a function cannot use makes the result
// undefined. It fails only for what ends the query: a result or a pattern past its bound
// (limits.h), or an invalid regular expression. A wrong number of arguments is an error of the
// query's text; whoever reads the text asks Takes().
//
// Functions are constants of the program, so thread-safe. Which one a name means is
// function_registry.h's to say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/clock.h"
#include "base/request_context.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

using model::Value;
using Arguments = std::span<const Value>;

// The source of random numbers for RAND. Used by one thread at a time.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  // At least 0 and less than 1.
  virtual double Next() = 0;
};

// The context that a body may need beyond its arguments. One per running query, used by one thread
// at a time.
struct CallContext {
  const Clock& clock;    // must outlive it
  RandomSource& random;  // must outlive it
  Micros query_start;    // what the ...STATIC functions say the time is
  // Looked at in calls and between the rows of subqueries; null: nothing stops them. Must outlive
  // it.
  StopCheck* stop = nullptr;
};

inline constexpr size_t kArgumentsUnbounded = std::numeric_limits<size_t>::max();

struct Function {
  using Body = Result<Value> (*)(Arguments arguments, const CallContext& context);
  // kVolatile: equal arguments may give different results, so a call of constants is no constant.
  enum class Purity : uint8_t { kPure, kVolatile };

  std::string_view name;  // in upper case
  size_t arguments_min = 0;
  size_t arguments_max = 0;  // or kArgumentsUnbounded
  Body body = nullptr;
  Purity purity = Purity::kPure;

  bool Takes(size_t arguments) const {
    return arguments >= arguments_min && arguments <= arguments_max;
  }
  // kTooLarge, kInvalidArgument and kCancelled end the query. REQUIRES: Takes(arguments.size()).
  Result<Value> Call(Arguments arguments, const CallContext& context) const;
};

}  // namespace orrery::sql
