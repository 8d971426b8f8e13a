// TransactionWrites are what a transaction has done, in order: operations on items, the first on
// each under the condition that its version is still the one that was seen.
//
// They are what a commit evaluates, and what a commit record keeps. The form of that:
//
//   writes := count:varint write*
//   write  := container:varint hash:16 bytes partition_key:string row_key:string kind:uint8 ...
//             kind bits: 1 it writes a document (else it removes the item), 2 the item must have
//             the version `lsn`, 4 there must be none [lsn:varint, with 2] [document:string, with
//             1]
//   string := size:varint bytes
//
// For one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "item/layout/key_layout.h"
#include "item/write/operation.h"
#include "item/write/transaction.h"

namespace orrery::gateway {

// The operations of one logical partition.
struct LogicalWrites {
  ContainerId container;
  Hash128 hash;
  std::string partition_key;  // encoded
  std::vector<item::Operation> operations;
};

class TransactionWrites {
 public:
  bool empty() const { return logical_.empty(); }
  const std::vector<LogicalWrites>& logical() const { return logical_; }
  size_t bytes() const { return bytes_; }

  // Adds an operation. It must have its condition if it is the first on its item.
  void Add(ContainerId container, Hash128 hash, std::string_view partition_key,
           item::Operation operation);

  // Returns how many operations a position of a container has.
  size_t OperationsOf(ContainerId container, Hash128 hash) const;

  std::string Encode() const;
  // kCorruption.
  static Result<TransactionWrites> Decode(std::string_view bytes);

 private:
  std::vector<LogicalWrites> logical_;
  size_t bytes_ = 0;
};

}  // namespace orrery::gateway
