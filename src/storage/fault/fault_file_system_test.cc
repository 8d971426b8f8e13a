#include "storage/fault/fault_file_system.h"

#include <rocksdb/file_system.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "storage/engine/engine_testing.h"

namespace orrery::storage {
namespace {

using Bytes = PowerCutOptions::Bytes;
using Names = PowerCutOptions::Names;

class FaultFileSystemTest : public testing::Test {
 protected:
  void Make(PowerCutOptions options) {
    faults_ = std::make_unique<FaultFileSystem>(scratch_.path(), options);
    fs_ = faults_->AsFileSystem();
  }
  std::unique_ptr<rocksdb::FSWritableFile> Create(const std::string& name) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(fs_->NewWritableFile(directory_ / name, {}, &file, nullptr).ok());
    return file;
  }
  void WriteDurably(const std::string& name, const std::string& bytes) {
    const auto file = Create(name);
    ASSERT_TRUE(file->Append(bytes, io_, nullptr).ok());
    ASSERT_TRUE(file->Sync(io_, nullptr).ok());
    ASSERT_TRUE(file->Close(io_, nullptr).ok());
    SyncDirectory();
  }
  void SyncDirectory() {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    ASSERT_TRUE(fs_->NewDirectory(directory_.path(), io_, &directory, nullptr).ok());
    ASSERT_TRUE(directory->Fsync(io_, nullptr).ok());
  }
  // nullopt when there is no such file.
  std::optional<std::string> OnDisk(const std::string& name) {
    std::ifstream file(directory_ / name);
    if (!file) return std::nullopt;
    std::stringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
  }

  TemporaryDirectory directory_;
  TemporaryDirectory scratch_;
  std::unique_ptr<FaultFileSystem> faults_;
  std::shared_ptr<rocksdb::FileSystem> fs_;
  const rocksdb::IOOptions io_;
};

TEST_F(FaultFileSystemTest, OnlySyncedBytesSurvive) {
  Make({.bytes = Bytes::kLost});
  const auto file = Create("f");
  SyncDirectory();
  ASSERT_TRUE(file->Append("synced", io_, nullptr).ok());
  ASSERT_TRUE(file->Sync(io_, nullptr).ok());
  ASSERT_TRUE(file->Append(" not", io_, nullptr).ok());
  ASSERT_TRUE(file->Flush(io_, nullptr).ok());
  EXPECT_EQ(OnDisk("f"), "synced not");
  faults_->Crash();
  EXPECT_EQ(OnDisk("f"), "synced");
  EXPECT_FALSE(file->Append("dead", io_, nullptr).ok());
  EXPECT_FALSE(fs_->FileExists(directory_ / "f", io_, nullptr).ok());
  faults_->Restart();
  EXPECT_TRUE(fs_->FileExists(directory_ / "f", io_, nullptr).ok());
}

TEST_F(FaultFileSystemTest, ATornTailIsAPrefixAndAGarbledOneIsNot) {
  for (const Bytes bytes : {Bytes::kTorn, Bytes::kGarbled}) {
    bool garbled = false;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      Make({.seed = seed, .bytes = bytes});
      const auto file = Create("f");
      SyncDirectory();
      ASSERT_TRUE(file->Append("synced", io_, nullptr).ok());
      ASSERT_TRUE(file->Sync(io_, nullptr).ok());
      ASSERT_TRUE(file->Append("0123456789", io_, nullptr).ok());
      faults_->Crash();
      const std::string left = OnDisk("f").value_or("");
      EXPECT_EQ(left.substr(0, 6), "synced");
      garbled |= !std::string("synced0123456789").starts_with(left);
    }
    EXPECT_EQ(garbled, bytes == Bytes::kGarbled);
  }
}

TEST_F(FaultFileSystemTest, NamesThatWereNotSyncedGoBack) {
  Make({.names = Names::kLost});
  WriteDurably("deleted", "d");
  WriteDurably("from", "f");
  WriteDurably("replaced", "r");
  const auto created = Create("created");
  ASSERT_TRUE(fs_->DeleteFile(directory_ / "deleted", io_, nullptr).ok());
  ASSERT_TRUE(fs_->RenameFile(directory_ / "from", directory_ / "replaced", io_, nullptr).ok());
  ASSERT_TRUE(fs_->LinkFile(directory_ / "replaced", directory_ / "link", io_, nullptr).ok());
  ASSERT_TRUE(fs_->CreateDir(directory_ / "sub", io_, nullptr).ok());
  faults_->Crash();
  EXPECT_EQ(OnDisk("deleted"), "d");
  EXPECT_EQ(OnDisk("from"), "f");
  EXPECT_EQ(OnDisk("replaced"), "r");
  EXPECT_EQ(OnDisk("created"), std::nullopt);
  EXPECT_EQ(OnDisk("link"), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "sub"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch_.path()));
}

