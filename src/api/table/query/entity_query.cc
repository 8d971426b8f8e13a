#include "api/table/query/entity_query.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "api/table/entity/stored_entity.h"
#include "api/table/filter/stored_properties.h"
#include "api/table/query/query_plan.h"
#include "gateway/view/partition_ranges.h"
#include "model/key/key_codec.h"
#include "query/source/gateway_source.h"
#include "query/source/index_union.h"
#include "query/source/scan_plan.h"

namespace orrery::table {
namespace {

// A page is begun again when a partition split under it; more often in a row is no accident.
constexpr int kRunsMax = 3;
constexpr size_t kExaminedMax = 50'000;
constexpr Micros kPageTimeMax = std::chrono::seconds(5);
// More keys than these are not sorted for one page.
constexpr query::UnionLimits kGatherLimits = {.keys_max = 20'000, .skipped_max = 64'000};
constexpr size_t kFetchedAtOnce = 256;

// Entities are taken as they are stored.
class NoShape final : public query::DocumentShaper {
 public:
  bool reads_document() const override { return true; }
  model::Value Shape(const item::ScannedItem&) const override { return {}; }
};

std::optional<std::string> DecodedKey(std::string_view encoded) {
  const auto values = model::DecodeKey(encoded);
  if (!values.has_value() || values->size() != 1 || values->front().kind() != model::Kind::kString)
    return std::nullopt;
  return values->front().AsString();
}

EntityPosition PositionOf(const item::ItemKey& key, bool is_scan) {
  return {.partition_key = DecodedKey(key.partition_key).value_or(""),
          .row_key = DecodedKey(key.row_key).value_or(""),
          .is_scan = is_scan};
}

class QueryRun {
 public:
  QueryRun(gateway::Gateway& gateway, const Clock& clock, const RequestContext& context,
           const EntityQuery& query, EntitySink& sink)
      : gateway_(gateway),
        clock_(clock),
        context_(context),
        query_(query),
        sink_(sink),
        began_(clock.Monotonic()) {}

  Outcome<EntityPage> Run() {
    TABLE_ASSIGN(const QueryPlan plan, PlanQuery(query_));
    if (plan.is_empty() || query_.rows_max == 0) return page_;
    if (const auto row_key = plan.single_row_key()) return ReadOne(*plan.partition_key, *row_key);
    if (plan.index.has_value()) {
      TABLE_ASSIGN(const bool is_done, RunByIndex(plan));
      if (is_done) return page_;
    }
    TABLE_TRY(RunInOrder(plan));
    return page_;
  }

 private:
  const item::ContainerSchema& schema() const { return *query_.container->schema; }

  bool IsWanted(model::DocumentView document, Micros time) const {
    if (!query_.scope.Contains(KeyOf(document, kPartitionKeyField), KeyOf(document, kRowKeyField)))
      return false;
    return query_.filter == nullptr || Holds(*query_.filter, StoredProperties(document, time));
  }

  // Gives an entity to the sink, if it is wanted. False when the page is full with it.
  bool Take(model::DocumentView document, Micros time) {
    if (!IsWanted(document, time)) return true;
    const size_t bytes = sink_.Add(document, time);
    return ++page_.rows < query_.rows_max && bytes < kPageBytesMax;
  }

  bool IsLate() const { return clock_.Monotonic() - began_ > kPageTimeMax; }

  Outcome<EntityPage> ReadOne(const std::string& partition_key, const std::string& row_key) {
    const gateway::ReadResponse read =
        gateway_.Read(query_.container, {model::Value::String(partition_key)},
                      model::Value::String(row_key), storage::ReadMode::kMayBlock);
    page_.charge += read.charge;
    if (read.status.has_value()) {
      if (!IsBefore(partition_key, row_key)) Take(read.item.document, read.item.time);
    } else if (read.status.error().code() != Code::kNotFound) {
      return Fail(read.status.error());
    }
    return page_;
  }

  // Whether the page before had this entity.
  bool IsBefore(std::string_view partition_key, std::string_view row_key) const {
    if (!query_.after.has_value()) return false;
    const EntityPosition& after = *query_.after;
    if (partition_key != after.partition_key) return partition_key < after.partition_key;
    return after.row_key.has_value() && row_key <= *after.row_key;
  }

