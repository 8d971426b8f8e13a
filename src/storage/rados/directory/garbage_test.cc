#include "storage/rados/directory/garbage.h"

#include <gtest/gtest.h>

#include <thread>

#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

class GarbageTest : public testing::Test {
 protected:
  GarbageTest() {
    EXPECT_TRUE(owner_.fs().CreateDir("/d", {}, nullptr).ok());
    EXPECT_TRUE(WriteFile(owner_.fs(), "/d/f", std::string(250, 'f')).ok());
  }
  static GarbageCount Collect(Process& process) {
    const Result<GarbageCount> count = process.files->CollectGarbage();
    EXPECT_TRUE(count.has_value()) << count.error().ToString();
    return count.value_or(GarbageCount{});
  }

  TestCluster cluster_;
  Process owner_ = cluster_.Start(1);
  Process other_ = cluster_.Start(2);
};

TEST_F(GarbageTest, LeavesAloneWhatIsInUse) {
  std::unique_ptr<rocksdb::FSWritableFile> log;
  ASSERT_TRUE(owner_.fs().NewWritableFile("/d/log", {}, &log, nullptr).ok());
  ASSERT_TRUE(log->Append(std::string(150, 'x'), {}, nullptr).ok());
  ASSERT_TRUE(log->Sync({}, nullptr).ok());                             // stored, not named yet
  ASSERT_TRUE(owner_.fs().LinkFile("/d/f", "/d/g", {}, nullptr).ok());  // linked, not named yet
  for (Process* process : {&owner_, &other_}) {
    const GarbageCount count = Collect(*process);
    EXPECT_EQ(count.objects_removed, 0u);
    EXPECT_EQ(count.links_removed, 0u);
    EXPECT_EQ(count.objects_seen, cluster_.cluster.Names().size());
  }
  ASSERT_TRUE(log->Close({}, nullptr).ok());
  EXPECT_EQ(ContentOf(owner_.fs(), "/d/log"), std::string(150, 'x'));
  ASSERT_TRUE(owner_.fs().DeleteFile("/d/f", {}, nullptr).ok());
  EXPECT_EQ(ContentOf(owner_.fs(), "/d/g"), std::string(250, 'f'));
}

TEST_F(GarbageTest, LeavesAloneWhatIsOpen) {
  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  ASSERT_TRUE(owner_.fs().NewRandomAccessFile("/d/f", {}, &file, nullptr).ok());
  ASSERT_TRUE(owner_.fs().DeleteFile("/d/f", {}, nullptr).ok());
  EXPECT_EQ(Collect(owner_).objects_removed, 0u);
  EXPECT_EQ(Collect(other_).objects_removed, 0u);
  char scratch[10];
  rocksdb::Slice got;
  ASSERT_TRUE(file->Read(240, 10, {}, &got, scratch, nullptr).ok());
  EXPECT_EQ(got.ToString(), std::string(10, 'f'));
  file.reset();
  owner_.files->WaitForRemovals();
  EXPECT_EQ(Orphans(cluster_, *owner_.store), std::set<std::string>());
}

TEST_F(GarbageTest, LeavesAloneWhatItsOwnerReadsThoughAFormerOneMadeIt) {
  ASSERT_TRUE(other_.files->Take("/d").has_value());
  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  ASSERT_TRUE(other_.fs().NewRandomAccessFile("/d/f", {}, &file, nullptr).ok());
  ASSERT_TRUE(other_.fs().DeleteFile("/d/f", {}, nullptr).ok());
  EXPECT_EQ(Collect(owner_).objects_removed, 0u);
  char scratch[10];
  rocksdb::Slice got;
  EXPECT_TRUE(file->Read(240, 10, {}, &got, scratch, nullptr).ok());
  file.reset();
  other_.files->WaitForRemovals();
  EXPECT_EQ(Orphans(cluster_, *other_.store), std::set<std::string>());
}

TEST_F(GarbageTest, RemovesWhatACrashLeft) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  ASSERT_TRUE(owner_.fs().NewWritableFile("/d/lost", {}, &file, nullptr).ok());
  ASSERT_TRUE(file->Append(std::string(350, 'x'), {}, nullptr).ok());
  ASSERT_TRUE(file->Sync({}, nullptr).ok());
  owner_.store->Crash();
  EXPECT_EQ(Collect(other_).objects_removed, 0u) << "its owner may live";
  ASSERT_TRUE(other_.files->Take("/d").has_value());
  EXPECT_EQ(Collect(other_).objects_removed, 4u);
  EXPECT_EQ(Orphans(cluster_, *other_.store), std::set<std::string>());
  EXPECT_EQ(ContentOf(other_.fs(), "/d/f"), std::string(250, 'f'));
}

