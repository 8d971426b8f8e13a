// Cuts the power at the calls that an engine's life makes to the file system, and looks at what is
// left: every acknowledged write, nothing twice, and an engine that opens.
//
// ORRERY_CRASH_EVERY=1 in the environment tries every call instead of a sample.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"
#include "storage/resources_rep.h"

namespace orrery::storage {
namespace {

constexpr int kWrites = 50;
constexpr uint64_t kSampledCrashes = 15;  // for each kind of power cut

std::string Value(int i) { return fmt::format("value{:03}{}", i, std::string(50, 'v')); }

// One life of an engine, told step by step what is known to be durable.
class Life {
 public:
  Life(const TemporaryDirectory& root, FaultFileSystem& faults)
      : root_(root),
        resources_(ResourceOptions{.block_cache_bytes = 1 << 20,
                                   .background_threads = 1,
                                   .recycled_log_bytes_min = 1,
                                   .file_system = faults.AsFileSystem()}) {}

  // Stops at the first error.
  Status Run() {
    ORRERY_TRY(Open());
    for (int i = 0; i < kWrites; ++i) {
      ORRERY_TRY(WriteOne(i));
      if (i == 5 || i == 10 || i == 15) ORRERY_TRY(ReplaceLog());
      if (i == 20) ORRERY_TRY(Checkpoint());
      if (i == 25) ORRERY_TRY(Fill());
      if (i == 30) ORRERY_TRY(Reopen());
      if (i == 35) ORRERY_TRY(engine_->Compact("", ""));
      if (i == 40) ORRERY_TRY(Drop());
      if (i == 45) ORRERY_TRY(DestroyCheckpoint());
    }
    engine_.reset();
    return {};
  }

  // REQUIRES: power is on again.
  void Verify() {
    engine_.reset();
    const Status opened = Open();
    ASSERT_TRUE(opened.has_value()) << opened.error().ToString();
    VerifyContent();
    VerifyCheckpoint();
    ASSERT_OK(PutOne(*engine_, "after", "the crash"));
  }

 private:
  std::string path() const { return root_ / "engine"; }
  std::string child() const { return root_ / "child"; }

  Status Open() {
    ORRERY_ASSIGN(engine_, Engine::Open(resources_, {.path = path(), .merge_rule = &sum_}));
    return {};
  }
  Status Reopen() {
    engine_.reset();
    return Open();
  }
  Status WriteOne(int i) {
    Batch batch;
    batch.Put(NumberedKey(i), Value(i));
    batch.Merge("count", "1");
    if (i % 5 == 4) batch.Delete(NumberedKey(i - 1));
    started_ = i + 1;
    ORRERY_TRY(engine_->Write(batch, Durability::kDurable));
    acknowledged_ = i + 1;
    return {};
  }
  // From the third on over the one before the last.
  Status ReplaceLog() {
    ORRERY_TRY(engine_->Flush());
    resources_.rep().recycled_logs.WaitUntilFilled();
    return {};
  }
  Status Checkpoint() {
    checkpoint_started_ = true;
    ORRERY_TRY(engine_->CheckpointTo(child()));
    checkpoint_done_ = true;
    return {};
  }
  Status DestroyCheckpoint() {
    checkpoint_done_ = false;
    ORRERY_TRY(Engine::Destroy(resources_, child()));
    checkpoint_started_ = false;
    return {};
  }
  Status Fill() {
    Batch batch;
    batch.Put("filled", "unlogged");
    batch.Put("filled too", "unlogged");
    fill_started_ = true;
    ORRERY_TRY(engine_->WriteUnlogged(batch));
    ORRERY_TRY(engine_->Flush());
    filled_ = true;
    return {};
  }
  Status Drop() {
    drop_started_ = true;
    ORRERY_TRY(engine_->DropRange(NumberedKey(5), NumberedKey(10)));
    dropped_ = true;
    return {};
  }

  static Content After(int writes) {
    Content content;
    for (int i = 0; i < writes; ++i) {
      content[NumberedKey(i)] = Value(i);
      if (i % 5 == 4) content.erase(NumberedKey(i - 1));
    }
    if (writes > 0) content["count"] = std::to_string(writes);
    return content;
  }

  void VerifyContent() {
    Content found = ContentOf(*engine_);
    const bool has_filling = found.erase("filled") == 1;
    EXPECT_EQ(found.erase("filled too") == 1, has_filling) << "half an unlogged batch";
    EXPECT_TRUE(has_filling || !filled_) << "flushed writes are lost";
    EXPECT_TRUE(!has_filling || fill_started_);
    const auto in_dropped = [](const auto& entry) {
      return entry.first >= NumberedKey(5) && entry.first < NumberedKey(10);
    };
    if (dropped_) EXPECT_EQ(std::ranges::count_if(found, in_dropped), 0);
    Content at_least = After(acknowledged_);
    Content at_most = After(started_);
    if (drop_started_) {
      for (Content* content : {&found, &at_least, &at_most}) std::erase_if(*content, in_dropped);
    }
    EXPECT_TRUE(found == at_least || found == at_most)
        << "acknowledged " << acknowledged_ << ", count says " << found["count"] << ", "
        << found.size() << " keys";
  }

