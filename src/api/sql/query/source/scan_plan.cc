#include "api/sql/query/source/scan_plan.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "model/key/key_codec.h"

namespace orrery::sql {
namespace {

using partition::HashRange;

std::unexpected<Error> ForeignPosition() {
  return Fail(Code::kInvalidArgument, "the continuation is not one of this query's");
}

class ScanPlanner {
 public:
  ScanPlanner(const AccessPath& path, const ScanScope& scope, const item::ContainerSchema& schema)
      : path_(path), scope_(scope), range_(scope.range.value_or(HashRange())) {
    key_ = scope.partition_key.has_value() ? scope.partition_key : path.partition_key;
    is_whole_key_ = key_.has_value() && key_->size() == schema.partition_key_paths.size();
    order_ = schema.order;
    hashing_ = schema.hashing;
    is_of_key_ = path.index.has_value() && !path.index->is_named() &&
                 !schema.partition_key_paths.empty() &&
                 IsAt(path.index->places.front(), schema.partition_key_paths.front());
  }

  // One stream in ring order.
  ScanStream InRingOrder(const std::optional<ScanPosition>& resume) const {
    ScanStep step{.spec = SpecOf(range_), .resume = resume, .not_value = {}};
    if (path_.row_key.has_value()) {
      std::string encoded = model::EncodeKey({&*path_.row_key, 1}, order_);
      step.spec.row_key_upper = item::PrefixEnd(encoded);
      step.spec.row_key_lower = std::move(encoded);
    }
    if (!resume.has_value()) return {std::move(step)};
    if (!NarrowToResume(step.spec, *resume, /*descending=*/false)) return {};
    return {std::move(step)};
  }

  // One stream by nearness, of what is in `part` of the ring.
  Result<ScanStream> ByNearness(const HashRange& part,
                                const std::optional<ScanPosition>& resume) const {
    ScanStep step{.spec = SpecOf(part), .resume = {}, .not_value = {}};
    step.spec.nearest = path_.nearest->search;
    if (!resume.has_value()) return ScanStream{std::move(step)};
    auto search = *path_.nearest->search;
    const auto rank = item::DecodeRank(resume->value);
    if (!rank.has_value()) return ForeignPosition();
    search.after = {.rank = *rank,
                    .key = resume->key,
                    .with_item = resume->resume == DocumentSource::Resume::kWith};
    step.spec.nearest = std::make_shared<const item::NearestSearch>(std::move(search));
    return ScanStream{std::move(step)};
  }

  bool is_whole_key() const { return is_whole_key_; }

  // One stream in index order, of what is in `part` of the ring.
  Result<ScanStream> InIndexOrder(const HashRange& part,
                                  const std::optional<ScanPosition>& resume) const {
    const IndexPath& index = *path_.index;
    std::vector<ValueRange> ranges = index.ranges;
    if (index.descending) std::ranges::reverse(ranges);
    ScanStream stream;
    size_t first = 0;
    if (resume.has_value()) {
      while (first < ranges.size() && !ranges[first].Meets(resume->value)) ++first;
      if (first == ranges.size()) return ForeignPosition();
      AddResumed(ranges[first++], part, *resume, stream);
    }
    for (; first < ranges.size(); ++first) {
      const auto narrowed = NarrowToValue(part, ranges[first]);
      if (!narrowed.has_value()) continue;
      stream.push_back({.spec = SpecOf(*narrowed, ranges[first]), .resume = {}, .not_value = {}});
    }
    return stream;
  }

 private:
  static bool IsAt(const Place& place, const model::Path& path) {
    return std::ranges::equal(place.steps, path.steps(),
                              [](const Place::Step& step, const std::string& name) {
                                return !step.is_element && step.name == name;
                              });
  }

  // A value of the partition key itself, or of the first of a hierarchical one, is in one place of
  // the ring only. Nothing when that is outside of `part`.
  std::optional<HashRange> NarrowToValue(const HashRange& part, const ValueRange& values) const {
    if (!is_of_key_ || !path_.index->IsOneValue(values) ||
        values.lower->encoded.size() >= kIndexedBytesMax)
      return part;
    const auto key = model::DecodeKey(values.lower->encoded);
    if (!key.has_value() || key->size() != 1) return part;
    const auto range = partition::RangeOfPrefix(hashing_, *key);
    if (!range.has_value()) return part;
    return part.Intersect(*range);
  }

