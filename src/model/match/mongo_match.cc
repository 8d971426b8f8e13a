#include "model/match/mongo_match.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>

#include "model/compare.h"
#include "model/number/decimal128.h"
#include "model/type_class.h"

namespace orrery::model {
namespace {

bool IsNaN(const Value& value) {
  if (value.kind() == Kind::kDecimal128) return IsNan(value.AsDecimal128());
  return value.kind() == Kind::kDouble && std::isnan(value.AsDouble());
}

bool IncludesEqual(Comparison comparison) {
  return comparison != Comparison::kLess && comparison != Comparison::kGreater;
}

bool IsNothing(Kind kind) { return kind == Kind::kNull || kind == Kind::kUndefined; }

bool IsInteger(Kind kind) { return kind == Kind::kInt32 || kind == Kind::kInt64; }

// The order of two numbers or strings of one kind, without decoding; nullopt for all others.
std::optional<std::partial_ordering> QuickOrder(const ElementView& value, const Value& constant) {
  const Kind kind = value.kind();
  if (kind == Kind::kString && constant.kind() == Kind::kString)
    return value.AsString().compare(constant.AsString()) <=> 0;
  if (IsInteger(kind) && IsInteger(constant.kind()))
    return value.AsInteger() <=> constant.AsInteger();
  // NaN is equal to itself here: left to the general way.
  if (kind == Kind::kDouble && constant.kind() == Kind::kDouble && !std::isnan(value.AsDouble()) &&
      !std::isnan(constant.AsDouble()))
    return value.AsDouble() <=> constant.AsDouble();
  return std::nullopt;
}

// Walks all values that a path leads to.
class MongoWalk {
 public:
  MongoWalk(LeafArrays arrays, const std::function<bool(const ElementView*)>& visit)
      : arrays_(arrays), visit_(visit) {}

  bool Follow(DocumentView document, std::span<const std::string> path) const {
    const auto found = document.Find(path.front());
    return found.has_value() ? Reach(*found, path.subspan(1)) : visit_(nullptr);
  }

 private:
  bool Reach(const ElementView& element, std::span<const std::string> path) const {
    if (path.empty()) return ReachEnd(element);
    if (element.kind() == Kind::kObject) return Follow(element.AsDocument(), path);
    if (element.kind() != Kind::kArray) return visit_(nullptr);
    const DocumentView elements = element.AsDocument();
    // A number is the index of an element, or the name of a field in one.
    if (const auto at = elements.Find(path.front()); at.has_value() && Reach(*at, path.subspan(1)))
      return true;
    return std::ranges::any_of(elements, [&](const ElementView& inner) {
      return inner.kind() == Kind::kObject && Follow(inner.AsDocument(), path);
    });
  }

  bool ReachEnd(const ElementView& element) const {
    if (visit_(&element)) return true;
    return arrays_ == LeafArrays::kWholeAndElements && element.kind() == Kind::kArray &&
           std::ranges::any_of(element.AsDocument(),
                               [&](const ElementView& inner) { return visit_(&inner); });
  }

  const LeafArrays arrays_;
  const std::function<bool(const ElementView*)>& visit_;
};

}  // namespace

bool VisitMongoPath(DocumentView document, std::span<const std::string> path, LeafArrays arrays,
                    const std::function<bool(const ElementView*)>& visit) {
  return !path.empty() && MongoWalk(arrays, visit).Follow(document, path);
}

bool MatchesMongo(const ElementView* value, Comparison comparison, const Value& constant) {
  constexpr Order kOrder = Order::kMongo;
  const Kind kind = value == nullptr ? Kind::kNull : value->kind();
  const bool is_end = constant.kind() == Kind::kMinKey || constant.kind() == Kind::kMaxKey;
  // MinKey and MaxKey are equal to themselves only, and compare with all.
  if (is_end && comparison != Comparison::kEqual)
    return Holds(comparison,
                 Compare(value == nullptr ? Value::Null() : value->ToValue(), constant, kOrder));
  if (IsNothing(constant.kind())) return IncludesEqual(comparison) && IsNothing(kind);
  if (value == nullptr || ClassOf(kind, kOrder) != ClassOf(constant.kind(), kOrder)) return false;
  if (const auto order = QuickOrder(*value, constant)) return Holds(comparison, *order);
  const Value compared = value->ToValue();
  const std::weak_ordering order = Compare(compared, constant, kOrder);
  if (IsNaN(compared) || IsNaN(constant)) return order == 0 && IncludesEqual(comparison);
  return Holds(comparison, order);
}

bool MatchesMongo(DocumentView document, std::span<const std::string> path, Comparison comparison,
                  const Value& constant) {
  return VisitMongoPath(
      document, path, LeafArrays::kWholeAndElements,
      [&](const ElementView* value) { return MatchesMongo(value, comparison, constant); });
}

}  // namespace orrery::model
