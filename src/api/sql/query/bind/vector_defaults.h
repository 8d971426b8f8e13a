// Chooses how the vectors of a container are compared where a query does not say so: as its
// vectorEmbeddingPolicy says for their path.
//
//   VectorDistance(c.v, [1, 2])   becomes   VectorDistance(c.v, [1, 2], false,
//                                                          {"distanceFunction": "euclidean"})
//
// so that all who look at the call afterwards see which way it goes. Immutable; thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/sql/parser/ast/query.h"
#include "api/sql/parser/query_error.h"
#include "model/value.h"

namespace orrery::sql {

class VectorDefaults {
 public:
  VectorDefaults() = default;
  // Of a vectorEmbeddingPolicy; undefined for none. What is malformed in it is left out.
  explicit VectorDefaults(const model::Value& policy);

  void ApplyTo(ast::Query& query) const;

 private:
  struct Embedding {
    std::vector<std::string> steps;  // of its path
    std::string distance;
  };

  void Visit(ast::Expression& expression) const;
  void Complete(ast::Expression& expression) const;
  const std::string* DistanceAt(const ast::Expression& expression) const;

  std::vector<Embedding> embeddings_;
};

inline const VectorDefaults kNoVectorDefaults;

// The tree of the text, with these defaults in it.
Parsed<ast::Query> ParseQueryWith(std::string_view text, const VectorDefaults& defaults);

}  // namespace orrery::sql
