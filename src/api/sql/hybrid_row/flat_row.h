// HybridRow, as far as the SQL API's batches need it: rows of one level, whose columns are
// primitives. The client for .NET sends batches in it and wants their answers in it.
//
//   row     := version:uint8 schema:int32 presence fixed variable sparse*   ; little-endian
//   version := 0x81
//   presence:= one bit a column that may be missing, lowest bit first, whole bytes; first the fixed
//              columns, then the variable ones
//   fixed   := int32 or uint32 for each fixed column, zero where it is missing
//   variable:= (length:varint bytes) for each variable column that is there
//   sparse  := type:uint8 path value
//   path    := token:varint              ; below the count of names: a column, counted from 1
//            | (count + length):varint bytes                  ; else the name itself
//   value   := as the type says: nothing, a number of fixed size, a varint, length:varint bytes
//
// docs/format/sql.md has worked examples. Whatever has a scope (arrays, objects, nested rows) is
// refused. Reads foreign bytes: every size is checked against what is there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/status.h"

namespace orrery::sql::hybrid {

inline constexpr uint8_t kRowVersion = 0x81;

enum class Storage : uint8_t { kFixed, kVariable, kSparse };

struct Column {
  std::string_view name;
  Storage storage = Storage::kFixed;
  bool nullable = true;  // fixed columns only: the others may always be missing
};

// The layout of a schema's rows. Columns in their order: fixed, variable, sparse ones.
struct Layout {
  int32_t schema = 0;
  std::span<const Column> columns;
};

// A number (all integers and booleans; floats as double), or text or bytes, which point into the
// row.
using Cell = std::variant<int64_t, double, std::string_view>;

struct NamedCell {
  std::string_view name;
  Cell cell;
};

// The cells that are there, in the order of the row. kInvalidArgument when `bytes` is no such row,
// or longer than one.
Result<std::vector<NamedCell>> ReadRow(const Layout& layout, std::string_view bytes);

// Reads the fixed columns of a row that stands at the front of `bytes`, for rows that say how long
// they are (the headers of record_io.h). Missing ones are 0.
Result<std::vector<uint32_t>> ReadFixed(const Layout& layout, std::string_view bytes);
// Bytes of a row of `layout` without variable and sparse cells.
size_t FixedBytes(const Layout& layout);

// Builds a row. Each column at most once, variable and sparse ones in the order of the layout.
class RowBuilder {
 public:
  explicit RowBuilder(const Layout& layout);  // `layout` must outlive the builder

  void PutFixed(std::string_view name, uint32_t value);
  void PutVariable(std::string_view name, std::string_view bytes);
  void PutSparseUint32(std::string_view name, uint32_t value);
  void PutSparseDouble(std::string_view name, double value);
  void PutSparseText(std::string_view name, std::string_view text);
  void PutSparseBool(std::string_view name, bool value);

  std::string Build() && { return std::move(row_); }

 private:
  size_t IndexOf(std::string_view name, Storage storage) const;
  void MarkPresent(size_t column);
  void BeginSparse(std::string_view name, uint8_t type);

  const Layout& layout_;
  std::string row_;
};

}  // namespace orrery::sql::hybrid
