// Ends a process at the operations that an engine's life makes on the object store, and lets
// another process take the engine: every acknowledged write is there, nothing else is, the engine
// takes writes, and after a collection of garbage no object is left that nothing refers to.
//
// ORRERY_CRASH_EVERY=1 in the environment tries every operation instead of a sample.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/log.h"
#include "storage/engine/engine_testing.h"
#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

constexpr int kWrites = 24;
constexpr uint64_t kSampledCrashes = 12;
constexpr const char* kEngine = "/engine";
constexpr const char* kCopy = "/copy";

std::string Key(int i) { return fmt::format("key{:03}", i); }
std::string Value(int i) { return fmt::format("value{:03}{}", i, std::string(60, 'v')); }

// One life of an engine, told step by step what is known to be stored.
class Life {
 public:
  explicit Life(Process& process)
      : process_(process),
        resources_(ResourceOptions{.block_cache_bytes = 1 << 20,
                                   .background_threads = 1,
                                   .recycled_log_bytes_min = UINT64_MAX,
                                   .file_system = process.files->AsFileSystem()}) {}

  // Stops at the first error.
  Status Run() {
    ORRERY_TRY(Open());
    for (int i = 0; i < kWrites; ++i) {
      maybe_[Key(i)] = Value(i);
      ORRERY_TRY(PutOne(*engine_, Key(i), Value(i)));
      acknowledged_[Key(i)] = Value(i);
      if (i == 4 || i == 8) ORRERY_TRY(engine_->Flush());
      if (i == 10) {
        ORRERY_TRY(engine_->CheckpointTo(kCopy));
        copied_ = acknowledged_;
      }
      if (i == 12) ORRERY_TRY(engine_->Compact("", ""));
      if (i == 16) {
        engine_.reset();
        ORRERY_TRY(Open());
      }
      if (i == 20) {
        copied_.reset();
        ORRERY_TRY(Engine::Destroy(resources_, kCopy));
      }
    }
    engine_.reset();
    return {};
  }

  Status Open() {
    ORRERY_ASSIGN(engine_, Engine::Open(resources_, EngineOptions{.path = kEngine}));
    return {};
  }

  // In the process that takes over.
  void Verify(const Life& former) {
    const Status taken = process_.files->Take(kEngine);
    if (!taken.has_value()) {
      ASSERT_EQ(taken.error().code(), Code::kNotFound) << taken.error().ToString();
      ASSERT_TRUE(former.acknowledged_.empty());
    }
    const Status opened = Open();
    ASSERT_TRUE(opened.has_value()) << opened.error().ToString();
    const Content found = storage::ContentOf(*engine_);
    for (const auto& [key, value] : former.acknowledged_) EXPECT_EQ(At(found, key), value);
    for (const auto& [key, value] : found) EXPECT_EQ(At(former.maybe_, key), value);
    ASSERT_OK(PutOne(*engine_, "after", "the crash"));
    VerifyCopy(former);
    engine_.reset();
  }

 private:
  static std::string At(const Content& content, const std::string& key) {
    const auto found = content.find(key);
    return found == content.end() ? "<none>" : found->second;
  }

  void VerifyCopy(const Life& former) {
    if (former.copied_.has_value()) {
      ASSERT_OK(process_.files->Take(kCopy));
      const auto copy = Engine::Open(resources_, EngineOptions{.path = kCopy});
      ASSERT_TRUE(copy.has_value()) << copy.error().ToString();
      EXPECT_EQ(storage::ContentOf(**copy), *former.copied_);
    }
    // Any remains of it, whole or not.
    const Status taken = process_.files->Take(kCopy);
    ASSERT_TRUE(taken.has_value() || taken.error().code() == Code::kNotFound);
    ASSERT_OK(Engine::Destroy(resources_, kCopy));
  }

  Process& process_;
  EngineResources resources_;
  std::unique_ptr<Engine> engine_;
  Content acknowledged_;
  Content maybe_;
  std::optional<Content> copied_;
};

uint64_t OperationsOfALife() {
  TestCluster cluster(1 << 10);
  Process process = cluster.Start();
  Life life(process);
  const Status ran = life.Run();
  EXPECT_TRUE(ran.has_value()) << ran.error().ToString();
  process.files->WaitForRemovals();
  return process.store->calls();
}

TEST(RadosEngineCrashTest, ALifeThatEndsAnywhereKeepsWhatItAcknowledged) {
  SetLogLevel(LogLevel::kOff);
  const uint64_t operations = OperationsOfALife();
  ASSERT_GT(operations, 100u);
  const bool every = std::getenv("ORRERY_CRASH_EVERY") != nullptr;
  const uint64_t stride = every ? 1 : operations / kSampledCrashes;
  for (uint64_t crash_at = every ? 0 : 7; crash_at < operations; crash_at += stride) {
    SCOPED_TRACE(crash_at);
    TestCluster cluster(1 << 10);
    Process process = cluster.Start(crash_at + 1);
    Process next = cluster.Start(crash_at + 2);
    process.store->FaultAfter(crash_at, ObjectFault::kCrash);
    {
      Life life(process);
      static_cast<void>(life.Run());
      process.store->Crash();
      Life after(next);
      after.Verify(life);
    }
    next.files->WaitForRemovals();
    const Result<GarbageCount> collected = next.files->CollectGarbage();
    ASSERT_TRUE(collected.has_value()) << collected.error().ToString();
    ASSERT_TRUE(next.files->Take(kEngine).has_value()) << "closes what is open still";
    EXPECT_EQ(Orphans(cluster, *next.store), std::set<std::string>());
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace orrery::storage::rados
