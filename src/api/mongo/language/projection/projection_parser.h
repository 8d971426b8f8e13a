// Parses projections of find and the fields of $project, $addFields and $unset.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/match_node.h"
#include "api/mongo/language/projection/field_tree.h"
#include "api/mongo/language/projection/projection.h"
#include "model/value.h"

namespace orrery::mongo {

// {$slice: n} or {$slice: [skip, n]} at a path.
struct ProjectionSlice {
  std::string path;
  std::optional<int64_t> skip;
  int64_t limit = 0;
};

// {$elemMatch: condition} at a path.
struct ProjectionElemMatch {
  std::string path;
  std::shared_ptr<const ElemMatchNode> condition;
};

struct ParsedProjection {
  bool is_inclusion = false;
  FieldTree tree;
  std::vector<ProjectionSlice> slices;
  std::vector<ProjectionElemMatch> elem_matches;
  std::optional<std::string> positional;  // "a" of "a.$"
  FieldTree metas;                        // find's {$meta: ..}: added to whatever is kept
};

Answer<ParsedProjection> ParseProjection(const model::Fields& fields, ProjectionSyntax syntax,
                                         const QueryContext& context);

// The fields of $addFields and $set.
Answer<FieldTree> ParseAddedFields(const model::Fields& fields, const QueryContext& context);

// 40352, 15998, 16410, ...: what a path in a projection must not be.
Outcome CheckProjectionPath(const std::string& path);

}  // namespace orrery::mongo
