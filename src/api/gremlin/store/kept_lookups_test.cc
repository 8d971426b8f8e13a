// Look-ups that are kept in memory against what writers of all kinds have stored: the Gremlin API,
// documents as the SQL API writes them, patches, transactions over partitions, expiry; while
// partitions split, merge and are opened anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/gremlin/store/document_store.h"
#include "api/gremlin/store/element_codec.h"
#include "api/gremlin/value/text.h"
#include "gateway/snapshot/snapshot_transaction.h"
#include "gateway/test_server.h"

namespace orrery::gremlin {
namespace {

constexpr int kPeople = 16;
constexpr auto kKeptStep = std::chrono::seconds(10);

class KeptLookupsTest : public testing::Test {
 protected:
  explicit KeptLookupsTest(partition::Limits limits = gateway::SmallPartitions())
      : server_(limits) {
    EXPECT_TRUE(server_.catalog->CreateDatabase("db", {}).has_value());
    gateway::ContainerSettings settings;
    settings.name = "people";
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(4'000);
    settings.default_ttl_s = -1;
    container_ = *server_.catalog->CreateContainer("db", settings);
  }

  static std::string Name(int n) { return "v" + std::to_string(n); }
  static ElementKey Key(int n) { return {Value::String(Name(n)), Name(n)}; }

  DocumentStore Store() {
    server_.clock.Advance(kKeptStep);  // nobody is throttled here
    return DocumentStore({.gateway = *server_.gateway,
                          .container = container_,
                          .rules = *RulesOf(*container_),
                          .clock = server_.clock,
                          .context = context_,
                          .lookups = &lookups_});
  }

  static std::string EdgeText(const std::string& id, const std::string& label, int out, int in,
                              int weight, int ttl_s) {
    return R"({"id":")" + id + R"(","pk":")" + Name(out) + R"(","label":")" + label +
           R"(","_isEdge":true,"weight":)" + std::to_string(weight) + R"(,"ttl":)" +
           std::to_string(ttl_s) + R"(,"_vertexId":")" + Name(out) +
           R"(","_vertexLabel":"person","_sink":")" + Name(in) +
           R"(","_sinkLabel":"person","_sinkPartition":")" + Name(in) + R"("})";
  }
  static std::string VertexText(int n, int rank, int ttl_s) {
    return R"({"id":")" + Name(n) + R"(","pk":")" + Name(n) + R"(","label":"person","ttl":)" +
           std::to_string(ttl_s) + R"(,"rank":[{"id":"r","_value":)" + std::to_string(rank) + "}]}";
  }
  void PutText(const std::string& text) {
    server_.clock.Advance(kKeptStep);
    const auto written = server_.Put(container_, text);
    ASSERT_TRUE(written.status.has_value()) << written.status.error().ToString();
  }
  // In a transaction over partitions.
  void PutTogether(const std::vector<std::string>& texts) {
    server_.clock.Advance(kKeptStep);
    const auto begun = server_.gateway->BeginTransaction();
    ASSERT_TRUE(begun.has_value());
    for (const std::string& text : texts) {
      const auto written =
          (*begun)->gateway().WriteAndWait(gateway::TestServer::Upsert(container_, text));
      ASSERT_TRUE(written.status.has_value()) << written.status.error().ToString();
    }
    const Status committed = (*begun)->Commit("", "");
    ASSERT_TRUE(committed.has_value()) << committed.error().ToString();
  }
  void Patch(const std::string& pk, const std::string& id, std::string field, model::Value value) {
    server_.clock.Advance(kKeptStep);
    gateway::WriteRequest request;
    request.container = container_;
    request.partition_key = gateway::KeyValues{model::Value::String(pk)};
    gateway::WriteOperation operation;
    operation.kind = item::OperationKind::kPatch;
    operation.row_key = model::Value::String(id);
    operation.patch.push_back({.type = model::PatchType::kSet,
                               .path = model::Path({std::move(field)}),
                               .value = std::move(value),
                               .from = {}});
    request.operations.push_back(std::move(operation));
    const auto written = server_.gateway->WriteAndWait(std::move(request));
    ASSERT_TRUE(written.status.has_value()) << written.status.error().ToString();
  }
  void Remove(const std::string& pk, const std::string& id) {
    server_.clock.Advance(kKeptStep);
    gateway::WriteRequest request;
    request.container = container_;
    request.partition_key = gateway::KeyValues{model::Value::String(pk)};
    gateway::WriteOperation operation;
    operation.kind = item::OperationKind::kDelete;
    operation.row_key = model::Value::String(id);
    request.operations.push_back(std::move(operation));
    const auto written = server_.gateway->WriteAndWait(std::move(request));
    ASSERT_TRUE(written.status.has_value()) << written.status.error().ToString();
  }

  static std::string Shown(const Vertex& vertex) {
    std::string text = IdText(vertex.id);
    for (const VertexProperty& property : vertex.properties) {
      if (property.key == "rank") text += "=" + ToText(property.value);
    }
    return text;
  }
  std::shared_ptr<const Vertex> Get(int n) {
    DocumentStore store = Store();
    const ElementKey key = Key(n);
    const auto vertices = store.GetVertices({&key, 1});
    EXPECT_TRUE(vertices.has_value()) << vertices.error().ToString();
    return vertices->front();
  }
  static std::set<std::string> Shown(const std::vector<std::shared_ptr<const Edge>>& edges) {
    std::set<std::string> shown;
    for (const auto& edge : edges) {
      const std::string text = IdText(edge->id) + ":" + edge->label + ":" + IdText(edge->out.id) +
                               ">" + IdText(edge->in.id) + "=" + ToText(*edge->Find("weight"));
      EXPECT_TRUE(shown.insert(text).second) << "twice: " << text;
    }
    return shown;
  }

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
  KeptLookups lookups_{size_t{64} << 20, server_.clock, server_.metrics, server_.limits.meters};
  gateway::ContainerRef container_;
  RequestContext context_;
};

