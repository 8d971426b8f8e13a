#include "query/source/scan_plan.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

#include "gateway/position/named_index_values.h"
#include "model/key/key_codec.h"

namespace orrery::query {
namespace {

using partition::HashRange;

std::unexpected<Error> ForeignPosition() {
  return Fail(Code::kInvalidArgument, "the continuation is not one of this query's");
}

// `ranges`: one or more, rising.
item::IndexRange IndexRangeOf(const IndexPath& path, std::vector<ValueRange> ranges) {
  item::IndexRange index{.index = path.index,
                         .lower = std::move(ranges.front().lower),
                         .upper = std::move(ranges.front().upper),
                         .descending = path.descending};
  for (ValueRange& range : std::span(ranges).subspan(1))
    index.further.push_back({std::move(range.lower), std::move(range.upper)});
  return index;
}

class ScanPlanner {
 public:
  ScanPlanner(const AccessPath& path, const ScanScope& scope, const item::ContainerSchema& schema)
      : path_(path), scope_(scope), range_(scope.range.value_or(HashRange())) {
    key_ = scope.partition_key.has_value() ? scope.partition_key : path.partition_key;
    is_whole_key_ = key_.has_value() && key_->size() == schema.partition_key_paths.size();
    order_ = schema.order;
    hashing_ = schema.hashing;
    is_of_key_ = path.index.has_value() && !path.index->is_named &&
                 !schema.partition_key_paths.empty() &&
                 path.index->paths.front().IsAt(schema.partition_key_paths.front().steps());
  }

  // One stream in ring order.
  ScanStream InRingOrder(const std::optional<ScanPosition>& resume) const {
    ScanStream stream;
    const auto add = [&](gateway::ScanSpec spec) {
      spec.descending = path_.row_keys_descend;
      if (resume.has_value() && !NarrowToResume(spec, *resume, spec.descending)) return;
      if (spec.row_key_lower.has_value() && spec.row_key_upper.has_value() &&
          !spec.row_key_upper->empty() && *spec.row_key_lower >= *spec.row_key_upper)
        return;
      stream.push_back({.spec = std::move(spec), .resume = resume, .not_value = {}});
    };
    for (size_t i = 0; i < path_.row_keys.size(); ++i) {
      const size_t at = path_.row_keys_descend ? path_.row_keys.size() - 1 - i : i;
      gateway::ScanSpec spec = SpecOf(range_);
      NarrowToRowKeys(path_.row_keys[at], spec);
      add(std::move(spec));
    }
    if (!path_.row_keys.empty()) return stream;
    gateway::ScanSpec spec = SpecOf(range_);
    if (path_.row_key.has_value()) {
      std::string encoded = model::EncodeKey({&*path_.row_key, 1}, order_);
      spec.row_key_upper = item::PrefixEnd(encoded);
      spec.row_key_lower = std::move(encoded);
    }
    add(std::move(spec));
    return stream;
  }

