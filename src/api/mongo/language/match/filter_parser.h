// Parses query filters into nodes.
//
// One parser parses one filter. The families of operators that need more than a few lines have
// files of their own: bits_parser.h, geo_parser.h, json_schema_parser.h.
#pragma once

#include <string>
#include <string_view>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/match/match_node.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/query_context.h"
#include "model/value.h"

namespace orrery::mongo {

class FilterParser {
 public:
  FilterParser(const QueryContext& context, MatchAllowances allowances)
      : context_(context), allowances_(allowances) {}

  // A whole filter: {field: condition, $and: [...]}.
  Answer<MatchNodePtr> ParseFilter(const model::Fields& fields);
  // {$gt: 1, $lt: 5} on one path. An empty path means the value itself, as in $elemMatch.
  Answer<MatchNodePtr> ParseOperators(const FieldPath& path, const model::Fields& operators);
  // Parses what stands after a field's name: operators, a pattern, or a value to be equal to.
  Answer<MatchNodePtr> ParseCondition(const FieldPath& path, const model::Value& condition);

  const TextNode* text() const { return text_; }
  const NearNode* near() const { return near_; }

  // Returns whether an object is operators rather than a value to be equal to.
  static bool IsOperators(const model::Value& value);

 private:
  Answer<MatchNodePtr> ParseTopLevel(const std::string& name, const model::Value& value);
  Answer<MatchNodes> ParseList(const std::string& name, const model::Value& value);
  Answer<MatchNodePtr> ParseOperator(const FieldPath& path, const std::string& name,
                                     const model::Value& value, const model::Fields& all);
  Answer<MatchNodePtr> ParseComparison(const FieldPath& path, const std::string& name,
                                       query::Comparison comparison, const model::Value& value);
  Answer<MatchNodePtr> ParseIn(const FieldPath& path, const std::string& name,
                               const model::Value& value);
  Answer<MatchNodePtr> ParseAll(const FieldPath& path, const model::Value& value);
  Answer<MatchNodePtr> ParseElemMatch(const FieldPath& path, const model::Value& value);
  Answer<MatchNodePtr> ParseNot(const FieldPath& path, const model::Value& value);
  Answer<MatchNodePtr> ParseRegex(const FieldPath& path, const model::Fields& all);
  Answer<MatchNodePtr> ParseText(const model::Value& value);
  Answer<MatchNodePtr> ParseNear(const FieldPath& path, const std::string& name,
                                 const model::Value& value, const model::Fields& all);

  const QueryContext& context_;
  const MatchAllowances allowances_;
  int depth_ = 0;
  int lists_ = 0;  // $or, $and and the like around
  const TextNode* text_ = nullptr;
  const NearNode* near_ = nullptr;
};

}  // namespace orrery::mongo
