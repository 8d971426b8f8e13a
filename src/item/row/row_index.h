// Secondary indexes over rows: which entries a row has in them. Pure.
//
// Entries answer equality only, so a value stands in its key as its length and its bytes, just as
// the row has it. An entry may outlive what it tells of (a range deletion or an expiry takes rows
// away without looking at them): whoever finds a row by an index checks that it still fits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "item/layout/key_layout.h"
#include "model/key/key_codec.h"
#include "model/row/row.h"

namespace orrery::item {

// Stored in the catalog: never renumber one.
enum class RowIndexTarget : uint8_t {
  kValue = 1,         // a column's value, or each of its elements' values
  kPath = 2,          // each of a column's paths: elements of a set, keys of a map
  kEntry = 3,         // each path with its value
  kClustering = 4,    // a component of the clustering key
  kPartitionKey = 5,  // a component of the partition key
};

struct RowIndex {
  uint32_t id = 0;  // never reused within a container
  RowIndexTarget target = RowIndexTarget::kValue;
  model::ColumnId column = 0;  // of the first three
  uint32_t component = 0;      // of the last two
  friend bool operator==(const RowIndex&, const RowIndex&) = default;
};

struct RowTerm {
  IndexId index{};
  std::string value;             // as the key has it
  std::optional<Micros> expiry;  // of the cell it comes from

  friend bool operator==(const RowTerm&, const RowTerm&) = default;
};

// The value as keys have it. `path` for kEntry only.
std::string RowTermValue(std::string_view bytes);
std::string RowTermValue(std::string_view path, std::string_view bytes);

// The key parts that rows of one container are identified by.
struct RowKeyParts {
  std::string_view partition_key;  // serialized, not escaped
  bool composite = false;          // the partition key has several components
  std::string_view clustering;     // encoded tuple
};

// All terms of a live row, in order, each once. Key components that cannot be read have none.
std::vector<RowTerm> TermsOf(const std::vector<RowIndex>& indexes,
                             const std::vector<model::Direction>& directions,
                             const RowKeyParts& key, const model::Row& row);

}  // namespace orrery::item