  // One stream of the nearest, of what is in `part` of the ring.
  Result<ScanStream> NearestNeighbours(const HashRange& part,
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

  // Returns whether one stream has all documents in order: they are of one logical partition, or of
  // one value, or of values that are each in one place of the ring.
  bool IsOneStream() const {
    if (is_whole_key_) return true;
    if (path_.nearest.has_value()) return false;
    return path_.index->has_single_values() && (is_of_key_ || path_.index->ranges.size() == 1);
  }

  // One stream in index order, of what is in `part` of the ring.
  Result<ScanStream> InIndexOrder(const HashRange& part,
                                  const std::optional<ScanPosition>& resume) const {
    const IndexPath& index = *path_.index;
    std::vector<ValueRange> ranges = index.ranges;
    if (index.descending) std::ranges::reverse(ranges);
    ScanStream stream;
    if (resume.has_value()) {
      const auto left = std::ranges::find_if(
          ranges, [&](const ValueRange& range) { return !IsBefore(range, resume->value); });
      ranges.erase(ranges.begin(), left);
      if (!ranges.empty() && ranges.front().Contains(resume->value))
        AddResumed(part, *resume, ranges, stream);
      if (ranges.empty()) return stream;
    }
    if (!is_of_key_ || !index.has_single_values()) {
      ScanStep step{.spec = SpecOf(part, std::move(ranges)), .resume = {}, .not_value = {}};
      if (resume.has_value()) step.not_value = resume->value;
      stream.push_back(std::move(step));
      return stream;
    }
    for (const ValueRange& range : ranges) {
      const auto narrowed = NarrowToValue(part, range);
      if (!narrowed.has_value()) continue;
      stream.push_back({.spec = SpecOf(*narrowed, {range}), .resume = {}, .not_value = {}});
    }
    return stream;
  }

  // One stream of what the index has, partition by partition.
  ScanStream InAnyOrder() const {
    ScanStep step{.spec = SpecOf(range_), .resume = {}, .not_value = {}};
    step.spec.index = IndexRangeOf(*path_.index, path_.index->ranges);
    return {std::move(step)};
  }

 private:
  // Bounds of indexes may be cut where row keys are not: then they count as inclusive. What is at a
  // lower bound that is not wanted is left to the conditions.
  static void NarrowToRowKeys(const ValueRange& keys, gateway::ScanSpec& spec) {
    if (keys.lower.has_value()) spec.row_key_lower = keys.lower->encoded;
    if (!keys.upper.has_value()) return;
    const bool is_exact =
        !keys.upper->inclusive && keys.upper->encoded.size() < gateway::kIndexedBytesMax;
    spec.row_key_upper = is_exact ? keys.upper->encoded : item::PrefixEnd(keys.upper->encoded);
  }

  // Returns whether all of the range was given when documents of `value` were.
  bool IsBefore(const ValueRange& range, std::string_view value) const {
    if (range.Contains(value)) return false;
    // Not within it, so that a bound at the value itself leaves it out.
    const auto& end = path_.index->descending ? range.lower : range.upper;
    if (!end.has_value()) return false;
    return path_.index->descending ? end->encoded >= value : end->encoded <= value;
  }

  // A value of the partition key itself, or of the first of a hierarchical one, is in one place of
  // the ring only. Nothing when that is outside of `part`.
  std::optional<HashRange> NarrowToValue(const HashRange& part, const ValueRange& values) const {
    if (!is_of_key_ || !path_.index->IsOneValue(values) ||
        values.lower->encoded.size() >= gateway::kIndexedBytesMax)
      return part;
    const auto key = model::DecodeKey(values.lower->encoded);
    if (!key.has_value() || key->size() != 1) return part;
    const auto range = partition::RangeOfPrefix(hashing_, *key);
    if (!range.has_value()) return part;
    return part.Intersect(*range);
  }

  // Adds what is left of the position's value. Leaves in `ranges` the values behind it.
  void AddResumed(const HashRange& part, const ScanPosition& resume,
                  std::vector<ValueRange>& ranges, ScanStream& stream) const {
    const bool descending = path_.index->descending;
    const item::ValueBound at{resume.value, true};
    gateway::ScanSpec same = SpecOf(NarrowToValue(part, {at, at}).value_or(part), {{at, at}});
    if (NarrowToResume(same, resume, descending))
      stream.push_back({.spec = std::move(same), .resume = resume, .not_value = {}});
    if (path_.index->IsOneValue(ranges.front())) {
      ranges.erase(ranges.begin());
      return;
    }
    auto& bound = descending ? ranges.front().upper : ranges.front().lower;
    bound = item::ValueBound{resume.value, false};
  }

  // Leaves out what lies before the position. False when nothing is left.
  bool NarrowToResume(gateway::ScanSpec& spec, const ScanPosition& resume, bool descending) const {
    if (scope_.ties != nullptr) {
      const HashRange bucket = scope_.ties->BucketOf(resume.key.hash);
      const auto left =
          spec.range->Intersect(descending ? HashRange::Inclusive(Hash128::Min(), bucket.last())
                                           : HashRange::Inclusive(bucket.begin(), Hash128::Max()));
      if (left.has_value()) spec.range = *left;
      return left.has_value();
    }
    if (is_whole_key_ && model::EncodeKey(*key_, order_) == resume.key.partition_key) {
      if (descending) {
        const std::string upper = resume.key.row_key + '\0';
        if (!spec.row_key_upper.has_value() || spec.row_key_upper->empty() ||
            upper < *spec.row_key_upper)
          spec.row_key_upper = upper;
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
  // `ranges`: one or more, in the direction of the index.
  gateway::ScanSpec SpecOf(const HashRange& part, std::vector<ValueRange> ranges) const {
    gateway::ScanSpec spec = SpecOf(part);
    if (path_.index->descending) std::ranges::reverse(ranges);
    spec.index = IndexRangeOf(*path_.index, std::move(ranges));
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

// Returns whether a scan of the index can have come to the position. A position of a scan without
// the index, or of another index, cannot be continued in this one. In an order, conditions may have
// become narrower since: clients that merge partitions send such.
bool IsPositionIn(const IndexPath& index, const ScanPosition& position, bool is_ordered) {
  if (position.value.empty()) return false;
  return is_ordered || std::ranges::any_of(index.ranges, [&](const ValueRange& range) {
           return range.Contains(position.value);
         });
}

bool IsUnranked(const std::optional<ScanPosition>& position) {
  return position.has_value() && position->value.starts_with(kUnranked);
}

// Plans the documents that have no place among the nearest, as if that order were not asked for.
Result<std::vector<ScanStream>> PlanUnranked(AccessPath path, const ScanScope& scope,
                                             const item::ContainerSchema& schema,
                                             const std::vector<HashRange>& partitions,
                                             std::optional<ScanPosition> resume) {
  path.nearest.reset();
  if (path.unranked.has_value()) path.index = std::move(path.unranked);
  if (IsUnranked(resume)) {
    resume->value.erase(0, kUnranked.size());
  } else {
    resume.reset();
  }
  ORRERY_ASSIGN(std::vector<ScanStream> streams,
                PlanScans(path, scope, schema, partitions, resume));
  for (ScanStream& stream : streams)
    for (ScanStep& step : stream) step.is_unranked = true;
  return streams;
}

Result<std::vector<ScanStream>> PlanInOrder(const AccessPath& path, const ScanScope& scope,
                                            const item::ContainerSchema& schema,
                                            const std::vector<HashRange>& partitions,
                                            const std::optional<ScanPosition>& resume) {
  const ScanPlanner planner(path, scope, schema);
  std::vector<ScanStream> streams;
  const auto in_order = [&](const HashRange& part) {
    return path.nearest.has_value() ? planner.NearestNeighbours(part, resume)
                                    : planner.InIndexOrder(part, resume);
  };
  const HashRange whole = scope.range.value_or(HashRange());
  if (scope.streams == ScanScope::Streams::kOne && !planner.IsOneStream()) {
    streams.push_back(planner.InAnyOrder());
    return streams;
  }
  if (planner.IsOneStream() || partitions.empty()) {
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

bool IsFullScan(const AccessPath& path, const ScanScope& scope) {
  return !path.row_key.has_value() && path.index_union.empty() && !path.partition_key.has_value() &&
         !scope.partition_key.has_value();
}

std::vector<ScanStream> PlanEachPartition(const AccessPath& path, ScanScope scope,
                                          const item::ContainerSchema& schema,
                                          const std::vector<HashRange>& partitions) {
  const HashRange whole = scope.range.value_or(HashRange());
  std::vector<ScanStream> streams;
  for (const HashRange& partition : partitions) {
    scope.range = partition.Intersect(whole);
    if (scope.range.has_value())
      streams.push_back(ScanPlanner(path, scope, schema).InRingOrder(std::nullopt));
  }
  return streams;
}

}  // namespace

Result<std::vector<ScanStream>> PlanScans(const AccessPath& path, const ScanScope& scope,
                                          const item::ContainerSchema& schema,
                                          const std::vector<HashRange>& partitions,
                                          const std::optional<ScanPosition>& resume) {
  if (!path.uses_index() || path.row_key.has_value() || !path.index_union.empty()) {
    if (resume.has_value() && !resume->value.empty()) return ForeignPosition();
    if (scope.streams == ScanScope::Streams::kOneOfEachPartition && !partitions.empty() &&
        !resume.has_value() && IsFullScan(path, scope))
      return PlanEachPartition(path, scope, schema, partitions);
    return std::vector<ScanStream>{ScanPlanner(path, scope, schema).InRingOrder(resume)};
  }
  if (resume.has_value() && path.read_index() != nullptr &&
      !IsPositionIn(*path.read_index(), *resume, path.is_ordered))
    return ForeignPosition();
  std::vector<ScanStream> streams;
  if (!path.nearest.has_value() || !IsUnranked(resume)) {
    ORRERY_ASSIGN(streams, PlanInOrder(path, scope, schema, partitions, resume));
  }
  if (!path.nearest.has_value()) return streams;
  ORRERY_ASSIGN(std::vector<ScanStream> unranked,
                PlanUnranked(path, scope, schema, partitions, resume));
  std::ranges::move(unranked, std::back_inserter(streams));
  return streams;
}

std::vector<gateway::ScanSpec> UnionScansOf(const AccessPath& path, const gateway::ScanSpec& scan) {
  std::vector<gateway::ScanSpec> scans;
  for (const IndexPath& index : path.index_union) {
    gateway::ScanSpec& spec = scans.emplace_back(scan);
    spec.index = IndexRangeOf(index, index.ranges);
    spec.index_only = true;
  }
  return scans;
}

}  // namespace orrery::query
