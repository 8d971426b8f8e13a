#include "cluster/system/system_store.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/bytes.h"
#include "base/log.h"
#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"
#include "storage/resources.h"

namespace orrery::cluster {
namespace {

class SystemStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "system-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::unique_ptr<SystemStore> Open() {
    auto store = SystemStore::Open(resources_, directory_ + "/system");
    EXPECT_TRUE(store.has_value()) << store.error().ToString();
    return *std::move(store);
  }

  storage::EngineResources resources_;
  std::string directory_;
};

TEST_F(SystemStoreTest, KeepsChangesAcrossReopening) {
  {
    const auto store = Open();
    SystemStore::Change change;
    change.Put("db/1", "one");
    change.Put("db/2", "two");
    ASSERT_TRUE(store->Commit(std::move(change)).has_value());
    SystemStore::Change second;
    second.Delete("db/1");
    ASSERT_TRUE(store->Commit(std::move(second)).has_value());
  }
  const auto store = Open();
  EXPECT_FALSE(store->Get("db/1")->has_value());
  EXPECT_EQ(**store->Get("db/2"), "two");
  std::string seen;
  ASSERT_TRUE(store
                  ->ForEach("db/",
                            [&](std::string_view key, std::string_view) -> Status {
                              seen.append(key);
                              return {};
                            })
                  .has_value());
  EXPECT_EQ(seen, "db/2");
}

TEST_F(SystemStoreTest, IdsAreNeverHandedOutTwice) {
  uint64_t last = 0;
  {
    const auto store = Open();
    SystemStore::Change dropped;
    EXPECT_EQ(*store->NextId("partition", dropped), 1U);
    SystemStore::Change kept;
    last = *store->NextId("partition", kept);
    EXPECT_EQ(last, 2U);
    EXPECT_EQ(*store->NextId("container", kept), 1U);
    ASSERT_TRUE(store->Commit(std::move(kept)).has_value());
  }
  const auto store = Open();
  SystemStore::Change change;
  EXPECT_GT(*store->NextId("partition", change), last);
}

TEST_F(SystemStoreTest, ChangesMayCommitInAnotherOrderThanTheirIds) {
  uint64_t last = 0;
  {
    const auto store = Open();
    SystemStore::Change early;
    ASSERT_TRUE(store->NextId("partition", early).has_value());
    SystemStore::Change late;
    last = *store->NextId("partition", late);
    ASSERT_TRUE(store->Commit(std::move(late)).has_value());
    ASSERT_TRUE(store->Commit(std::move(early)).has_value());
  }
  const auto store = Open();
  SystemStore::Change change;
  EXPECT_GT(*store->NextId("partition", change), last);
}

TEST_F(SystemStoreTest, ANewerFormatIsRefused) {
  {
    const auto store = Open();
    SystemStore::Change change;
    std::string version;
    AppendBigEndian(version, uint64_t{99});
    change.Put("fmt", version);
    ASSERT_TRUE(store->Commit(std::move(change)).has_value());
  }
  const auto store = SystemStore::Open(resources_, directory_ + "/system");
  ASSERT_FALSE(store.has_value());
  EXPECT_EQ(store.error().code(), Code::kUnsupported);
}

class FailingSystemStoreTest : public ::testing::Test {
 protected:
  FailingSystemStoreTest() { SetLogLevel(LogLevel::kOff); }

  Status Put(std::string_view key, std::string_view value) {
    SystemStore::Change change;
    change.Put(key, value);
    return store_->Commit(std::move(change));
  }
  std::optional<std::string> Read(std::string_view key) {
    const auto value = store_->Get(key);
    EXPECT_TRUE(value.has_value()) << value.error().ToString();
    return value.value_or(std::nullopt);
  }
  void Restart() {
    store_.reset();
    faults_.Crash();
    faults_.Restart();
    store_ = *SystemStore::Open(resources_, directory_ / "system");
  }

  storage::TemporaryDirectory directory_;
  storage::TemporaryDirectory scratch_;
  storage::FaultFileSystem faults_{scratch_.path()};
  storage::EngineResources resources_{{.file_system = faults_.AsFileSystem()}};
  std::unique_ptr<SystemStore> store_ = *SystemStore::Open(resources_, directory_ / "system");
};

// The bytes of the failed commit are in the log; the sync after them failed.
TEST_F(FailingSystemStoreTest, AFailedCommitIsTakenBack) {
  using storage::Fault;
  using storage::FileCall;
  ASSERT_OK(Put("db/1", "old"));
  EXPECT_FALSE(store_->Failure().has_value());
  faults_.Fail(FileCall::kSync, Fault::kIoError, /*skip=*/0, /*times=*/1);
  SystemStore::Change change;
  change.Put("db/1", "new");
  change.Put("db/2", "new");
  EXPECT_EQ(storage::CodeOf(store_->Commit(std::move(change))), Code::kUnavailable);
  EXPECT_EQ(storage::CodeOf(Put("db/3", "x")), Code::kUnavailable);
  ASSERT_TRUE(store_->Failure().has_value());
  EXPECT_EQ(Read("db/1"), "old");

  ASSERT_OK(store_->Reopen());
  EXPECT_FALSE(store_->Failure().has_value());
  EXPECT_EQ(Read("db/1"), "old");
  EXPECT_EQ(Read("db/2"), std::nullopt);
  ASSERT_OK(Put("db/3", "kept"));
  Restart();
  EXPECT_EQ(Read("db/1"), "old");
  EXPECT_EQ(Read("db/2"), std::nullopt);
  EXPECT_EQ(Read("db/3"), "kept");
}

TEST_F(FailingSystemStoreTest, AReopeningThatFailsIsRepeated) {
  using storage::Fault;
  using storage::FileCall;
  ASSERT_OK(Put("db/1", "old"));
  faults_.Fail(FileCall::kSync, Fault::kNoSpace);
  EXPECT_EQ(storage::CodeOf(Put("db/1", "new")), Code::kResourceExhausted);
  for (const FileCall kind : {FileCall::kSync, FileCall::kOpenToRead, FileCall::kAppend}) {
    faults_.ClearFaults();
    faults_.Fail(kind, Fault::kNoSpace);
    EXPECT_FALSE(store_->Reopen().has_value());
    EXPECT_TRUE(store_->Failure().has_value());
  }
  faults_.ClearFaults();
  ASSERT_OK(store_->Reopen());
  EXPECT_EQ(Read("db/1"), "old");
  ASSERT_OK(Put("db/1", "newer"));
  Restart();
  EXPECT_EQ(Read("db/1"), "newer");
}

}  // namespace
}  // namespace orrery::cluster
