// An Expression computes a value of a document and variables: the aggregation language.
//
// A field that is absent gives a value of kind undefined ("missing"), which is not null. Immutable
// and thread-safe; what changes while it runs is in the Evaluation.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/row.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

// The values that an expression is evaluated against. Not thread-safe; cheap to make for every
// document.
struct Evaluation {
  model::DocumentView root;  // $$ROOT
  const QueryContext& context;
  const RowMeta* meta = nullptr;
  std::optional<model::DocumentView> current = {};  // $$CURRENT, where it is not $$ROOT ($redact)
  std::vector<model::Value> variables = {};         // of $let, $map and the like, by number
};

class Expression {
 public:
  virtual ~Expression() = default;
  virtual Answer<model::Value> Evaluate(Evaluation& evaluation) const = 0;
  // The value, if it is the same for every document; nullptr otherwise.
  virtual const model::Value* constant() const { return nullptr; }
  // The path, if it is a plain field of the document ("a.b"); nullptr otherwise.
  virtual const std::string* field_path() const { return nullptr; }
};

using ExpressionPtr = std::shared_ptr<const Expression>;

// Parses an expression outside of any $let: `variables` of the context are known by name.
Answer<ExpressionPtr> ParseExpression(const model::Value& expression, const QueryContext& context);

// Evaluates against a document.
Answer<model::Value> EvaluateOn(const Expression& expression, model::DocumentView document,
                                const QueryContext& context, const RowMeta* meta = nullptr);

// MongoDB's idea of true: all but false, null, missing and zero.
bool IsTrue(const model::Value& value);

}  // namespace orrery::mongo
