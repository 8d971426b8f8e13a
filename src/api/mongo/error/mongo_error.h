// A MongoError is a failure as MongoDB's clients see it: a code number, a text and, for some, a
// document with details and labels that tell drivers what to do.
//
// It differs from base's Error, whose codes say what a caller inside the server can do; the
// executor maps those to this. Functions of the MongoDB API return Answer<T>.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/mongo/error/error_codes.h"
#include "model/document/document.h"

namespace orrery::mongo {

struct [[nodiscard]] MongoError {
  int32_t code = 0;
  std::string message;
  std::optional<model::Document> info = {};    // errInfo
  std::optional<model::Document> beside = {};  // fields that stand beside the code: keyPattern
  std::vector<std::string> labels = {};        // errorLabels

  std::string code_name() const { return ErrorCodeName(code); }
  // The same error with `prefix` before its message.
  MongoError Prefixed(std::string_view prefix) &&;
};

template <typename T>
using Answer = std::expected<T, MongoError>;
using Outcome = std::expected<void, MongoError>;

inline std::unexpected<MongoError> Refuse(int32_t code, std::string message) {
  return std::unexpected<MongoError>(MongoError{code, std::move(message)});
}
inline std::unexpected<MongoError> Refuse(ErrorCode code, std::string message) {
  return Refuse(static_cast<int32_t>(code), std::move(message));
}

}  // namespace orrery::mongo

// Returns the error of `expr` from the enclosing function, which must return Outcome or Answer.
#define MONGO_TRY(expr)                                                                     \
  do {                                                                                      \
    if (auto mongo_try_ = (expr); !mongo_try_.has_value()) [[unlikely]] {                   \
      return ::std::unexpected<::orrery::mongo::MongoError>(std::move(mongo_try_).error()); \
    }                                                                                       \
  } while (false)

// MONGO_ASSIGN(auto x, Compute()): declares or assigns x, or returns Compute()'s error.
#define MONGO_ASSIGN(lhs, expr) MONGO_ASSIGN_INNER(ORRERY_CONCAT(mongo_r_, __LINE__), lhs, expr)
#define MONGO_ASSIGN_INNER(tmp, lhs, expr)                                         \
  auto tmp = (expr);                                                               \
  if (!tmp.has_value()) [[unlikely]] {                                             \
    return ::std::unexpected<::orrery::mongo::MongoError>(std::move(tmp).error()); \
  }                                                                                \
  lhs = std::move(tmp).value()
