// Takes the values after WITH by name and form, with Cassandra's words for what does not fit.
//
// A view of the statement's properties, which must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/cassandra/parser/ast/property.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/table_options.h"

namespace orrery::cassandra {

class PropertyReader {
 public:
  explicit PropertyReader(const ast::Properties& properties) : properties_(properties) {}

  // Refuses the first property that none of `names` is.
  CqlStatus AllowOnly(std::span<const std::string_view> names) const;

  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  // Each gives nullopt when the statement has no such property.
  CqlResult<std::optional<std::string>> Text(std::string_view name) const;
  CqlResult<std::optional<OptionMap>> Map(std::string_view name) const;
  CqlResult<std::optional<bool>> Boolean(std::string_view name) const;
  CqlResult<std::optional<int32_t>> Integer(std::string_view name) const;
  CqlResult<std::optional<double>> Real(std::string_view name) const;

 private:
  const ast::Property* Find(std::string_view name) const;

  const ast::Properties& properties_;
};

// All of `text` as a number, as Java reads one: nullopt when it is none or too large.
std::optional<int32_t> ReadInt32(std::string_view text);
std::optional<int64_t> ReadInt64(std::string_view text);

}  // namespace orrery::cassandra
