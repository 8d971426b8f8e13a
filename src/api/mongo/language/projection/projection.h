// A Projection is a parsed projection of find, or the fields of $project.
//
// Immutable and thread-safe.
#pragma once

#include <memory>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/row.h"
#include "model/document/document.h"

namespace orrery::mongo {

// find's projections know $elemMatch, $slice and "a.$"; $project's do not.
enum class ProjectionSyntax : uint8_t { kFind, kPipeline };

class Projection {
 public:
  virtual ~Projection() = default;

  // `filter` is what a.$ refers to; needed only under kFind.
  static Answer<std::shared_ptr<const Projection>> Parse(model::DocumentView projection,
                                                         ProjectionSyntax syntax,
                                                         QueryContextPtr context,
                                                         MatcherPtr filter = nullptr);
  virtual Answer<model::Document> Apply(const Row& row) const = 0;
  virtual bool is_inclusion() const = 0;
};

using ProjectionPtr = std::shared_ptr<const Projection>;

}  // namespace orrery::mongo
