#include "api/mongo/catalog/index_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "api/mongo/catalog/text_index.h"
#include "api/mongo/language/value/print.h"
#include "model/expression/expression.h"
#include "model/number/number.h"
#include "model/spatial/places.h"
#include "model/spatial/relation.h"

namespace orrery::mongo {
namespace {

using model::DocumentView;
using model::ElementView;
using model::Kind;
using model::Value;

using PathSteps = std::span<const std::string>;

bool IsNestedValue(const ElementView& element) {
  return element.kind() == Kind::kObject || element.kind() == Kind::kArray;
}

// The first array that a path meets, and what of the path is left behind it.
struct MetArray {
  DocumentView array;
  std::string name;  // the field that has it
  PathSteps rest;
};
std::optional<MetArray> FirstArray(DocumentView document, PathSteps steps) {
  for (DocumentView at = document; !steps.empty();) {
    const auto found = at.Find(steps.front());
    if (!found.has_value()) return std::nullopt;
    steps = steps.subspan(1);
    if (found->kind() == Kind::kArray)
      return MetArray{found->AsDocument(), std::string(found->name()), steps};
    if (found->kind() != Kind::kObject) return std::nullopt;
    at = found->AsDocument();
  }
  return std::nullopt;
}

// Paths may lead through one array, and through one more within each of its elements.
Outcome CheckParallel(DocumentView document, const std::vector<PathSteps>& paths) {
  std::optional<MetArray> met;
  std::vector<PathSteps> behind;
  for (const PathSteps path : paths) {
    auto found = FirstArray(document, path);
    if (!found.has_value()) continue;
    if (met.has_value() && met->array.bson().data() != found->array.bson().data()) {
      return Refuse(ErrorCode::kCannotIndexParallelArrays,
                    fmt::format("cannot index parallel arrays [{}] [{}]", found->name, met->name));
    }
    if (!found->rest.empty()) behind.push_back(found->rest);
    met = std::move(found);
  }
  if (behind.size() < 2) return {};
  for (const ElementView element : met->array) {
    if (element.kind() == Kind::kObject) MONGO_TRY(CheckParallel(element.AsDocument(), behind));
  }
  return {};
}

Outcome CheckHashed(DocumentView document, std::string_view path) {
  std::string here;
  DocumentView at = document;
  for (const std::string& step : PathOf(path).steps()) {
    here += (here.empty() ? "" : ".") + step;
    const auto found = at.Find(step);
    if (!found.has_value()) return {};
    if (found->kind() == Kind::kArray) {
      return Refuse(16766, fmt::format("Error: hashed indexes do not currently support array "
                                       "values. Found array at path: {}",
                                       here));
    }
    if (found->kind() != Kind::kObject) return {};
    at = found->AsDocument();
  }
  return {};
}

// A place on the sphere: nothing, or GeoJSON or a pair on the earth.
Outcome CheckSphere(const ElementView& element, DocumentView document) {
  const auto refuse = [&](std::string_view why) {
    return Refuse(
        16755, fmt::format("Can't extract geo keys: {}  {}", PrintBson(document.ToObject()), why));
  };
  if (element.kind() == Kind::kNull || element.kind() == Kind::kUndefined) return {};
  if (!IsNestedValue(element)) {
    return refuse(fmt::format("geo element must be an array or object: {}: {}", element.name(),
                              PrintBson(element.ToValue())));
  }
  if (element.AsDocument().empty()) return {};
  const std::vector<model::Geometry> places = model::PlacesOf(element.ToValue());
  if (places.empty()) return refuse("the geometry is malformed");
  if (std::ranges::all_of(places, model::IsOnEarth)) return {};
  return refuse(
      fmt::format("can't project geometry into spherical CRS: {}", PrintBson(element.ToValue())));
}

// A pair on the plane.
Outcome CheckPair(DocumentView pair, double min, double max, DocumentView document) {
  const auto refuse = [&](int32_t code, std::string_view why) {
    return Refuse(code, fmt::format("{} :: caused by :: {}", why, PrintBson(document.ToObject())));
  };
  if (std::distance(pair.begin(), pair.end()) < 2)
    return refuse(13068, "geo field only has 1 element");
  auto at = pair.begin();
  for (int i = 0; i < 2; ++i, ++at) {
    const Value number = (*at).ToValue();
    if (!number.is_number())
      return refuse(13026, "geo values must be 'legacy coordinate pairs' for 2d indexes");
    const double place = model::ToDouble(number);
    if (!(place >= min && place <= max)) {
      return refuse(13027, fmt::format("point not in interval of [ {}, {} ]", min, max));
    }
  }
  return {};
}

double BoundOr(const IndexSpec& index, std::string_view name, double otherwise) {
  const Value bound = index.spec.view().Get(name);
  return bound.is_number() ? model::ToDouble(bound) : otherwise;
}

// Nothing, a pair, or a list of pairs.
Outcome CheckPlane(const IndexSpec& index, const ElementView& element, DocumentView document) {
  if (!IsNestedValue(element)) return {};
  const DocumentView value = element.AsDocument();
  if (value.empty()) return {};
  const double min = BoundOr(index, "min", -180);
  const double max = BoundOr(index, "max", 180);
  if ((*value.begin()).ToValue().is_number()) return CheckPair(value, min, max, document);
  for (const ElementView each : value) {
    if (!IsNestedValue(each))
      return Refuse(16804, "location object expected, location array not in correct format");
    MONGO_TRY(CheckPair(each.AsDocument(), min, max, document));
  }
  return {};
}

// Calls look(element) for what a path leads to, through arrays of objects as well.
template <typename Look>
Outcome VisitPlaces(DocumentView document, PathSteps steps, const Look& look) {
  const auto found = document.Find(steps.front());
  if (!found.has_value()) return {};
  if (steps.size() == 1) return look(*found);
  if (found->kind() == Kind::kObject)
    return VisitPlaces(found->AsDocument(), steps.subspan(1), look);
  if (found->kind() != Kind::kArray) return {};
  for (const ElementView element : found->AsDocument()) {
    if (element.kind() == Kind::kObject)
      MONGO_TRY(VisitPlaces(element.AsDocument(), steps.subspan(1), look));
  }
  return {};
}

Outcome CheckPlaces(const IndexSpec& index, DocumentView document) {
  for (const ElementView field : index.key.view()) {
    if (field.kind() != Kind::kString) continue;
    const bool is_sphere = field.AsString() == "2dsphere";
    const auto look = [&](const ElementView& element) {
      return is_sphere ? CheckSphere(element, document) : CheckPlane(index, element, document);
    };
    if (!is_sphere && field.AsString() != "2d") continue;
    const model::Path path = PathOf(field.name());
    MONGO_TRY(VisitPlaces(document, path.steps(), look));
  }
  return {};
}

// Returns whether a partial index has the document.
bool Has(const Collection& collection, const IndexSpec& index, DocumentView document) {
  for (const item::NamedIndex& named : collection.settings().indexing.named) {
    if (named.id == index.id && named.only.has_value())
      return model::Matches(*named.only, document);
  }
  return true;
}

}  // namespace

bool MayRefuseDocuments(const IndexSpec& index) {
  if (index.is_wildcard()) return false;
  const DocumentView key = index.key;
  return std::next(key.begin()) != key.end() || (*key.begin()).kind() == Kind::kString;
}

Outcome CheckIndexKeys(const Collection& collection, const IndexSpec& index,
                       DocumentView document) {
  if (!MayRefuseDocuments(index) || !Has(collection, index, document)) return {};
  if (index.is_text()) return CheckTexts(collection, document);
  if (index.geo_path().has_value()) return CheckPlaces(index, document);
  std::vector<model::Path> paths;
  for (const ElementView field : index.key.view()) {
    if (field.kind() == Kind::kString && field.AsString() == "hashed")
      MONGO_TRY(CheckHashed(document, field.name()));
    paths.push_back(PathOf(field.name()));
  }
  std::vector<PathSteps> steps;
  for (const model::Path& path : paths) steps.emplace_back(path.steps());
  return CheckParallel(document, steps);
}

Outcome CheckIndexKeys(const Collection& collection, DocumentView document) {
  for (const IndexSpec& index : collection.indexes)
    MONGO_TRY(CheckIndexKeys(collection, index, document));
  return {};
}

}  // namespace orrery::mongo
