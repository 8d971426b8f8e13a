// in() against a full scan, while the Gremlin API, other APIs, splits, merges and restarts change
// the graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "api/gremlin/store/document_store.h"
#include "api/gremlin/store/element_codec.h"
#include "api/gremlin/value/text.h"
#include "gateway/test_server.h"

namespace orrery::gremlin {
namespace {

constexpr int kVertices = 24;

// With and without look-ups that are kept in memory.
class IncomingEdgesTest : public testing::TestWithParam<bool> {
 protected:
  IncomingEdgesTest() : server_(gateway::SmallPartitions()) {
    container_ = server_.MakeContainer("people", partition::ThroughputSettings::Manual(4'000));
    EXPECT_EQ(Partitions(), 4u);
  }

  static std::string Name(int n) { return "v" + std::to_string(n); }
  size_t Partitions() const { return server_.node->topology()->map->Ranges(container_->id).size(); }

  DocumentStore Store() {
    server_.clock.Advance(std::chrono::seconds(10));  // nobody is throttled here
    return DocumentStore({.gateway = *server_.gateway,
                          .container = container_,
                          .rules = *RulesOf(*container_),
                          .clock = server_.clock,
                          .context = context_,
                          .lookups = GetParam() ? &lookups_ : nullptr});
  }

  // Through the Gremlin API.
  void AddEdge(const std::string& id, int out, int in) {
    const auto stub = [](int n) {
      return VertexStub{
          .id = Value::String(Name(n)), .label = "person", .partition = Value::String(Name(n))};
    };
    Edge edge{.id = Value::String(id),
              .label = "knows",
              .partition = Value::String(Name(out)),
              .out = stub(out),
              .in = stub(in),
              .properties = {},
              .version = {},
              .system = {}};
    const ElementChange change{.element = Value(std::make_shared<const Edge>(std::move(edge)))};
    bool committed = false;
    const Status status = Store().Commit({&change, 1}, committed);
    ASSERT_TRUE(status.has_value()) << status.error().ToString();
  }

  // As the SQL API does.
  void Put(const std::string& id, int out, int in) {
    server_.clock.Advance(std::chrono::seconds(10));
    const auto written = server_.Put(
        container_, R"({"id":")" + id + R"(","pk":")" + Name(out) +
                        R"(","label":"knows","_isEdge":true,"_vertexId":")" + Name(out) +
                        R"(","_vertexLabel":"person","_sink":")" + Name(in) +
                        R"(","_sinkLabel":"person","_sinkPartition":")" + Name(in) + R"("})");
    ASSERT_TRUE(written.status.has_value()) << written.status.error().ToString();
  }
  void Patch(const std::string& id, int out, int in) {
    server_.clock.Advance(std::chrono::seconds(10));
    gateway::WriteRequest request;
    request.container = container_;
    request.partition_key = gateway::KeyValues{model::Value::String(Name(out))};
    gateway::WriteOperation operation;
    operation.kind = item::OperationKind::kPatch;
    operation.row_key = model::Value::String(id);
    for (const char* field : {"_sink", "_sinkPartition"}) {
      operation.patch.push_back({.type = model::PatchType::kSet,
                                 .path = model::Path({field}),
                                 .value = model::Value::String(Name(in)),
                                 .from = {}});
    }
    request.operations.push_back(std::move(operation));
    const auto written = server_.gateway->WriteAndWait(std::move(request));
    ASSERT_TRUE(written.status.has_value()) << written.status.error().ToString();
  }
  void Remove(const std::string& id, int out) {
    server_.clock.Advance(std::chrono::seconds(10));
    gateway::WriteRequest request;
    request.container = container_;
    request.partition_key = gateway::KeyValues{model::Value::String(Name(out))};
    gateway::WriteOperation operation;
    operation.kind = item::OperationKind::kDelete;
    operation.row_key = model::Value::String(id);
    request.operations.push_back(std::move(operation));
    const auto written = server_.gateway->WriteAndWait(std::move(request));
    ASSERT_TRUE(written.status.has_value()) << written.status.error().ToString();
  }

  std::set<std::string> Incoming(const std::vector<int>& targets) {
    std::vector<ElementKey> keys;
    for (const int target : targets) keys.push_back({Value::String(Name(target)), Name(target)});
    DocumentStore store = Store();
    const auto edges = store.EdgesOf(keys, EdgeDirection::kIn, {});
    EXPECT_TRUE(edges.has_value()) << edges.error().ToString();
    std::set<std::string> ids;
    for (const auto& edge : *edges) {
      EXPECT_TRUE(ids.insert(IdText(edge->id)).second) << "twice: " << IdText(edge->id);
    }
    return ids;
  }

