// Converts errors of the engine to a Failure.
#pragma once

#include <jsapi.h>

#include "script/failure.h"

namespace orrery::script {

// Takes the pending exception, or the reason for which the current run ended when there is none.
// Reading an exception can run script code (toString), so this is part of the run.
// REQUIRES: within the run and the realm; something failed.
Failure TakeFailure(JSContext* cx);

// The same before any realm is entered: nothing but a limit or a lack of memory can be the reason.
Failure TakeSetupFailure(JSContext* cx);

// The same while compiling: an exception is kSyntax unless it is a limit.
Failure TakeCompileFailure(JSContext* cx);

}  // namespace orrery::script
