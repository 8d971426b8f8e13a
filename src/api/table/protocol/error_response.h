// An ErrorResponse says why a request was refused, in the words of the Table service. Modules of
// this API return Outcome<T>: a value or an ErrorResponse.
//
// An Error of the core converts to an ErrorResponse by itself (error_map.cc), so Fail works in a
// function that returns an Outcome; another Outcome is passed on by TABLE_TRY and TABLE_ASSIGN.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>

#include "api/table/protocol/error_code.h"
#include "base/request_units.h"
#include "base/status.h"

namespace orrery::table {

struct ErrorResponse {
  // Without a message: the code's own.
  explicit ErrorResponse(ErrorCode why, std::string text = {})
      : code(why), message(text.empty() ? std::string(FactsOf(why).message) : std::move(text)) {}
  ErrorResponse(const Error& error);  // NOLINT: an error like any other

  int status() const { return FactsOf(code).status; }

  ErrorCode code;
  std::string message;
  uint32_t retry_after_ms = 0;  // 0: none
  RequestUnits charge{};        // of the attempt
};

template <typename T>
using Outcome = std::expected<T, ErrorResponse>;

inline std::unexpected<ErrorResponse> Refuse(ErrorCode code, std::string message = {}) {
  return std::unexpected(ErrorResponse(code, std::move(message)));
}

}  // namespace orrery::table

// Returns the error of `expr` from the enclosing function, which must return an Outcome.
#define TABLE_TRY(expr)                                                                        \
  do {                                                                                         \
    if (auto table_try_ = (expr); !table_try_.has_value()) {                                   \
      return ::std::unexpected<::orrery::table::ErrorResponse>(std::move(table_try_).error()); \
    }                                                                                          \
  } while (false)

// TABLE_ASSIGN(auto x, Compute()): declares or assigns x, or returns Compute()'s error.
#define TABLE_ASSIGN(lhs, expr) TABLE_ASSIGN_INNER(ORRERY_CONCAT(table_r_, __LINE__), lhs, expr)
#define TABLE_ASSIGN_INNER(tmp, lhs, expr)                                            \
  auto tmp = (expr);                                                                  \
  if (!tmp.has_value()) {                                                             \
    return ::std::unexpected<::orrery::table::ErrorResponse>(std::move(tmp).error()); \
  }                                                                                   \
  lhs = std::move(tmp).value()