  // Splits one partition, merges two neighbours, or starts the server anew.
  void Reshape(std::mt19937& random) {
    const auto ranges = server_.node->topology()->map->Ranges(container_->id);
    const size_t which = random() % ranges.size();
    switch (random() % 3) {
      case 0:
        if (ranges.size() < 10)
          static_cast<void>(server_.node->Split(ranges[which].partition, std::nullopt));
        return;
      case 1:
        if (which + 1 < ranges.size())
          static_cast<void>(
              server_.node->Merge(ranges[which].partition, ranges[which + 1].partition));
        return;
      default:
        server_.Restart();
        container_ = server_.Find("people");
    }
  }

  gateway::TestServer server_;
  KeptLookups lookups_{size_t{64} << 20, server_.clock, server_.metrics, /*meters=*/true};
  gateway::ContainerRef container_;
  RequestContext context_;
};
INSTANTIATE_TEST_SUITE_P(Kept, IncomingEdgesTest, testing::Bool());

TEST_P(IncomingEdgesTest, AreThoseOfAFullScanWhoeverWrites) {
  std::mt19937 random(20'261'118);
  std::map<std::string, std::pair<int, int>> edges;  // source and target
  int made = 0;
  int reshaped = 0;
  for (int step = 0; step < 600; ++step) {
    const int out = static_cast<int>(random() % kVertices);
    // Few vertices have many edges, many have few or none.
    const int in = static_cast<int>(random() % (random() % 2 == 0 ? 3 : kVertices));
    const auto any = edges.empty()
                         ? edges.end()
                         : std::next(edges.begin(), static_cast<int>(random() % edges.size()));
    switch (random() % 6) {
      case 0: {
        const std::string id = "e" + std::to_string(made++);
        AddEdge(id, out, in);
        edges[id] = {out, in};
        break;
      }
      case 1: {
        const std::string id = "e" + std::to_string(made++);
        Put(id, out, in);
        edges[id] = {out, in};
        break;
      }
      case 2:
        if (any == edges.end()) break;
        Patch(any->first, any->second.first, in);
        any->second.second = in;
        break;
      case 3:
        if (any == edges.end()) break;
        Remove(any->first, any->second.first);
        edges.erase(any);
        break;
      default: {
        std::vector<int> targets = {in};
        while (random() % 3 != 0) targets.push_back(static_cast<int>(random() % kVertices));
        std::set<std::string> expected;
        for (const auto& [id, ends] : edges) {
          if (std::ranges::find(targets, ends.second) != targets.end()) expected.insert(id);
        }
        ASSERT_EQ(Incoming(targets), expected) << "step " << step;
      }
    }
    if (random() % 60 == 0) {
      Reshape(random);
      ++reshaped;
    }
  }
  EXPECT_GT(reshaped, 3);
}

// Writers go on while the filters are made.
TEST_P(IncomingEdgesTest, NoneIsMissedWhileFiltersAreMade) {
  for (int i = 0; i < 200; ++i) Put("before" + std::to_string(i), i % kVertices, 1);
  std::atomic<int> written{0};
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; i < 400 && !stop.load(); ++i) {
      Put("during" + std::to_string(i), i % kVertices, 2);
      written.store(i + 1);
    }
  });
  for (int round = 0; round < 50; ++round) {
    const auto least = static_cast<size_t>(written.load());
    EXPECT_GE(Incoming({2}).size(), least);
    EXPECT_EQ(Incoming({1}).size(), 200u);
  }
  stop.store(true);
  writer.join();
  EXPECT_EQ(Incoming({2}).size(), static_cast<size_t>(written.load()));
}

TEST_P(IncomingEdgesTest, PartitionsWithoutSuchEdgesAreNotCharged) {
  for (int i = 1; i < kVertices; ++i) Put("e" + std::to_string(i), i, i);
  Put("only", 5, 0);
  Incoming({0});  // makes the filters
  const ElementKey one{Value::String(Name(0)), Name(0)};
  const ElementKey none{Value::String("nobody"), "nobody"};
  DocumentStore store = Store();
  ASSERT_TRUE(store.EdgesOf({&none, 1}, EdgeDirection::kIn, {}).has_value());
  EXPECT_EQ(store.charge(), RequestUnits());
  ASSERT_EQ(store.EdgesOf({&one, 1}, EdgeDirection::kIn, {})->size(), 1u);
  const RequestUnits of_one = store.charge();
  EXPECT_GT(of_one, RequestUnits());
  DocumentStore all = Store();
  std::vector<ElementKey> keys;
  for (int i = 1; i < kVertices; ++i) keys.push_back({Value::String(Name(i)), Name(i)});
  ASSERT_TRUE(all.EdgesOf(keys, EdgeDirection::kIn, {}).has_value());
  EXPECT_GT(all.charge(), of_one);
}

}  // namespace
}  // namespace orrery::gremlin
