#include "storage/log/recycled_logs.h"

#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <fstream>
#include <iterator>

#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"
#include "storage/log/unsynced_mark.h"
#include "storage/resources_rep.h"

namespace orrery::storage {
namespace {

class RecycledLogsTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return root_ / name; }
  bool Exists(const std::string& name) const { return std::filesystem::exists(Path(name)); }
  std::string Bytes(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::unique_ptr<rocksdb::FSWritableFile> Create(const std::string& name) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(files_->NewWritableFile(Path(name), {}, &file, nullptr).ok());
    return file;
  }
  void Write(const std::string& name, const std::string& bytes) {
    const auto file = Create(name);
    EXPECT_TRUE(file->Append(bytes, io_, nullptr).ok());
    EXPECT_TRUE(file->Sync(io_, nullptr).ok());
    EXPECT_TRUE(file->Close(io_, nullptr).ok());
  }
  void Delete(const std::string& name) {
    EXPECT_TRUE(files_->DeleteFile(Path(name), io_, nullptr).ok());
    EXPECT_FALSE(Exists(name));
    recycled_.WaitUntilFilled();
  }
  uint64_t Size(const std::string& name) {
    uint64_t size = 0;
    EXPECT_TRUE(files_->GetFileSize(Path(name), io_, &size, nullptr).ok());
    return size;
  }

  TemporaryDirectory root_;
  TemporaryDirectory scratch_;
  FaultFileSystem faults_{scratch_.path()};
  RecycledLogs recycled_{faults_.AsFileSystem(), /*bytes_min=*/10};
  const std::shared_ptr<rocksdb::FileSystem> files_ = recycled_.file_system();
  const rocksdb::IOOptions io_;
};

TEST_F(RecycledLogsTest, ALogIsWrittenOverTheOneThatWasDeleted) {
  Write("000001.log", std::string(100, 'a'));
  Delete("000001.log");
  EXPECT_EQ(Bytes("SPARE"), std::string(100, '\0'));

  const auto log = Create("000002.log");
  EXPECT_FALSE(Exists("SPARE"));
  ASSERT_TRUE(log->Append("new", io_, nullptr).ok());
  EXPECT_EQ(Bytes("000002.log"), "new" + std::string(97, '\0'));
  EXPECT_EQ(Size("000002.log"), 3u) << "of what was written";
  EXPECT_EQ(log->GetFileSize(io_, nullptr), 3u);

  ASSERT_TRUE(log->Close(io_, nullptr).ok());
  EXPECT_EQ(Bytes("000002.log"), "new");
  EXPECT_EQ(Size("000002.log"), 3u);
}

TEST_F(RecycledLogsTest, ALogMayOutgrowItsRecycledLog) {
  Write("000001.log", std::string(100, 'a'));
  Delete("000001.log");
  const std::string longer(150, 'b');
  Write("000002.log", longer);
  EXPECT_EQ(Bytes("000002.log"), longer);
}

TEST_F(RecycledLogsTest, OneIsKeptAndTheOthersAreDeleted) {
  Write("000001.log", std::string(100, 'a'));
  Write("000002.log", std::string(200, 'b'));
  Delete("000001.log");
  Delete("000002.log");
  EXPECT_EQ(Bytes("SPARE").size(), 100u);
}

TEST_F(RecycledLogsTest, OtherFilesAndShortLogsAreDeleted) {
  for (const std::string name : {"000001.sst", "MANIFEST-000001", "x.log"}) {
    Write(name, std::string(100, 'a'));
    Delete(name);
  }
  Write("000001.log", "short");
  Delete("000001.log");
  EXPECT_FALSE(Exists("SPARE"));
}

TEST_F(RecycledLogsTest, ALogThatACheckpointSharesIsNotWrittenOver) {
  Write("000001.log", std::string(100, 'a'));
  std::filesystem::create_hard_link(Path("000001.log"), Path("shared"));
  Delete("000001.log");
  EXPECT_FALSE(Exists("SPARE"));
  EXPECT_EQ(Bytes("shared"), std::string(100, 'a'));
}

TEST_F(RecycledLogsTest, LogsThatAreNotSyncedAreNotRecycled) {
  ASSERT_OK(SetUnsyncedMark(*files_, root_.path()));
  Write("000001.log", std::string(100, 'a'));
  Delete("000001.log");
  EXPECT_FALSE(Exists("SPARE"));
}

