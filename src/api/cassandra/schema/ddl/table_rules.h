// The checks of columns and tables that CREATE TABLE, ALTER TABLE and CREATE MATERIALIZED VIEW
// share.
#pragma once

#include <string>
#include <string_view>

#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/table.h"

namespace orrery::cassandra {

// "ks.\"Table\"", as texts have it.
std::string TableText(const Table& table);

// A column of a primary key: neither in several cells, nor a counter, nor with a duration.
// `quote`: views quote the type's name, tables do not.
CqlStatus CheckKeyColumn(std::string_view name, const Type& type, bool quote);

// A UDT in several cells whose fields would be so too.
CqlStatus CheckNesting(const Type& type);

// Checks what must hold of every table in the end: its name, and that counters are alone.
CqlStatus CheckTable(const Table& table);

// "a, b": names of views or indexes.
template <typename Things, typename Name>
std::string JoinNames(const Things& things, Name name) {
  std::string text;
  for (const auto& thing : things) {
    if (!text.empty()) text += ", ";
    text += name(thing);
  }
  return text;
}

}  // namespace orrery::cassandra
