// Normalise of collection_codec.h.
#include <algorithm>
#include <numeric>
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

// The places of `keys` in their order, equal ones as they came.
std::vector<size_t> SortedPlaces(const Type& type, const std::vector<std::string>& keys) {
  std::vector<size_t> places(keys.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::sort(places.begin(), places.end(), [&](size_t a, size_t b) {
    const std::weak_ordering order = Compare(type, keys[a], keys[b]);
    return order == 0 ? a < b : order < 0;
  });
  return places;
}

Result<std::string> NormaliseSet(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const Views elements, UnpackElements(type, bytes));
  ORRERY_ASSIGN(const std::vector<std::string> owned, NormaliseAll(type.element(), elements));
  Views kept;
  for (const size_t place : SortedPlaces(type.element(), owned)) {
    if (kept.empty() || !Equal(type.element(), kept.back(), owned[place]))
      kept.push_back(owned[place]);
  }
  return PackElements(kept);
}

Result<std::string> NormaliseMap(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<EntryView> entries, UnpackEntries(bytes));
  std::vector<std::string> keys;
  std::vector<std::string> values;
  for (const EntryView& entry : entries) {
    ORRERY_ASSIGN(std::string key, Normalise(type.key(), entry.key));
    ORRERY_ASSIGN(std::string value, Normalise(type.value(), entry.value));
    keys.push_back(std::move(key));
    values.push_back(std::move(value));
  }
  std::vector<EntryView> kept;
  for (const size_t place : SortedPlaces(type.key(), keys)) {
    if (!kept.empty() && Equal(type.key(), kept.back().key, keys[place])) {
      kept.back().value = values[place];
    } else {
      kept.push_back({keys[place], values[place]});
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
