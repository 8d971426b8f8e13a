// An Address says which resource a request is about, as its path names it.
//
//   path   := ["/" account] resource       the account as Azurite has it, or none: by host
//   resource := "/"                                          the service
//             | "/Tables" ["()"] | "/Tables('" name "')"     all tables, one table
//             | "/" table ["()"]                             its entities
//             | "/" table "(PartitionKey='" key "',RowKey='" key "')"
//             | "/$batch"
//
// Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/table/protocol/error_response.h"

namespace orrery::table {

enum class ResourceKind : uint8_t { kService, kTables, kOneTable, kEntities, kEntity, kBatch };

struct Address {
  ResourceKind kind = ResourceKind::kService;
  std::string account{};      // in the path; empty: none there
  bool is_secondary = false;  // "<account>-secondary", which takes no writes
  std::string table{};
  std::string partition_key{};
  std::string row_key{};
};

// `segments`: of the path, decoded. `accounts`: names that a path may begin with. InvalidUri or
// ResourceNotFound for what names no resource.
Outcome<Address> ReadAddress(std::span<const std::string> segments,
                             std::span<const std::string> accounts);

// InvalidResourceName or OutOfRangeInput unless it is letters and digits, a letter first, 3 to 63
// of them, and not "tables".
Outcome<void> CheckTableName(std::string_view name);

}  // namespace orrery::table