TEST_F(GarbageTest, RemovesLinksOfDirectoriesThatAreGone) {
  ASSERT_TRUE(owner_.fs().CreateDir("/copy", {}, nullptr).ok());
  ASSERT_TRUE(WriteFile(owner_.fs(), "/copy/x", "x").ok());
  ASSERT_TRUE(owner_.fs().LinkFile("/d/f", "/copy/f", {}, nullptr).ok());
  owner_.store->Crash();  // before the name was stored
  ASSERT_TRUE(other_.fs().DeleteFile("/copy/x", {}, nullptr).ok());
  ASSERT_TRUE(other_.fs().DeleteDir("/copy", {}, nullptr).ok());
  other_.files->WaitForRemovals();
  uint64_t links = 0;
  ASSERT_TRUE(other_.fs().NumFileLinks("/d/f", {}, &links, nullptr).ok());
  EXPECT_EQ(links, 2u);
  EXPECT_EQ(Collect(other_).links_removed, 1u);
  ASSERT_TRUE(other_.fs().NumFileLinks("/d/f", {}, &links, nullptr).ok());
  EXPECT_EQ(links, 1u);
  EXPECT_EQ(ContentOf(other_.fs(), "/d/f"), std::string(250, 'f'));
}

TEST_F(GarbageTest, RemovesDirectoriesThatNothingNames) {
  ASSERT_TRUE(owner_.fs().DeleteFile("/d/f", {}, nullptr).ok());
  owner_.files->WaitForRemovals();
  // Crashes between the removal of the name and that of the object.
  owner_.store->FaultWrites(
      [](std::string_view object) {
        return object != DirectoryObject(kRootDirectory) && object.ends_with(".dir");
      },
      ObjectFault::kLostRequest);
  ASSERT_TRUE(owner_.fs().DeleteDir("/d", {}, nullptr).ok());
  EXPECT_EQ(cluster_.cluster.Names().size(), 2u);
  EXPECT_EQ(Collect(other_).objects_removed, 1u);
  EXPECT_EQ(cluster_.cluster.Names(), std::vector<std::string>{DirectoryObject(kRootDirectory)});
}

TEST_F(GarbageTest, LeavesAloneWhatItDoesNotKnow) {
  ASSERT_TRUE(other_.store->Apply("lease.7", ObjectWrite().Create()).has_value());
  const GarbageCount count = Collect(other_);
  EXPECT_EQ(count.objects_unknown, 1u);
  EXPECT_EQ(count.objects_removed, 0u);
}

// Two collectors run without a pause while an owner makes, links, renames, moves and deletes, and
// is taken over now and then: nothing that has a name ever loses its bytes.
TEST_F(GarbageTest, RunsBesideEverythingElse) {
  std::atomic<bool> stop{false};
  Process collector = cluster_.Start(3);
  std::thread collecting([&] {
    while (!stop) EXPECT_TRUE(collector.files->CollectGarbage().has_value());
  });
  std::thread collecting_at_home([&] {
    while (!stop) static_cast<void>(owner_.files->CollectGarbage());
  });
  rocksdb::FileSystem& fs = owner_.fs();
  for (int i = 0; i < 40; ++i) {
    const std::string copy = "/copy" + std::to_string(i);
    const std::string bytes(100 + i * 7, static_cast<char>('a' + i % 26));
    ASSERT_TRUE(WriteFile(fs, "/d/one", bytes).ok());
    ASSERT_TRUE(fs.CreateDir(copy, {}, nullptr).ok());
    ASSERT_TRUE(fs.LinkFile("/d/one", copy + "/linked", {}, nullptr).ok());
    ASSERT_TRUE(fs.DeleteFile("/d/one", {}, nullptr).ok());
    ASSERT_TRUE(fs.RenameFile(copy + "/linked", "/d/moved", {}, nullptr).ok());
    ASSERT_EQ(ContentOf(fs, "/d/moved"), bytes);
    ASSERT_TRUE(fs.DeleteDir(copy, {}, nullptr).ok());
    if (i % 10 == 9) {
      ASSERT_TRUE(owner_.files->Take("/d").has_value());
      ASSERT_EQ(ContentOf(fs, "/d/moved"), bytes);
      ASSERT_EQ(ContentOf(fs, "/d/f"), std::string(250, 'f'));
    }
  }
  stop = true;
  collecting.join();
  collecting_at_home.join();
  owner_.files->WaitForRemovals();
  Collect(owner_);
  EXPECT_EQ(Orphans(cluster_, *owner_.store), std::set<std::string>());
}

}  // namespace
}  // namespace orrery::storage::rados
