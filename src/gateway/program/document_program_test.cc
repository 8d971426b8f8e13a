// Programs: what they look at and decide, on a node that has the partition and on one that has not.
#include "gateway/program/document_program.h"

#include <gtest/gtest.h>

#include <charconv>
#include <thread>

#include "gateway/program/program_registry.h"
#include "gateway/remote/cluster_testing.h"

namespace orrery::gateway {
namespace {

using cluster::PeerMethod;
using model::Value;

// Moves `amount` from one account to another and answers the first one's new balance. Refuses to
// overdraw.
class Transfer final : public DocumentProgram {
 public:
  static constexpr std::string_view kKind = "test.transfer";

  Transfer(std::string pk, std::string from, std::string to, int64_t amount)
      : pk_(std::move(pk)),
        keys_{Value::String(std::move(from)), Value::String(std::move(to))},
        amount_(amount) {}

  static void Register(ProgramRegistry& registry) {
    registry.Add(std::string(kKind),
                 [](const ContainerRef&,
                    std::string_view data) -> Result<std::shared_ptr<const DocumentProgram>> {
                   MessageReader in(data);
                   std::string pk = in.String();
                   std::string from = in.String();
                   std::string to = in.String();
                   const int64_t amount = in.Signed();
                   ORRERY_TRY(in.End());
                   return std::make_shared<const Transfer>(std::move(pk), std::move(from),
                                                           std::move(to), amount);
                 });
  }

  std::span<const Value> reads() const override { return keys_; }
  Result<Decision> Decide(std::span<const std::optional<item::CurrentDocument>> documents,
                          Micros /*now*/) const override {
    if (!documents[0].has_value()) return Fail(Code::kNotFound, "no such account");
    const int64_t from = documents[0]->document.Find("n")->AsInteger() - amount_;
    const int64_t to =
        amount_ + (documents[1].has_value() ? documents[1]->document.Find("n")->AsInteger() : 0);
    if (from < 0) return Fail(Code::kPreconditionFailed, "the account would be overdrawn");
    Decision decision;
    decision.outcome = std::to_string(from);
    if (amount_ == 0) return decision;
    for (const auto& [key, n] : {std::pair(keys_[0], from), std::pair(keys_[1], to)}) {
      WriteOperation& write = decision.operations.emplace_back();
      write.document = Json(R"({"id":")" + std::string(key.AsString()) + R"(","pk":")" + pk_ +
                            R"(","n":)" + std::to_string(n) + "}");
    }
    return decision;
  }
  std::string_view kind() const override { return kKind; }
  std::string Encode() const override {
    MessageWriter out;
    out.Bytes(pk_);
    out.Bytes(keys_[0].AsString());
    out.Bytes(keys_[1].AsString());
    out.Signed(amount_);
    return std::move(out).Take();
  }

 private:
  const std::string pk_;
  const std::vector<Value> keys_;
  const int64_t amount_;
};

