#include "portal/json/report_json.h"

#include <gtest/gtest.h>

namespace orrery::portal {
namespace {

TEST(ReportJson, Partition) {
  gateway::PartitionReport report;
  report.id = 7;
  report.owner = "container 'orders' of 'shop'";
  report.ranges = {{.database = "shop",
                    .container = "orders",
                    .begin = "00",
                    .last = "7F",
                    .tokens = {{-5, 5}},
                    .ring_fraction = 0.5,
                    .bytes = 10,
                    .items = 2}};
  report.bytes = 10;
  report.items = 2;
  report.disk_bytes = 20;
  report.request_units_per_second = 400;
  report.used_last_second = 12.5;
  report.throttled_total = 3;
  report.largest = {{.database = "shop",
                     .container = "orders",
                     .key = R"(["a"])",
                     .bytes = 9,
                     .request_units_per_second = 0,
                     .columns = {"/customer"}}};
  report.hottest = {{.database = "shop",
                     .container = "orders",
                     .key = "broken",
                     .bytes = 0,
                     .request_units_per_second = 1.5,
                     .columns = {"day"},
                     .position = "1F",
                     .token = -7}};
  report.parents = {1, 3};
  report.last_lsn = 99;
  JsonWriter json;
  report.node = 3;
  report.copies = {0, 2};
  report.copies_whole = false;
  WritePartitionReport(json, report);
  EXPECT_EQ(
      std::move(json).Finish(),
      R"({"id":7,"owner":"container 'orders' of 'shop'","node":3,"known":true,"open":true,"copies":[0,2],"copiesWhole":false,)"
      R"("ranges":[{"database":"shop","container":"orders",)"
      R"("begin":"00","last":"7F","tokens":[-5,5],"ringFraction":0.5,"bytes":10,"items":2}],"bytes":10,"items":2,)"
      R"("diskBytes":20,"requestUnitsPerSecond":400,"usedLastSecond":12.5,"throttledTotal":3,)"
      R"("largest":[{"database":"shop","container":"orders","partitionKey":["a"],"columns":["/customer"],"bytes":9}],)"
      R"("hottest":[{"database":"shop","container":"orders","partitionKey":"broken","columns":["day"],"position":"1F","token":-7,"requestUnitsPerSecond":1.5}],)"
      R"("parents":[1,3],"lastLsn":99})");
}

TEST(ReportJson, Container) {
  gateway::ContainerReport report;
  report.database = "shop";
  report.name = "orders";
  report.kind = "unlimited";
  report.api = "sql";
  report.partition_key_paths = {"/pk"};
  report.throughput = {"manual", 400, 400};
  report.partitions = 1;
  report.advice = {"use another key"};
  JsonWriter json;
  WriteContainerReport(json, report);
  EXPECT_EQ(
      std::move(json).Finish(),
      R"({"database":"shop","id":"orders","kind":"unlimited","api":"sql","partitionKey":["/pk"],)"
      R"("throughput":{"kind":"manual","requestUnitsPerSecond":400,"minimum":400},"partitions":1,"bytes":0,)"
      R"("items":0,"indexProgress":100,"advice":["use another key"]})");
}

}  // namespace
}  // namespace orrery::portal
