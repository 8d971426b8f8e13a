#include "api/mongo/language/match/filter_parser.h"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/match/operand_parser.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"

namespace orrery::mongo {

using model::Field;
using model::Fields;
using model::Kind;
using model::Value;
using query::Comparison;

namespace {

MatchNodePtr TestAt(const FieldPath& path, ValuePredicatePtr test) {
  return std::make_unique<PathNode>(path, std::move(test));
}

MatchNodePtr Negated(MatchNodePtr node) { return std::make_unique<NotNode>(std::move(node)); }

MatchNodePtr AllOf(MatchNodes nodes) {
  if (nodes.size() == 1) return std::move(nodes.front());
  return std::make_unique<AndNode>(std::move(nodes));
}

// Returns the comparison that an operator is; nullptr if it is none.
const Comparison* ComparisonNamed(const std::string& name) {
  static const std::map<std::string, Comparison> comparisons = {
      {"$eq", Comparison::kEqual},
      {"$lt", Comparison::kLess},
      {"$lte", Comparison::kLessOrEqual},
      {"$gt", Comparison::kGreater},
      {"$gte", Comparison::kGreaterOrEqual}};
  const auto found = comparisons.find(name);
  return found == comparisons.end() ? nullptr : &found->second;
}

bool IsReferenceField(std::string_view name) {
  return name == "$ref" || name == "$id" || name == "$db";
}

// Counts nesting while it lives.
class Deeper {
 public:
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};

std::unexpected<MongoError> RefuseTextAndNear() {
  return Refuse(ErrorCode::kBadValue, "text and geoNear not allowed in same query");
}

}  // namespace

bool FilterParser::IsOperators(const Value& value) {
  if (value.kind() != Kind::kObject || value.AsFields().empty()) return false;
  const std::string& first = value.AsFields().front().name;
  return first.starts_with('$') && !IsReferenceField(first);
}

Answer<MatchNodePtr> FilterParser::ParseFilter(const Fields& fields) {
  const Deeper deeper(depth_);
  if (depth_ > kParseDepthMax) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("exceeded maximum query tree depth of {}", kParseDepthMax));
  }
  MatchNodes nodes;
  for (const Field& field : fields) {
    if (field.name.starts_with('$') && !IsReferenceField(field.name)) {
      MONGO_ASSIGN(MatchNodePtr node, ParseTopLevel(field.name, field.value));
      if (node != nullptr) nodes.push_back(std::move(node));
    } else {
      MONGO_ASSIGN(MatchNodePtr node, ParseCondition(FieldPath::Of(field.name), field.value));
      nodes.push_back(std::move(node));
    }
  }
  return AllOf(std::move(nodes));
}

Answer<MatchNodes> FilterParser::ParseList(const std::string& name, const Value& value) {
  if (value.kind() != Kind::kArray) {
    return Refuse(ErrorCode::kBadValue, fmt::format("{} must be an array", name));
  }
  if (value.AsValues().empty()) {
    return Refuse(ErrorCode::kBadValue, "$and/$or/$nor must be a nonempty array");
  }
  const Deeper inside(lists_);
  MatchNodes nodes;
  for (const Value& entry : value.AsValues()) {
    if (entry.kind() != Kind::kObject) {
      return Refuse(ErrorCode::kBadValue, "$or/$and/$nor entries need to be full objects");
    }
    MONGO_ASSIGN(MatchNodePtr node, ParseFilter(entry.AsFields()));
    nodes.push_back(std::move(node));
  }
  return nodes;
}

