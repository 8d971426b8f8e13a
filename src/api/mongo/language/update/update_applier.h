// An UpdateApplier applies a tree of modifiers to one document.
//
// Made for one document; not thread-safe.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/update/update.h"
#include "api/mongo/language/update/update_node.h"
#include "model/value.h"

namespace orrery::mongo {

// Conditions of "$[id]", by identifier. Each is asked of {id: element}.
using ArrayFilters = std::map<std::string, MatcherPtr>;

class UpdateApplier {
 public:
  UpdateApplier(const model::Value& original, const ArrayFilters& filters,
                const MatchDetails& details, const UpdateContext& context);

  // Returns whether the document changed.
  Answer<bool> Apply(const UpdateNode& root, model::Value& document);
  // Returns the paths that were changed, if the context asks for them.
  std::vector<TouchedPath> TakeTouched() { return std::move(touched_); }

 private:
  // A Site is the place of the walk: the path, and the name of the value there.
  struct Site {
    std::string path;
    std::string field;
  };

  static std::unexpected<MongoError> NotTraversable(const Site& site, std::string_view field,
                                                    const model::Value& value);
  Answer<bool> ApplyNode(const UpdateNode& node, model::Value& value, const Site& site);
  Answer<bool> ApplyLeaf(const Modifier& modifier, model::Value& value, const Site& site);
  void NoteTouched(const Site& site, bool is_append);
  Answer<bool> ApplyFields(const UpdateNode& node, model::Value& value, const Site& site);
  Answer<bool> ApplyToField(const UpdateNode& child, const std::string& name, model::Value& object,
                            const Site& site);
  Answer<bool> ApplyToIndex(const UpdateNode& child, const std::string& name, model::Value& array,
                            const Site& site, const Site& array_site);
  Answer<bool> ApplyElements(const UpdateNode& node, model::Value& value, const Site& site);
  Answer<bool> FilterMatches(const std::string& identifier, const model::Value& element);
  // Missing (undefined) if there is nothing to rename.
  Answer<model::Value> RenamedValue(const std::string& source) const;
  // Returns whether anything below makes fields that are not there, in this document: a $rename of
  // nothing does not.
  Answer<bool> MakesFields(const UpdateNode& node) const;

  const model::Value& original_;
  const model::Value id_;
  const ArrayFilters& filters_;
  const MatchDetails& details_;
  const UpdateContext& context_;
  std::vector<TouchedPath> touched_;
};

}  // namespace orrery::mongo
