// ResultColumns describes the columns of a result or a prepared statement, ready for the wire.
//
//   columns := [keyspace:[string] table:[string]] column{n}  ; the first two when all share them
//   column  := [keyspace:[string] table:[string]] name:[string] [option]
//
// The description of a statement's result is the same for every execution, so it is encoded once
// and copied into each response. Immutable; shared between threads.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "api/cassandra/protocol/body/wire_type.h"
#include "api/cassandra/protocol/protocol_version.h"

namespace orrery::cassandra {

struct ColumnSpec {
  std::string keyspace;
  std::string table;
  std::string name;
  WireType type;
};

class ResultColumns {
 public:
  // No columns: of a statement that gives no rows or has no variables.
  ResultColumns() = default;
  ResultColumns(std::span<const ColumnSpec> columns, ProtocolVersion version);

  size_t count() const { return count_; }
  bool one_table() const { return one_table_; }
  const std::string& bytes() const { return bytes_; }

 private:
  size_t count_ = 0;
  bool one_table_ = false;
  std::string bytes_;
};

}  // namespace orrery::cassandra
