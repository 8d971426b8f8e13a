// Engines on the file system on an object store: what they need of it, and what it costs.
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "base/log.h"
#include "base/mutex.h"
#include "storage/directory.h"
#include "storage/engine/engine_testing.h"
#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

constexpr uint32_t kStripeBytes = 4 << 10;

class RadosEngineTest : public testing::Test {
 protected:
  // A process with what its engines share.
  struct Node {
    Process process;
    std::unique_ptr<EngineResources> resources;
  };

  RadosEngineTest() { SetLogLevel(LogLevel::kError); }

  Node StartNode(uint64_t seed = 1) {
    Node node{.process = cluster_.Start(seed), .resources = nullptr};
    node.resources = std::make_unique<EngineResources>(
        ResourceOptions{.block_cache_bytes = 8 << 20,
                        .recycled_log_bytes_min = UINT64_MAX,
                        .file_system = node.process.files->AsFileSystem()});
    return node;
  }
  static std::unique_ptr<Engine> Open(Node& node, const std::string& path = "/engine") {
    Result<std::unique_ptr<Engine>> engine =
        Engine::Open(*node.resources, EngineOptions{.path = path});
    EXPECT_TRUE(engine.has_value()) << engine.error().ToString();
    return engine.has_value() ? std::move(*engine) : nullptr;
  }
  std::vector<std::string> NamesAfterCollection(Node& node) {
    node.process.files->WaitForRemovals();
    EXPECT_TRUE(node.process.files->CollectGarbage().has_value());
    return cluster_.cluster.Names();
  }

  TestCluster cluster_{kStripeBytes};
};

TEST_F(RadosEngineTest, WhatWasWrittenIsThereForTheNextOwner) {
  {
    Node node = StartNode();
    const auto engine = Open(node);
    ASSERT_OK(PutOne(*engine, "a", "1"));
    ASSERT_OK(engine->Flush());
    ASSERT_OK(PutOne(*engine, "b", "2"));
    EXPECT_EQ(ContentOf(*engine), (Content{{"a", "1"}, {"b", "2"}}));
  }
  Node next = StartNode();
  Result<std::unique_ptr<Engine>> refused =
      Engine::Open(*next.resources, EngineOptions{.path = "/engine"});
  EXPECT_EQ(CodeOf(refused), Code::kUnavailable) << "not without taking it";
  ASSERT_OK(next.process.files->Take("/engine"));
  const auto engine = Open(next);
  ASSERT_NE(engine, nullptr);
  EXPECT_EQ(ContentOf(*engine), (Content{{"a", "1"}, {"b", "2"}}));
}

TEST_F(RadosEngineTest, AKilledOwnerLosesNothingThatWasAcknowledged) {
  Node node = StartNode();
  auto engine = Open(node);
  Content expected;
  for (int i = 0; i < 50; ++i) {
    ASSERT_OK(PutOne(*engine, "key" + std::to_string(i), std::string(1000, 'x')));
    expected["key" + std::to_string(i)] = std::string(1000, 'x');
    if (i == 20) ASSERT_OK(engine->Flush());
  }
  node.process.store->Crash();
  Node next = StartNode();
  ASSERT_OK(next.process.files->Take("/engine"));
  const auto reopened = Open(next);
  ASSERT_NE(reopened, nullptr);
  EXPECT_EQ(ContentOf(*reopened), expected);
}

