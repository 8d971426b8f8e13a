#include "api/mongo/language/match/failure_details.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/match/filter_parser.h"
#include "api/mongo/language/match/matcher.h"
#include "api/mongo/language/match/path_visit.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::DocumentView;
using model::Field;
using model::Fields;
using model::Kind;
using model::Value;
using model::Values;

// The reasons for a clause that should match and does not, and for one that should not and does.
struct ClauseReason {
  std::string_view name;
  std::string_view unmet;
  std::string_view met;
};
constexpr std::array<ClauseReason, 13> kClauseReasons = {
    {{"$in", "no matching value found in array", "matching value found in array"},
     {"$type", "type did not match", "type did match"},
     {"$regex", "regular expression did not match", "regular expression did match"},
     {"$mod", "$mod did not evaluate to expected remainder",
      "$mod did evaluate to expected remainder"},
     {"$size", "array length was not equal to given size", "array length was equal to given size"},
     {"$all", "array did not contain all specified values",
      "array did contain all specified values"},
     {"$elemMatch", "array did not satisfy the child predicate",
      "array did satisfy the child predicate"},
     {"$bitsAllSet", "bitwise operator failed to match", "bitwise operator matched successfully"},
     {"$bitsAllClear", "bitwise operator failed to match", "bitwise operator matched successfully"},
     {"$bitsAnySet", "bitwise operator failed to match", "bitwise operator matched successfully"},
     {"$bitsAnyClear", "bitwise operator failed to match", "bitwise operator matched successfully"},
     {"$geoWithin",
      "none of the considered geometries were contained within the expression\u2019s geometry",
      "at least one of considered geometries was contained within the expression\u2019s geometry"},
     {"$geoIntersects",
      "none of the considered geometries intersected the expression\u2019s geometry",
      "at least one of the considered geometries intersected the expression\u2019s geometry"}}};

std::string_view ReasonOf(std::string_view name, bool should_match) {
  for (const ClauseReason& reason : kClauseReasons)
    if (reason.name == name) return should_match ? reason.unmet : reason.met;
  return should_match ? "comparison failed" : "comparison succeeded";
}

Value TextValue(std::string_view text) { return Value::String(std::string(text)); }

// Operators that look at an array as a whole.
bool IsOfWholeArray(std::string_view name) {
  return name == "$size" || name == "$all" || name == "$elemMatch";
}

// One condition of a filter: {path: {name: operand}}, or {name: operand} without a path.
struct Clause {
  std::string path;
  std::string name;  // "$gt"
  Value operand;
  Value written;  // the clause as a filter
};

class FailureExplainer {
 public:
  FailureExplainer(DocumentView document, const QueryContextPtr& context)
      : document_(document), context_(context) {}

  // Of a whole filter, which should match or should not.
  Value Explain(const Fields& filter, bool should_match) const {
    const std::vector<Clause> clauses = ClausesOf(filter);
    if (clauses.size() == 1) return ExplainClause(clauses.front(), should_match);
    Values told;
    for (size_t i = 0; i < clauses.size(); ++i) {
      if (Matches(clauses[i].written.AsFields()) == should_match) continue;
      told.push_back(Numbered(i, ExplainClause(clauses[i], should_match)));
    }
    return Value::Object({{"operatorName", TextValue("$and")},
                          {should_match ? "clausesNotSatisfied" : "clausesSatisfied",
                           Value::Array(std::move(told))}});
  }

 private:
  static Value Numbered(size_t index, Value details) {
    return Value::Object(
        {{"index", Value::Int32(static_cast<int32_t>(index))}, {"details", std::move(details)}});
  }

  static std::vector<Clause> ClausesOf(const Fields& filter) {
    std::vector<Clause> clauses;
    for (const Field& field : filter) {
      if (field.name == "$comment") continue;
      if (field.name.starts_with('$')) {
        clauses.push_back({"", field.name, field.value, Value::Object({field})});
        continue;
      }
      if (!FilterParser::IsOperators(field.value)) {
        const bool is_pattern = field.value.kind() == Kind::kRegex;
        clauses.push_back(
            {field.name, is_pattern ? "$regex" : "$eq", field.value, Value::Object({field})});
        continue;
      }
      for (const Field& op : field.value.AsFields()) {
        if (op.name == "$options") continue;
        Fields condition = {op};
        const Value* const options = field.value.Find("$options");
        if (op.name == "$regex" && options != nullptr) condition.push_back({"$options", *options});
        clauses.push_back({field.name, op.name, op.value,
                           Value::Object({{field.name, Value::Object(std::move(condition))}})});
      }
    }
    return clauses;
  }

  bool Matches(const Fields& filter) const {
    const model::Document written = model::ToDocument(Value::Object(filter));
    const auto matcher = Matcher::Parse(written, context_);
    return matcher.has_value() && (*matcher)->Matches(document_).value_or(false);
  }

  Value ExplainClause(const Clause& clause, bool should_match) const {
    if (clause.path.empty()) return ExplainTop(clause, should_match);
    if (clause.name == "$not") {
      const Fields positive = {{clause.path, clause.operand}};
      return Value::Object(
          {{"operatorName", TextValue("$not")}, {"details", Explain(positive, !should_match)}});
    }
    if (clause.name == "$ne" || clause.name == "$nin") {
      // Told by what they refuse.
      return Leaf(clause, clause.name == "$ne" ? "$eq" : "$in", !should_match);
    }
    return Leaf(clause, clause.name, should_match);
  }