  void VerifyCheckpoint() {
    if (checkpoint_done_) {
      auto opened = Engine::Open(
          resources_, {.path = child(), .create_if_missing = false, .merge_rule = &sum_});
      ASSERT_TRUE(opened.has_value()) << opened.error().ToString();
      EXPECT_EQ(ContentOf(**opened), After(21));
    }
    if (checkpoint_started_) {
      ASSERT_OK(Engine::Destroy(resources_, child()));
      ASSERT_OK(engine_->CheckpointTo(child()));
    }
  }

  const SumRule sum_;
  const TemporaryDirectory& root_;
  EngineResources resources_;
  std::unique_ptr<Engine> engine_;
  int started_ = 0;
  int acknowledged_ = 0;
  bool checkpoint_started_ = false;
  bool checkpoint_done_ = false;
  bool fill_started_ = false;
  bool filled_ = false;
  bool drop_started_ = false;
  bool dropped_ = false;
};

uint64_t CallsOfAWholeLife() {
  TemporaryDirectory root;
  TemporaryDirectory scratch;
  FaultFileSystem faults(scratch.path());
  Life life(root, faults);
  const Status status = life.Run();
  EXPECT_TRUE(status.has_value()) << status.error().ToString();
  const uint64_t calls = faults.calls();
  life.Verify();
  return calls;
}

using Cut = std::pair<PowerCutOptions::Bytes, PowerCutOptions::Names>;
class EngineCrashTest : public testing::TestWithParam<Cut> {
 protected:
  EngineCrashTest() { SetLogLevel(LogLevel::kError); }
};

TEST_P(EngineCrashTest, NoAcknowledgedWriteIsLostAtAnyCall) {
  const uint64_t calls = CallsOfAWholeLife();
  const bool every = std::getenv("ORRERY_CRASH_EVERY") != nullptr;
  const uint64_t stride = every ? 1 : std::max<uint64_t>(1, calls / kSampledCrashes);
  // Each kind of cut tries other calls.
  const uint64_t offset = every ? 0
                                : (static_cast<uint64_t>(GetParam().first) * 3 +
                                   static_cast<uint64_t>(GetParam().second)) *
                                      stride / 9;
  for (uint64_t at = offset; at < calls; at += stride) {
    SCOPED_TRACE(fmt::format("power cut at call {} of {}", at, calls));
    TemporaryDirectory root;
    TemporaryDirectory scratch;
    FaultFileSystem faults(scratch.path(),
                           {.seed = at, .bytes = GetParam().first, .names = GetParam().second});
    {
      Life life(root, faults);
      faults.CrashAfter(at);
      (void)life.Run();
      faults.Crash();
      faults.Restart();
      life.Verify();
    }
    if (HasFailure()) break;
  }
}

// Writes that the operating system had may be lost with the power, from some moment on: what is
// left is the state after one of them, not before the last flush. The engine opens in any case.
TEST_P(EngineCrashTest, UnsyncedWritesAreLostFromTheirEnd) {
  constexpr int kFlushed = 20;
  for (uint64_t seed = 1; seed <= kSampledCrashes; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    TemporaryDirectory root;
    TemporaryDirectory scratch;
    FaultFileSystem faults(scratch.path(),
                           {.seed = seed, .bytes = GetParam().first, .names = GetParam().second});
    EngineResources resources(ResourceOptions{.file_system = faults.AsFileSystem()});
    const EngineOptions options{.path = root / "engine"};
    {
      auto engine = *Engine::Open(resources, options);
      for (int i = 0; i < kWrites; ++i) {
        ASSERT_OK(PutOne(*engine, NumberedKey(i), Value(i), Durability::kOs));
        if (i + 1 == kFlushed) ASSERT_OK(engine->Flush());
      }
      faults.Crash();
    }
    faults.Restart();
    auto opened = Engine::Open(resources, options);
    ASSERT_TRUE(opened.has_value()) << opened.error().ToString();
    const int left = static_cast<int>(ContentOf(**opened).size());
    EXPECT_GE(left, kFlushed);
    Content expected;
    for (int i = 0; i < left; ++i) expected[NumberedKey(i)] = Value(i);
    EXPECT_EQ(ContentOf(**opened), expected);
    ASSERT_OK((*opened)->CheckpointTo(root / "child"));
    if (HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(
    AllCuts, EngineCrashTest,
    testing::Values(Cut{PowerCutOptions::Bytes::kLost, PowerCutOptions::Names::kKept},
                    Cut{PowerCutOptions::Bytes::kLost, PowerCutOptions::Names::kLost},
                    Cut{PowerCutOptions::Bytes::kTorn, PowerCutOptions::Names::kLost},
                    Cut{PowerCutOptions::Bytes::kTorn, PowerCutOptions::Names::kSomeLost},
                    Cut{PowerCutOptions::Bytes::kGarbled, PowerCutOptions::Names::kSomeLost},
                    Cut{PowerCutOptions::Bytes::kGarbled, PowerCutOptions::Names::kKept}));

}  // namespace
}  // namespace orrery::storage
