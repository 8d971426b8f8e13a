// Partial updates of documents: add, set, replace, remove, increment, move.
//
//   add      sets a field; in an array inserts at the index, or appends at "-"
//   set      sets a field or an element that exists; "-" appends
//   replace  as set, but the target must exist
//   remove   the target must exist; later elements of an array move up
//   incr     adds to a number; a missing field is created with the value
//   move     removes what is at `from`, then adds it at `path`
//
// The object or array that holds the target must exist. Which fields may not be touched (ids,
// partition keys) is the caller's business.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"
#include "model/path/path.h"
#include "model/value.h"

namespace orrery::model {

inline constexpr size_t kPatchOperationsMax = 10;

enum class PatchType : uint8_t { kAdd, kSet, kReplace, kRemove, kIncrement, kMove };

struct PatchOperation {
  PatchType type = PatchType::kAdd;
  Path path;
  Value value;  // not for remove and move
  Path from;    // only for move
};

// Applies all operations in order, or none. kInvalidArgument says which operation failed and why.
Result<Document> ApplyPatch(DocumentView document, std::span<const PatchOperation> operations);

// [{"op": "incr", "path": "/n", "value": 1}, {"op": "move", "from": "/a", "path": "/b"}]; paths are
// JSON pointers.
Result<std::vector<PatchOperation>> PatchFromJson(const Value& json);

}  // namespace orrery::model
