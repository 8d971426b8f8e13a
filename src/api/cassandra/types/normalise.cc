// Normalise of collection_codec.h.
#include <algorithm>
#include <utility>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/compare.h"

namespace orrery::cassandra {
namespace {

bool HoldsCollection(const Type& type) {
  if (type.kind() == TypeKind::kSet || type.kind() == TypeKind::kMap) return true;
  return std::any_of(type.parameters().begin(), type.parameters().end(),
                     [](const TypePtr& part) { return HoldsCollection(*part); });
}

Result<std::vector<std::string>> NormaliseAll(const Type& type, const Views& values) {
  std::vector<std::string> normal;
  normal.reserve(values.size());
  for (const std::string_view value : values) {
    ORRERY_ASSIGN(std::string bytes, Normalise(type, value));
    normal.push_back(std::move(bytes));
  }
  return normal;
}

Result<std::string> NormaliseSet(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const Views elements, UnpackElements(type, bytes));
  ORRERY_ASSIGN(const std::vector<std::string> owned, NormaliseAll(type.element(), elements));
  Views sorted = AsViews(owned);
  std::stable_sort(sorted.begin(), sorted.end(), [&](std::string_view a, std::string_view b) {
    return Compare(type.element(), a, b) < 0;
  });
  const auto end = std::unique(
      sorted.begin(), sorted.end(),
      [&](std::string_view a, std::string_view b) { return Compare(type.element(), a, b) == 0; });
  sorted.erase(end, sorted.end());
  return PackElements(sorted);
}

Result<std::string> NormaliseMap(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<EntryView> entries, UnpackEntries(bytes));
  std::vector<std::pair<std::string, std::string>> owned;
  for (const EntryView& entry : entries) {
    ORRERY_ASSIGN(std::string key, Normalise(type.key(), entry.key));
    ORRERY_ASSIGN(std::string value, Normalise(type.value(), entry.value));
    owned.emplace_back(std::move(key), std::move(value));
  }
  std::stable_sort(owned.begin(), owned.end(), [&](const auto& a, const auto& b) {
    return Compare(type.key(), a.first, b.first) < 0;
  });
  std::vector<EntryView> kept;
  for (const auto& [key, value] : owned) {
    if (!kept.empty() && Compare(type.key(), kept.back().key, key) == 0) {
      kept.back().value = value;
    } else {
      kept.push_back({key, value});
    }
  }
  return PackEntries(kept);
}

Result<std::string> NormaliseComponents(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<NullableView> components, UnpackComponents(type, bytes));
  std::vector<std::optional<std::string>> owned(components.size());
  for (size_t i = 0; i < components.size(); ++i) {
    if (!components[i].has_value()) continue;
    ORRERY_ASSIGN(owned[i], Normalise(*type.parameters()[i], *components[i]));
  }
  return PackComponents(AsViews(owned));
}

}  // namespace

Result<std::string> Normalise(const Type& type, std::string_view bytes) {
  if (bytes.empty() || !HoldsCollection(type)) return std::string(bytes);
  switch (type.kind()) {
    case TypeKind::kSet:
      return NormaliseSet(type, bytes);
    case TypeKind::kMap:
      return NormaliseMap(type, bytes);
    case TypeKind::kTuple:
    case TypeKind::kUdt:
      return NormaliseComponents(type, bytes);
    case TypeKind::kList: {
      ORRERY_ASSIGN(const Views elements, UnpackElements(type, bytes));
      ORRERY_ASSIGN(const std::vector<std::string> owned, NormaliseAll(type.element(), elements));
      return PackElements(AsViews(owned));
    }
    case TypeKind::kVector: {
      ORRERY_ASSIGN(const Views elements, UnpackVector(type, bytes));
      ORRERY_ASSIGN(const std::vector<std::string> owned, NormaliseAll(type.element(), elements));
      return PackVector(type, AsViews(owned));
    }
    default:
      return std::string(bytes);
  }
}

}  // namespace orrery::cassandra