TEST_F(RecycledLogsTest, WhatAnErrorLeftUnfilledIsNotUsed) {
  for (const FileCall call : {FileCall::kOpenDirectory, FileCall::kSyncDirectory,
                              FileCall::kOpenToWrite, FileCall::kAppend, FileCall::kSync}) {
    Write("000001.log", std::string(100, 'a'));
    faults_.Fail(call, Fault::kIoError, /*skip=*/0, /*times=*/1);
    Delete("000001.log");
    EXPECT_FALSE(Exists("SPARE"));
    Write("000002.log", "new log, grown");
    EXPECT_EQ(Bytes("000002.log"), "new log, grown");
    std::filesystem::remove(Path("000002.log"));
  }
}

TEST_F(RecycledLogsTest, AClosedEngineLeavesNone) {
  Write("000001.log", std::string(100, 'a'));
  Delete("000001.log");
  recycled_.Forget(root_.path() + "/");
  EXPECT_FALSE(Exists("SPARE"));
  recycled_.Forget(root_.path());
}

TEST_F(RecycledLogsTest, WhatACrashLeftGoes) {
  Write("SPARE", "left");
  recycled_.Discard(root_.path());
  EXPECT_FALSE(Exists("SPARE"));
}

TEST_F(RecycledLogsTest, ADirectoryThatIsBeingEmptiedGetsNone) {
  Write("000001.log", std::string(100, 'a'));
  Delete("000001.log");
  Write("000002.log", std::string(100, 'b'));
  Write("000003.log", std::string(100, 'c'));
  Delete("000003.log");
  ASSERT_TRUE(Exists("SPARE"));
  {
    const RecycledLogs::Ban ban(recycled_, root_.path() + "/");
    EXPECT_FALSE(Exists("SPARE")) << "what was there";
    Delete("000002.log");
    EXPECT_FALSE(Exists("SPARE"));
  }
  Write("000004.log", std::string(100, 'd'));
  Delete("000004.log");
  EXPECT_TRUE(Exists("SPARE")) << "as before";
}

TEST(RecycledLogsOfEngines, ADestroyedEngineLeavesNothing) {
  TemporaryDirectory root;
  EngineResources resources({.recycled_log_bytes_min = 1});
  const EngineOptions options{.path = root / "engine"};
  {
    auto engine = Engine::Open(resources, options).value();
    ASSERT_OK(PutOne(*engine, "flushed", "value"));
    ASSERT_OK(engine->Flush());
    // In a log that only the destruction deletes.
    ASSERT_OK(PutOne(*engine, "key", std::string(1'000, 'v')));
  }
  ASSERT_OK(Engine::Destroy(resources, options.path));
  EXPECT_FALSE(std::filesystem::exists(options.path));
  resources.rep().recycled_logs.WaitUntilFilled();
  EXPECT_FALSE(std::filesystem::exists(options.path));
}

TEST(RecycledLogsOfEngines, LogsAreReplacedAndReadBack) {
  TemporaryDirectory root;
  EngineResources resources({.recycled_log_bytes_min = 1});
  const EngineOptions options{.path = root / "engine"};
  Content expected;
  {
    auto engine = Engine::Open(resources, options).value();
    for (int i = 0; i < 40; ++i) {
      const std::string key = "key" + std::to_string(i);
      const std::string value(static_cast<size_t>(i * 97 % 400), 'v');
      ASSERT_OK(PutOne(*engine, key, value));
      expected[key] = value;
      if (i % 7 == 6) {
        ASSERT_OK(engine->Flush());
        resources.rep().recycled_logs.WaitUntilFilled();
        EXPECT_TRUE(std::filesystem::exists(root / "engine/SPARE"));
      }
      if (i == 30) ASSERT_OK(engine->CheckpointTo(root / "child"));
    }
    EXPECT_EQ(ContentOf(*engine), expected);
    // As a crash leaves it: with a log that ends in zeros.
    std::filesystem::copy(root / "engine", root / "crashed");
  }
  EXPECT_FALSE(std::filesystem::exists(root / "engine/SPARE"));
  for (const std::string name : {"engine", "crashed"}) {
    const auto engine = Engine::Open(resources, {.path = root / name});
    ASSERT_TRUE(engine.has_value()) << engine.error().ToString();
    EXPECT_EQ(ContentOf(**engine), expected) << name;
  }
  ASSERT_OK(Engine::Destroy(resources, root / "crashed"));
  EXPECT_FALSE(std::filesystem::exists(root / "crashed"));
}

}  // namespace
}  // namespace orrery::storage
