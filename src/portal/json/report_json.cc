#include "portal/json/report_json.h"

#include "model/document/json.h"

namespace orrery::portal {
namespace {

// A key's values are JSON already; should they not parse, they are shown as text.
void WriteKeyValues(JsonWriter& json, const gateway::KeyReport& key) {
  json.Key("partitionKey");
  if (const auto values = model::ValueFromJson(key.key); values.has_value()) {
    json.Value(*values);
  } else {
    json.String(key.key);
  }
  json.Key("columns").BeginArray();
  for (const std::string& column : key.columns) json.String(column);
  json.EndArray();
  if (!key.position.empty()) json.Field("position", key.position);
  if (key.token.has_value()) json.Field("token", *key.token);
}

void WriteRange(JsonWriter& json, const gateway::RangeReport& range) {
  json.BeginObject()
      .Field("database", range.database)
      .Field("container", range.container)
      .Field("begin", range.begin)
      .Field("last", range.last);
  if (range.tokens) {
    json.Key("tokens")
        .BeginArray()
        .Integer(range.tokens->first)
        .Integer(range.tokens->second)
        .EndArray();
  }
  json.Field("ringFraction", range.ring_fraction)
      .Field("bytes", range.bytes)
      .Field("items", range.items)
      .EndObject();
}

void WriteThroughputReport(JsonWriter& json, const gateway::ThroughputReport& report) {
  json.BeginObject().Field("kind", report.kind);
  if (report.request_units_per_second > 0) {
    json.Field("requestUnitsPerSecond", report.request_units_per_second)
        .Field("minimum", report.minimum);
  }
  json.EndObject();
}

}  // namespace

void WriteContainerReport(JsonWriter& json, const gateway::ContainerReport& report) {
  json.BeginObject()
      .Field("database", report.database)
      .Field("id", report.name)
      .Field("kind", report.kind)
      .Field("api", report.api);
  json.Key("partitionKey").BeginArray();
  for (const std::string& path : report.partition_key_paths) json.String(path);
  json.EndArray().Key("throughput");
  WriteThroughputReport(json, report.throughput);
  json.Field("partitions", report.partitions)
      .Field("bytes", report.bytes)
      .Field("items", report.items)
      .Field("indexProgress", report.index_progress);
  json.Key("advice").BeginArray();
  for (const std::string& advice : report.advice) json.String(advice);
  json.EndArray().EndObject();
}

void WriteClusterReport(JsonWriter& json, const gateway::ClusterReport& report) {
  json.BeginObject().Field("id", report.id).Key("nodes").BeginArray();
  for (const gateway::NodeReport& each : report.nodes) {
    json.BeginObject()
        .Field("id", each.node.id.value())
        .Field("address", each.node.address)
        .Field("sqlPort", each.node.sql_port)
        .Field("cassandraPort", each.node.cassandra_port)
        .Field("version", each.node.software)
        .Field("self", each.self)
        .Field("manager", each.manager)
        .Field("answers", each.answers);
    if (each.answers) {
      json.Field("partitions", each.partitions)
          .Field("bytes", each.bytes)
          .Field("usedLastSecond", each.used_last_second);
    }
    if (each.clock_ahead) json.Field("clockAheadMs", each.clock_ahead->count());
    json.EndObject();
  }
  const gateway::StoreReport& store = report.store;
  json.EndArray().Key("store").BeginObject().Field("pool", store.pool);
  if (!store.health.empty()) {
    json.Field("copies", store.copies)
        .Field("copiesServing", store.copies_serving)
        .Field("health", store.health)
        .Field("disks", store.disks)
        .Field("disksUp", store.disks_up)
        .Field("bytesUsed", store.bytes_used)
        .Field("bytesAvailable", store.bytes_available);
    json.Key("checks").BeginArray();
    for (const std::string& check : store.checks) json.String(check);
    json.EndArray();
  }
  if (!store.trouble.empty()) json.Field("trouble", store.trouble);
  json.EndObject().EndObject();
}

void WritePartitionReport(JsonWriter& json, const gateway::PartitionReport& report) {
  json.BeginObject().Field("id", report.id).Field("owner", report.owner);
  if (report.node != 0) json.Field("node", report.node);
  json.Field("known", report.known).Field("open", report.open);
  if (!report.copies.empty()) {
    json.Key("copies").BeginArray();
    for (const uint32_t disk : report.copies) json.Integer(disk);
    json.EndArray().Field("copiesWhole", report.copies_whole);
  }
  json.Key("ranges").BeginArray();
  for (const gateway::RangeReport& range : report.ranges) WriteRange(json, range);
  json.EndArray();
  json.Field("bytes", report.bytes)
      .Field("items", report.items)
      .Field("diskBytes", report.disk_bytes);
  json.Key("requestUnitsPerSecond");
  if (report.request_units_per_second) {
    json.Double(*report.request_units_per_second);
  } else {
    json.Null();
  }
  json.Field("usedLastSecond", report.used_last_second)
      .Field("throttledTotal", report.throttled_total);
  json.Key("largest").BeginArray();
  for (const gateway::KeyReport& key : report.largest) {
    json.BeginObject().Field("database", key.database).Field("container", key.container);
    WriteKeyValues(json, key);
    json.Field("bytes", key.bytes).EndObject();
  }
  json.EndArray().Key("hottest").BeginArray();
  for (const gateway::KeyReport& key : report.hottest) {
    json.BeginObject().Field("database", key.database).Field("container", key.container);
    WriteKeyValues(json, key);
    json.Field("requestUnitsPerSecond", key.request_units_per_second).EndObject();
  }
  json.EndArray().Key("parents").BeginArray();
  for (const uint64_t parent : report.parents) json.Integer(parent);
  json.EndArray().Field("lastLsn", report.last_lsn).EndObject();
}

}  // namespace orrery::portal
