// An Update is a parsed update: a replacement, operators, or a pipeline of stages.
//
// Immutable and thread-safe; Apply changes nothing but its own copy of the document.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/query_context.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

// A path that an operator has changed.
struct TouchedPath {
  std::string path;
  bool is_append = false;  // by a $push, which may have appended only
};

struct UpdateOutcome {
  model::Document document;
  // False if the document is as it was: operators that change nothing do not write.
  bool is_modified = false;
  // Of operators, if the context asks for them (update_description.h).
  std::vector<TouchedPath> touched = {};
};

struct UpdateContext {
  bool is_upsert = false;               // the document is being inserted: $setOnInsert applies
  int64_t now_unix_ms = 0;              // $currentDate
  model::BsonTimestamp timestamp = {};  // $currentDate with $type: "timestamp"
  // Says whether stored documents may be checked for `$`-prefixed names ("validate for storage").
  bool checks_storage = true;
  // Paths that must not change beside `_id`: the shard key.
  std::vector<std::string> immutable_paths = {};
  // Says whether the outcome says which paths operators have changed.
  bool tells_paths = false;
};

class Update {
 public:
  virtual ~Update() = default;

  // `update` is a document (replacement or operators) or an array (pipeline).
  static Answer<std::shared_ptr<const Update>> Parse(
      const model::Value& update, const std::vector<model::Document>& array_filters,
      QueryContextPtr context);

  // Returns the changed document. `details` is of the match that found it.
  virtual Answer<UpdateOutcome> Apply(model::DocumentView current, const MatchDetails& details,
                                      const UpdateContext& context) const = 0;

  // Returns the document that an upsert inserts when nothing matched: the filter's equalities, then
  // the update. Has no `_id` if neither gives one: the caller makes it (new_id).
  Answer<model::Document> NewDocument(const Matcher& filter, const model::Value& new_id,
                                      const UpdateContext& context) const;

  virtual bool is_replacement() const { return false; }
  virtual bool is_pipeline() const { return false; }
  // Returns whether it has "$" positions, which need the filter to match an array.
  virtual bool needs_match_details() const { return false; }

 protected:
  // The document that operators of an upsert start from.
  virtual Answer<model::Document> UpsertBase(const Matcher& filter) const;
};

using UpdatePtr = std::shared_ptr<const Update>;

}  // namespace orrery::mongo
