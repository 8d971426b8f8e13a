// Operation names what a request asks of the service.
#pragma once

#include <cstdint>

namespace orrery::table {

enum class Operation : uint8_t {
  kGetServiceProperties,
  kSetServiceProperties,
  kGetServiceStats,
  kQueryTables,
  kGetTable,
  kCreateTable,
  kDeleteTable,
  kGetAcl,
  kSetAcl,
  kQueryEntities,
  kGetEntity,
  kInsertEntity,
  kReplaceEntity,  // of one that must be there
  kMergeEntity,    // into one that must be there
  kInsertOrReplaceEntity,
  kInsertOrMergeEntity,
  kDeleteEntity,
  kBatch,
};

inline bool IsRead(Operation operation) {
  switch (operation) {
    case Operation::kGetServiceProperties:
    case Operation::kGetServiceStats:
    case Operation::kQueryTables:
    case Operation::kGetTable:
    case Operation::kGetAcl:
    case Operation::kQueryEntities:
    case Operation::kGetEntity:
      return true;
    default:
      return false;
  }
}

}  // namespace orrery::table
