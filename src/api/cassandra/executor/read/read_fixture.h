// Tables on a real store, filled and read by CQL text, for tests of this module.
#pragma once

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

#include "api/cassandra/executor/read/select_executor.h"
#include "api/cassandra/executor/write/modification_changes.h"
#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/literal.h"
#include "api/cassandra/types/type_builder.h"
#include "base/bytes.h"
#include "gateway/test_server.h"

namespace orrery::cassandra::testing {

// Counts up.
class CountingUuids final : public UuidSource {
 public:
  std::string NextTimeUuid() override { return Next(); }
  std::string NextRandomUuid() override { return Next(); }

 private:
  std::string Next() {
    std::string uuid(8, '\0');
    AppendBigEndian(uuid, ++last_);
    return uuid;
  }
  uint64_t last_ = 0;
};

struct ReadPage {
  std::vector<std::string> rows;  // "1|a|null"
  std::string error;
  ErrorCode code = ErrorCode::kServerError;
  ErrorDetails details;
  std::optional<std::string> next;
  std::vector<std::string> warnings;
  RequestUnits charge;
};

class ReadFixture : public ::testing::Test {
 protected:
  // `more`: indexes as the store has them, in the order of the builder's.
  TablePtr Create(TableBuilder builder, std::vector<item::RowIndex> indexes = {},
                  partition::ThroughputSettings throughput = {}) {
    const TablePtr shape = builder.Build();
    if (!server.catalog->FindDatabase("ks").has_value())
      EXPECT_TRUE(server.catalog->CreateDatabase("ks", {}).has_value());
    gateway::ContainerSettings settings;
    settings.name = shape->name;
    settings.partition_key_paths = {"/k"};
    settings.hashing = partition::KeyHashing::kCassandra;
    settings.order = model::Order::kCql;
    settings.indexing.automatic = false;
    settings.throughput = throughput;
    settings.rows.emplace();
    settings.rows->composite_key = shape->partition_key_count > 1;
    settings.rows->indexes = std::move(indexes);
    for (const Column& column : shape->clustering()) {
      settings.rows->clustering.push_back(column.descending ? model::Direction::kDescending
                                                            : model::Direction::kAscending);
    }
    auto created = server.catalog->CreateContainer("ks", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    table = builder.In(*created).Build();
    return table;
  }

  // A table with a clustering column, a static one and two that are ordinary.
  void CreatePlain() {
    Create(TableBuilder()
               .Key("k", Int())
               .Clustering("c", Int())
               .Static("s", Text())
               .Regular("v", Int())
               .Regular("w", Text()));
  }
  // Partitions 1 to `partitions`, each with rows 0 to `rows` - 1; v is k * 10 + c.
  void Fill(int partitions, int rows) {
    for (int k = 1; k <= partitions; ++k) {
      for (int c = 0; c < rows; ++c) {
        Write("INSERT INTO ks.t (k, c, v) VALUES (" + std::to_string(k) + ", " + std::to_string(c) +
              ", " + std::to_string(k * 10 + c) + ")");
      }
    }
  }

  // INSERT, UPDATE or DELETE.
  void Write(std::string_view text, int64_t timestamp_us = 0) {
    const PlannedWrite planned = PlanWrite(table, text);
    ASSERT_NE(planned.plan, nullptr) << text << ": " << planned.error;
    FunctionContext functions{server.clock.Now(), uuids};
    Evaluation evaluation;
    evaluation.functions = &functions;
    const auto bound = BindModification(*planned.plan, evaluation);
    ASSERT_TRUE(bound.has_value()) << text << ": " << bound.error().message;
    WriteTimes times;
    times.timestamp_us = timestamp_us != 0 ? timestamp_us : ++last_write_us_;
    times.now_s = NowSeconds();
    times.ttl_s = TtlOf(*bound);
    times.list_order = ++last_write_us_;
    for (const std::string& key : bound->partition_keys) {
      gateway::RowWriteRequest request;
      request.container = table->container;
      request.partition_key = key;
      const auto added = AddChanges(request.changes, *bound, times, {});
      ASSERT_TRUE(added.has_value()) << added.error().message;
      const auto response = server.rows->WriteAndWait(std::move(request));
      ASSERT_TRUE(response.status.has_value()) << response.status.error().ToString();
    }
  }

  std::shared_ptr<ByteBudget> answers;
  DelayQueue waits{"waits", 100};
  size_t examined_per_page = 100'000;
  RequestContext context;  // of the reads

  ReadPage ReadOne(std::string_view text, int32_t page_rows = 0,
                   std::optional<std::string> state = std::nullopt,
                   std::vector<std::string> values = {}) {
    const PlannedSelect planned = PlanText(table, text, user_functions);
    ReadPage page;
    page.error = planned.error;
    if (planned.plan == nullptr) return page;
    QueryParameters parameters;
    for (const std::string& value : values)
      parameters.values.push_back({BoundValue::State::kValue, value});
    if (page_rows > 0) parameters.page_rows = page_rows;
    if (state.has_value()) parameters.paging_state = *state;
    auto shape = std::make_shared<const ColumnShape>(planned.plan->result);
    const SelectExecutor executor({*server.rows, uuids, answers, &waits, examined_per_page});
    std::promise<Outcome> promise;
    std::future<Outcome> future = promise.get_future();
    executor.Run({planned.plan, shape, schema, client, parameters, context},
                 [&promise](Outcome outcome) { promise.set_value(std::move(outcome)); });
    Outcome outcome = future.get();
    page.warnings = std::move(outcome.warnings);
    page.charge = outcome.charge;
    if (const auto* error = std::get_if<CqlError>(&outcome.result)) {
      page.error = error->message;
      page.code = error->code;
      page.details = error->details;
      return page;
    }
    const auto& result = std::get<RowsOutcome>(outcome.result);
    page.next = result.paging_state;
    page.rows = Render(*planned.plan, result);
    return page;
  }

  // All rows, page by page.
  std::vector<std::string> Read(std::string_view text, int32_t page_rows = 0,
                                std::vector<std::string> values = {}) {
    std::vector<std::string> rows;
    std::optional<std::string> state;
    for (int pages = 0; pages < kPagesMax; ++pages) {
      ReadPage page = ReadOne(text, page_rows, state, values);
      EXPECT_EQ(page.error, "") << text;
      if (page_rows > 0) EXPECT_LE(page.rows.size(), static_cast<size_t>(page_rows));
      rows.insert(rows.end(), page.rows.begin(), page.rows.end());
      if (!page.next.has_value()) return rows;
      state = std::move(page.next);
    }
    ADD_FAILURE() << "pages without end: " << text;
    return rows;
  }

  uint32_t NowSeconds() const {
    return static_cast<uint32_t>(
        std::chrono::duration_cast<std::chrono::seconds>(server.clock.Now()).count());
  }

  static constexpr int kPagesMax = 2'000;
  std::vector<FunctionPtr> user_functions;  // that statements may call
  gateway::TestServer server;
  CountingUuids uuids;
  SchemaPtr schema = std::make_shared<const Schema>();
  ClientPtr client = std::make_shared<const Client>();
  TablePtr table;

 private:
  static std::vector<std::string> Render(const SelectPlan& plan, const RowsOutcome& result) {
    std::vector<std::string> rows;
    ByteReader reader(result.cells);
    for (int32_t i = 0; i < result.rows; ++i) {
      std::string row;
      for (size_t c = 0; c < plan.result.size(); ++c) {
        int32_t size = 0;
        std::string_view bytes;
        EXPECT_TRUE(reader.ReadBigEndian(size));
        if (c > 0) row += '|';
        if (size < 0) {
          row += "null";
          continue;
        }
        EXPECT_TRUE(reader.ReadBytes(static_cast<size_t>(size), bytes));
        if (plan.is_json) {
          row += bytes;
        } else {
          row += ToCqlLiteral(*plan.selection[c].type, bytes).value_or("damaged");
        }
      }
      rows.push_back(std::move(row));
    }
    EXPECT_TRUE(reader.empty());
    return rows;
  }

  int64_t last_write_us_ = 1'000;
};

}  // namespace orrery::cassandra::testing