struct KeptModelEdge {
  std::string label;
  int out = 0;
  int in = 0;
  int weight = 0;
  int ttl_s = -1;
  Micros expiry{0};
};

TEST_F(KeptLookupsTest, AreWhatIsStoredWhoeverWrites) {
  std::mt19937 random(20'261'119);
  const std::string labels[] = {"knows", "likes"};
  std::map<std::string, KeptModelEdge> edges;
  std::map<int, std::pair<int, Micros>> ranks;  // of vertices, and when they expire
  int made = 0;
  int found = 0;
  const auto pick = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  const auto expire = [&] {
    const Micros now = server_.clock.Now();
    std::erase_if(edges, [&](const auto& each) { return each.second.expiry <= now; });
    std::erase_if(ranks, [&](const auto& each) { return each.second.second <= now; });
  };
  const auto ttl = [&] { return pick(3) == 0 ? 10 * (5 + pick(30)) + 5 : -1; };
  // Of a document that was written just now.
  const auto expiry_of = [&](int ttl_s) {
    return ttl_s < 0 ? Micros::max() : server_.clock.Now() + std::chrono::seconds(ttl_s);
  };
  for (int step = 0; step < 4'000; ++step) {
    expire();
    const auto any = edges.empty() ? edges.end()
                                   : std::next(edges.begin(), pick(static_cast<int>(edges.size())));
    const bool may_go =
        any != edges.end() && any->second.expiry <= server_.clock.Now() + 2 * kKeptStep;
    const int out = pick(kPeople);
    const int in = pick(pick(2) == 0 ? 3 : kPeople);
    const std::string& label = labels[pick(2)];
    switch (pick(14)) {
      case 0:
      case 1: {
        const std::string id = "e" + std::to_string(made++);
        const int ttl_s = ttl();
        PutText(EdgeText(id, label, out, in, step, ttl_s));
        edges[id] = {label, out, in, step, ttl_s, expiry_of(ttl_s)};
        break;
      }
      case 2: {
        const int ttl_s = ttl();
        PutText(VertexText(out, step, ttl_s));
        ranks[out] = {step, expiry_of(ttl_s)};
        break;
      }
      case 3:
        if (any == edges.end() || may_go) break;
        any->second.in = in;
        Patch(Name(any->second.out), any->first, "_sink", model::Value::String(Name(in)));
        Patch(Name(any->second.out), any->first, "_sinkPartition", model::Value::String(Name(in)));
        any->second.expiry = expiry_of(any->second.ttl_s);
        break;
      case 4:
        if (any == edges.end() || may_go) break;
        any->second.label = label;
        // Neither of its index entries changes.
        Patch(Name(any->second.out), any->first, "label", model::Value::String(label));
        any->second.expiry = expiry_of(any->second.ttl_s);
        break;
      case 5:
        if (any == edges.end() || may_go) break;
        any->second.weight = step;
        Patch(Name(any->second.out), any->first, "weight", model::Value::Int32(step));
        any->second.expiry = expiry_of(any->second.ttl_s);
        break;
      case 6:
        if (any == edges.end() || may_go) break;
        Remove(Name(any->second.out), any->first);
        edges.erase(any);
        break;
      case 7: {
        // A new edge between two vertices that are written with it, all in other partitions.
        const std::string id = "e" + std::to_string(made++);
        edges[id] = {label, out, in, step, -1, Micros::max()};
        ranks[out] = {step, Micros::max()};
        ranks[in] = {step, Micros::max()};
        PutTogether({EdgeText(id, label, out, in, step, -1), VertexText(out, step, -1),
                     VertexText(in, step, -1)});
        break;
      }
      case 8: {
        // Through the Gremlin API: a new version of what was read.
        const auto vertex = Get(out);
        expire();
        ASSERT_EQ(vertex != nullptr, ranks.contains(out)) << "step " << step;
        if (vertex == nullptr || ranks[out].second <= server_.clock.Now() + 2 * kKeptStep) break;
        Vertex changed = *vertex;
        for (VertexProperty& property : changed.properties) {
          if (property.key == "rank") property.value = Value::Int(step);
        }
        // The lifetime begins again with each version.
        std::erase_if(changed.properties, [](const auto& each) { return each.key == "ttl"; });
        changed.properties.push_back(
            {.id = Value::String("t"), .key = "ttl", .value = Value::Int(-1), .meta = {}});
        const ElementChange change{.kind = ElementChange::Kind::kReplace,
                                   .element = Value(std::make_shared<const Vertex>(changed))};
        bool committed = false;
        const Status status = Store().Commit({&change, 1}, committed);
        ASSERT_TRUE(status.has_value()) << status.error().ToString();
        ranks[out] = {step, Micros::max()};
        break;
      }
      case 9:
        if (pick(4) == 0) {
          server_.clock.Advance(std::chrono::seconds(100));
          server_.core().Maintain();
        }
        break;
      default: {
        std::vector<int> wanted = {in};
        while (pick(3) != 0) wanted.push_back(pick(kPeople));
        std::ranges::sort(wanted);
        wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
        std::vector<ElementKey> keys;
        for (const int each : wanted) keys.push_back(Key(each));
        const bool is_out = pick(2) == 0;
        const std::vector<std::string> of_label =
            pick(2) == 0 ? std::vector<std::string>{label} : std::vector<std::string>();
        DocumentStore store = Store();
        expire();
        const auto read =
            store.EdgesOf(keys, is_out ? EdgeDirection::kOut : EdgeDirection::kIn, of_label);
        ASSERT_TRUE(read.has_value()) << read.error().ToString();
        std::set<std::string> expected;
        for (const auto& [id, edge] : edges) {
          const bool is_wanted =
              std::ranges::find(wanted, is_out ? edge.out : edge.in) != wanted.end();
          if (!is_wanted || (!of_label.empty() && edge.label != label)) continue;
          expected.insert(id + ":" + edge.label + ":" + Name(edge.out) + ">" + Name(edge.in) + "=" +
                          std::to_string(edge.weight));
        }
        ASSERT_EQ(Shown(*read), expected) << "step " << step;
        found += static_cast<int>(expected.size());
        const auto vertices = store.GetVertices(keys);
        ASSERT_TRUE(vertices.has_value()) << vertices.error().ToString();
        for (size_t i = 0; i < wanted.size(); ++i) {
          const auto rank = ranks.find(wanted[i]);
          const auto& vertex = (*vertices)[i];
          ASSERT_EQ(
              vertex == nullptr ? "" : Shown(*vertex),
              rank == ranks.end() ? "" : Name(wanted[i]) + "=" + std::to_string(rank->second.first))
              << "step " << step;
        }
      }
    }
    if (HasFatalFailure()) return;
    if (pick(150) == 0) Reshape(random);
  }
  EXPECT_GT(found, 1'000);
}

TEST_F(KeptLookupsTest, ComeFromMemoryUntilSomebodyWrites) {
  PutText(VertexText(1, 1, -1));
  PutText(VertexText(2, 1, -1));
  PutText(EdgeText("e", "knows", 1, 2, 1, -1));
  const auto edge = [&] {
    DocumentStore store = Store();
    const ElementKey key = Key(2);
    return store.EdgesOf({&key, 1}, EdgeDirection::kIn, {})->front();
  };
  const auto first = Get(1);
  const auto first_edge = edge();
  EXPECT_EQ(Get(1), first);
  EXPECT_EQ(edge(), first_edge);
  EXPECT_GT(lookups_.cache.bytes(), 0u);
  PutText(VertexText(1, 2, -1));
  EXPECT_EQ(edge(), first_edge);
  EXPECT_EQ(Shown(*Get(1)), "v1=2");
  Patch(Name(1), "e", "weight", model::Value::Int32(7));
  EXPECT_EQ(ToText(*edge()->Find("weight")), "7");
}

TEST_F(KeptLookupsTest, CostTheSameFromMemory) {
  for (int i = 0; i < 5; ++i) {
    PutText(VertexText(i, 1, -1));
    PutText(EdgeText("e" + std::to_string(i), "knows", i, 0, 1, -1));
  }
  const std::vector<ElementKey> keys = {Key(0), Key(1), Key(2)};
  const auto charge_of = [&](bool is_point) {
    DocumentStore store = Store();
    EXPECT_TRUE(store.GetVertices(std::span(keys).first(is_point ? 1 : 3)).has_value());
    if (!is_point) EXPECT_TRUE(store.EdgesOf(keys, EdgeDirection::kOut, {}).has_value());
    return store.charge();
  };
  for (const bool is_point : {true, false}) {
    const RequestUnits first = charge_of(is_point);
    EXPECT_GT(first, RequestUnits());
    EXPECT_EQ(charge_of(is_point), first);
  }
  EXPECT_EQ(charge_of(true), RequestUnits::Whole(1));
}

TEST_F(KeptLookupsTest, EndWithTheLifetimeThatTheContainerHasNow) {
  PutText(R"({"id":"v1","pk":"v1","label":"person","rank":[{"id":"r","_value":1}]})");
  EXPECT_NE(Get(1), nullptr);
  EXPECT_NE(Get(1), nullptr);
  gateway::ContainerSettings settings = container_->settings;
  settings.default_ttl_s = 30;
  const auto updated = server_.catalog->UpdateContainer("db", settings);
  ASSERT_TRUE(updated.has_value()) << updated.error().ToString();
  server_.catalog->WaitForIndexes();
  container_ = server_.Find("people");
  server_.clock.Advance(std::chrono::seconds(100));
  EXPECT_EQ(Get(1), nullptr);
}

partition::Limits UnmeteredSmallPartitions() {
  partition::Limits limits = gateway::SmallPartitions();
  limits.meters = false;
  return limits;
}

// With writers and readers at once, which nobody throttles.
class KeptLookupsRaceTest : public KeptLookupsTest {
 protected:
  static constexpr int kWrites = 3'000;
  KeptLookupsRaceTest() : KeptLookupsTest(UnmeteredSmallPartitions()) {}
};

// Readers must see a write as soon as its writer was told, and never go back behind what they saw.
TEST_F(KeptLookupsRaceTest, NoneIsOlderThanAnAcknowledgedWrite) {
  PutText(VertexText(1, 0, -1));
  std::atomic<int> acknowledged{0};
  std::atomic<bool> stop{false};
  std::atomic<int> reads{0};
  std::thread writer([&] {
    for (int i = 1; i <= kWrites; ++i) {
      const auto vertex = server_.Put(container_, VertexText(1, i, -1));
      const auto edge = server_.Put(
          container_,
          EdgeText("e" + std::to_string(i % 7), i % 2 == 0 ? "knows" : "likes", 1, 2, i, -1));
      EXPECT_TRUE(vertex.status.has_value()) << vertex.status.error().ToString();
      EXPECT_TRUE(edge.status.has_value()) << edge.status.error().ToString();
      if (!vertex.status.has_value() || !edge.status.has_value()) break;
      acknowledged.store(i);
      // Time to keep an answer, now and then, so that both what is kept and what is read is seen.
      if (i % 16 == 0) {
        const int before = reads.load();
        while (!HasFatalFailure() && reads.load() < before + 4) std::this_thread::yield();
      }
    }
    stop.store(true);
  });
  std::vector<std::thread> readers;
  for (int reader = 0; reader < 2; ++reader) {
    readers.emplace_back([&, reader] {
      int seen = 0;
      int seen_weight = 0;
      while (!stop.load()) {
        const int least = acknowledged.load();
        DocumentStore store({.gateway = *server_.gateway,
                             .container = container_,
                             .rules = *RulesOf(*container_),
                             .clock = server_.clock,
                             .context = context_,
                             .lookups = &lookups_});
        const ElementKey key = Key(1);
        const auto vertices = store.GetVertices({&key, 1});
        ASSERT_TRUE(vertices.has_value()) << vertices.error().ToString();
        const int rank = std::stoi(Shown(*vertices->front()).substr(3));
        ASSERT_GE(rank, std::max(least, seen));
        seen = rank;
        const ElementKey target = Key(2);
        const bool is_in = reader == 0;
        const auto edges = store.EdgesOf({is_in ? &target : &key, 1},
                                         is_in ? EdgeDirection::kIn : EdgeDirection::kOut, {});
        ASSERT_TRUE(edges.has_value()) << edges.error().ToString();
        int weight = 0;
        for (const auto& edge : *edges)
          weight = std::max(weight, static_cast<int>(edge->Find("weight")->AsInteger()));
        ASSERT_GE(weight, std::max(least, seen_weight));
        seen_weight = weight;
        reads.fetch_add(1);
      }
    });
  }
  writer.join();
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(acknowledged.load(), kWrites);
  EXPECT_GT(reads.load(), kWrites / 16);
  EXPECT_GT(lookups_.cache.bytes(), 0u);
}

}  // namespace
}  // namespace orrery::gremlin
