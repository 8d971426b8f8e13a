#include "portal/json/map_json.h"

#include <cmath>

#include "model/document/json.h"

namespace orrery::portal {
namespace {

template <typename Rows, typename Write>
void WriteColumn(JsonWriter& json, std::string_view name, const Rows& rows, Write write) {
  json.Key(name).BeginArray();
  for (const auto& row : rows) write(row);
  json.EndArray();
}

void WriteIds(JsonWriter& json, std::string_view name, const std::vector<PartitionId>& ids) {
  json.Key(name).BeginArray();
  for (const PartitionId id : ids) json.Integer(id.value());
  json.EndArray();
}

void WriteNumbers(JsonWriter& json, std::string_view name, const std::vector<uint64_t>& numbers) {
  json.Key(name).BeginArray();
  for (const uint64_t number : numbers) json.Integer(number);
  json.EndArray();
}

void WriteTime(JsonWriter& json, std::string_view name, std::optional<int64_t> ms) {
  json.Key(name);
  if (ms.has_value()) {
    json.Integer(*ms);
  } else {
    json.Null();
  }
}

}  // namespace

void WriteFigure(JsonWriter& json, double value) { json.Double(std::round(value * 1e4) / 1e4); }

void WriteLoad(JsonWriter& json, const gateway::LoadReport& report) {
  using gateway::SliceLoad;
  json.Key("containers").BeginArray();
  for (const auto& container : report.containers) {
    json.BeginObject()
        .Field("database", container.database)
        .Field("container", container.name)
        .Field("api", container.api)
        .Field("metered", container.is_metered)
        .EndObject();
  }
  json.EndArray().Key("slices").BeginObject();
  const auto& rows = report.slices;
  WriteColumn(json, "container", rows, [&](const SliceLoad& row) { json.Integer(row.container); });
  WriteColumn(json, "id", rows, [&](const SliceLoad& row) { json.Integer(row.partition); });
  WriteColumn(json, "begin", rows, [&](const SliceLoad& row) { json.String(row.begin); });
  WriteColumn(json, "last", rows, [&](const SliceLoad& row) { json.String(row.last); });
  WriteColumn(json, "bytes", rows, [&](const SliceLoad& row) { json.Integer(row.bytes); });
  WriteColumn(json, "items", rows, [&](const SliceLoad& row) { json.Integer(row.items); });
  WriteColumn(json, "rate", rows, [&](const SliceLoad& row) {
    if (row.rate.has_value()) {
      json.Double(*row.rate);
    } else {
      json.Null();
    }
  });
  WriteColumn(json, "used", rows, [&](const SliceLoad& row) { WriteFigure(json, row.used); });
  WriteColumn(json, "throttled", rows, [&](const SliceLoad& row) { json.Integer(row.throttled); });
  WriteColumn(json, "throttledTotal", rows,
              [&](const SliceLoad& row) { json.Integer(row.throttled_total); });
  WriteColumn(json, "node", rows, [&](const SliceLoad& row) { json.Integer(row.node); });
  WriteColumn(json, "open", rows, [&](const SliceLoad& row) { json.Bool(row.open); });
  json.EndObject();
}

void WritePast(JsonWriter& json, const gateway::PartitionPast& past) {
  json.BeginObject().Field("id", past.id.value());
  WriteTime(json, "born", past.born_ms);
  WriteTime(json, "died", past.died_ms);
  WriteIds(json, "parents", past.parents);
  WriteIds(json, "children", past.children);
  json.Field("begin", past.ranges.front().begin().ToString())
      .Field("last", past.ranges.front().last().ToString())
      .Field("node", past.node);
  json.Key("rate").BeginArray();
  for (const auto& [time_ms, rate] : past.rates) {
    json.BeginArray().Integer(time_ms);
    if (rate > 0) {
      json.Double(rate);
    } else {
      json.Null();
    }
    json.EndArray();
  }
  json.EndArray();
  const auto column = [&](std::string_view name, float gateway::SeriesRow::* member) {
    WriteColumn(json, name, past.rows, [&](const std::optional<gateway::SeriesRow>& row) {
      if (row.has_value()) {
        WriteFigure(json, (*row).*member);
      } else {
        json.Null();
      }
    });
  };
  column("used", &gateway::SeriesRow::used);
  column("usedMax", &gateway::SeriesRow::used_highest);
  column("throttled", &gateway::SeriesRow::throttled);
  column("bytes", &gateway::SeriesRow::bytes);
  json.EndObject();
}

void WriteEvent(JsonWriter& json, const gateway::Event& event) {
  json.BeginObject()
      .Field("number", event.number)
      .Field("time", event.time_ms)
      .Field("kind", event.kind);
  if (!event.database.empty()) json.Field("database", event.database);
  if (!event.container.empty()) json.Field("container", event.container);
  WriteNumbers(json, "before", event.before);
  WriteNumbers(json, "after", event.after);
  if (!event.why.empty()) {
    json.Field("why", event.why).Field("by", event.why == "asked" ? "admin" : "server");
  }
  if (event.pause_ms.has_value()) json.Field("pauseMs", *event.pause_ms);
  if (event.from_node != 0) json.Field("fromNode", event.from_node);
  if (event.to_node != 0) json.Field("toNode", event.to_node);
  if (event.kind == "throttling") {
    if (event.begins != 0) json.Field("begins", event.begins);
    WriteTime(json, "ended", event.ended_ms);
    json.Field("refused", event.refused);
    if (const auto key = model::ValueFromJson(event.hottest); key.has_value())
      json.Key("hottest").Value(*key);
  }
  if (!event.what.empty()) json.Field("what", event.what);
  if (!event.text.empty()) json.Field("text", event.text);
  json.EndObject();
}

}  // namespace orrery::portal