TEST_F(RadosEngineTest, ACheckpointCopiesNoData) {
  Node node = StartNode();
  const auto engine = Open(node);
  Content expected;
  for (int i = 0; i < 300; ++i) {
    std::string value(10'000, '\0');
    for (size_t at = 0; at < value.size(); ++at)
      value[at] = static_cast<char>(at * 7919 * (i + 1) >> 7);
    ASSERT_OK(PutOne(*engine, "key" + std::to_string(i), value));
    expected["key" + std::to_string(i)] = value;
  }
  ASSERT_OK(engine->Flush());
  const uint64_t before = node.process.store->bytes_written();
  ASSERT_OK(engine->CheckpointTo("/left"));
  ASSERT_OK(engine->CheckpointTo("/right"));
  EXPECT_LT(node.process.store->bytes_written() - before, 50'000u);
  EXPECT_EQ(ContentOf(*Open(node, "/left")), expected);

  // The copy is another process's now; the original goes, what they share stays.
  Node next = StartNode();
  ASSERT_OK(next.process.files->Take("/right"));
  const auto copy = Open(next, "/right");
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(ContentOf(*copy), expected);
}

TEST_F(RadosEngineTest, AnOwnerThatStoodStillAcknowledgesNothing) {
  Node former = StartNode();
  auto zombie = Open(former);
  ASSERT_OK(PutOne(*zombie, "a", "1"));
  former.process.store->Stop();
  Status late;
  std::thread writing([&] { late = PutOne(*zombie, "a", "late"); });
  former.process.store->AwaitWaiting(1);
  Node next = StartNode(2);
  ASSERT_OK(next.process.files->Take("/engine"));
  const auto engine = Open(next);
  ASSERT_NE(engine, nullptr);
  ASSERT_OK(PutOne(*engine, "b", "2"));
  former.process.store->Continue();
  writing.join();
  EXPECT_EQ(CodeOf(late), Code::kFenced);
  EXPECT_EQ(CodeOf(PutOne(*zombie, "c", "3")), Code::kFenced);
  EXPECT_FALSE(zombie->Flush().has_value());
  zombie.reset();
  Result<std::unique_ptr<Engine>> again =
      Engine::Open(*former.resources, EngineOptions{.path = "/engine"});
  EXPECT_EQ(CodeOf(again), Code::kFenced);
  EXPECT_EQ(ContentOf(*engine), (Content{{"a", "1"}, {"b", "2"}}));
  ASSERT_OK(engine->Flush());
  ASSERT_OK(engine->Compact("", ""));
  EXPECT_EQ(ContentOf(*engine), (Content{{"a", "1"}, {"b", "2"}}));
}

// Several threads write through one engine while another process takes it, again and again: each
// write that was acknowledged is found by every later owner.
TEST_F(RadosEngineTest, NoAcknowledgedWriteIsLostWhenItIsTakenUnderLoad) {
  constexpr int kOwners = 4;
  constexpr int kThreads = 3;
  constexpr size_t kWritesEach = 40;  // or more, of all threads, before the next owner comes
  Mutex mutex;
  std::set<std::string> acknowledged;
  std::vector<Node> nodes;
  std::vector<std::unique_ptr<Engine>> engines;
  std::vector<std::thread> threads;
  std::atomic<bool> stop{false};
  for (int owner = 0; owner < kOwners; ++owner) {
    nodes.push_back(StartNode(static_cast<uint64_t>(owner + 1)));
    if (owner > 0) ASSERT_OK(nodes.back().process.files->Take("/engine"));
    engines.push_back(Open(nodes.back()));
    ASSERT_NE(engines.back(), nullptr);
    Engine& engine = *engines.back();
    {
      MutexLock lock(mutex);
      for (const std::string& key : acknowledged) EXPECT_EQ(Read(engine, key), key);
    }
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, owner, thread] {
        for (int i = 0; !stop; ++i) {
          const std::string key = std::to_string(owner) + "." + std::to_string(thread) + "." +
                                  std::to_string(i) + std::string(200, 'k');
          // Fenced, when the next owner has come.
          if (!PutOne(engine, key, key).has_value()) return;
          MutexLock lock(mutex);
          acknowledged.insert(key);
        }
      });
    }
    const size_t enough = static_cast<size_t>(owner + 1) * kWritesEach;
    for (;;) {
      std::this_thread::yield();
      MutexLock lock(mutex);
      if (acknowledged.size() >= enough) break;
    }
    if (owner == 1) ASSERT_OK(engine.Flush());
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  Node last = StartNode(99);
  ASSERT_OK(last.process.files->Take("/engine"));
  const auto engine = Open(last);
  ASSERT_NE(engine, nullptr);
  for (const std::string& key : acknowledged) EXPECT_EQ(Read(*engine, key), key);
}

