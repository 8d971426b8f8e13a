// A ErrorResponse is why a request was not done, for a client to hear: an error of the core, or one
// that this API tells apart by substatus. Handlers answer SqlResult<T>: a value or a ErrorResponse.
//
// An Error converts to a ErrorResponse by itself, so ORRERY_TRY and Fail work in a function that
// returns SqlResult<T>; what is itself a SqlResult is passed on by SQL_TRY and SQL_ASSIGN.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <utility>

#include "api/sql/http/failure.h"
#include "base/request_units.h"
#include "base/status.h"

namespace orrery::sql {

struct ErrorResponse {
  ErrorResponse(Failure why) : failure(std::move(why)) {}  // NOLINT: an answer like any other
  ErrorResponse(const Error& error) : failure(FailureOf(error)) {}  // NOLINT: see above

  Failure failure;
  // The charge of the attempt and the session token, when it did some work.
  std::optional<RequestUnits> charge{};
  std::string session{};
};

template <typename T>
using SqlResult = std::expected<T, ErrorResponse>;

inline std::unexpected<ErrorResponse> Refuse(int status, std::string message,
                                             Substatus substatus = Substatus::kNone) {
  return std::unexpected<ErrorResponse>(
      Failure{.status = status, .substatus = substatus, .message = std::move(message)});
}

}  // namespace orrery::sql

// Returns the ErrorResponse or Error of `expr` from the enclosing function, which must return
// SqlResult.
#define SQL_TRY(expr)                                                                      \
  do {                                                                                     \
    if (auto sql_try_ = (expr); !sql_try_.has_value()) {                                   \
      return ::std::unexpected<::orrery::sql::ErrorResponse>(std::move(sql_try_).error()); \
    }                                                                                      \
  } while (false)

// SQL_ASSIGN(auto x, Compute()): declares or assigns x, or returns Compute()'s ErrorResponse or
// Error.
#define SQL_ASSIGN(lhs, expr) SQL_ASSIGN_INNER(ORRERY_CONCAT(sql_r_, __LINE__), lhs, expr)
#define SQL_ASSIGN_INNER(tmp, lhs, expr)                                            \
  auto tmp = (expr);                                                                \
  if (!tmp.has_value()) {                                                           \
    return ::std::unexpected<::orrery::sql::ErrorResponse>(std::move(tmp).error()); \
  }                                                                                 \
  lhs = std::move(tmp).value()
