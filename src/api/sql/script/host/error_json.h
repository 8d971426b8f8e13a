// Encodes an error for the prelude: {"number": the status it would have for a client, "message":
// ..}.
//
// Pure.
#pragma once

#include <string>

#include "base/status.h"

namespace orrery::sql {

// Of a call that is wrong in itself.
std::string CallErrorJson(const Error& error);

// Of an operation; the message is in the form in which the service hands such errors to scripts.
std::string OperationErrorJson(const Error& error);

}  // namespace orrery::sql
