// console.log, captured into the run's log.
#pragma once

#include <jsapi.h>

namespace orrery::script {

// Defines `console` with log, info, warn, error and debug, which all do the same. Texts as they
// are, objects as JSON, one line a call; beyond Limits::log_bytes_max nothing is added.
bool DefineConsole(JSContext* cx, JS::HandleObject global);

}  // namespace orrery::script
