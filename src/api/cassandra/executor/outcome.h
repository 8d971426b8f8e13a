// An Outcome is the result of a statement, before it is put on the wire.
//
// Knows neither stream ids nor protocol versions: values have the same bytes in v3, v4 and v5, and
// column descriptions are encoded per version on first use and kept with the statement.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/cassandra/protocol/error_code.h"
#include "api/cassandra/protocol/response/response_writer.h"
#include "api/cassandra/protocol/response/result_columns.h"
#include "base/byte_budget.h"
#include "base/request_units.h"

namespace orrery::cassandra {

// The columns of a result or the variables of a statement. Thread-safe.
class ColumnShape {
 public:
  explicit ColumnShape(std::vector<ColumnSpec> columns);

  const std::vector<ColumnSpec>& columns() const { return columns_; }
  // Encoded for a version, once.
  const ResultColumns& For(ProtocolVersion version) const;
  // 16 bytes; equal for equal descriptions. v5 clients are told when it changes.
  const std::string& id() const { return id_; }

 private:
  const std::vector<ColumnSpec> columns_;
  const std::string id_;
  mutable std::array<std::once_flag, 3> made_;
  mutable std::array<ResultColumns, 3> encoded_;
};
using ColumnShapePtr = std::shared_ptr<const ColumnShape>;

struct VoidOutcome {};
struct KeyspaceSet {
  std::string keyspace;
};
struct RowsOutcome {
  ColumnShapePtr shape;
  std::string cells;  // [bytes] after [bytes], row by row
  int32_t rows = 0;
  std::optional<std::string> paging_state;  // set: there is more
  // The next execution may have other columns: clients must not keep these.
  bool shape_varies = false;
  ByteShare memory{};  // in which the cells are counted
};

struct Outcome {
  std::variant<VoidOutcome, KeyspaceSet, RowsOutcome, SchemaChange, CqlError> result;
  RequestUnits charge;
  std::vector<std::string> warnings;
  // A fault on demand: the connection ends instead of telling it.
  bool cuts_connection = false;

  static Outcome Failed(CqlError error) { return {std::move(error), {}, {}, false}; }
};

}  // namespace orrery::cassandra
