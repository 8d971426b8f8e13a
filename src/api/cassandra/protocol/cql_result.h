// CqlResult is what everything above the protocol returns: a value, or the ERROR that the client
// will get.
//
// The core's own errors (base/status.h) become one through ToCqlError, the only place that knows
// which code of the core is which code of the protocol.
#pragma once

#include <expected>
#include <string>
#include <utility>

#include "api/cassandra/protocol/error_code.h"
#include "base/status.h"

namespace orrery::cassandra {

template <typename T>
using CqlResult = std::expected<T, CqlError>;
using CqlStatus = std::expected<void, CqlError>;

inline std::unexpected<CqlError> Refuse(ErrorCode code, std::string message) {
  return std::unexpected<CqlError>(CqlError{code, std::move(message), {}, 0});
}
// The statement makes no sense here: ERROR 2200, by far the most frequent.
inline std::unexpected<CqlError> Invalid(std::string message) {
  return Refuse(ErrorCode::kInvalid, std::move(message));
}

// error_map.cc.
CqlError ToCqlError(const Error& error);
inline CqlError ToCqlError(CqlError error) { return error; }

}  // namespace orrery::cassandra

// Like ORRERY_TRY and ORRERY_ASSIGN, in functions that return CqlResult or CqlStatus; `expr` may
// fail with either kind of error.
#define CQL_TRY(expr)                                                    \
  do {                                                                   \
    if (auto cql_try_ = (expr); !cql_try_.has_value()) {                 \
      return ::std::unexpected<::orrery::cassandra::CqlError>(           \
          ::orrery::cassandra::ToCqlError(std::move(cql_try_).error())); \
    }                                                                    \
  } while (false)

#define CQL_ASSIGN(lhs, expr) CQL_ASSIGN_INNER(ORRERY_CONCAT(cql_r_, __LINE__), lhs, expr)
#define CQL_ASSIGN_INNER(tmp, lhs, expr)                          \
  auto tmp = (expr);                                              \
  if (!tmp.has_value()) {                                         \
    return ::std::unexpected<::orrery::cassandra::CqlError>(      \
        ::orrery::cassandra::ToCqlError(std::move(tmp).error())); \
  }                                                               \
  lhs = std::move(tmp).value()
