#include "portal/handler/map_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gateway/row/row_token.h"
#include "model/document/json.h"
#include "portal/answer.h"
#include "portal/json/field_reader.h"
#include "portal/json/item_json.h"
#include "portal/json/json_writer.h"
#include "portal/json/map_json.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kLoad = "/_admin/v1/load";
constexpr std::string_view kHistory = "/_admin/v1/history";
constexpr std::string_view kEvents = "/_admin/v1/events";
constexpr std::string_view kPartitionKeys = "/_admin/v1/partitions/{id}/keys";
constexpr std::string_view kContainerKeys =
    "/_admin/v1/databases/{database}/containers/{container}/keys";
constexpr std::string_view kLocate =
    "/_admin/v1/databases/{database}/containers/{container}/locate";

constexpr int64_t kKeysMax = 100;
constexpr int64_t kKeysShown = 10;
constexpr int64_t kEventsShown = 100;
constexpr int64_t kWaitMax_s = 30;
constexpr int64_t kDefaultSpanMs = 600'000;
// Of one partition, as one tier has at most.
constexpr int64_t kStepsMax = 2'000;

// A whole number in the query, within [low, high]; nullopt when it is not there.
Result<std::optional<int64_t>> NumberOf(const net::HttpRequest& request, std::string_view name,
                                        int64_t low, int64_t high) {
  const auto text = request.Query(name);
  if (!text.has_value()) return std::nullopt;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size() || number < low || number > high) {
    return Fail(Code::kInvalidArgument, fmt::format("{} must be a whole number from {} to {}, not "
                                                    "'{}'",
                                                    name, low, high, *text));
  }
  return number;
}

struct FoundKey {
  uint64_t partition = 0;
  double rate = 0;  // of the partition; 0: unmetered
  gateway::KeyReport key;
};

void WriteKeys(JsonWriter& json, std::string_view name, const std::vector<FoundKey>& keys,
               size_t count, uint64_t bytes_max) {
  const bool by_size = name == "largest";
  json.Key(name).BeginArray();
  for (size_t i = 0; i < std::min(count, keys.size()); ++i) {
    const gateway::KeyReport& key = keys[i].key;
    json.BeginObject()
        .Field("database", key.database)
        .Field("container", key.container)
        .Field("partition", keys[i].partition)
        .Key("partitionKey");
    if (const auto values = model::ValueFromJson(key.key); values.has_value()) {
      json.Value(*values);
    } else {
      json.String(key.key);
    }
    json.Key("columns").BeginArray();
    for (const std::string& column : key.columns) json.String(column);
    json.EndArray();
    if (!key.position.empty()) json.Field("position", key.position);
    if (key.token.has_value()) json.Field("token", std::to_string(*key.token));
    if (by_size) {
      json.Field("bytes", key.bytes).Key("share");
      WriteFigure(json, static_cast<double>(key.bytes) / static_cast<double>(bytes_max));
    } else {
      json.Key("requestUnitsPerSecond");
      WriteFigure(json, key.request_units_per_second);
      if (keys[i].rate > 0) {
        json.Key("share");
        WriteFigure(json, key.request_units_per_second / keys[i].rate);
      }
    }
    json.EndObject();
  }
  json.EndArray();
}

class MapRoutes {
 public:
  explicit MapRoutes(const MapParts& parts) : parts_(parts) {}

