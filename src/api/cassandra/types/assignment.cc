#include "api/cassandra/types/assignment.h"

#include <algorithm>

namespace orrery::cassandra {
namespace {

// Compatible, and of the same order.
bool IsOrderCompatible(const Type& source, const Type& receiver) {
  if (source == receiver) return true;
  const TypeKind from = source.kind();
  switch (receiver.kind()) {
    case TypeKind::kBlob:
      return from == TypeKind::kAscii || from == TypeKind::kText;
    case TypeKind::kText:
      return from == TypeKind::kAscii;
    default:
      return false;
  }
}

// A tuple or UDT may gain components at its end, never lose one.
template <typename Test>
bool AreComponentsCompatible(const Type& source, const Type& receiver, Test test) {
  const TypeList& from = source.parameters();
  const TypeList& to = receiver.parameters();
  if (from.size() > to.size()) return false;
  return std::equal(from.begin(), from.end(), to.begin(),
                    [&](const TypePtr& a, const TypePtr& b) { return test(*a, *b); });
}

bool AreNativesCompatible(TypeKind from, TypeKind to) {
  switch (to) {
    case TypeKind::kText:
      return from == TypeKind::kAscii;
    case TypeKind::kUuid:
      return from == TypeKind::kTimeuuid;
    case TypeKind::kBigint:
      return from == TypeKind::kTimestamp;
    case TypeKind::kTimestamp:
    case TypeKind::kTime:
      return from == TypeKind::kBigint;
    case TypeKind::kDate:
      return from == TypeKind::kInt;
    case TypeKind::kVarint:
      return from == TypeKind::kInt || from == TypeKind::kBigint || from == TypeKind::kTimestamp;
    default:
      return false;
  }
}

}  // namespace

bool IsValueCompatible(const Type& source, const Type& receiver) {
  if (source == receiver || receiver.kind() == TypeKind::kBlob) return true;
  if (source.kind() != receiver.kind()) return AreNativesCompatible(source.kind(), receiver.kind());
  if (source.is_multi_cell() != receiver.is_multi_cell()) return false;
  switch (receiver.kind()) {
    case TypeKind::kList:
      return IsValueCompatible(source.element(), receiver.element());
    case TypeKind::kSet:
      return IsOrderCompatible(source.element(), receiver.element());
    case TypeKind::kMap:
      return IsOrderCompatible(source.key(), receiver.key()) &&
             IsValueCompatible(source.value(), receiver.value());
    case TypeKind::kTuple:
      return AreComponentsCompatible(source, receiver, IsValueCompatible);
    case TypeKind::kUdt:
      return source.udt().keyspace == receiver.udt().keyspace &&
             AreComponentsCompatible(source, receiver, IsOrderCompatible);
    default:
      return false;
  }
}

Assignability TestAssignment(const Type& source, const Type& receiver) {
  // A value makes no difference between frozen and not.
  if (source.is_multi_cell() != receiver.is_multi_cell()) {
    const auto frozen = [](const Type& type) { return Freeze(std::make_shared<const Type>(type)); };
    return TestAssignment(*frozen(source), *frozen(receiver));
  }
  if (source == receiver) return Assignability::kExact;
  return IsValueCompatible(source, receiver) ? Assignability::kWeak : Assignability::kNot;
}

}  // namespace orrery::cassandra
