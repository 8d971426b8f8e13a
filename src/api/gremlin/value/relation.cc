#include "api/gremlin/value/relation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "api/gremlin/value/arithmetic.h"
#include "api/gremlin/value/big_arithmetic.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"
#include "model/compare.h"

namespace orrery::gremlin {
namespace {

// Places of the families of types in the order of order().
enum class Family : uint8_t {
  kNull,
  kBoolean,
  kNumber,
  kDate,
  kString,
  kUuid,
  kVertex,
  kEdge,
  kVertexProperty,
  kProperty,
  kPath,
  kSet,
  kList,
  kMap,
  kOther,
};

Family FamilyOf(const Value& value) {
  switch (value.type()) {
    case Type::kNull:
      return Family::kNull;
    case Type::kBool:
      return Family::kBoolean;
    case Type::kDate:
      return Family::kDate;
    case Type::kString:
      return Family::kString;
    case Type::kUuid:
      return Family::kUuid;
    case Type::kVertex:
      return Family::kVertex;
    case Type::kEdge:
      return Family::kEdge;
    case Type::kVertexProperty:
      return Family::kVertexProperty;
    case Type::kProperty:
      return Family::kProperty;
    case Type::kPath:
      return Family::kPath;
    case Type::kSet:
      return Family::kSet;
    case Type::kList:
    case Type::kBulkSet:
      return Family::kList;
    case Type::kMap:
    case Type::kMetrics:
      return Family::kMap;
    default:
      return value.is_number() ? Family::kNumber : Family::kOther;
  }
}

// Nullopt: one is NaN.
std::optional<std::weak_ordering> CompareNumbers(const Value& a, const Value& b) {
  if (a.is_integer() && b.is_integer()) return a.AsInteger() <=> b.AsInteger();
  if (IsBig(a) || IsBig(b)) return CompareBig(a, b);
  if (a.type() == Type::kFloat && (b.type() == Type::kFloat || b.is_integer()) &&
      !b.is_floating() && b.type() <= Type::kInt) {
    const float left = static_cast<float>(a.AsFloating());
    const float right = static_cast<float>(b.AsInteger());
    if (std::isnan(left)) return std::nullopt;
    return left < right   ? std::weak_ordering::less
           : left > right ? std::weak_ordering::greater
                          : std::weak_ordering::equivalent;
  }
  if (b.type() == Type::kFloat && a.is_integer() && a.type() <= Type::kInt) {
    const auto reversed = CompareNumbers(b, a);
    if (!reversed.has_value()) return std::nullopt;
    return 0 <=> *reversed;
  }
  const double left = ToDouble(a);
  const double right = ToDouble(b);
  if (std::isnan(left) || std::isnan(right)) return std::nullopt;
  return left < right   ? std::weak_ordering::less
         : left > right ? std::weak_ordering::greater
                        : std::weak_ordering::equivalent;
}

std::weak_ordering OrderNumbers(const Value& a, const Value& b) {
  const bool a_nan = a.is_floating() && std::isnan(a.AsFloating());
  const bool b_nan = b.is_floating() && std::isnan(b.AsFloating());
  if (a_nan || b_nan) return a_nan <=> b_nan;
  return CompareNumbers(a, b).value_or(std::weak_ordering::equivalent);
}

bool SameElement(const Value& a, const Value& b) {
  switch (a.type()) {
    case Type::kVertex:
      return a.AsVertex()->key() == b.AsVertex()->key();
    case Type::kEdge:
      return a.AsEdge()->key() == b.AsEdge()->key();
    case Type::kVertexProperty: {
      const VertexPropertyRef& left = a.AsVertexProperty();
      const VertexPropertyRef& right = b.AsVertexProperty();
      if (IdText(left.property.id) != IdText(right.property.id)) return false;
      if (left.owner == nullptr || right.owner == nullptr) return left.owner == right.owner;
      return left.owner->key() == right.owner->key();
    }
    default:
      return false;
  }
}

using Same = bool (*)(const Value&, const Value&);

bool SameLists(const Values& a, const Values& b, Same same) {
  return std::ranges::equal(a, b, same);
}

Values Sorted(Values items) {
  std::ranges::sort(items, [](const Value& a, const Value& b) { return Order(a, b) < 0; });
  return items;
}

bool SameMaps(const ValueMap& a, const ValueMap& b, Same same) {
  if (a.size() != b.size()) return false;
  return std::ranges::all_of(a.entries(), [&](const ValueMap::Entry& entry) {
    return std::ranges::any_of(b.entries(), [&](const ValueMap::Entry& other) {
      return same(entry.key, other.key) && same(entry.value, other.value);
    });
  });
}

bool SameTrees(const Tree& a, const Tree& b, Same same) {
  if (a.branches.size() != b.branches.size()) return false;
  for (size_t i = 0; i < a.branches.size(); ++i) {
    if (!same(a.branches[i].key, b.branches[i].key) ||
        !SameTrees(a.branches[i].children, b.branches[i].children, same))
      return false;
  }
  return true;
}

// Of two values of one family that is not numbers.
bool SameWithinFamily(Family family, const Value& a, const Value& b, Same same) {
  switch (family) {
    case Family::kNull:
      return true;
    case Family::kBoolean:
      return a.AsBool() == b.AsBool();
    case Family::kDate:
      return a.AsInteger() == b.AsInteger();
    case Family::kString:
      return a.AsString() == b.AsString();
    case Family::kUuid:
      return a.AsUuid() == b.AsUuid();
    case Family::kVertex:
    case Family::kEdge:
    case Family::kVertexProperty:
      return SameElement(a, b);
    case Family::kProperty:
      return same(a.AsProperty().key, b.AsProperty().key) &&
             same(a.AsProperty().value, b.AsProperty().value);
    case Family::kPath:
      return a.AsPath().labels == b.AsPath().labels &&
             SameLists(a.AsPath().objects, b.AsPath().objects, same);
    case Family::kList:
      return SameLists(a.AsItems(), b.AsItems(), same);
    case Family::kSet:
      return SameLists(Sorted(a.AsItems()), Sorted(b.AsItems()), same);
    case Family::kMap:
      return SameMaps(a.AsMap(), b.AsMap(), same);
    default:
      break;
  }
  if (a.type() != b.type()) return false;
  switch (a.type()) {
    case Type::kBinary:
      return a.AsString() == b.AsString();
    case Type::kDuration:
      return a.AsInteger() == b.AsInteger();
    case Type::kEnum:
      return a.AsEnum().type == b.AsEnum().type && a.AsEnum().name == b.AsEnum().name;
    case Type::kTree:
      return SameTrees(a.AsTree(), b.AsTree(), same);
    default:
      return ToText(a) == ToText(b);
  }
}

std::weak_ordering OrderIds(const Value& a, const Value& b) { return Order(*IdOf(a), *IdOf(b)); }

std::weak_ordering OrderLists(const Values& a, const Values& b) {
  return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end(), Order);
}

std::weak_ordering OrderMaps(const ValueMap& a, const ValueMap& b) {
  const auto sorted = [](const ValueMap& map) {
    std::vector<ValueMap::Entry> entries = map.entries();
    std::ranges::sort(entries, [](const ValueMap::Entry& x, const ValueMap::Entry& y) {
      return Order(x.key, y.key) < 0;
    });
    return entries;
  };
  const auto left = sorted(a);
  const auto right = sorted(b);
  return std::lexicographical_compare_three_way(
      left.begin(), left.end(), right.begin(), right.end(),
      [](const ValueMap::Entry& x, const ValueMap::Entry& y) {
        const auto keys = Order(x.key, y.key);
        return keys != 0 ? keys : Order(x.value, y.value);
      });
}

size_t Mix(size_t seed, size_t hash) {
  return seed ^ (hash + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

}  // namespace

bool Equals(const Value& a, const Value& b) {
  const Family family = FamilyOf(a);
  if (family != FamilyOf(b)) return false;
  if (family == Family::kNumber) return CompareNumbers(a, b) == std::weak_ordering::equivalent;
  return SameWithinFamily(family, a, b, Equals);
}

std::optional<std::weak_ordering> Compare(const Value& a, const Value& b) {
  const Family family = FamilyOf(a);
  if (family != FamilyOf(b) || family == Family::kOther || family == Family::kMap)
    return std::nullopt;
  if (family == Family::kNumber) return CompareNumbers(a, b);
  if (family == Family::kNull) return std::weak_ordering::equivalent;
  return Order(a, b);
}

std::weak_ordering Order(const Value& a, const Value& b) {
  const Family family = FamilyOf(a);
  if (const Family other = FamilyOf(b); family != other) return family <=> other;
  switch (family) {
    case Family::kNull:
      return std::weak_ordering::equivalent;
    case Family::kBoolean:
      return a.AsBool() <=> b.AsBool();
    case Family::kNumber:
      return OrderNumbers(a, b);
    case Family::kDate:
      return a.AsInteger() <=> b.AsInteger();
    case Family::kString:
      return a.AsString() <=> b.AsString();
    case Family::kUuid:
      return a.AsUuid() <=> b.AsUuid();
    case Family::kVertex:
    case Family::kEdge:
    case Family::kVertexProperty:
      return OrderIds(a, b);
    case Family::kProperty: {
      const auto keys = Order(a.AsProperty().key, b.AsProperty().key);
      return keys != 0 ? keys : Order(a.AsProperty().value, b.AsProperty().value);
    }
    case Family::kPath:
      return OrderLists(a.AsPath().objects, b.AsPath().objects);
    case Family::kSet:
      return OrderLists(Sorted(a.AsItems()), Sorted(b.AsItems()));
    case Family::kList:
      return OrderLists(a.AsItems(), b.AsItems());
    case Family::kMap:
      return OrderMaps(a.AsMap(), b.AsMap());
    case Family::kOther:
      break;
  }
  return ToText(a) <=> ToText(b);
}

bool Equivalent(const Value& a, const Value& b) {
  const Family family = FamilyOf(a);
  if (family != FamilyOf(b)) return false;
  if (family == Family::kNumber) return a.type() == b.type() && OrderNumbers(a, b) == 0;
  return SameWithinFamily(family, a, b, Equivalent);
}

size_t Hash(const Value& value) {
  const Family family = FamilyOf(value);
  const auto seed = static_cast<size_t>(family);
  switch (family) {
    case Family::kNull:
      return seed;
    case Family::kBoolean:
      return Mix(seed, value.AsBool() ? 1 : 0);
    case Family::kNumber:
      return Mix(seed, std::hash<double>()(ToDouble(value) + 0.0));
    case Family::kDate:
      return Mix(seed, std::hash<int64_t>()(value.AsInteger()));
    case Family::kString:
      return std::hash<std::string>()(value.AsString());
    case Family::kVertex:
    case Family::kEdge:
    case Family::kVertexProperty:
      return Mix(seed, std::hash<std::string>()(IdText(*IdOf(value))));
    case Family::kProperty:
      return Mix(Mix(seed, Hash(value.AsProperty().key)), Hash(value.AsProperty().value));
    case Family::kList:
      return std::accumulate(value.AsItems().begin(), value.AsItems().end(), seed,
                             [](size_t sum, const Value& item) { return Mix(sum, Hash(item)); });
    case Family::kPath:
      return std::accumulate(value.AsPath().objects.begin(), value.AsPath().objects.end(), seed,
                             [](size_t sum, const Value& item) { return Mix(sum, Hash(item)); });
    case Family::kSet:
      return std::accumulate(value.AsItems().begin(), value.AsItems().end(), seed,
                             [](size_t sum, const Value& item) { return sum + Hash(item); });
    case Family::kMap:
      return std::accumulate(value.AsMap().entries().begin(), value.AsMap().entries().end(), seed,
                             [](size_t sum, const ValueMap::Entry& entry) {
                               return sum + Mix(Hash(entry.key), Hash(entry.value));
                             });
    case Family::kUuid:
    case Family::kOther:
      break;
  }
  return Mix(seed, std::hash<std::string>()(ToText(value)));
}

}  // namespace orrery::gremlin
