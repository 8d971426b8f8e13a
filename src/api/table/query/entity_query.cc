#include "api/table/query/entity_query.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "api/table/entity/stored_entity.h"
#include "api/table/filter/stored_properties.h"
#include "api/table/query/query_plan.h"
#include "base/has_code.h"
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
// The same of a page that is made on an event loop.
constexpr query::UnionLimits kGatherLimitsInMemory = {.keys_max = 100, .skipped_max = 4'000};

// Entities are taken as they are stored.
class NoShape final : public query::DocumentShaper {
 public:
  bool reads_document() const override { return true; }
  model::Value Shape(const item::ScannedItem&) const override { return {}; }
};

// Returns whether an encoded key is a string, or begins with one.
bool BeginsWithString(std::string_view encoded) {
  const model::Value empty = model::Value::String("");
  static const char kClass = model::EncodeKey({&empty, 1}, model::Order::kSql).front();
  return !encoded.empty() && encoded.front() == kClass;
}

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
           const EntityQuery& query, EntitySink& sink, storage::ReadMode mode)
      : gateway_(gateway),
        clock_(clock),
        context_(context),
        query_(query),
        sink_(sink),
        mode_(mode),
        is_scoped_(query.scope.is_limited()),
        began_(clock.Monotonic()) {}

  Outcome<EntityPage> Run() {
    TABLE_ASSIGN(const QueryPlan plan, PlanQuery(query_));
    if (plan.is_empty() || query_.rows_max == 0) return page_;
    if (const auto row_key = plan.single_row_key()) return ReadOne(*plan.partition_key, *row_key);
    if (plan.index.has_value()) {
      TABLE_ASSIGN(const bool is_done, RunByIndex(plan));
      if (is_done) return page_;
    }
    if (mode_ == storage::ReadMode::kCachedOnly) {
      would_block_ = true;
      return page_;
    }
    TABLE_TRY(RunInOrder(plan));
    return page_;
  }
  // Returns whether the page is worthless, because Run() would have had to block.
  bool would_block() const { return would_block_; }

 private:
  template <typename T>
  Result<T> Noted(Result<T> result) {
    would_block_ = would_block_ || HasCode(result, Code::kWouldBlock);
    return result;
  }

  const item::ContainerSchema& schema() const { return *query_.container->schema; }

  bool IsWanted(model::DocumentView document, Micros time) const {
    if (is_scoped_ && !query_.scope.Contains(KeyOf(document, kPartitionKeyField), KeyOf(document, kRowKeyField)))
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
                      model::Value::String(row_key), mode_);
    page_.charge += read.charge;
    if (read.status.has_value()) {
      if (!IsBefore(partition_key, row_key)) Take(read.item.document, read.item.time);
    } else if (read.status.error().code() != Code::kNotFound) {
      would_block_ = read.status.error().code() == Code::kWouldBlock;
      return Fail(read.status.error());
    }
    return page_;
  }

  // Returns whether the page before had this entity.
  bool IsBefore(std::string_view partition_key, std::string_view row_key) const {
    if (!query_.after.has_value()) return false;
    const EntityPosition& after = *query_.after;
    if (partition_key != after.partition_key) return partition_key < after.partition_key;
    return after.row_key.has_value() && row_key <= *after.row_key;
  }

  // Returns where the last page ended, on the ring and in the index.
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

  using Keys = std::vector<item::ItemKey>;

  // As entities are ordered.
  static auto OrderOf(const item::ItemKey& key) {
    return std::tie(key.partition_key, key.row_key);
  }

  // False if the index finds too many.
  Outcome<bool> RunByIndex(const QueryPlan& plan) {
    TABLE_ASSIGN(auto gathered, Noted(GatherKeys(plan)));
    if (!gathered.has_value()) return false;
    const auto keys = std::make_shared<const Keys>(*std::move(gathered));
    for (size_t next = 0; next < keys->size();) {
      TABLE_TRY(context_.Check());
      const size_t wanted =
          std::min(std::max<size_t>(query_.rows_max - page_.rows, 16), kFetchedAtOnce);
      const size_t end = std::min(next + wanted, keys->size());
      TABLE_ASSIGN(const auto found, Noted(Fetch(keys, next, end)));
      auto item = found.begin();
      for (; next < end; ++next) {
        const item::ItemKey& key = (*keys)[next];
        if (item == found.end() || OrderOf(item->key) != OrderOf(key)) continue;  // gone since
        if (Take(item->document, item->time)) {
          ++item;
          continue;
        }
        if (next + 1 < keys->size()) page_.next = PositionOf(key, /*is_scan=*/false);
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
  Result<std::optional<Keys>> GatherKeys(const QueryPlan& plan) {
    const query::AccessPath& path = *plan.index;
    ORRERY_ASSIGN(
        std::vector<query::ScanStream> streams,
        query::PlanScans(path, {.partition_key = path.partition_key, .range = {}, .session = {}},
                         schema(), gateway::PartitionRanges(gateway_, *query_.container),
                         std::nullopt));
    const auto& limits =
        mode_ == storage::ReadMode::kMayBlock ? kGatherLimits : kGatherLimitsInMemory;
    query::SourceMetrics metrics;
    Keys keys;
    for (const query::ScanStream& stream : streams) {
      for (const query::ScanStep& step : stream) {
        auto found = query::FindUnionKeys(path, step, gateway_, query_.container, metrics, limits,
                                          mode_);
        page_.charge += std::exchange(metrics, {}).charge;
        if (!found.has_value()) return Fail(std::move(found).error());
        if (!found->has_value()) return std::nullopt;
        if (keys.empty()) {
          keys = **std::move(found);
        } else {
          std::ranges::move(**found, std::back_inserter(keys));
        }
      }
    }
    std::erase_if(keys, [&](const item::ItemKey& key) { return !MayBeWanted(plan, key); });
    std::ranges::sort(keys, {}, OrderOf);
    return keys;
  }

  bool MayBeWanted(const QueryPlan& plan, const item::ItemKey& key) const {
    const bool are_strings = schema().partition_key_paths.size() == 1 &&
                             BeginsWithString(key.partition_key) && BeginsWithString(key.row_key);
    if (!are_strings) return false;  // no entity
    if (!query_.after.has_value() && plan.partition_keys == KeyRanges::All()) return true;
    const auto partition_key = DecodedKey(key.partition_key);
    const auto row_key = DecodedKey(key.row_key);
    if (!partition_key.has_value() || !row_key.has_value()) return false;
    const auto contains = [&](const KeyInterval& interval) {
      return interval.Contains(*partition_key);
    };
    return std::ranges::any_of(plan.partition_keys.intervals(), contains) &&
           !IsBefore(*partition_key, *row_key);
  }

  // Reads the entities of keys from `begin` on and before `end` that are still there, in order.
  Result<std::vector<item::ScannedItem>> Fetch(const std::shared_ptr<const Keys>& keys,
                                               size_t begin, size_t end) {
    const std::span wanted = std::span(*keys).subspan(begin, end - begin);
    gateway::ScanSpec spec;
    spec.keys = wanted.size() == keys->size()
                    ? keys
                    : std::make_shared<const Keys>(wanted.begin(), wanted.end());
    spec.limits = {.items_max = wanted.size(), .bytes_max = SIZE_MAX, .examined_max = SIZE_MAX};
    spec.goes_on = true;
    std::vector<item::ScannedItem> found;
    std::string continuation;
    do {
      ORRERY_ASSIGN(gateway::ScanResponse page,
                    gateway_.Scan(query_.container, spec, continuation, mode_));
      page_.charge += page.charge;
      if (found.empty()) {
        found = std::move(page.items);
      } else {
        std::ranges::move(page.items, std::back_inserter(found));
      }
      continuation = std::move(page.continuation);
    } while (!continuation.empty());
    // Of several partitions each has its own in order.
    const auto order_of = [](const item::ScannedItem& item) { return OrderOf(item.key); };
    if (!std::ranges::is_sorted(found, {}, order_of)) std::ranges::sort(found, {}, order_of);
    return found;
  }

  gateway::Gateway& gateway_;
  const Clock& clock_;
  const RequestContext& context_;
  const EntityQuery& query_;
  EntitySink& sink_;
  const storage::ReadMode mode_;
  const bool is_scoped_;  // the client may not see all entities
  const Micros began_;
  EntityPage page_;
  std::optional<item::ItemKey> last_;  // that was looked at
  bool would_block_ = false;
};

}  // namespace

Outcome<EntityPage> RunEntityQuery(gateway::Gateway& gateway, const Clock& clock,
                                   const RequestContext& context, const EntityQuery& query,
                                   EntitySink& sink) {
  return QueryRun(gateway, clock, context, query, sink, storage::ReadMode::kMayBlock).Run();
}

std::optional<Outcome<EntityPage>> TryEntityQuery(gateway::Gateway& gateway, const Clock& clock,
                                                  const RequestContext& context,
                                                  const EntityQuery& query, EntitySink& sink) {
  QueryRun run(gateway, clock, context, query, sink, storage::ReadMode::kCachedOnly);
  Outcome<EntityPage> page = run.Run();
  if (run.would_block()) return std::nullopt;
  return page;
}

}  // namespace orrery::table
