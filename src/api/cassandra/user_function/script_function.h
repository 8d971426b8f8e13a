// A function that a user wrote in JavaScript (CREATE FUNCTION), ready to be called.
//
// Its arguments are variables of the script; the result is what it returns, or, without a return,
// the value of its last statement. It runs on a script thread while the caller waits, for at most
// kFunctionTimeMax and some slack; nothing that it does outlives the call. Every failure is told as
// the function's: "execution of 'ks.f[int]' failed: ...". One whose body is Java, kept for the sake
// of somebody's schema, fails whenever it is called.
//
// Immutable and shared, so thread-safe.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "api/cassandra/function/function.h"
#include "api/cassandra/schema/keyspace.h"
#include "api/cassandra/user_function/script_runner.h"
#include "script/program.h"

namespace orrery::cassandra {

// Cassandra's own limit.
inline constexpr std::chrono::milliseconds kFunctionTimeMax{1'500};

// kInvalidArgument, kTooLarge: an argument's name is no JavaScript identifier, or there is too much
// source. Does not say whether the source compiles.
Result<script::ProgramRef> ProgramOf(const UserFunction& function);

class ScriptFunction final : public ScalarFunction {
 public:
  // `runner` must outlive it. Without a program it cannot be called.
  ScriptFunction(const UserFunction& definition, script::ProgramRef program,
                 const ScriptRunner& runner);

  // Nobody knows what a user's function depends on.
  bool is_pure() const override { return false; }
  bool fails_as_function() const override { return true; }
  FunctionResult Call(FunctionContext& context, FunctionArguments arguments) const override;

  // The same for who is on a script thread already.
  FunctionResult CallIn(script::Sandbox& sandbox, FunctionArguments arguments) const;

  // Returns whether it gives null for these, without being called: RETURNS NULL ON NULL INPUT.
  // `first` is the place of the first of them among all arguments.
  bool SkipsNulls(FunctionArguments arguments, size_t first = 0) const;

 private:
  // Fails when there is nothing to run.
  Status CheckProgram() const;
  Result<std::vector<model::Value>> ScriptValues(FunctionArguments arguments) const;

  const bool called_on_null_input_;
  const std::string language_;
  const script::ProgramRef program_;
  const ScriptRunner& runner_;
};
using ScriptFunctionPtr = std::shared_ptr<const ScriptFunction>;

}  // namespace orrery::cassandra
