// A Function is one signature that CQL can call: what it takes, what it gives, how it is named.
//
// ScalarFunction makes one value of its arguments; AggregateFunction makes one value of many rows.
// Planning and execution treat native functions and those of users alike. function_resolver.h
// chooses between functions of the same name.
//
// Values are native-protocol bytes, null is nullopt. A function may rely on its arguments being
// such as Validate accepts for its argument types, the empty value included.
//
// Immutable and shared, so thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/function/function_context.h"
#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

inline constexpr std::string_view kNativeKeyspace = "system";

struct FunctionName {
  std::string keyspace;  // empty when a call does not say
  std::string name;

  // "system.now", or "now" without a keyspace.
  std::string Text() const;
  friend bool operator==(const FunctionName&, const FunctionName&) = default;
};

using FunctionResult = Result<std::optional<std::string>>;
using FunctionArguments = std::span<const std::optional<std::string_view>>;

class Function {
 public:
  Function(FunctionName name, TypeList argument_types, TypePtr return_type)
      : name_(std::move(name)),
        argument_types_(std::move(argument_types)),
        return_type_(std::move(return_type)) {}
  virtual ~Function() = default;

  const FunctionName& name() const { return name_; }
  const TypeList& argument_types() const { return argument_types_; }
  const TypePtr& return_type() const { return return_type_; }
  virtual bool is_aggregate() const = 0;

  // "system.todate : (timestamp) -> date".
  std::string Signature() const;
  // Returns the name of a result column without an alias: "system.min(price)".
  virtual std::string ColumnName(std::span<const std::string> arguments) const;

 private:
  const FunctionName name_;
  const TypeList argument_types_;
  const TypePtr return_type_;
};

using FunctionPtr = std::shared_ptr<const Function>;

class ScalarFunction : public Function {
 public:
  using Function::Function;
  bool is_aggregate() const final { return false; }

  // Returns whether equal arguments always give equal results, so that a call of constants is a
  // constant.
  virtual bool is_pure() const { return true; }
  // Returns whether the result never falls while the first argument rises and the others stay: then
  // rows in the first one's order can be grouped by the result.
  virtual bool is_monotonic() const { return false; }
  // Returns whether an error of Call is reported as a function's failure, not as an invalid
  // request.
  virtual bool fails_as_function() const { return false; }

  // kInvalidArgument when there is no result, in the sense of Cassandra's texts. REQUIRES: as many
  // arguments as it has types.
  virtual FunctionResult Call(FunctionContext& context, FunctionArguments arguments) const = 0;
};

// The state of one group of rows. Used by one thread at a time.
class Accumulator {
 public:
  virtual ~Accumulator() = default;
  // One row. After an error only ask who failed, and destroy it.
  virtual Status Add(FunctionArguments arguments) = 0;
  // Once, after the last row.
  virtual FunctionResult Finish() = 0;
  // After an error: the function whose failure it is to be told as; null when it is an invalid
  // request's. Lives as long as the accumulator.
  virtual const Function* failed_function() const { return nullptr; }
};

class AggregateFunction : public Function {
 public:
  using Function::Function;
  bool is_aggregate() const final { return true; }

  // The function must outlive it.
  virtual std::unique_ptr<Accumulator> Start() const = 0;
};

// "execution of 'ks.f[int, text]' failed: " and what: the text of a function's failure.
std::string FailureText(const Function& function, std::string_view what);

}  // namespace orrery::cassandra
