// The text of an Error for clients: without the places of files on the server, which are for its
// log and its operator.
#pragma once

#include <string>

#include "base/status.h"

namespace orrery {

// Leaves of each absolute path what is below the data directory: "partitions/9/000012.log", or the
// last name. Only errors of the store name files; the message of others is as it is.
std::string PublicMessage(const Error& error);

}  // namespace orrery
