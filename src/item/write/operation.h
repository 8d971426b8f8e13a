// An Operation is what a transaction is asked to do with one item; an OperationResult is its
// outcome.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/request_units.h"
#include "model/document/document.h"
#include "model/expression/expression.h"
#include "model/expression/patch.h"

namespace orrery::item {

// An expired item counts as absent in all of them.
enum class OperationKind {
  kCreate,  // kAlreadyExists when it is there
  kUpsert,
  kReplace,  // kNotFound when it is not there; so do the next three
  kPatch,
  kDelete,
  kRead,
  // Only the preconditions below: if_match of an item that must be there, if_absent of one that
  // must not. Free, as it repeats a look that was paid for.
  kCheck,
};

// Returns whether operations of the kind carry a whole document.
inline bool WritesDocument(OperationKind kind) {
  return kind == OperationKind::kCreate || kind == OperationKind::kUpsert ||
         kind == OperationKind::kReplace;
}

// Of a document that was written elsewhere: the year 9999.
inline constexpr Micros kWrittenAtMax = std::chrono::seconds(253'402'300'800);

struct Operation {
  OperationKind kind = OperationKind::kRead;
  std::string row_key;                       // encoded tuple
  std::optional<model::Document> document;   // kCreate, kUpsert, kReplace
  std::vector<model::PatchOperation> patch;  // kPatch
  // Each must hold, else kPreconditionFailed. Of an absent item no condition and no etag is true;
  // but with if_absent beside it an etag is for the item that is there, if one is.
  std::optional<model::Expression> condition;  // true of the stored document
  std::optional<Lsn> if_match;                 // etag the stored item must have
  bool if_absent = false;                      // "If-None-Match: *"
  // With a document: the time it was written elsewhere, which the item then shows and expires by.
  // Its place in the change feed is that of this write. None: now.
  std::optional<Micros> written_at{};
  // Says something of the change to readers of the feed; kept with its entry where the feed keeps
  // all versions, and opaque to the core.
  std::string note{};
};

struct OperationResult {
  OperationKind done = OperationKind::kRead;  // an upsert reports kCreate or kReplace
  Lsn lsn;
  Micros time{0};
  std::optional<model::Document> document;  // as stored now; none after a delete
  RequestUnits charge;
};

}  // namespace orrery::item
