// The kinds of errors that schema statements give beside "invalid": drivers tell them apart.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "api/cassandra/protocol/cql_result.h"

namespace orrery::cassandra {

// A value of an option that cannot be.
inline std::unexpected<CqlError> ConfigError(std::string message) {
  return Refuse(ErrorCode::kConfigError, std::move(message));
}
// An option that does not exist or has another form.
inline std::unexpected<CqlError> OptionSyntaxError(std::string message) {
  return Refuse(ErrorCode::kSyntaxError, std::move(message));
}
inline std::unexpected<CqlError> KeyspaceExists(std::string_view keyspace) {
  return std::unexpected(CqlError{ErrorCode::kAlreadyExists,
                                  fmt::format("Cannot add existing keyspace \"{}\"", keyspace),
                                  AlreadyExistsDetails{std::string(keyspace), ""}, 0});
}
inline std::unexpected<CqlError> TableExists(std::string_view keyspace, std::string_view table) {
  return std::unexpected(CqlError{
      ErrorCode::kAlreadyExists,
      fmt::format("Cannot add already existing table \"{}\" to keyspace \"{}\"", table, keyspace),
      AlreadyExistsDetails{std::string(keyspace), std::string(table)}, 0});
}
inline std::unexpected<CqlError> NoSuchKeyspace(std::string_view keyspace) {
  return Invalid(fmt::format("Keyspace '{}' doesn't exist", keyspace));
}

}  // namespace orrery::cassandra
