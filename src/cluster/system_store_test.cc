#include "cluster/system_store.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/bytes.h"
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

}  // namespace
}  // namespace orrery::cluster
