// A CqlError is an ERROR message: a code by which drivers decide (retry, prepare again, give up), a
// text for people, and for some codes fields of their own. error_writer.h puts it on the wire.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/consistency.h"

namespace orrery::cassandra {

enum class ErrorCode : int32_t {
  kServerError = 0x0000,
  kProtocolError = 0x000A,
  kBadCredentials = 0x0100,
  kUnavailable = 0x1000,
  kOverloaded = 0x1001,
  kBootstrapping = 0x1002,
  kTruncateError = 0x1003,
  kWriteTimeout = 0x1100,
  kReadTimeout = 0x1200,
  kReadFailure = 0x1300,
  kFunctionFailure = 0x1400,
  kWriteFailure = 0x1500,
  kCdcWriteFailure = 0x1600,
  kCasWriteUnknown = 0x1700,
  kSyntaxError = 0x2000,
  kUnauthorized = 0x2100,
  kInvalid = 0x2200,
  kConfigError = 0x2300,
  kAlreadyExists = 0x2400,
  kUnprepared = 0x2500,
};

// The kind of write that timed out or failed.
enum class WriteType : uint8_t {
  kSimple,
  kBatch,
  kUnloggedBatch,
  kCounter,
  kBatchLog,
  kCas,
  kView,
  kCdc,
};
std::string_view WriteTypeName(WriteType type);  // "UNLOGGED_BATCH"

struct UnavailableDetails {
  Consistency consistency = Consistency::kOne;
  int32_t required = 0;
  int32_t alive = 0;
};

// The progress of a read or write before it timed out or failed.
struct ReplicaProgress {
  Consistency consistency = Consistency::kOne;
  int32_t received = 0;   // replicas that answered
  int32_t block_for = 0;  // replicas whose answer was needed
};

// Why one replica failed; numbered by Cassandra (0 unknown, 1 too many tombstones, ...).
struct ReplicaFailure {
  InetAddress replica;
  uint16_t reason = 0;
};

struct WriteTimeoutDetails {
  ReplicaProgress progress;
  WriteType write_type = WriteType::kSimple;
  uint16_t contentions = 0;  // sent for kCas in v5
};
struct ReadTimeoutDetails {
  ReplicaProgress progress;
  bool data_present = false;
};
struct ReadFailureDetails {
  ReplicaProgress progress;
  std::vector<ReplicaFailure> failures;  // v4 sends only how many
  bool data_present = false;
};
struct WriteFailureDetails {
  ReplicaProgress progress;
  std::vector<ReplicaFailure> failures;
  WriteType write_type = WriteType::kSimple;
};
struct CasWriteUnknownDetails {
  ReplicaProgress progress;
};
struct FunctionFailureDetails {
  std::string keyspace;
  std::string function;
  std::vector<std::string> argument_types;
};
struct AlreadyExistsDetails {
  std::string keyspace;
  std::string table;  // empty when it is the keyspace that exists
};
struct UnpreparedDetails {
  std::string id;
};

using ErrorDetails =
    std::variant<std::monostate, UnavailableDetails, WriteTimeoutDetails, ReadTimeoutDetails,
                 ReadFailureDetails, WriteFailureDetails, CasWriteUnknownDetails,
                 FunctionFailureDetails, AlreadyExistsDetails, UnpreparedDetails>;

// A code that has fields but comes without its details is sent with their defaults; details of
// another code are not sent.
struct CqlError {
  ErrorCode code = ErrorCode::kServerError;
  std::string message;
  ErrorDetails details;
  // Set when the core refused because of its rate: the text then says when to come again
  // (executor/throttle_text.h).
  uint32_t retry_after_ms = 0;
};

inline CqlError ProtocolError(std::string message) {
  return {ErrorCode::kProtocolError, std::move(message), {}, 0};
}

}  // namespace orrery::cassandra
