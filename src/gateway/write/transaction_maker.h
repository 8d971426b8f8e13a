// A TransactionMaker turns the operations of one write request into those of a transaction: it
// takes the keys of each from its document or its row key, checks that all belong to one logical
// partition, and holds the request to its limits.
//
// For one request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "gateway/account/key_maker.h"
#include "gateway/requests.h"
#include "item/container_schema.h"
#include "item/write/operation.h"
#include "partition/limits.h"

namespace orrery::gateway {

class TransactionMaker {
 public:
  // `schema` and `limits` must outlive it.
  TransactionMaker(const item::ContainerSchema& schema, const partition::Limits& limits,
                   WriteSize size);

  // The key that all operations must have. Without it the first document says.
  Status SetKey(const KeyValues& values);
  void SetKey(RoutedKey key) { key_ = std::move(key); }

  // Moves the operations out of the request. kInvalidArgument and kTooLarge name the operation.
  Result<std::vector<item::Operation>> MakeAll(std::vector<WriteOperation>& operations);

  // kInvalidArgument when neither the request nor a document has named one.
  Result<RoutedKey> TakeKey() &&;

 private:
  Result<item::Operation> Make(WriteOperation& from);
  Result<std::string> TakeKeysOfDocument(const WriteOperation& from);

  const item::ContainerSchema& schema_;
  const partition::Limits& limits_;
  const uint64_t operations_max_;
  const uint64_t bytes_max_;  // of all documents
  std::optional<RoutedKey> key_;
  uint64_t document_bytes_ = 0;
};

}  // namespace orrery::gateway
