#include "query/access/composite_path.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gateway/position/named_index_values.h"
#include "model/key/key_codec.h"
#include "query/access/named_index.h"
#include "query/access/partial_index.h"

namespace orrery::query {
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
  Fitter(const std::vector<Predicate>& known, const WantedOrder* order, MatchRules rules)
      : known_(known), order_(order), rules_(rules) {}

  CompositePath Fit(const item::NamedIndex& index) const {
    CompositePath fit;
    IndexPath& path = fit.index;
    path.index = item::NamedIndexId(index.id);
    path.is_named = true;
    for (const model::Path& at : index.paths) path.paths.push_back(DocumentPath::At(at));
    std::string prefix;
    for (size_t i = 0; i < path.paths.size(); ++i) {
      const Predicate* predicate = At(path.paths[i]);
      if (predicate == nullptr || !predicate->equal.has_value()) break;
      const std::string& encoded = predicate->ranges.front().lower->encoded;
      prefix += IsFalling(index, i) ? Inverted(encoded) : encoded;
      fit.equal.push_back(path.paths[i]);
    }
    AddRanges(index, prefix, fit);
    const auto downwards = order_ != nullptr ? DirectionOf(index, fit) : std::nullopt;
    fit.is_ordered = downwards.has_value();
    path.descending = downwards.value_or(false);
    return fit;
  }

 private:
  const Predicate* At(const DocumentPath& path) const {
    const auto found = std::ranges::find(known_, path, &Predicate::path);
    return found == known_.end() ? nullptr : &*found;
  }
  bool HasOneValue(const DocumentPath& path) const {
    const Predicate* predicate = At(path);
    return predicate != nullptr && predicate->equal.has_value();
  }

  // The bounds of the values that begin with `prefix` and have the next path's bounds behind it.
  void AddRanges(const item::NamedIndex& index, const std::string& prefix,
                 CompositePath& fit) const {
    const size_t next = fit.equal.size();
    const std::vector<DocumentPath>& paths = fit.index.paths;
    std::vector<ValueRange> ranges = {ValueRange()};
    if (const Predicate* predicate = next < paths.size() ? At(paths[next]) : nullptr;
        predicate != nullptr && AreDistinct(prefix, predicate->ranges)) {
      ranges = IsFalling(index, next) ? Inverted(predicate->ranges) : predicate->ranges;
      fit.is_bounded = true;
    }
    fit.index.bounds_are_whole =
        next == paths.size() || (next + 1 == paths.size() && fit.is_bounded);
    for (ValueRange& range : ranges) {
      range.lower = Behind(prefix, std::move(range.lower));
      range.upper = Behind(prefix, std::move(range.upper));
    }
    fit.index.ranges = std::move(ranges);
  }

  // Returns whether different ranges stay different in the index, where values are cut.
  static bool AreDistinct(const std::string& prefix, const std::vector<ValueRange>& ranges) {
    return ranges.size() == 1 || std::ranges::all_of(ranges, [&](const ValueRange& range) {
             return range.lower.has_value() &&
                    prefix.size() + range.lower->encoded.size() < gateway::kIndexedBytesMax;
           });
  }

  static std::optional<item::ValueBound> Behind(const std::string& prefix,
                                                std::optional<item::ValueBound> bound) {
    if (!bound.has_value() && prefix.empty()) return std::nullopt;
    if (!bound.has_value()) return item::ValueBound{prefix, true};
    return item::ValueBound{prefix + bound->encoded, bound->inclusive};
  }

