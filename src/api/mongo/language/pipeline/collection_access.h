// CollectionAccess is what stages reach beyond their input: other collections, statistics, targets
// of $out and $merge.
//
// The executor implements it for one aggregation; not thread-safe. Every function may block.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/row.h"
#include "api/mongo/language/update/update.h"
#include "model/document/document.h"

namespace orrery::mongo {

struct CollectionName {
  std::string database;  // empty: the database of the aggregation
  std::string collection;
};

// A collection to read: `pipeline` is what a view puts between it and its reader.
struct ResolvedCollection {
  CollectionName name;
  std::vector<model::Document> pipeline;
};

// One write of $merge. With `update` nullptr it is an insert of `document`.
struct MergeWrite {
  model::Document document;  // as the pipeline made it
  model::Document filter;    // on the fields of `on`
  UpdatePtr update;
  // The source of the update, and the variables that it sees: what travels to other nodes.
  model::Value update_source = {};
  model::Fields variables = {};
  int64_t now_unix_ms = 0;
  bool is_upsert = false;
  bool inserts_document = false;      // the document as it is where nothing matched
  bool fails_unless_matched = false;  // whenNotMatched: "fail"
};

// Takes the documents of $out; nothing is seen of them before Finish.
class OutTarget {
 public:
  virtual ~OutTarget() = default;
  virtual Outcome Add(model::Document document) = 0;
  virtual Outcome Finish() = 0;
};

class CollectionAccess {
 public:
  virtual ~CollectionAccess() = default;

  // A name that does not exist resolves to itself.
  virtual Answer<ResolvedCollection> Resolve(const CollectionName& name) = 0;
  // The documents of a collection that match; all with nullptr. None if there is no collection.
  virtual Answer<std::unique_ptr<RowSource>> Read(const CollectionName& name,
                                                  MatcherPtr filter) = 0;
  virtual Answer<std::unique_ptr<OutTarget>> OpenOut(const CollectionName& name) = 0;
  // Returns whether the fields have a unique index, or are `_id`, or the shard key and `_id`.
  virtual Answer<bool> AreUnique(const CollectionName& name,
                                 const std::vector<std::string>& fields) = 0;
  // The shard key's fields and `_id`: what $merge joins on by default.
  virtual Answer<std::vector<std::string>> MergeFields(const CollectionName& name) = 0;
  virtual Outcome Merge(const CollectionName& name, MergeWrite write) = 0;
  // An `_id` for a document of $merge that has none.
  virtual model::Value NewId() = 0;

  // The rows of a stage that reads the server instead of documents: $collStats, $indexStats,
  // $currentOp, $listSessions, $planCacheStats, $geoNear.
  virtual Answer<std::unique_ptr<RowSource>> Special(const std::string& stage,
                                                     const model::Value& argument) = 0;
};

}  // namespace orrery::mongo