  int64_t NowMs() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(parts_.clock.Now()).count();
  }

  Outcome Load(const Call& call) const {
    ORRERY_ASSIGN(
        const gateway::LoadReport report,
        parts_.monitor.Load(call.request.Query("database"), call.request.Query("container")));
    JsonWriter json;
    json.BeginObject().Field("time", NowMs()).Field("bytesMax", parts_.partition_bytes_max);
    WriteLoad(json, report);
    json.EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome PartitionKeys(const Call& call) const {
    uint64_t id = 0;
    const std::string& text = call.parameters[0];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || end != text.data() + text.size())
      return Fail(Code::kInvalidArgument, fmt::format("'{}' is not a partition's number", text));
    return Keys(call, std::nullopt, std::nullopt, id);
  }
  Outcome ContainerKeys(const Call& call) const {
    return Keys(call, call.parameters[0], call.parameters[1], std::nullopt);
  }

  // {"partitionKey": ["ann"]}
  Outcome Locate(const Call& call) const {
    ORRERY_ASSIGN(const auto container,
                  parts_.gateway.catalog().FindContainer(call.parameters[0], call.parameters[1]));
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    FieldReader fields(body);
    const auto key = fields.Any("partitionKey");
    ORRERY_TRY(fields.Finish());
    if (!key.has_value())
      return Fail(Code::kInvalidArgument, "partitionKey is missing: give the key's values");
    ORRERY_ASSIGN(const gateway::RoutedKey routed,
                  parts_.names.Route(*container, KeyValuesFrom(*key), parts_.gateway.limits()));
    ORRERY_ASSIGN(const gateway::LoadReport load,
                  parts_.monitor.Load(container->database_name, container->settings.name));
    const std::string position = routed.hash.ToString();
    JsonWriter json;
    json.BeginObject().Field("position", position);
    if (container->schema->rows.has_value()) {
      json.Field("token", std::to_string(gateway::TokenOf(routed.hash)));
    } else {
      json.Field("effectiveKey", position);
    }
    json.Key("partitionKey");
    const auto shown = model::ValueFromJson(parts_.names.ValuesOf(*container, routed.encoded));
    json.Value(shown.has_value() ? *shown : *key).Key("columns").BeginArray();
    for (const std::string& column : parts_.names.ColumnsOf(*container)) json.String(column);
    json.EndArray();
    for (const gateway::SliceLoad& slice : load.slices) {
      if (position < slice.begin || position > slice.last) continue;
      json.Field("partition", slice.partition)
          .Field("node", slice.node)
          .Field("begin", slice.begin)
          .Field("last", slice.last);
    }
    json.EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome History(const Call& call) const {
    const auto database = call.request.Query("database");
    const auto name = call.request.Query("container");
    if (!database.has_value() || !name.has_value())
      return Fail(Code::kInvalidArgument, "name the container: ?database=..&container=..");
    ORRERY_ASSIGN(const auto container, parts_.gateway.catalog().FindContainer(*database, *name));
    const int64_t now = NowMs();
    ORRERY_ASSIGN(const auto asked_to, NumberOf(call.request, "to", 0, INT64_MAX / 2));
    const int64_t to = std::min(asked_to.value_or(now), now);
    ORRERY_ASSIGN(const auto asked_from, NumberOf(call.request, "from", 0, INT64_MAX / 2));
    int64_t from = asked_from.value_or(to - kDefaultSpanMs);
    if (from > to) return Fail(Code::kInvalidArgument, "'from' is later than 'to'");
    ORRERY_ASSIGN(const auto step_ms, NumberOf(call.request, "step", 1'000, 900'000));
    size_t tier = gateway::History::TierFor((now - from) / 1'000);
    if (step_ms.has_value()) {
      const auto found =
          std::ranges::find(gateway::kSeriesTiers, *step_ms / 1'000, &gateway::SeriesTier::step_s);
      if (found == gateway::kSeriesTiers.end() || *step_ms % 1'000 != 0)
        return Fail(Code::kInvalidArgument, "step is 1000, 10000, 60000 or 900000");
      tier = static_cast<size_t>(found - gateway::kSeriesTiers.begin());
    }
    const int64_t step_s = gateway::kSeriesTiers[tier].step_s;
    const int64_t to_s = to / 1'000;
    int64_t from_s = std::max(from / 1'000 / step_s * step_s, to_s - kStepsMax * step_s);
    from_s = from_s / step_s * step_s;
    JsonWriter json;
    json.BeginObject().Key("since");
    const auto since = parts_.monitor.history().since();
    if (since.has_value()) {
      json.Integer(*since * 1'000);
    } else {
      json.Null();
    }
    json.Field("from", from_s * 1'000)
        .Field("to", to_s / step_s * step_s * 1'000)
        .Field("step", step_s * 1'000)
        .Key("partitions")
        .BeginArray();
    for (const gateway::PartitionPast& past : parts_.monitor.PastOf(*container, tier, from_s, to_s))
      WritePast(json, past);
    json.EndArray().EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  void Events(Call call) const {
    auto filter = FilterOf(call.request);
    auto wait_s = NumberOf(call.request, "wait", 0, kWaitMax_s);
    if (!filter.has_value() || !wait_s.has_value()) {
      Answer(call,
             Fail(filter.has_value() ? std::move(wait_s).error() : std::move(filter).error()));
      return;
    }
    if (wait_s->value_or(0) == 0) {
      Answer(call, EventsNow(*filter));
      return;
    }
    const Micros deadline = parts_.clock.Monotonic() + std::chrono::seconds(**wait_s);
    const auto shared = std::make_shared<Call>(std::move(call));
    parts_.monitor.events().Await(*filter, deadline, [this, shared, filter = *filter] {
      Answer(*shared, EventsNow(filter));
    });
  }

 private:
  Result<gateway::EventFilter> FilterOf(const net::HttpRequest& request) const {
    gateway::EventFilter filter;
    ORRERY_ASSIGN(const auto after, NumberOf(request, "after", 0, INT64_MAX));
    filter.after = static_cast<uint64_t>(after.value_or(0));
    ORRERY_ASSIGN(const auto count, NumberOf(request, "max", 1, 1'000));
    filter.count_max = static_cast<size_t>(count.value_or(kEventsShown));
    const auto database = request.Query("database");
    const auto container = request.Query("container");
    if (database.has_value()) filter.database = std::string(*database);
    if (container.has_value()) {
      if (!database.has_value()) {
        return Fail(Code::kInvalidArgument,
                    fmt::format("name the database of container '{}', too", *container));
      }
      filter.container = std::string(*container);
      // It may be gone: its events are not.
      const auto entry = parts_.gateway.catalog().FindContainer(*database, *container);
      if (entry.has_value()) filter.container_id = (*entry)->id;
    }
    return filter;
  }

  Outcome EventsNow(const gateway::EventFilter& filter) const {
    const std::vector<gateway::Event> events = parts_.monitor.events().Newest(filter);
    JsonWriter json;
    json.BeginObject()
        .Field("next", std::max(filter.after, parts_.monitor.events().last_number()))
        .Key("events")
        .BeginArray();
    for (const gateway::Event& event : events) WriteEvent(json, event);
    json.EndArray().EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome Keys(const Call& call, std::optional<std::string_view> database,
               std::optional<std::string_view> container, std::optional<uint64_t> id) const {
    ORRERY_ASSIGN(const auto count, NumberOf(call.request, "n", 1, kKeysMax));
    ORRERY_ASSIGN(const auto partitions, parts_.inspection.Partitions(database, container));
    std::vector<FoundKey> hottest;
    std::vector<FoundKey> largest;
    bool is_found = !id.has_value();
    for (const gateway::PartitionReport& partition : partitions) {
      if (id.has_value() && partition.id != *id) continue;
      is_found = true;
      const double rate = partition.request_units_per_second.value_or(0);
      const auto add = [&](const std::vector<gateway::KeyReport>& keys, std::vector<FoundKey>& to) {
        for (const gateway::KeyReport& key : keys) {
          const bool is_wanted = (!database.has_value() || key.database == *database) &&
                                 (!container.has_value() || key.container == *container);
          if (is_wanted) to.push_back({partition.id, rate, key});
        }
      };
      add(partition.hottest, hottest);
      add(partition.largest, largest);
    }
    if (!is_found) {
      return Fail(Code::kNotFound,
                  fmt::format("there is no partition {}; it may have split or merged", *id));
    }
    std::ranges::sort(hottest, std::greater(),
                      [](const FoundKey& found) { return found.key.request_units_per_second; });
    std::ranges::sort(largest, std::greater(),
                      [](const FoundKey& found) { return found.key.bytes; });
    const auto shown = static_cast<size_t>(count.value_or(kKeysShown));
    const uint64_t bytes_max = parts_.gateway.limits().logical_partition_bytes_max;
    JsonWriter json;
    json.BeginObject();
    WriteKeys(json, "hottest", hottest, shown, bytes_max);
    WriteKeys(json, "largest", largest, shown, bytes_max);
    json.Field("sampled", true).Field("bytesMax", bytes_max).EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  const MapParts parts_;
};

}  // namespace

void AddMapRoutes(Router& router, const MapParts& parts) {
  using Method = Outcome (MapRoutes::*)(const Call&) const;
  const auto routes = std::make_shared<const MapRoutes>(parts);
  ThreadPool& pool = parts.gateway.io_pool();
  const auto add = [&](std::string_view verb, std::string_view pattern, Method method) {
    router.Add(verb, pattern, Guard::kRead, [=, &pool](Call call) {
      AnswerFromPool(pool, std::move(call),
                     [=](const Call& taken) { return ((*routes).*method)(taken); });
    });
  };
  add("GET", kLoad, &MapRoutes::Load);
  add("GET", kHistory, &MapRoutes::History);
  add("GET", kPartitionKeys, &MapRoutes::PartitionKeys);
  add("GET", kContainerKeys, &MapRoutes::ContainerKeys);
  add("POST", kLocate, &MapRoutes::Locate);
  router.Add("GET", kEvents, Guard::kRead, [=](Call call) { routes->Events(std::move(call)); });
}

}  // namespace orrery::portal