  // Returns whether the index gives the wanted order when it is read downwards; nullopt when it
  // gives it in neither direction. A path with one value orders nothing, in index or query.
  std::optional<bool> DirectionOf(const item::NamedIndex& index, const CompositePath& fit) const {
    const std::vector<DocumentPath>& paths = fit.index.paths;
    const std::vector<DocumentPath>& wanted = order_->paths;
    const bool is_multikey = rules_ == MatchRules::kMongo;
    // Of several values the one that orders a document need not be within the bounds.
    if (is_multikey &&
        std::ranges::any_of(wanted, [&](const DocumentPath& path) { return At(path) != nullptr; }))
      return std::nullopt;
    std::optional<bool> downwards;
    size_t met = 0;
    const auto skip = [&] {
      while (met < wanted.size() && HasOneValue(wanted[met])) ++met;
    };
    skip();
    for (size_t i = 0; i < paths.size() && met < wanted.size(); ++i) {
      if (is_multikey ? i < fit.equal.size() : HasOneValue(paths[i])) continue;
      const bool is_turned = order_->descending[met] != IsFalling(index, i);
      if (paths[i] != wanted[met] || downwards.value_or(is_turned) != is_turned)
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
  const MatchRules rules_;
};

// The values of one path in a wildcard index, if it has all that meet the predicate: it has neither
// nothing nor whole objects and arrays.
std::optional<CompositePath> WildcardPathOf(const item::NamedIndex& index,
                                            const Predicate& predicate, model::Order order) {
  std::vector<std::string> steps;
  for (const DocumentPath::Step& step : predicate.path.steps) steps.push_back(step.name);
  if (!item::CoversPath(index, steps)) return std::nullopt;
  const auto encoded = [order](const model::Value& value) {
    return model::EncodeKey({&value, 1}, order);
  };
  const std::string nothing = encoded(model::Value::Undefined());
  const std::string null = encoded(model::Value::Null());
  const char object = encoded(model::Value::Object({})).front();
  const char array = encoded(model::Value::Array({})).front();
  const std::string prefix = item::WildcardPrefix(steps, order);
  CompositePath path;
  path.index.paths = {predicate.path};
  path.index.index = item::NamedIndexId(index.id);
  path.index.is_named = true;
  for (const ValueRange& range : predicate.ranges) {
    if (!range.lower.has_value() || !range.upper.has_value() || range.Contains(nothing) ||
        range.Contains(null))
      return std::nullopt;
    const char type = range.lower->encoded.front();
    // Long paths and values are cut: then ranges might meet.
    const bool is_cut = prefix.size() + range.lower->encoded.size() >= gateway::kIndexedBytesMax;
    if (type == object || type == array || (is_cut && predicate.ranges.size() > 1))
      return std::nullopt;
    path.index.ranges.push_back(
        {item::ValueBound{prefix + range.lower->encoded, range.lower->inclusive},
         item::ValueBound{prefix + range.upper->encoded, range.upper->inclusive}});
  }
  if (predicate.equal.has_value()) {
    path.equal.push_back(predicate.path);
  } else {
    path.is_bounded = true;
  }
  return path;
}

}  // namespace

std::vector<CompositePath> CompositePathsOf(const item::ContainerSchema& schema,
                                            const std::vector<Predicate>& known,
                                            const WantedOrder* order, const Conditions& conditions,
                                            std::span<const Predicate> all) {
  std::vector<CompositePath> paths;
  const bool is_mongo = conditions.rules == MatchRules::kMongo;
  const Fitter fitter(known, order, conditions.rules);
  const size_t paths_min = conditions.rules == MatchRules::kMongo ? 1 : 2;
  for (const item::NamedIndex& index : schema.indexing.named()) {
    const item::IndexId id = item::NamedIndexId(index.id);
    const bool is_wildcard = index.kind == item::IndexKind::kWildcard && is_mongo;
    if ((index.kind != item::IndexKind::kValues && !is_wildcard) ||
        index.paths.size() < paths_min || index.collation != conditions.collation ||
        conditions.hint.value_or(id) != id || !IsBuilt(schema, index))
      continue;
    if (!conditions.hint.has_value() &&
        !HasAllWanted(index, {.all = all, .met = conditions.met}, schema.order))
      continue;
    if (is_wildcard) {
      for (const Predicate& predicate : known) {
        if (auto path = WildcardPathOf(index, predicate, schema.order))
          paths.push_back(*std::move(path));
      }
    } else {
      paths.push_back(fitter.Fit(index));
    }
  }
  return paths;
}

}  // namespace orrery::query
