// Items of one container on their way out of one server and into another: exactly as they are
// stored, but for what only has a meaning where it is (positions, index entries).
//
//   batch    := 01 kind:number n:number item*n            ; kind: 0 documents, 1 rows
//   document := mortal:flag time bson:bytes
//   row      := mortal:flag partition_key:bytes clustering:bytes row:bytes
//
// The alphabet is gateway/remote/message.h's; a row is in its stored form (model/row/row_codec.h)
// at position 0, with every cell's time, ttl and expiry. An empty clustering key is the partition's
// own row. An item is mortal when something in it expires: when it is examined again it may be
// gone.
//
// Batches are stored in archives: the first number is a version, never change what it means.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "model/document/document.h"

namespace orrery::gateway {

inline constexpr size_t kArchiveBatchItemsMax = 10'000;
// The size at which a page ends; its last item, and the static rows of its partitions, may make it
// larger.
inline constexpr size_t kArchivePageItems = 1'000;
inline constexpr size_t kArchivePageBytes = size_t{1} << 20;

struct ArchivedDocument {
  bool mortal = false;
  Micros time{0};  // when it was last written
  model::Document document;

  friend bool operator==(const ArchivedDocument&, const ArchivedDocument&) = default;
};

struct ArchivedRow {
  bool mortal = false;
  std::string partition_key;  // the bytes that are hashed (gateway/row/row_requests.h)
  std::string clustering;
  std::string row;

  friend bool operator==(const ArchivedRow&, const ArchivedRow&) = default;
};

using ArchivedDocuments = std::vector<ArchivedDocument>;
using ArchivedRows = std::vector<ArchivedRow>;
using ArchiveBatch = std::variant<ArchivedDocuments, ArchivedRows>;

size_t SizeOf(const ArchiveBatch& batch);  // in items
// Without the first `count` items. REQUIRES: count <= SizeOf(batch).
void DropFront(ArchiveBatch& batch, size_t count);

std::string EncodeBatch(const ArchiveBatch& batch);
// kInvalidArgument when the bytes are malformed, or more than kArchiveBatchItemsMax; kUnsupported
// when a newer version wrote them. Documents and rows in it are valid.
Result<ArchiveBatch> DecodeBatch(std::string_view bytes);

}  // namespace orrery::gateway
