// Arrays as sets: no element of a result is there twice, and each stands where it was first seen.
#include <string>
#include <unordered_set>

#include "api/sql/function/identity.h"
#include "api/sql/function/limits.h"
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"

namespace orrery::sql {
namespace {

using model::Values;
using Identities = std::unordered_set<std::string>;

Identities IdentitiesOf(const Values& elements) {
  Identities identities;
  identities.reserve(elements.size());
  for (const Value& element : elements) identities.insert(IdentityOf(element));
  return identities;
}

// The elements that `wanted` says yes to, by identity, each once.
template <typename Predicate>
Value Distinct(const Values& elements, Predicate wanted) {
  Values kept;
  Identities seen;
  for (const Value& element : elements) {
    std::string identity = IdentityOf(element);
    if (wanted(identity) && seen.insert(std::move(identity)).second) kept.push_back(element);
  }
  return Value::Array(std::move(kept));
}

Value Difference(const Values& a, const Values& b) {
  const Identities without = IdentitiesOf(b);
  return Distinct(a, [&](const std::string& identity) { return !without.contains(identity); });
}

// In the order of the second, as documented.
Value Intersection(const Values& a, const Values& b) {
  const Identities both = IdentitiesOf(a);
  return Distinct(b, [&](const std::string& identity) { return both.contains(identity); });
}

Result<Value> Union(const Values& a, const Values& b) {
  ORRERY_TRY(CheckResultElements(a.size() + b.size()));
  Values all(a);
  all.insert(all.end(), b.begin(), b.end());
  return Distinct(all, [](const std::string&) { return true; });
}

Value SameSet(const Values& a, const Values& b) {
  return Value::Bool(IdentitiesOf(a) == IdentitiesOf(b));
}

// Value or Result<Value> F(const Values&, const Values&)
template <auto F>
Result<Value> OfTwoArrays(Arguments arguments, const CallContext&) {
  const Values* a = ArrayOf(arguments[0]);
  const Values* b = ArrayOf(arguments[1]);
  if (a == nullptr || b == nullptr) return Value::Undefined();
  return F(*a, *b);
}

constexpr Function kSetFunctions[] = {
    {"SETDIFFERENCE", 2, 2, OfTwoArrays<Difference>},
    {"SETEQUAL", 2, 2, OfTwoArrays<SameSet>},
    {"SETINTERSECT", 2, 2, OfTwoArrays<Intersection>},
    {"SETUNION", 2, 2, OfTwoArrays<Union>},
};

}  // namespace

std::span<const Function> SetFunctions() { return kSetFunctions; }

}  // namespace orrery::sql