  // First what is left of the position's value, then the values behind it.
  void AddResumed(const ValueRange& range, const HashRange& part, const ScanPosition& resume,
                  ScanStream& stream) const {
    const bool descending = path_.index->descending;
    const item::ValueBound at{resume.value, true};
    gateway::ScanSpec same = SpecOf(NarrowToValue(part, {at, at}).value_or(part), {at, at});
    if (NarrowToResume(same, resume, descending))
      stream.push_back({.spec = std::move(same), .resume = resume, .not_value = {}});
    if (path_.index->IsOneValue(range)) return;
    ValueRange behind = range;
    (descending ? behind.upper : behind.lower) = item::ValueBound{resume.value, false};
    stream.push_back({.spec = SpecOf(part, behind), .resume = {}, .not_value = resume.value});
  }

  // Leaves out what lies before the position. False when nothing is left.
  bool NarrowToResume(gateway::ScanSpec& spec, const ScanPosition& resume, bool descending) const {
    if (is_whole_key_) {
      if (descending) {
        spec.row_key_upper = resume.key.row_key + '\0';
      } else {
        spec.row_key_lower = std::max(spec.row_key_lower.value_or(""), resume.key.row_key);
      }
      return true;
    }
    const Hash128 at = resume.key.hash;
    const auto left = spec.range->Intersect(descending ? HashRange::Inclusive(Hash128::Min(), at)
                                                       : HashRange::Inclusive(at, Hash128::Max()));
    if (left.has_value()) spec.range = *left;
    return left.has_value();
  }

  gateway::ScanSpec SpecOf(const HashRange& part) const {
    gateway::ScanSpec spec;
    spec.partition_key = key_;
    spec.range = part;
    spec.session = scope_.session;
    return spec;
  }
  gateway::ScanSpec SpecOf(const HashRange& part, const ValueRange& values) const {
    gateway::ScanSpec spec = SpecOf(part);
    spec.index = item::IndexRange{.index = path_.index->index,
                                  .lower = values.lower,
                                  .upper = values.upper,
                                  .descending = path_.index->descending};
    return spec;
  }

  const AccessPath& path_;
  const ScanScope& scope_;
  const HashRange range_;
  std::optional<gateway::KeyValues> key_;
  bool is_whole_key_ = false;
  model::Order order_ = model::Order::kSql;
  partition::KeyHashing hashing_ = partition::KeyHashing::kV2;
  bool is_of_key_ = false;  // the index is that of the partition key's first path
};

}  // namespace

Result<std::vector<ScanStream>> PlanScans(const AccessPath& path, const ScanScope& scope,
                                          const item::ContainerSchema& schema,
                                          const std::vector<HashRange>& partitions,
                                          const std::optional<ScanPosition>& resume) {
  const ScanPlanner planner(path, scope, schema);
  std::vector<ScanStream> streams;
  const auto in_order = [&](const HashRange& part) {
    return path.nearest.has_value() ? planner.ByNearness(part, resume)
                                    : planner.InIndexOrder(part, resume);
  };
  if (!path.uses_index() || path.row_key.has_value()) {
    if (resume.has_value() && !resume->value.empty()) return ForeignPosition();
    streams.push_back(planner.InRingOrder(resume));
    return streams;
  }
  const HashRange whole = scope.range.value_or(HashRange());
  const bool is_one_stream =
      path.nearest.has_value() ? planner.is_whole_key() : path.index->has_single_values();
  if (is_one_stream || partitions.empty()) {
    ORRERY_ASSIGN(ScanStream stream, in_order(whole));
    streams.push_back(std::move(stream));
    return streams;
  }
  for (const HashRange& partition : partitions) {
    const auto part = partition.Intersect(whole);
    if (!part.has_value()) continue;
    ORRERY_ASSIGN(ScanStream stream, in_order(*part));
    streams.push_back(std::move(stream));
  }
  return streams;
}

}  // namespace orrery::sql
