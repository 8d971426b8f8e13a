// The Stable API: the version that a command declares, and what apiStrict allows of it.
//
// Pure.
#pragma once

#include "api/mongo/command/command.h"
#include "api/mongo/error/mongo_error.h"

namespace orrery::mongo {

// kApiVersionError for another version than "1", kApiStrictError for what version 1 does not have
// where the client asks to be told.
Outcome CheckStableApi(const Command& command);

}  // namespace orrery::mongo
