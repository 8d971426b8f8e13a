// Windows of $setWindowFields: which rows around one an output is computed of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/row.h"
#include "model/value.h"

namespace orrery::mongo {

struct Window {
  bool is_range = false;
  bool is_descending = false;  // the order of the rows, which a range does not allow
  // Ends: so many documents, or so much of the sorted value, from the current row. Nullopt: to the
  // partition's end.
  std::optional<model::Value> lower = {};
  std::optional<model::Value> upper = {};
  std::string unit = {};  // of a range over dates; empty: of numbers

  // The rows [first, end) of the row at `at`; `keys` are the sorted values, of a range only.
  // 5429414 and the like for a sorted value that is not of the range's kind.
  Answer<std::pair<size_t, size_t>> RowsOf(size_t at, size_t size,
                                           std::span<const model::Value> keys) const;
};

// {documents: [lower, upper]} or {range: [lower, upper], unit: "day"}.
Answer<Window> ParseWindow(const model::Value& value);

// Milliseconds of a unit with a fixed length; nullopt for months and longer.
std::optional<int64_t> WindowUnitMs(const std::string& unit);

}  // namespace orrery::mongo
