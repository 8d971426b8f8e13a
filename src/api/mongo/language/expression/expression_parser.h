// Parses aggregation expressions, and knows the variables in scope.
//
// Constant parts are evaluated here, once: an error in them is an error of the whole expression.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/query_context.h"
#include "model/value.h"

namespace orrery::mongo {

class ExpressionParser {
 public:
  explicit ExpressionParser(const QueryContext& context) : context_(&context) {}

  // Any expression: a path, a variable, an operator, an object or array of expressions, a value.
  Answer<ExpressionPtr> Parse(const model::Value& value);
  // {$operator: argument}. REQUIRES: one field whose name begins with "$".
  Answer<ExpressionPtr> ParseOperator(const std::string& name, const model::Value& argument);
  // The arguments of a list operator: an array's elements, or one expression.
  Answer<std::vector<ExpressionPtr>> ParseArguments(const model::Value& argument);

  const QueryContext& context() const { return *context_; }

  // Until it ends, constant parts that fail are left for the documents that meet them.
  class Unfolded {
   public:
    explicit Unfolded(ExpressionParser& parser);
    ~Unfolded();
    Unfolded(const Unfolded&) = delete;
    Unfolded& operator=(const Unfolded&) = delete;

   private:
    ExpressionParser& parser_;
    const QueryContext* outer_;
    QueryContext context_;
  };

  // A variable that is known until the scope ends; it shadows others of the same name.
  class Scope {
   public:
    Scope(ExpressionParser& parser, std::string name);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    size_t slot() const { return slot_; }

   private:
    ExpressionParser& parser_;
    size_t slot_;
  };

  // Checks a name that a user gave to a variable.
  static Outcome CheckVariableName(std::string_view name);

 private:
  Answer<ExpressionPtr> ParsePath(const std::string& text);
  Answer<ExpressionPtr> ParseVariable(std::string_view text);
  Answer<ExpressionPtr> ParseObject(const model::Fields& fields);
  Answer<ExpressionPtr> ParseNamed(const NamedOperator& row, const model::Value& argument);

  const QueryContext* context_;      // must outlive it
  std::vector<std::string> scopes_;  // names by slot
  int depth_ = 0;
};

// Wraps a constant.
ExpressionPtr ConstantExpression(model::Value value);
// Evaluates an expression now if all that it needs is constant.
Answer<ExpressionPtr> Folded(ExpressionPtr expression, const std::vector<ExpressionPtr>& parts,
                             const QueryContext& context);

}  // namespace orrery::mongo
