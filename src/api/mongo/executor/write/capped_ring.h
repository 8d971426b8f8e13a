// The CappedRing is what a capped collection holds, and how the oldest documents make room.
//
// Its RingState is a receipt that never expires (item/write/document_program.h), in the one logical
// partition of the collection: every program that inserts, changes or deletes documents there reads
// it and writes it with its operations. So numbers rise in the order of writes, and the limits
// hold at every moment. Programs can only look at documents that they name: the writer finds the
// oldest ones, and the program takes of those that are still there as many as must go.
//
// A collection without the receipt (it was imported, or is new) is counted by the writer first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/catalog/capped_form.h"
#include "gateway/program/document_program.h"
#include "model/value.h"

namespace orrery::mongo {

struct RingState {
  int64_t next = 1;  // the number of the next document
  int64_t documents = 0;
  int64_t bytes = 0;  // of documents as clients see them

  void Add(size_t document_bytes);
  void Remove(size_t document_bytes);
  bool IsOver(const CappedLimits& limits) const {
    return documents > limits.documents_max || bytes > limits.bytes_max;
  }

  // ring := version:uint8 next:int64 documents:int64 bytes:int64    (little-endian)
  item::Receipt ToReceipt() const;
  // Returns nullopt if the bytes are no such receipt.
  static std::optional<RingState> Read(std::string_view bytes);
};

inline constexpr std::string_view kRingReceipt = "capped ring";

// A RingRoom is what the writer has found for an insert.
struct RingRoom {
  std::optional<RingState> counted = {};  // used where there is no receipt
  bool replaces = false;                  // or where there is one, which counts too much
  std::vector<model::Value> oldest = {};  // row keys, the oldest first
  bool are_all = false;                   // there are no others
};

// The size of a stored document as clients see it.
size_t CappedSizeOf(model::DocumentView stored);

}  // namespace orrery::mongo
