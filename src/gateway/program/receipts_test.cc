// Receipts of programs: through nodes that do not have the partition, and after a split.
#include <gtest/gtest.h>

#include "gateway/program/document_program.h"
#include "gateway/program/program_registry.h"
#include "gateway/remote/cluster_testing.h"
#include "gateway/test_server.h"

namespace orrery::gateway {
namespace {

using model::Value;

// Adds one to a document, once for each receipt. Answers "done" or "again".
class AddOnce final : public DocumentProgram {
 public:
  static constexpr std::string_view kKind = "test.add_once";

  AddOnce(std::string pk, std::string receipt)
      : pk_(std::move(pk)), key_(Value::String("n")), names_{std::move(receipt)} {}

  static void Register(ProgramRegistry& registry) {
    registry.Add(std::string(kKind),
                 [](const ContainerRef&,
                    std::string_view data) -> Result<std::shared_ptr<const DocumentProgram>> {
                   MessageReader in(data);
                   std::string pk = in.String();
                   std::string receipt = in.String();
                   ORRERY_TRY(in.End());
                   return std::make_shared<const AddOnce>(std::move(pk), std::move(receipt));
                 });
  }

  std::span<const Value> reads() const override { return {&key_, 1}; }
  std::span<const std::string> receipts() const override { return names_; }
  Result<Decision> Decide(std::span<const std::optional<item::CurrentDocument>> /*documents*/,
                          Micros /*now*/) const override {
    return Fail(Code::kInternal, "needs receipts");
  }
  Result<Decision> DecideWithReceipts(
      std::span<const std::optional<item::CurrentDocument>> documents,
      std::span<const std::optional<std::string>> receipts, Micros /*now*/) const override {
    Decision decision;
    decision.outcome = receipts[0].has_value() ? "again" : "done";
    if (receipts[0].has_value()) return decision;
    const int64_t before =
        documents[0].has_value() ? documents[0]->document.Find("n")->AsInteger() : 0;
    decision.operations.emplace_back().document =
        Json(R"({"id":"n","pk":")" + pk_ + R"(","n":)" + std::to_string(before + 1) + "}");
    decision.receipts.push_back(
        {.name = names_[0], .bytes = "x", .lifetime = std::chrono::minutes(30)});
    return decision;
  }
  std::string_view kind() const override { return kKind; }
  std::string Encode() const override {
    MessageWriter out;
    out.Bytes(pk_);
    out.Bytes(names_[0]);
    return std::move(out).Take();
  }

 private:
  const std::string pk_;
  const Value key_;
  const std::vector<std::string> names_;
};

partition::Limits LargePartitions() {
  partition::Limits limits;
  limits.physical_partition_rate_max = 100'000;
  return limits;
}

TEST(ReceiptsTest, AreAtThePartitionsOwner) {
  TestCluster cluster{LargePartitions()};
  AddOnce::Register(cluster.programs);
  Catalog& catalog = cluster.core(1).catalog();
  ASSERT_TRUE(catalog.CreateDatabase("db", {}).has_value());
  ContainerSettings settings;
  settings.name = "c";
  settings.partition_key_paths = {"/pk"};
  settings.throughput = partition::ThroughputSettings::Manual(400'000);
  ASSERT_TRUE(catalog.CreateContainer("db", settings).has_value());
  cluster.Spread(2);
  for (int i = 0; i < 8; ++i) {
    const std::string pk = "key" + std::to_string(i);
    const auto run = [&](uint64_t node) {
      return cluster.core(node)
          .gateway()
          .RunAndWait({.container = cluster.Find(node, "db", "c"),
                       .partition_key = {Value::String(pk)},
                       .program = std::make_shared<const AddOnce>(pk, "receipt")})
          .outcome;
    };
    EXPECT_EQ(run(1), "done");
    EXPECT_EQ(run(2), "again");
    EXPECT_EQ(run(1), "again");
    const auto read =
        cluster.core(1).gateway().Read(cluster.Find(1, "db", "c"), {Value::String(pk)},
                                       Value::String("n"), storage::ReadMode::kMayBlock);
    ASSERT_TRUE(read.status.has_value());
    EXPECT_EQ(read.item.document.Find("n")->AsInteger(), 1);
  }
}

TEST(ReceiptsTest, MoveWithASplit) {
  TestServer server(SmallPartitions());
  const ContainerRef container =
      server.MakeContainer("c", partition::ThroughputSettings::Manual(1'000));
  const auto run = [&](int i) {
    const std::string pk = "key" + std::to_string(i);
    return server.gateway
        ->RunAndWait({.container = container,
                      .partition_key = {Value::String(pk)},
                      .program = std::make_shared<const AddOnce>(pk, "receipt")})
        .outcome;
  };
  for (int i = 0; i < 40; ++i) EXPECT_EQ(run(i), "done");
  const auto ranges = server.node->topology()->map->Ranges(container->id);
  ASSERT_EQ(ranges.size(), 1u);
  ASSERT_TRUE(server.node->Split(ranges.front().partition, std::nullopt).has_value());
  ASSERT_EQ(server.node->topology()->map->Ranges(container->id).size(), 2u);
  server.node->WaitForBackground();
  for (int i = 0; i < 40; ++i) EXPECT_EQ(run(i), "again");
}

}  // namespace
}  // namespace orrery::gateway
