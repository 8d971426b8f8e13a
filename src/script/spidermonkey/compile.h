// From a Program to a function of the engine.
#pragma once

#include <jsapi.h>

#include <cstdint>

#include "script/failure.h"
#include "script/program.h"

namespace orrery::script {

// A program compiled in one realm.
struct CompiledFunction {
  JS::PersistentRootedObject function;
  // The function makes the one to call: a new closure for each call, so that none outlives it.
  bool is_maker = false;
  // The number of columns by which the text before the source moves its first line to the right.
  uint32_t first_line_columns = 0;
};

// Compiles in the current realm; runs nothing. False with an exception pending. The function and
// what hangs on it are frozen: one call cannot leave a note on it for the next.
bool Compile(JSContext* cx, const Program& program, CompiledFunction& out);

// The failure with its place as the user counts it. Also when Compile itself failed.
Failure InUsersColumns(Failure failure, const CompiledFunction& compiled);

// The function to call: the compiled one or, from a maker, a new one. False with an exception
// pending, also when what a maker made is no function.
bool Instantiate(JSContext* cx, const CompiledFunction& compiled, JS::MutableHandleValue out);

}  // namespace orrery::script