  Value ExplainTop(const Clause& clause, bool should_match) const {
    if (clause.name == "$jsonSchema" && should_match) {
      Fields told = {{"operatorName", TextValue("$jsonSchema")}};
      for (const std::string_view note : {"title", "description"}) {
        if (const Value* const text = clause.operand.Find(note))
          told.push_back({std::string(note), *text});
      }
      const Value document = document_.ToObject();
      told.push_back({"schemaRulesNotSatisfied",
                      Value::Array(FailedSchemaRules(clause.operand, document, context_))});
      return Value::Object(std::move(told));
    }
    if (clause.name == "$and" || clause.name == "$or" || clause.name == "$nor")
      return ExplainList(clause, should_match);
    Fields told = {{"operatorName", TextValue(clause.name)}, {"specifiedAs", clause.written}};
    if (clause.name == "$expr") {
      told.push_back({"reason", TextValue(should_match ? "expression did not match"
                                                       : "expression did match")});
      const auto expression = ParseExpression(clause.operand, *context_);
      if (expression.has_value()) {
        auto result = EvaluateOn(**expression, document_, *context_);
        if (result.has_value() && !result->is_undefined())
          told.push_back({"expressionResult", *std::move(result)});
      }
    }
    return Value::Object(std::move(told));
  }

  Value ExplainList(const Clause& clause, bool should_match) const {
    // Of $nor those are told that match.
    const bool wants_matches = (clause.name == "$nor") == should_match;
    Values told;
    if (clause.operand.kind() == Kind::kArray) {
      const Values& entries = clause.operand.AsValues();
      for (size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].kind() != Kind::kObject || Matches(entries[i].AsFields()) != wants_matches)
          continue;
        told.push_back(Numbered(i, Explain(entries[i].AsFields(), !wants_matches)));
      }
    }
    return Value::Object({{"operatorName", TextValue(clause.name)},
                          {wants_matches ? "clausesSatisfied" : "clausesNotSatisfied",
                           Value::Array(std::move(told))}});
  }

  // The values at the path: arrays by their elements, or as a whole.
  Values Considered(const std::string& path, bool whole_arrays) const {
    Values values;
    VisitPath(document_, FieldPath::Of(path).steps, LeafArrays::kWhole,
              [&](const model::ElementView* element, const OuterIndex&) {
                if (element == nullptr) return false;
                Value value = element->ToValue();
                if (value.kind() == Kind::kArray && !whole_arrays) {
                  for (const Value& each : value.AsValues()) values.push_back(each);
                } else {
                  values.push_back(std::move(value));
                }
                return false;
              });
    return values;
  }

  Value Leaf(const Clause& clause, std::string_view kind, bool should_match) const {
    Fields told = {{"operatorName", TextValue(clause.name)}, {"specifiedAs", clause.written}};
    const bool whole = IsOfWholeArray(kind);
    Values values = Considered(clause.path, whole);
    const bool is_absent = Considered(clause.path, true).empty();
    if (kind == "$exists") {
      told.push_back({"reason", TextValue(is_absent ? "path does not exist" : "path does exist")});
      return Value::Object(std::move(told));
    }
    if (is_absent) {
      told.push_back({"reason", TextValue("field was missing")});
      return Value::Object(std::move(told));
    }
    const bool is_alone = values.size() == 1;
    if (should_match && is_alone && whole && values.front().kind() != Kind::kArray &&
        kind != "$all") {
      AddWrongType(values.front(), {"expectedType", TextValue("array")}, told);
    } else if (should_match && is_alone && kind == "$regex" &&
               values.front().kind() != Kind::kString && values.front().kind() != Kind::kSymbol &&
               values.front().kind() != Kind::kRegex) {
      AddWrongType(values.front(),
                   {"expectedTypes",
                    Value::Array({TextValue("regex"), TextValue("string"), TextValue("symbol")})},
                   told);
    } else {
      told.push_back({"reason", TextValue(ReasonOf(kind, should_match))});
    }
    if (!is_alone) {
      told.push_back({"consideredValues", Value::Array(std::move(values))});
      return Value::Object(std::move(told));
    }
    const Kind found = values.front().kind();
    told.push_back({"consideredValue", std::move(values.front())});
    if (kind == "$type") told.push_back({"consideredType", TextValue(BsonTypeName(found))});
    return Value::Object(std::move(told));
  }

  static void AddWrongType(const Value& value, Field expected, Fields& told) {
    told.push_back({"reason", TextValue("type did not match")});
    told.push_back({"consideredType", TextValue(BsonTypeName(value.kind()))});
    told.push_back(std::move(expected));
  }

  const DocumentView document_;
  const QueryContextPtr& context_;
};

}  // namespace

Value FailureDetails(const Fields& filter, DocumentView document, const QueryContextPtr& context) {
  return FailureExplainer(document, context).Explain(filter, /*should_match=*/true);
}

}  // namespace orrery::mongo
