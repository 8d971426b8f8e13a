// Maps the errors of the core to MongoDB's: one code for each, chosen by what drivers do with it.
#pragma once

#include "api/mongo/error/mongo_error.h"
#include "base/status.h"

namespace orrery::mongo {

// Returns the error as clients get it. kAlreadyExists and kNotFound have meanings that depend on
// what was asked: callers that know more map these themselves.
MongoError ToMongoError(const Error& error);

inline std::unexpected<MongoError> Refuse(const Error& error) {
  return std::unexpected(ToMongoError(error));
}

// The text that Azure's service sends for a request over its rate, with the time to wait.
std::string ThrottledText(uint32_t retry_after_ms);

}  // namespace orrery::mongo