TEST_F(FaultFileSystemTest, SyncedNamesStay) {
  Make({.names = Names::kLost});
  WriteDurably("from", "f");
  ASSERT_TRUE(fs_->CreateDir(directory_ / "a", io_, nullptr).ok());
  ASSERT_TRUE(fs_->RenameFile(directory_ / "a", directory_ / "b", io_, nullptr).ok());
  ASSERT_TRUE(fs_->RenameFile(directory_ / "from", directory_ / "to", io_, nullptr).ok());
  SyncDirectory();
  faults_->Crash();
  EXPECT_EQ(OnDisk("to"), "f");
  EXPECT_TRUE(std::filesystem::exists(directory_ / "b"));
}

TEST_F(FaultFileSystemTest, ARenamedDirectoryIsNotSyncedThroughItself) {
  Make({.names = Names::kLost});
  ASSERT_TRUE(fs_->CreateDir(directory_ / "a", io_, nullptr).ok());
  SyncDirectory();
  ASSERT_TRUE(fs_->RenameFile(directory_ / "a", directory_ / "b", io_, nullptr).ok());
  std::unique_ptr<rocksdb::FSDirectory> directory;
  ASSERT_TRUE(fs_->NewDirectory(directory_ / "b", io_, &directory, nullptr).ok());
  ASSERT_TRUE(directory->Fsync(io_, nullptr).ok());
  faults_->Crash();
  EXPECT_TRUE(std::filesystem::exists(directory_ / "a"));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "b"));
}

TEST_F(FaultFileSystemTest, CrashesAtTheCallThatWasNamed) {
  Make({});
  faults_->CrashAfter(2);
  EXPECT_TRUE(fs_->FileExists(directory_.path(), io_, nullptr).ok());
  EXPECT_TRUE(fs_->FileExists(directory_.path(), io_, nullptr).ok());
  EXPECT_FALSE(faults_->crashed());
  EXPECT_FALSE(fs_->FileExists(directory_.path(), io_, nullptr).ok());
  EXPECT_TRUE(faults_->crashed());
  EXPECT_EQ(faults_->calls(), 2u);
  EXPECT_EQ(faults_->calls(FileCall::kInspect), 2u);
}

TEST_F(FaultFileSystemTest, FailsTheCallsThatWereNamed) {
  Make({});
  const auto file = Create("f");
  faults_->Fail(FileCall::kAppend, Fault::kNoSpace, /*skip=*/1, /*times=*/2);
  EXPECT_TRUE(file->Append("a", io_, nullptr).ok());
  EXPECT_TRUE(file->Append("b", io_, nullptr).IsNoSpace());
  EXPECT_TRUE(file->Append("c", io_, nullptr).IsNoSpace());
  EXPECT_TRUE(file->Append("d", io_, nullptr).ok());
  faults_->Fail(FileCall::kSync, Fault::kIoError);
  EXPECT_TRUE(file->Sync(io_, nullptr).IsIOError());
  faults_->ClearFaults();
  EXPECT_TRUE(file->Sync(io_, nullptr).ok());
  EXPECT_EQ(OnDisk("f"), "ad");
}

TEST_F(FaultFileSystemTest, AHookDelaysItsCallAndNoOther) {
  Make({});
  const auto file = Create("f");
  std::atomic<bool> reached = false;
  std::atomic<bool> released = false;
  faults_->Before(FileCall::kSync, [&](const std::string& path) {
    EXPECT_EQ(path, directory_ / "f");
    reached = true;
    reached.notify_all();
    released.wait(false);
  });
  std::thread syncing([&] { EXPECT_TRUE(file->Sync(io_, nullptr).ok()); });
  reached.wait(false);
  EXPECT_TRUE(file->Append("meanwhile", io_, nullptr).ok());
  EXPECT_EQ(faults_->calls(FileCall::kSync), 0u);
  released = true;
  released.notify_all();
  syncing.join();
  EXPECT_EQ(faults_->calls(FileCall::kSync), 1u);
}

}  // namespace
}  // namespace orrery::storage
