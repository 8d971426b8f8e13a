// Account keys that nobody can guess, for servers of one process.
#pragma once

#include <string>

#include "base/status.h"

namespace orrery::server {

// Base64, as account keys are.
Result<std::string> RandomKey();

}  // namespace orrery::server
