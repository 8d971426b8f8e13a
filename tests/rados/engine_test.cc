// Engines on a real cluster: taken over from an owner that does not know it, and through failures.
#include "storage/engine/engine.h"

#include <fmt/core.h>

#include "ceph_node.h"
#include "storage/engine/engine_testing.h"

namespace orrery::storage::rados {
namespace {

class CephEngineTest : public CephTest {
 protected:
  static std::unique_ptr<Engine> Open(CephNode& node) {
    auto engine = Engine::Open(*node.resources, EngineOptions{.path = "/engine"});
    EXPECT_TRUE(engine.has_value()) << engine.error().ToString();
    return engine.has_value() ? std::move(*engine) : nullptr;
  }
  // Keys with the numbers [begin, end); remembered are those that were acknowledged.
  static void Put(Engine& engine, int begin, int end, Content& acknowledged) {
    for (int i = begin; i < end; ++i) {
      const std::string key = fmt::format("key{:06}", i);
      const Status put = PutOne(engine, key, std::string(500, 'v'));
      EXPECT_TRUE(put.has_value()) << put.error().ToString();
      if (put.has_value()) acknowledged[key] = std::string(500, 'v');
    }
  }

  const LibradosStore::Options options_ = NewOptions();
};

TEST_F(CephEngineTest, AnotherTakesOverAndTheFormerOwnerWritesNothing) {
  CephNode former(options_);
  const auto engine = Open(former);
  ASSERT_NE(engine, nullptr);
  Content acknowledged;
  Put(*engine, 0, 100, acknowledged);
  ASSERT_TRUE(engine->Flush().has_value());
  Put(*engine, 100, 150, acknowledged);

  CephNode next(options_);
  ASSERT_TRUE(next.files->Take("/engine").has_value());
  EXPECT_FALSE(PutOne(*engine, "zombie", "1").has_value()) << "refused by the epoch alone";
  ASSERT_TRUE(next.store->Blocklist(former.store->Address()).has_value());
  const auto taken = Open(next);
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(ContentOf(*taken), acknowledged);
  EXPECT_FALSE(PutOne(*engine, "zombie", "2").has_value());
  Put(*taken, 150, 200, acknowledged);
  EXPECT_EQ(ContentOf(*taken), acknowledged);
}

TEST_F(CephEngineTest, LosesNothingWhenOsdsFailUnderIt) {
  Content acknowledged;
  {
    CephNode node(options_);
    const auto engine = Open(node);
    ASSERT_NE(engine, nullptr);
    Put(*engine, 0, 100, acknowledged);
    {
      const OsdFailure killed(0, OsdFailure::kKilled);
      Put(*engine, 100, 200, acknowledged);
      ASSERT_TRUE(engine->Flush().has_value());
    }
    {
      const OsdFailure hung(2, OsdFailure::kHung);
      Put(*engine, 200, 300, acknowledged);
    }
    WaitForAllOsds(*node.store);
  }
  CephNode next(options_);
  ASSERT_TRUE(next.files->Take("/engine").has_value());
  const auto engine = Open(next);
  ASSERT_NE(engine, nullptr);
  EXPECT_EQ(ContentOf(*engine), acknowledged);
}

TEST_F(CephEngineTest, NothingIsLeftOfADestroyedEngine) {
  CephNode node(options_);
  {
    const auto engine = Open(node);
    ASSERT_NE(engine, nullptr);
    Content acknowledged;
    Put(*engine, 0, 50, acknowledged);
    ASSERT_TRUE(engine->CheckpointTo("/copy").has_value());
  }
  ASSERT_TRUE(Engine::Destroy(*node.resources, "/engine").has_value());
  ASSERT_TRUE(Engine::Destroy(*node.resources, "/copy").has_value());
  node.files->WaitForRemovals();
  ASSERT_TRUE(node.files->CollectGarbage().has_value());
  const auto left = node.store->List("", 100);
  ASSERT_TRUE(left.has_value());
  EXPECT_LE(left->names.size(), 1u) << "the root directory, and nothing else";
}

}  // namespace
}  // namespace orrery::storage::rados
