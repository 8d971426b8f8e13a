// GroupFiles keep what belongs to groups that memory does not hold, sorted by group: values for
// accumulators, or partial groups. What was added to one group comes in that order again.
//
// Groups that were begun in memory stay there, as they are: accumulators are not written. Whoever
// reads the files gives each group what is left for it, and is then done with it. So memory holds
// the groups of the beginning, and one more. Used by one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/query_context.h"
#include "model/document/document.h"
#include "model/value.h"
#include "query/operator/external_sort.h"

namespace orrery::mongo {

class GroupFiles {
 public:
  // REQUIRES: the context has a place for files. It must outlive them.
  explicit GroupFiles(const QueryContext& context);

  Outcome Add(const model::Value& id, model::DocumentView content);
  // Ends the adding.
  Outcome Finish();

  // REQUIRES, for all below: Finish was called.
  // The id of the next group, as it was added first; nullptr at the end. What is left of the group
  // before is skipped.
  Answer<const model::Value*> NextGroup();
  // The next content of that group; nullopt at its end.
  Answer<std::optional<model::Document>> NextContent();

 private:
  std::string KeyOf(const model::Value& id) const;
  Outcome Advance();

  const QueryContext& context_;
  query::ExternalSort files_;
  bool is_begun_ = false;
  std::optional<model::Document> head_;  // {i: id, c: content}, read and not given yet
  std::string head_key_;
  model::Value id_;  // of the group
  std::string key_;
};

}  // namespace orrery::mongo