Answer<MatchNodePtr> FilterParser::ParseTopLevel(const std::string& name, const Value& value) {
  if (name == "$and") {
    MONGO_ASSIGN(MatchNodes nodes, ParseList(name, value));
    return std::make_unique<AndNode>(std::move(nodes));
  }
  if (name == "$or" || name == "$nor") {
    const bool had_text = text_ != nullptr;
    MONGO_ASSIGN(MatchNodes nodes, ParseList(name, value));
    if (name == "$nor" && !had_text && text_ != nullptr)
      return Refuse(ErrorCode::kBadValue, "text expression not allowed in nor");
    MatchNodePtr any = std::make_unique<OrNode>(std::move(nodes));
    return name == "$or" ? std::move(any) : Negated(std::move(any));
  }
  if (name == "$comment") return nullptr;
  if (name == "$alwaysTrue" || name == "$alwaysFalse") {
    if (!value.is_number() || ExactInt64(value) != 1) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("{} must be an integer value of 1", name));
    }
    return std::make_unique<ConstantNode>(name == "$alwaysTrue");
  }
  if (name == "$expr") {
    if (!allowances_.expr) {
      return Refuse(ErrorCode::kQueryFeatureNotAllowed, "$expr is not allowed in this context");
    }
    MONGO_ASSIGN(ExpressionPtr expression, ParseExpression(value, context_));
    return std::make_unique<ExprNode>(std::move(expression));
  }
  if (name == "$where") {
    if (!allowances_.where) {
      return Refuse(ErrorCode::kBadValue, "$where is not allowed in this context");
    }
    if (context_.scripts == nullptr) {
      return Refuse(ErrorCode::kBadValue, "$where is not allowed in this context");
    }
    if (value.kind() == Kind::kJavaScriptWithScope) {
      return Refuse(4649201, "$where no longer supports deprecated BSON type CodeWScope");
    }
    if (value.kind() != Kind::kString && value.kind() != Kind::kJavaScript) {
      return Refuse(ErrorCode::kBadValue, "$where got bad type");
    }
    if (value.AsString().empty()) {
      return Refuse(ErrorCode::kBadValue, "code for $where cannot be empty");
    }
    return std::make_unique<WhereNode>(value.AsString());
  }
  if (name == "$text") return ParseText(value);
  if (name == "$jsonSchema") return ParseJsonSchema(value, context_);
  if (name == "$sampleRate") {
    if (!value.is_number()) {
      return Refuse(ErrorCode::kTypeMismatch, "argument to $sampleRate must be a numeric type");
    }
    MONGO_ASSIGN(const double rate, ExpectNumber(name, value));
    if (!(rate >= 0 && rate <= 1)) {
      return Refuse(ErrorCode::kBadValue, "numeric argument to $sampleRate must be in [0, 1]");
    }
    return std::make_unique<SampleNode>(rate);
  }
  if (name == "$not") {
    return Refuse(ErrorCode::kBadValue,
                  "unknown top level operator: $not. If you are trying to negate an entire "
                  "expression, use $nor.");
  }
  return Refuse(ErrorCode::kBadValue,
                fmt::format("unknown top level operator: {}. If you have a field name that starts "
                            "with a '$' symbol, consider using $getField or $setField.",
                            name));
}

Answer<MatchNodePtr> FilterParser::ParseCondition(const FieldPath& path, const Value& condition) {
  if (IsOperators(condition)) return ParseOperators(path, condition.AsFields());
  if (condition.kind() == Kind::kRegex) {
    MONGO_ASSIGN(PatternPtr pattern,
                 Pattern::Compile(condition.AsRegex().pattern, condition.AsRegex().options));
    return TestAt(path, std::make_unique<RegexTest>(std::move(pattern)));
  }
  return ParseComparison(path, "$eq", Comparison::kEqual, condition);
}

Answer<MatchNodePtr> FilterParser::ParseOperators(const FieldPath& path, const Fields& operators) {
  const Deeper deeper(depth_);
  if (depth_ > kParseDepthMax) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("exceeded maximum query tree depth of {}", kParseDepthMax));
  }
  MatchNodes nodes;
  for (const Field& field : operators) {
    MONGO_ASSIGN(MatchNodePtr node, ParseOperator(path, field.name, field.value, operators));
    if (node != nullptr) nodes.push_back(std::move(node));
  }
  return AllOf(std::move(nodes));
}