  // Where the last page ended, on the ring and in the index.
  Result<std::optional<query::ScanPosition>> Resume(const query::AccessPath& path) const {
    if (!query_.after.has_value()) return std::nullopt;
    const EntityPosition& after = *query_.after;
    const model::Value partition_key = model::Value::String(after.partition_key);
    ORRERY_ASSIGN(const gateway::RoutedKey routed,
                  gateway_.RoutePartitionKey(*query_.container, {partition_key}));
    query::ScanPosition position;
    position.key.hash = routed.hash;
    position.key.partition_key = routed.encoded;
    ORRERY_ASSIGN(
        position.key.row_key,
        gateway_.EncodeRowKey(*query_.container, model::Value::String(after.row_key.value_or(""))));
    if (!after.row_key.has_value()) position.resume = query::DocumentSource::Resume::kWith;
    if (path.index.has_value()) {
      position.value = routed.encoded;
      if (!schema().indexing.KeepsWhole(path.index->index))
        position.value.resize(std::min(position.value.size(), gateway::kIndexedBytesMax));
    }
    return position;
  }

  Outcome<void> RunInOrder(const QueryPlan& plan) {
    for (int run = 1;; ++run) {
      const auto done = TryInOrder(plan);
      const bool is_moved =
          !done.has_value() && done.error().code() == Code::kMoved && page_.rows == 0;
      if (is_moved && run < kRunsMax) continue;
      if (!done.has_value()) return Fail(done.error());
      return {};
    }
  }

  Status TryInOrder(const QueryPlan& plan) {
    const query::AccessPath& path = plan.ordered;
    ORRERY_ASSIGN(const auto resume, Resume(path));
    ORRERY_ASSIGN(
        std::vector<query::ScanStream> streams,
        query::PlanScans(path, {.partition_key = path.partition_key, .range = {}, .session = {}},
                         schema(), gateway::PartitionRanges(gateway_, *query_.container), resume));
    if (plan.partition_key.has_value()) NarrowRows(plan, streams);
    const NoShape shaper;
    query::GatewaySource source({.gateway = gateway_,
                                 .container = query_.container,
                                 .path = path,
                                 .shaper = shaper,
                                 .rows_wanted = query_.rows_max,
                                 .examined_max = kExaminedMax},
                                std::move(streams));
    const Status status = TakeFrom(source);
    page_.charge += source.metrics().charge;
    return status;
  }

  Status TakeFrom(query::GatewaySource& source) {
    StopCheck stop(context_);
    while (true) {
      if (stop.Step()) return context_.Check();
      ORRERY_ASSIGN(const bool found, source.Next());
      if (!found) {
        if (source.paused()) SetNext();
        return {};
      }
      const item::ScannedItem& item = source.item();
      last_ = item.key;
      if (!Take(item.document, item.time) || IsLate()) {
        if (!source.exhausted()) SetNext();
        return {};
      }
    }
  }

  // Has the next page go on behind what was looked at.
  void SetNext() {
    if (last_.has_value()) page_.next = PositionOf(*last_, /*is_scan=*/true);
  }

  // Within one partition only rows between the first and the last that may be wanted are read.
  static void NarrowRows(const QueryPlan& plan, std::vector<query::ScanStream>& streams) {
    const auto encode = [](const std::string& key) {
      const model::Value value = model::Value::String(key);
      return model::EncodeKey({&value, 1}, model::Order::kSql);
    };
    const std::string lower = encode(plan.row_keys.intervals().front().lower);
    const auto& upper = plan.row_keys.intervals().back().upper;
    for (query::ScanStream& stream : streams) {
      for (query::ScanStep& step : stream) {
        step.spec.row_key_lower = std::max(step.spec.row_key_lower.value_or(""), lower);
        if (!upper.has_value()) continue;
        const std::string end = encode(*upper);
        step.spec.row_key_upper = std::min(step.spec.row_key_upper.value_or(end), end);
      }
    }
  }

