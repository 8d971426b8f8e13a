#include "api/sql/query/index/composite_path.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/sql/query/bind/order_direction.h"
#include "api/sql/query/index/named_index.h"

namespace orrery::sql {
namespace {

bool IsFalling(const item::NamedIndex& index, size_t path) {
  return index.direction(path) == model::Direction::kDescending;
}

// As an index has values of a path that falls in it.
std::string Inverted(std::string encoded) {
  for (char& byte : encoded) byte = static_cast<char>(~byte);
  return encoded;
}

std::vector<ValueRange> Inverted(std::vector<ValueRange> ranges) {
  const auto invert = [](std::optional<item::ValueBound>& bound) {
    if (bound.has_value()) bound->encoded = Inverted(std::move(bound->encoded));
  };
  for (ValueRange& range : ranges) {
    std::swap(range.lower, range.upper);
    invert(range.lower);
    invert(range.upper);
  }
  std::ranges::reverse(ranges);
  return ranges;
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
    for (size_t i = 0; i < path.places.size(); ++i) {
      const Predicate* predicate = At(path.places[i]);
      if (predicate == nullptr || !predicate->equal.has_value()) break;
      const std::string& encoded = predicate->ranges.front().lower->encoded;
      prefix += IsFalling(index, i) ? Inverted(encoded) : encoded;
      fit.equal.push_back(path.places[i]);
    }
    AddRanges(index, prefix, fit);
    const auto downwards = order_ != nullptr ? DirectionOf(index, path.places) : std::nullopt;
    fit.is_ordered = downwards.has_value();
    path.descending = downwards.value_or(false);
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
  void AddRanges(const item::NamedIndex& index, const std::string& prefix,
                 CompositePath& fit) const {
    const size_t next = fit.equal.size();
    const std::vector<Place>& places = fit.path.places;
    std::vector<ValueRange> ranges = {ValueRange()};
    if (const Predicate* predicate = next < places.size() ? At(places[next]) : nullptr;
        predicate != nullptr && AreDistinct(prefix, predicate->ranges)) {
      ranges = IsFalling(index, next) ? Inverted(predicate->ranges) : predicate->ranges;
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

  // Whether the index gives the wanted order when it is read downwards; nothing when it gives it in
  // neither direction. A place with one value orders nothing, in index or query.
  std::optional<bool> DirectionOf(const item::NamedIndex& index,
                                  const std::vector<Place>& places) const {
    const std::vector<Place>& wanted = order_->places;
    std::optional<bool> downwards;
    size_t met = 0;
    const auto skip = [&] {
      while (met < wanted.size() && HasOneValue(wanted[met])) ++met;
    };
    skip();
    for (size_t i = 0; i < places.size() && met < wanted.size(); ++i) {
      if (HasOneValue(places[i])) continue;
      const bool is_turned = order_->descending[met] != IsFalling(index, i);
      if (places[i] != wanted[met] || downwards.value_or(is_turned) != is_turned)
        return std::nullopt;
      downwards = is_turned;
      ++met;
      skip();
    }
    if (met < wanted.size()) return std::nullopt;
    return downwards.value_or(false);
  }

  const std::vector<Predicate>& known_;
  const WantedOrder* const order_;
};

}  // namespace

std::optional<WantedOrder> WantedOrderOf(const ast::Query& query, const PredicateContext& context) {
  if (!query.order_by.has_value() || query.order_by->is_rank || !query.group_by.empty())
    return std::nullopt;
  WantedOrder order;
  const Places aliases = DocumentPlaces(query);
  for (const ast::Ordering& ordering : query.order_by->orderings) {
    auto place = PlaceOf(ordering.value, aliases);
    if (!place.has_value() || place->has_elements() || !IsIndexable(*place) ||
        context.IsBeyondIndexes(*place))
      return std::nullopt;
    order.places.push_back(*std::move(place));
    order.descending.push_back(IsDescending(ordering));
  }
  return order;
}

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
