#include "api/sql/query/index/composite_path.h"

#include <algorithm>
#include <string>
#include <utility>

namespace orrery::sql {
namespace {

Place PlaceAt(const model::Path& path) {
  Place place;
  for (const std::string& step : path.steps()) place = place.Field(step);
  return place;
}

bool IsBuilt(const item::ContainerSchema& schema, const item::NamedIndex& index) {
  if (!schema.former_indexing.has_value()) return true;
  const auto& former = schema.former_indexing->named();
  return std::ranges::find(former, index.id, &item::NamedIndex::id) != former.end();
}

class Fitter {
 public:
  Fitter(const std::vector<Predicate>& known, const WantedOrder* order)
      : known_(known), order_(order) {}

  CompositePath Fit(const item::NamedIndex& index) const {
    CompositePath fit;
    IndexPath& path = fit.path;
    path.index = item::NamedIndexId(index.id);
    for (const model::Path& at : index.paths) path.places.push_back(PlaceAt(at));
    std::string prefix;
    for (const Place& place : path.places) {
      const Predicate* predicate = At(place);
      if (predicate == nullptr || !predicate->equal.has_value()) break;
      prefix += predicate->ranges.front().lower->encoded;
      fit.equal.push_back(place);
    }
    AddRanges(prefix, fit);
    fit.is_ordered = order_ != nullptr && Gives(path.places);
    path.descending = fit.is_ordered && order_->descending;
    return fit;
  }

 private:
  const Predicate* At(const Place& place) const {
    const auto found = std::ranges::find(known_, place, &Predicate::place);
    return found == known_.end() ? nullptr : &*found;
  }
  bool HasOneValue(const Place& place) const {
    const Predicate* predicate = At(place);
    return predicate != nullptr && predicate->equal.has_value();
  }

  // The bounds of the values that begin with `prefix` and have the next place's bounds behind it.
  void AddRanges(const std::string& prefix, CompositePath& fit) const {
    const size_t next = fit.equal.size();
    const std::vector<Place>& places = fit.path.places;
    std::vector<ValueRange> ranges = {ValueRange()};
    if (const Predicate* predicate = next < places.size() ? At(places[next]) : nullptr;
        predicate != nullptr && AreDistinct(prefix, predicate->ranges)) {
      ranges = predicate->ranges;
      fit.is_bounded = true;
    }
    fit.path.bounds_are_whole =
        next == places.size() || (next + 1 == places.size() && fit.is_bounded);
    for (ValueRange& range : ranges) {
      range.lower = Behind(prefix, std::move(range.lower));
      range.upper = Behind(prefix, std::move(range.upper));
    }
    fit.path.ranges = std::move(ranges);
  }

  // Whether each of several ranges is another one in the index, too, where values are cut.
  static bool AreDistinct(const std::string& prefix, const std::vector<ValueRange>& ranges) {
    return ranges.size() == 1 || std::ranges::all_of(ranges, [&](const ValueRange& range) {
             return range.lower.has_value() &&
                    prefix.size() + range.lower->encoded.size() < kIndexedBytesMax;
           });
  }

  static std::optional<item::ValueBound> Behind(const std::string& prefix,
                                                std::optional<item::ValueBound> bound) {
    if (!bound.has_value() && prefix.empty()) return std::nullopt;
    if (!bound.has_value()) return item::ValueBound{prefix, true};
    return item::ValueBound{prefix + bound->encoded, bound->inclusive};
  }

  // Whether documents in the order of these places are in the wanted order. A place with one value
  // orders nothing, in either.
  bool Gives(const std::vector<Place>& places) const {
    const std::vector<Place>& wanted = order_->places;
    size_t met = 0;
    const auto skip = [&] {
      while (met < wanted.size() && HasOneValue(wanted[met])) ++met;
    };
    skip();
    for (const Place& place : places) {
      if (met == wanted.size()) break;
      if (HasOneValue(place)) continue;
      if (place != wanted[met]) return false;
      ++met;
      skip();
    }
    return met == wanted.size();
  }

  const std::vector<Predicate>& known_;
  const WantedOrder* const order_;
};

}  // namespace

std::vector<CompositePath> CompositePathsOf(const item::ContainerSchema& schema,
                                            const std::vector<Predicate>& known,
                                            const WantedOrder* order) {
  std::vector<CompositePath> paths;
  const Fitter fitter(known, order);
  for (const item::NamedIndex& index : schema.indexing.named())
    if (index.paths.size() > 1 && IsBuilt(schema, index)) paths.push_back(fitter.Fit(index));
  return paths;
}

}  // namespace orrery::sql
