// The parts that $lookup, $graphLookup and $unionWith share: options that name a collection,
// reading one through its view, and the values that a field joins by.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "api/mongo/language/pipeline/stage.h"

namespace orrery::mongo {

Answer<std::string> JoinStringOption(const std::string& stage, const model::Field& field);
// {from: "name"} or {from: {db: .., coll: ..}}.
Answer<CollectionName> JoinFromOption(const std::string& stage, const model::Field& field);

// Returns the rows of a collection or view that meet a filter. The pipeline of a view comes first.
Answer<std::unique_ptr<RowSource>> ReadJoined(const CollectionName& name, MatcherPtr filter,
                                              const StageRun& run);

// Returns {field: {$in: values}}, where null also means missing, as joins want it.
Answer<MatcherPtr> JoinFilter(const std::string& field, model::Values values,
                              const QueryContextPtr& context);

// Returns the values that a local field joins by: an array's elements; null for nothing.
model::Values JoinValues(const model::Value& local);
// The same of a path: elements of arrays at its end, in every element of arrays on its way.
model::Values JoinValuesAt(model::DocumentView document, std::span<const std::string> steps);

// $lookup (lookup_stage.cc).
Answer<StagePtr> ParseLookup(const std::string& name, const model::Value& argument,
                             const StageParseContext& parse);

}  // namespace orrery::mongo