class DocumentProgramTest : public testing::Test {
 protected:
  DocumentProgramTest() {
    Transfer::Register(cluster.programs);
    Catalog& catalog = cluster.core(1).catalog();
    EXPECT_TRUE(catalog.CreateDatabase("db", {}).has_value());
    ContainerSettings settings;
    settings.name = "c";
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(400'000);
    EXPECT_TRUE(catalog.CreateContainer("db", settings).has_value());
    cluster.Spread(2);
    for (int i = 0; local.empty() || remote.empty(); ++i) {
      const std::string pk = "key" + std::to_string(i);
      const auto routed = cluster.core(1).gateway().RoutePartitionKey(*At(1), {Value::String(pk)});
      const NodeId owner = cluster.OwnerOf(cluster.PartitionOf(At(1)->id, routed->hash));
      (owner == NodeId(1) ? local : remote) = pk;
    }
  }

  static partition::Limits Large() {
    partition::Limits limits;
    limits.physical_partition_rate_max = 100'000;
    return limits;
  }
  ContainerRef At(uint64_t node) { return cluster.Find(node, "db", "c"); }
  void Put(const std::string& pk, const std::string& id, int n) {
    const auto written = cluster.core(1).gateway().WriteAndWait(TestServer::Upsert(
        At(1), R"({"id":")" + id + R"(","pk":")" + pk + R"(","n":)" + std::to_string(n) + "}"));
    EXPECT_TRUE(written.status.has_value()) << written.status.error().ToString();
  }
  int64_t Get(const std::string& pk, const std::string& id) {
    const auto read = cluster.core(1).gateway().Read(At(1), {Value::String(pk)}, Value::String(id),
                                                     storage::ReadMode::kMayBlock);
    return read.status.has_value() ? read.item.document.Find("n")->AsInteger() : -1;
  }
  WriteResponse Run(const std::string& pk, std::string from, std::string to, int64_t amount,
                    uint64_t node = 1, std::string document_pk = "") {
    return cluster.core(node).gateway().RunAndWait(
        {.container = At(node),
         .partition_key = {Value::String(pk)},
         .program = std::make_shared<const Transfer>(document_pk.empty() ? pk : document_pk,
                                                     std::move(from), std::move(to), amount)});
  }

  TestCluster cluster{Large()};
  std::string local;   // a partition key of node 1
  std::string remote;  // one of node 2
};

TEST_F(DocumentProgramTest, DecidesOnWhatIsStored) {
  for (const std::string& pk : {local, remote}) {
    Put(pk, "a", 10);
    const WriteResponse first = Run(pk, "a", "b", 4);
    ASSERT_TRUE(first.status.has_value()) << first.status.error().ToString();
    EXPECT_EQ(first.outcome, "6");
    ASSERT_EQ(first.results.size(), 2u);
    EXPECT_EQ(first.results[0].done, item::OperationKind::kReplace);
    EXPECT_EQ(first.results[1].done, item::OperationKind::kCreate);
    EXPECT_GT(first.charge, RequestUnits::Whole(10));
    EXPECT_NE(first.session, "");
    EXPECT_EQ(Get(pk, "a"), 6);
    EXPECT_EQ(Get(pk, "b"), 4);
  }
  EXPECT_EQ(cluster.peers.Calls(PeerMethod::kRunProgram), 1);
}

TEST_F(DocumentProgramTest, RefusalsChangeNothing) {
  for (const std::string& pk : {local, remote}) {
    Put(pk, "a", 10);
    const WriteResponse overdrawn = Run(pk, "a", "b", 11);
    ASSERT_FALSE(overdrawn.status.has_value());
    EXPECT_EQ(overdrawn.status.error().code(), Code::kPreconditionFailed);
    EXPECT_EQ(overdrawn.status.error().message(), "the account would be overdrawn");
    EXPECT_GT(overdrawn.charge, RequestUnits());
    EXPECT_EQ(Run(pk, "none", "b", 1).status.error().code(), Code::kNotFound);
    // A document of another partition key is refused as in any other write.
    EXPECT_EQ(Run(pk, "a", "b", 1, 1, "elsewhere").status.error().code(), Code::kInvalidArgument);
    EXPECT_EQ(Get(pk, "a"), 10);
    EXPECT_EQ(Get(pk, "b"), -1);
  }
}

TEST_F(DocumentProgramTest, MayDecideToDoNothing) {
  Put(local, "a", 10);
  const WriteResponse response = Run(local, "a", "b", 0);
  ASSERT_TRUE(response.status.has_value());
  EXPECT_EQ(response.outcome, "10");
  EXPECT_TRUE(response.results.empty());
  EXPECT_GT(response.charge, RequestUnits());
}

TEST_F(DocumentProgramTest, ConcurrentProgramsLoseNothing) {
  for (const std::string& pk : {local, remote}) {
    Put(pk, "a", 400);
    std::vector<std::thread> threads;
    for (uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 100; ++i)
          EXPECT_TRUE(Run(pk, "a", "b", 1, t % 2 + 1).status.has_value());
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(Get(pk, "a"), 0);
    EXPECT_EQ(Get(pk, "b"), 400);
  }
}

TEST_F(DocumentProgramTest, AKindThatTheOwnerDoesNotKnowIsUnsupported) {
  const ProgramRegistry empty;
  const auto decoded = empty.Decode(At(1), Transfer::kKind, "");
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error().code(), Code::kUnsupported);
  ASSERT_FALSE(cluster.programs.Decode(At(1), Transfer::kKind, "cut").has_value());
}

TEST_F(DocumentProgramTest, ALostAnswerLeavesTheOutcomeUnknown) {
  Put(remote, "a", 10);
  cluster.peers.answers_to_lose = 1;
  const WriteResponse response = Run(remote, "a", "b", 1);
  ASSERT_FALSE(response.status.has_value());
  EXPECT_EQ(response.status.error().code(), Code::kUnavailable);
  EXPECT_EQ(Get(remote, "a"), 9) << "it ran once";
}

}  // namespace
}  // namespace orrery::gateway
