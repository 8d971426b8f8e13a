// Converts the failure of a script for a client: the status, and a message with the JavaScript
// error and the lines of the script that led to it.
//
// Pure.
#pragma once

#include <cstdint>
#include <string>

#include "api/sql/http/failure.h"
#include "base/status.h"
#include "script/failure.h"

namespace orrery::sql {

// 400 for what the script did, with the number of the error that it threw as substatus; 408 for
// taking too long, 503 when the server stops.
Failure FailureOfScript(const script::Failure& failure);

// Of a run that ended for an error of the core: the error's own status, but 400 for one that the
// script could have avoided, with `number` as substatus.
Failure FailureOfRun(const Error& error, int32_t number = 0);

// 449: others changed the same documents each time.
Failure TooManyConflicts();

}  // namespace orrery::sql
