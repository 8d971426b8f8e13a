// A ChangeNote is what the MongoDB API keeps with a change in the feed of a container, beside the
// versions that the core keeps: what kind of update it was, what it changed, and whether the
// collection wanted images of the document then.
//
//   note := BSON {"k": "u" | "r" | "d", "set"?: {path: value, ...}, "unset"?: [path, ...],
//                 "cut"?: [{"field", "newSize"}, ...], "i"?: true, "t"?: {"txnNumber", "lsid"}}
//
// It is made in the sequencer, at the update's turn, only where the feed keeps all versions. "t" is
// of writes within a transaction.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/catalog/stream_scope.h"
#include "api/mongo/language/update/update.h"
#include "api/mongo/language/update/update_description.h"
#include "model/document/document.h"

namespace orrery::mongo {

// Of an update that made `after` of `before`. `touched` is of operators.
std::string NoteOfUpdate(const Collection& collection, const Update& update,
                         model::DocumentView before, model::DocumentView after,
                         const std::vector<TouchedPath>& touched);
std::string NoteOfDelete(const Collection& collection);

struct ChangeNote {
  bool is_update = false;  // with a description
  model::Document updated{};
  model::Document removed{};    // an array
  model::Document truncated{};  // an array
  bool has_images = false;
  // Of a transaction: the fields that its events begin with.
  std::optional<model::Document> transaction{};
};
// An empty note, or one that is malformed, says nothing.
ChangeNote ReadChangeNote(std::string_view note);

}  // namespace orrery::mongo
