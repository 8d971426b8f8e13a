#include "model/expression/mongo_conditions.h"

#include <algorithm>
#include <iterator>

#include "model/match/mongo_match.h"

namespace orrery::model {
namespace {

Comparison ComparisonOf(Operator op) {
  switch (op) {
    case Operator::kMongoLess:
      return Comparison::kLess;
    case Operator::kMongoLessOrEqual:
      return Comparison::kLessOrEqual;
    case Operator::kMongoGreater:
      return Comparison::kGreater;
    case Operator::kMongoGreaterOrEqual:
      return Comparison::kGreaterOrEqual;
    default:
      return Comparison::kEqual;
  }
}

int64_t ElementsOf(const ElementView& array) {
  const DocumentView elements = array.AsDocument();
  return std::ranges::distance(elements.begin(), elements.end());
}

bool IsElementMet(const ElementView& element, const Expression& condition);

// Returns whether one value meets the condition of an operator, whatever path it stands behind.
// Null: no value.
bool IsMet(const ElementView* value, const Expression& condition) {
  const auto others = condition.operands().subspan(1);
  const auto is_any = [&](auto test) { return std::ranges::any_of(others, test); };
  switch (condition.op()) {
    case Operator::kMongoExists:
      return value != nullptr;
    case Operator::kMongoType:
      return value != nullptr && is_any([&](const Expression& type) {
               return type.literal().AsInteger() == value->bson_type();
             });
    case Operator::kMongoSize:
      return value != nullptr && value->kind() == Kind::kArray &&
             ElementsOf(*value) == others.front().literal().AsInteger();
    case Operator::kMongoElement:
      return value != nullptr && value->kind() == Kind::kArray &&
             std::ranges::any_of(value->AsDocument(), [&](const ElementView& element) {
               return IsElementMet(element, others.front());
             });
    default:
      return is_any([&](const Expression& constant) {
        return MatchesMongo(value, ComparisonOf(condition.op()), constant.literal());
      });
  }
}

// Arrays at the end of a path that are asked for as arrays are not looked into by the walk.
LeafArrays LeafArraysOf(Operator op) {
  switch (op) {
    case Operator::kMongoExists:
    case Operator::kMongoSize:
    case Operator::kMongoElement:
      return LeafArrays::kWhole;
    default:
      return LeafArrays::kWholeAndElements;
  }
}

// Returns whether the condition is on elements themselves: the path of its first operator is empty.
bool IsOnElement(const Expression& condition) {
  const Expression* at = &condition;
  while (!at->operands().empty()) at = &at->operands().front();
  return at->op() == Operator::kPath && at->path().steps().empty();
}

// REQUIRES: IsOnElement(condition).
bool IsElementItselfMet(const ElementView& element, const Expression& condition) {
  const auto is_met = [&](const Expression& each) { return IsElementItselfMet(element, each); };
  switch (condition.op()) {
    case Operator::kAnd:
      return std::ranges::all_of(condition.operands(), is_met);
    case Operator::kOr:
      return std::ranges::any_of(condition.operands(), is_met);
    case Operator::kNot:
      return !is_met(condition.operands().front());
    default:
      return condition.op() >= Operator::kMongoEqual && IsMet(&element, condition);
  }
}

bool IsElementMet(const ElementView& element, const Expression& condition) {
  if (IsOnElement(condition)) return IsElementItselfMet(element, condition);
  const bool has_fields = element.kind() == Kind::kObject || element.kind() == Kind::kArray;
  return has_fields && Matches(condition, element.AsDocument());
}

}  // namespace

bool MeetsMongo(const Expression& condition, DocumentView document) {
  return VisitMongoPath(document, condition.operands().front().path().steps(),
                        LeafArraysOf(condition.op()),
                        [&](const ElementView* value) { return IsMet(value, condition); });
}

}  // namespace orrery::model
