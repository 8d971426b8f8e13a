// Status and Result<T> are what every fallible call in Orrery returns: a value, or an Error whose
// code says what the caller can do.
//
// Codes are chosen by the caller's next step (retry, refresh, slow down, give up), not by where
// the error arose. Each API maps them to its own wire form in its error_map.cc.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace orrery {

enum class Code : uint8_t {
  kInvalidArgument,     // the request is malformed or breaks a limit: mend it
  kNotFound,            // the named thing is not there
  kAlreadyExists,       // a record, unique key or name is taken
  kPreconditionFailed,  // an etag or condition did not hold: read again
  kTooLarge,            // an item or request exceeds its size limit
  kPartitionFull,       // the logical partition reached its size limit: delete or use another key
  kThrottled,           // over the provisioned rate; nothing was changed; retry_after_ms says when
  kOverloaded,          // a bounded queue is full; nothing was changed; retry soon
  kWouldBlock,          // only under ReadMode::kCachedOnly: ask again where blocking is allowed
  kMoved,               // the partition split, merged or moved: refresh the map and route again
  kUnauthorized,        // no or wrong credentials
  kForbidden,           // credentials are good, the act is not allowed
  kUnavailable,         // the store or owner cannot serve now; the outcome of a write is unknown
  kCorruption,          // stored bytes are not what was written: stop and look
  kResourceExhausted,   // disk full or a configured maximum reached
  kFenced,              // another owner took over: close for good
  kUnsupported,         // a legal request for something this build does not do
  kCancelled,           // the server is stopping or the caller went away; nothing was changed
  kInternal,            // a bug
};

// Stable lower_snake names ("not_found"), used in logs, metrics and the admin interface.
std::string_view CodeName(Code code);

class [[nodiscard]] Error {
 public:
  Error(Code code, std::string message) : message_(std::move(message)), code_(code) {}

  static Error Throttled(std::string message, uint32_t retry_after_ms) {
    Error error(Code::kThrottled, std::move(message));
    error.retry_after_ms_ = retry_after_ms;
    return error;
  }

  Code code() const { return code_; }
  const std::string& message() const { return message_; }
  uint32_t retry_after_ms() const { return retry_after_ms_; }  // 0 unless kThrottled

  // "not_found: no container 'x'": for logs and command-line output.
  std::string ToString() const;

  // The same error with `context` and ": " put before its message.
  Error Annotate(std::string_view context) &&;

 private:
  std::string message_;
  uint32_t retry_after_ms_ = 0;
  Code code_;
};

template <typename T>
using Result = std::expected<T, Error>;
using Status = std::expected<void, Error>;

inline std::unexpected<Error> Fail(Code code, std::string message) {
  return std::unexpected<Error>(Error(code, std::move(message)));
}
inline std::unexpected<Error> Fail(Error error) { return std::unexpected<Error>(std::move(error)); }

}  // namespace orrery

// Returns the error of `expr` from the enclosing function, which must return Status or Result.
#define ORRERY_TRY(expr)                                                         \
  do {                                                                           \
    if (auto orrery_try_ = (expr); !orrery_try_.has_value()) {                   \
      return ::std::unexpected<::orrery::Error>(std::move(orrery_try_).error()); \
    }                                                                            \
  } while (false)

#define ORRERY_CONCAT_INNER(a, b) a##b
#define ORRERY_CONCAT(a, b) ORRERY_CONCAT_INNER(a, b)

// ORRERY_ASSIGN(auto x, Compute()): declares or assigns x, or returns Compute()'s error.
#define ORRERY_ASSIGN(lhs, expr) ORRERY_ASSIGN_INNER(ORRERY_CONCAT(orrery_r_, __LINE__), lhs, expr)
#define ORRERY_ASSIGN_INNER(tmp, lhs, expr)                            \
  auto tmp = (expr);                                                   \
  if (!tmp.has_value()) {                                              \
    return ::std::unexpected<::orrery::Error>(std::move(tmp).error()); \
  }                                                                    \
  lhs = std::move(tmp).value()
