// A Refusal is why a request was not done, for a client to hear: an error of the core, or one that
// this API tells apart by substatus. Handlers answer Answered<T>: a value or a Refusal.
//
// An Error converts to a Refusal by itself, so ORRERY_TRY and Fail work in a function that returns
// Answered<T>; what is itself Answered is passed on by SQL_TRY and SQL_ASSIGN.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <utility>

#include "api/sql/http/failure.h"
#include "base/request_units.h"
#include "base/status.h"

namespace orrery::sql {

struct Refusal {
  Refusal(Failure why) : failure(std::move(why)) {}           // NOLINT: an answer like any other
  Refusal(const Error& error) : failure(FailureOf(error)) {}  // NOLINT: see above

  Failure failure;
  // What the attempt cost and how far it saw, when it did some work.
  std::optional<RequestUnits> charge{};
  std::string session{};
};

template <typename T>
using Answered = std::expected<T, Refusal>;

inline std::unexpected<Refusal> Refuse(int status, std::string message,
                                       Substatus substatus = Substatus::kNone) {
  return std::unexpected<Refusal>(
      Failure{.status = status, .substatus = substatus, .message = std::move(message)});
}

}  // namespace orrery::sql

// Returns the Refusal or Error of `expr` from the enclosing function, which must return Answered.
#define SQL_TRY(expr)                                                                \
  do {                                                                               \
    if (auto sql_try_ = (expr); !sql_try_.has_value()) {                             \
      return ::std::unexpected<::orrery::sql::Refusal>(std::move(sql_try_).error()); \
    }                                                                                \
  } while (false)

// SQL_ASSIGN(auto x, Compute()): declares or assigns x, or returns Compute()'s Refusal or Error.
#define SQL_ASSIGN(lhs, expr) SQL_ASSIGN_INNER(ORRERY_CONCAT(sql_r_, __LINE__), lhs, expr)
#define SQL_ASSIGN_INNER(tmp, lhs, expr)                                      \
  auto tmp = (expr);                                                          \
  if (!tmp.has_value()) {                                                     \
    return ::std::unexpected<::orrery::sql::Refusal>(std::move(tmp).error()); \
  }                                                                           \
  lhs = std::move(tmp).value()