TEST_F(RadosEngineTest, AFailedWriteIsRepairedByOpeningAnew) {
  Node node = StartNode();
  for (const ObjectFault fault : {ObjectFault::kLostRequest, ObjectFault::kLostAnswer}) {
    auto engine = Open(node);
    ASSERT_OK(PutOne(*engine, "a", "1"));
    node.process.store->FaultAfter(0, fault);
    EXPECT_EQ(CodeOf(PutOne(*engine, "b", "2")), Code::kUnavailable);
    EXPECT_FALSE(PutOne(*engine, "c", "3").has_value());
    ASSERT_OK(engine->SalvageTo("/salvaged"));
    engine.reset();
    const Content salvaged = ContentOf(*Open(node, "/salvaged"));
    EXPECT_EQ(salvaged.at("a"), "1");
    EXPECT_FALSE(salvaged.contains("c"));
    ASSERT_OK(Engine::Destroy(*node.resources, "/salvaged"));
    engine = Open(node);
    ASSERT_NE(engine, nullptr);
    EXPECT_EQ(Read(*engine, "a"), "1");
    ASSERT_OK(PutOne(*engine, "d", "4"));
  }
}

// Without the setting that is advised logs are kept to be written over, and that is refused.
TEST_F(RadosEngineTest, RecycledLogsDoNoHarm) {
  Node node = StartNode();
  node.resources = std::make_unique<EngineResources>(
      ResourceOptions{.block_cache_bytes = 8 << 20,
                      .recycled_log_bytes_min = 1,
                      .file_system = node.process.files->AsFileSystem()});
  {
    const auto engine = Open(node);
    for (int i = 0; i < 5; ++i) {
      ASSERT_OK(PutOne(*engine, "key" + std::to_string(i), "value"));
      ASSERT_OK(engine->Flush());
    }
  }
  EXPECT_EQ(ContentOf(*Open(node)).size(), 5u);
}

TEST_F(RadosEngineTest, AFullPoolLosesNothing) {
  Node node = StartNode();
  auto engine = Open(node);
  ASSERT_OK(PutOne(*engine, "a", "1"));
  cluster_.cluster.SetBytesMax(0);
  EXPECT_EQ(CodeOf(PutOne(*engine, "b", "2")), Code::kResourceExhausted);
  cluster_.cluster.SetBytesMax(UINT64_MAX);
  engine.reset();
  engine = Open(node);
  ASSERT_NE(engine, nullptr);
  EXPECT_EQ(ContentOf(*engine), (Content{{"a", "1"}}));
  ASSERT_OK(PutOne(*engine, "c", "3"));
}

TEST_F(RadosEngineTest, ADestroyedEngineLeavesNothing) {
  Node node = StartNode();
  const std::vector<std::string> before = cluster_.cluster.Names();
  {
    const auto engine = Open(node);
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < 20; ++i)
        ASSERT_OK(PutOne(*engine, "key" + std::to_string(i), std::string(1000, 'a')));
      ASSERT_OK(engine->Flush());
    }
    ASSERT_OK(engine->Compact("", ""));
    ASSERT_OK(engine->CheckpointTo("/copy"));
  }
  ASSERT_OK(Engine::Destroy(*node.resources, "/engine"));
  EXPECT_EQ(ContentOf(*Open(node, "/copy")).size(), 20u);
  ASSERT_OK(Engine::Destroy(*node.resources, "/copy"));
  node.process.files->WaitForRemovals();
  EXPECT_EQ(cluster_.cluster.Names(), before) << "without the collection of garbage";
}

TEST_F(RadosEngineTest, ASyncedWriteIsOneOperation) {
  Node node = StartNode();
  const auto engine = Open(node);
  ASSERT_OK(PutOne(*engine, "first", "stores the log's name, too"));
  node.process.files->WaitForRemovals();  // of what the opening replaced
  const uint64_t before = node.process.store->calls();
  for (int i = 0; i < 10; ++i) ASSERT_OK(PutOne(*engine, "key" + std::to_string(i), "value"));
  EXPECT_EQ(node.process.store->calls() - before, 10u);
}

TEST_F(RadosEngineTest, OpeningTakesFewOperations) {
  {
    Node node = StartNode();
    const auto engine = Open(node);
    ASSERT_OK(PutOne(*engine, "a", "1"));
    ASSERT_OK(engine->Flush());
    ASSERT_OK(PutOne(*engine, "b", "2"));
    node.process.store->Crash();
  }
  Node next = StartNode();
  const uint64_t before = next.process.store->calls();
  ASSERT_OK(next.process.files->Take("/engine"));
  const uint64_t taken = next.process.store->calls();
  // Most of them at the same time: the stripes that the former owner may write.
  EXPECT_LE(taken - before, 25u);
  const auto engine = Open(next);
  EXPECT_LE(next.process.store->calls() - taken, 25u);
}

}  // namespace
}  // namespace orrery::storage::rados
