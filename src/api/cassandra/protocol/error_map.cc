// From the core's codes to the protocol's: the table that Microsoft publishes for the
// Cassandra API of Cosmos DB, and Cassandra's own meaning where that has none.
#include <fmt/core.h>

#include "api/cassandra/protocol/cql_result.h"
#include "base/public_message.h"

namespace orrery::cassandra {
namespace {

ErrorCode CodeFor(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
    case Code::kNotFound:
    case Code::kUnsupported:
      return ErrorCode::kInvalid;
    case Code::kAlreadyExists:
      return ErrorCode::kAlreadyExists;
    case Code::kTooLarge:
    case Code::kPreconditionFailed:
      return ErrorCode::kWriteFailure;
    case Code::kPartitionFull:
    case Code::kForbidden:
    case Code::kUnauthorized:
      return ErrorCode::kUnauthorized;
    case Code::kThrottled:
    case Code::kOverloaded:
      return ErrorCode::kOverloaded;
    case Code::kUnavailable:
    case Code::kResourceExhausted:
    case Code::kFenced:
    case Code::kMoved:
    case Code::kCancelled:
      return ErrorCode::kUnavailable;
    case Code::kWouldBlock:
    case Code::kCorruption:
    case Code::kInternal:
      return ErrorCode::kServerError;
  }
  return ErrorCode::kServerError;
}

}  // namespace

CqlError ToCqlError(const Error& error) {
  return {CodeFor(error.code()), PublicMessage(error), {}, error.retry_after_ms()};
}

}  // namespace orrery::cassandra
