// A FieldTree is what a projection, $addFields or $unset says of paths: nested by field, in the
// order that paths were written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/expression/expression.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

struct FieldTree {
  struct Child;
  std::vector<Child> children;  // in the order they were written

  // nullptr if there is none of that name.
  const Child* Find(std::string_view name) const;
  bool has_computed() const;
};

struct FieldTree::Child {
  std::string name;
  bool is_leaf = false;
  ExpressionPtr expression;  // of a leaf that computes its value
  FieldTree below;           // of what is no leaf
};

// Adds a leaf at a path; 31250 if it collides with another path.
Outcome AddLeaf(FieldTree& tree, const std::string& path, ExpressionPtr expression);

// The documents that the three kinds of projections make of one. `evaluation.root` is the document.
Answer<model::Document> ApplyInclusion(const FieldTree& tree, model::DocumentView document,
                                       Evaluation& evaluation);
Answer<model::Document> ApplyExclusion(const FieldTree& tree, model::DocumentView document);
// All fields, with computed ones added or replaced ($addFields).
Answer<model::Document> ApplyAddition(const FieldTree& tree, model::DocumentView document,
                                      Evaluation& evaluation);

}  // namespace orrery::mongo