// Returns nullptr for an operator that only qualifies another.
Answer<MatchNodePtr> FilterParser::ParseOperator(const FieldPath& path, const std::string& name,
                                                 const Value& value, const Fields& all) {
  if (const Comparison* comparison = ComparisonNamed(name)) {
    return ParseComparison(path, name, *comparison, value);
  }
  if (name == "$ne") {
    if (value.kind() == Kind::kRegex) {
      return Refuse(ErrorCode::kBadValue, "Can't have regex as arg to $ne.");
    }
    MONGO_ASSIGN(MatchNodePtr equal, ParseComparison(path, name, Comparison::kEqual, value));
    return Negated(std::move(equal));
  }
  if (name == "$in") return ParseIn(path, name, value);
  if (name == "$nin") {
    MONGO_ASSIGN(MatchNodePtr in, ParseIn(path, name, value));
    return Negated(std::move(in));
  }
  if (name == "$exists") {
    MatchNodePtr exists = TestAt(path, std::make_unique<ExistsTest>());
    return IsTrue(value) ? std::move(exists) : Negated(std::move(exists));
  }
  if (name == "$not") return ParseNot(path, value);
  if (name == "$all") return ParseAll(path, value);
  if (name == "$elemMatch") return ParseElemMatch(path, value);
  if (name == "$regex") return ParseRegex(path, all);
  if (name == "$options") {
    for (const Field& field : all) {
      if (field.name == "$regex") return nullptr;
    }
    return Refuse(ErrorCode::kBadValue, "$options needs a $regex");
  }
  if (name == "$near" || name == "$nearSphere") return ParseNear(path, name, value, all);
  if (name == "$maxDistance" || name == "$minDistance") {
    for (const Field& field : all) {
      if (field.name == "$near" || field.name == "$nearSphere") return nullptr;
    }
    return Refuse(ErrorCode::kBadValue, fmt::format("unknown operator: {}", name));
  }
  MONGO_ASSIGN(ValuePredicatePtr test, ParseValuePredicate(name, value));
  if (test != nullptr) return TestAt(path, std::move(test));
  return Refuse(ErrorCode::kBadValue, fmt::format("unknown operator: {}", name));
}

Answer<MatchNodePtr> FilterParser::ParseComparison(const FieldPath& path, const std::string& name,
                                                   Comparison comparison, const Value& value) {
  if (value.is_undefined()) {
    return Refuse(ErrorCode::kBadValue, "cannot compare to undefined");
  }
  if (value.kind() == Kind::kRegex && name != "$eq") {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("Can't have RegEx as arg to predicate over field '{}'.", path.text));
  }
  return TestAt(path, std::make_unique<ComparisonTest>(comparison, value));
}

Answer<MatchNodePtr> FilterParser::ParseIn(const FieldPath& path, const std::string& name,
                                           const Value& value) {
  if (value.kind() != Kind::kArray) {
    return Refuse(ErrorCode::kBadValue, fmt::format("{} needs an array", name));
  }
  std::vector<Value> values;
  std::vector<PatternPtr> patterns;
  for (const Value& entry : value.AsValues()) {
    if (IsOperators(entry)) {
      return Refuse(ErrorCode::kBadValue, fmt::format("cannot nest $ under {}", name));
    }
    if (entry.is_undefined()) {
      return Refuse(ErrorCode::kBadValue, "InMatchExpression equality cannot be undefined");
    }
    if (entry.kind() == Kind::kRegex) {
      MONGO_ASSIGN(PatternPtr pattern,
                   Pattern::Compile(entry.AsRegex().pattern, entry.AsRegex().options));
      patterns.push_back(std::move(pattern));
    } else {
      values.push_back(entry);
    }
  }
  return TestAt(
      path, std::make_unique<InTest>(std::move(values), std::move(patterns), context_.collator));
}

Answer<MatchNodePtr> FilterParser::ParseAll(const FieldPath& path, const Value& value) {
  if (value.kind() != Kind::kArray) return Refuse(ErrorCode::kBadValue, "$all needs an array");
  const model::Values& entries = value.AsValues();
  if (entries.empty()) return std::make_unique<ConstantNode>(false);
  const auto is_elem_match = [](const Value& entry) {
    return entry.kind() == Kind::kObject && !entry.AsFields().empty() &&
           entry.AsFields().front().name == "$elemMatch";
  };
  MatchNodes nodes;
  for (const Value& entry : entries) {
    if (is_elem_match(entries.front())) {
      if (!is_elem_match(entry)) {
        return Refuse(ErrorCode::kBadValue, "$all/$elemMatch has to be consistent");
      }
      MONGO_ASSIGN(MatchNodePtr node, ParseElemMatch(path, entry.AsFields().front().value));
      nodes.push_back(std::move(node));
      continue;
    }
    if (IsOperators(entry)) return Refuse(ErrorCode::kBadValue, "no $ expressions in $all");
    MONGO_ASSIGN(MatchNodePtr node, ParseCondition(path, entry));
    nodes.push_back(std::move(node));
  }
  return AllOf(std::move(nodes));
}