  // False if the index finds too many.
  Outcome<bool> RunByIndex(const QueryPlan& plan) {
    TABLE_ASSIGN(auto keys, GatherKeys(plan));
    if (!keys.has_value()) return false;
    for (size_t next = 0; next < keys->size();) {
      TABLE_TRY(context_.Check());
      const size_t wanted =
          std::min(std::max<size_t>(query_.rows_max - page_.rows, 16), kFetchedAtOnce);
      const size_t end = std::min(next + wanted, keys->size());
      TABLE_ASSIGN(const auto found, Fetch(std::span(*keys).subspan(next, end - next)));
      for (; next < end; ++next) {
        const auto item = found.find(query::RingOrder((*keys)[next]));
        if (item == found.end()) continue;  // gone since
        if (Take(item->second.document, item->second.time)) continue;
        if (next + 1 < keys->size()) page_.next = PositionOf((*keys)[next], /*is_scan=*/false);
        return true;
      }
      if (IsLate() && next < keys->size()) {
        page_.next = PositionOf((*keys)[next - 1], /*is_scan=*/false);
        return true;
      }
    }
    return true;
  }

  // The keys that the index finds behind the last page, in order.
  Result<std::optional<std::vector<item::ItemKey>>> GatherKeys(const QueryPlan& plan) {
    const query::AccessPath& path = *plan.index;
    ORRERY_ASSIGN(
        std::vector<query::ScanStream> streams,
        query::PlanScans(path, {.partition_key = path.partition_key, .range = {}, .session = {}},
                         schema(), gateway::PartitionRanges(gateway_, *query_.container),
                         std::nullopt));
    query::SourceMetrics metrics;
    std::vector<item::ItemKey> keys;
    for (const query::ScanStream& stream : streams) {
      auto found = query::NarrowToUnion(path, stream, gateway_, query_.container, query_.rows_max,
                                        metrics, kGatherLimits);
      page_.charge += std::exchange(metrics, {}).charge;
      if (!found.has_value()) return Fail(std::move(found).error());
      if (!found->has_value()) return std::nullopt;
      for (const query::ScanStep& step : **found)
        for (const item::ItemKey& key : *step.spec.keys) AddKey(plan, key, keys);
    }
    std::ranges::sort(keys, [](const item::ItemKey& a, const item::ItemKey& b) {
      return std::tie(a.partition_key, a.row_key) < std::tie(b.partition_key, b.row_key);
    });
    return keys;
  }

  void AddKey(const QueryPlan& plan, const item::ItemKey& key,
              std::vector<item::ItemKey>& keys) const {
    const auto partition_key = DecodedKey(key.partition_key);
    const auto row_key = DecodedKey(key.row_key);
    if (!partition_key.has_value() || !row_key.has_value()) return;
    const auto contains = [&](const KeyInterval& interval) {
      return interval.Contains(*partition_key);
    };
    if (!std::ranges::any_of(plan.partition_keys.intervals(), contains)) return;
    if (!IsBefore(*partition_key, *row_key)) keys.push_back(key);
  }

  Result<std::map<std::string, item::ScannedItem>> Fetch(std::span<const item::ItemKey> keys) {
    gateway::ScanSpec spec;
    spec.keys = std::make_shared<const std::vector<item::ItemKey>>(keys.begin(), keys.end());
    spec.limits = {.items_max = keys.size(), .bytes_max = SIZE_MAX, .examined_max = SIZE_MAX};
    spec.goes_on = true;
    std::map<std::string, item::ScannedItem> found;
    std::string continuation;
    do {
      ORRERY_ASSIGN(gateway::ScanResponse page,
                    gateway_.Scan(query_.container, spec, continuation));
      page_.charge += page.charge;
      for (item::ScannedItem& item : page.items) {
        std::string place = query::RingOrder(item.key);
        found.emplace(std::move(place), std::move(item));
      }
      continuation = std::move(page.continuation);
    } while (!continuation.empty());
    return found;
  }

  gateway::Gateway& gateway_;
  const Clock& clock_;
  const RequestContext& context_;
  const EntityQuery& query_;
  EntitySink& sink_;
  const Micros began_;
  EntityPage page_;
  std::optional<item::ItemKey> last_;  // that was looked at
};

}  // namespace

Outcome<EntityPage> RunEntityQuery(gateway::Gateway& gateway, const Clock& clock,
                                   const RequestContext& context, const EntityQuery& query,
                                   EntitySink& sink) {
  return QueryRun(gateway, clock, context, query, sink).Run();
}

}  // namespace orrery::table