Answer<MatchNodePtr> FilterParser::ParseElemMatch(const FieldPath& path, const Value& value) {
  if (value.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kBadValue, "$elemMatch needs an Object");
  }
  const Fields& fields = value.AsFields();
  const Deeper inside(lists_);
  const bool is_of_value = IsOperators(value) && fields.front().name != "$and" &&
                           fields.front().name != "$or" && fields.front().name != "$nor" &&
                           fields.front().name != "$expr" && fields.front().name != "$where";
  if (is_of_value) {
    MONGO_ASSIGN(MatchNodePtr condition, ParseOperators(FieldPath(), fields));
    return std::make_unique<ElemMatchNode>(path, std::move(condition), false);
  }
  for (const Field& field : fields) {
    if (field.name == "$where") {
      return Refuse(ErrorCode::kBadValue, "$elemMatch cannot contain $where expression");
    }
    if (field.name == "$expr") {
      return Refuse(ErrorCode::kBadValue, "$expr can only be applied to the top-level document");
    }
  }
  MONGO_ASSIGN(MatchNodePtr condition, ParseFilter(fields));
  return std::make_unique<ElemMatchNode>(path, std::move(condition), true);
}

Answer<MatchNodePtr> FilterParser::ParseNot(const FieldPath& path, const Value& value) {
  if (value.kind() == Kind::kRegex) {
    MONGO_ASSIGN(MatchNodePtr node, ParseCondition(path, value));
    return Negated(std::move(node));
  }
  if (value.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kBadValue, "$not needs a regex or a document");
  }
  if (value.AsFields().empty()) return Refuse(ErrorCode::kBadValue, "$not cannot be empty");
  MONGO_ASSIGN(MatchNodePtr node, ParseOperators(path, value.AsFields()));
  return Negated(std::move(node));
}

Answer<MatchNodePtr> FilterParser::ParseRegex(const FieldPath& path, const Fields& all) {
  std::string pattern;
  std::optional<std::string> flags;
  for (const Field& field : all) {
    if (field.name == "$regex") {
      if (field.value.kind() == Kind::kRegex) {
        pattern = field.value.AsRegex().pattern;
        if (!field.value.AsRegex().options.empty()) {
          if (flags.has_value() && !flags->empty()) {
            return Refuse(51075, "options set in both $regex and $options");
          }
          flags = field.value.AsRegex().options;
        }
      } else if (field.value.kind() == Kind::kString) {
        pattern = field.value.AsString();
      } else {
        return Refuse(ErrorCode::kBadValue, "$regex has to be a string");
      }
    } else if (field.name == "$options") {
      if (field.value.kind() != Kind::kString) {
        return Refuse(ErrorCode::kBadValue, "$options has to be a string");
      }
      if (flags.has_value() && !flags->empty()) {
        return Refuse(51075, "options set in both $regex and $options");
      }
      flags = field.value.AsString();
    }
  }
  if (pattern.find('\0') != std::string::npos) {
    return Refuse(51109, "Regular expression cannot contain an embedded null byte");
  }
  MONGO_ASSIGN(PatternPtr compiled, Pattern::Compile(pattern, flags.value_or("")));
  return TestAt(path, std::make_unique<RegexTest>(std::move(compiled)));
}

Answer<MatchNodePtr> FilterParser::ParseText(const Value& value) {
  if (!allowances_.text || lists_ > 1) {
    return Refuse(ErrorCode::kBadValue, "$text is not allowed in this context");
  }
  if (text_ != nullptr) return Refuse(ErrorCode::kBadValue, "Too many text expressions");
  if (near_ != nullptr) return RefuseTextAndNear();
  MONGO_ASSIGN(TextNode::Search search, ParseTextSearch(value));
  auto node = std::make_unique<TextNode>(std::move(search));
  text_ = node.get();
  return node;
}

Answer<MatchNodePtr> FilterParser::ParseNear(const FieldPath& path, const std::string& name,
                                             const Value& value, const Fields& all) {
  if (!allowances_.near || lists_ > 0) {
    return Refuse(ErrorCode::kBadValue,
                  "$geoNear, $near, and $nearSphere are not allowed in this context");
  }
  if (near_ != nullptr) return Refuse(ErrorCode::kBadValue, "Too many geoNear expressions");
  if (text_ != nullptr) return RefuseTextAndNear();
  MONGO_ASSIGN(NearNode::Search search, ParseNearSearch(path, name, value, all));
  auto node = std::make_unique<NearNode>(std::move(search));
  near_ = node.get();
  return node;
}

}  // namespace orrery::mongo
