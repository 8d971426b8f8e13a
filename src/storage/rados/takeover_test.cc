// A directory that is taken from its owner: what the owner was promised is there, and nothing that
// it does afterwards has an effect.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <thread>

#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

using rocksdb::IOStatus;

class TakeoverTest : public testing::Test {
 protected:
  TestCluster cluster_;
};

// The open files of a former owner, and what it may try.
struct Zombie {
  Process process;
  std::unique_ptr<rocksdb::FSWritableFile> log;    // 30 bytes synced, its name stored
  std::unique_ptr<rocksdb::FSWritableFile> full;   // one full stripe synced, its name stored
  std::unique_ptr<rocksdb::FSWritableFile> fresh;  // nothing synced, no name stored
  std::unique_ptr<rocksdb::FSDirectory> directory;
  rocksdb::FileSystem& fs() const { return process.fs(); }
};

Zombie StartOwner(TestCluster& cluster) {
  Zombie owner{.process = cluster.Start(), .log = {}, .full = {}, .fresh = {}, .directory = {}};
  rocksdb::FileSystem& fs = owner.fs();
  EXPECT_TRUE(fs.CreateDir("/d", {}, nullptr).ok());
  EXPECT_TRUE(fs.CreateDir("/own", {}, nullptr).ok());
  EXPECT_TRUE(WriteFile(fs, "/own/mine", "mine").ok());
  EXPECT_TRUE(WriteFile(fs, "/d/closed", std::string(250, 'c')).ok());
  EXPECT_TRUE(fs.CreateDir("/d/below", {}, nullptr).ok());
  EXPECT_TRUE(fs.NewDirectory("/d", {}, &owner.directory, nullptr).ok());
  EXPECT_TRUE(fs.NewWritableFile("/d/log", {}, &owner.log, nullptr).ok());
  EXPECT_TRUE(owner.log->Append(std::string(30, 'l'), {}, nullptr).ok());
  EXPECT_TRUE(owner.log->Sync({}, nullptr).ok());
  EXPECT_TRUE(fs.NewWritableFile("/d/full", {}, &owner.full, nullptr).ok());
  EXPECT_TRUE(owner.full->Append(std::string(100, 'f'), {}, nullptr).ok());
  EXPECT_TRUE(owner.full->Sync({}, nullptr).ok());
  EXPECT_TRUE(owner.directory->Fsync({}, nullptr).ok());
  EXPECT_TRUE(fs.NewWritableFile("/d/fresh", {}, &owner.fresh, nullptr).ok());
  EXPECT_TRUE(owner.fresh->Append("fresh", {}, nullptr).ok());
  return owner;
}

IOStatus AppendAndSync(rocksdb::FSWritableFile& file, size_t bytes) {
  IOStatus status = file.Append(std::string(bytes, 'z'), {}, nullptr);
  return status.ok() ? file.Sync({}, nullptr) : status;
}

struct Attempt {
  const char* what;
  std::function<IOStatus(Zombie&)> make;
};

const Attempt kAttempts[] = {
    {"a sync into a stripe", [](Zombie& z) { return AppendAndSync(*z.log, 10); }},
    {"a sync over the end of a stripe", [](Zombie& z) { return AppendAndSync(*z.log, 500); }},
    {"a sync into a new stripe", [](Zombie& z) { return AppendAndSync(*z.full, 10); }},
    {"a first name by closing", [](Zombie& z) { return z.fresh->Close({}, nullptr); }},
    {"a first name by syncing the directory",
     [](Zombie& z) {
       IOStatus status = z.fresh->Sync({}, nullptr);
       return status.ok() ? z.directory->Fsync({}, nullptr) : status;
     }},
    {"truncation", [](Zombie& z) { return z.log->Truncate(5, {}, nullptr); }},
    {"a new file", [](Zombie& z) { return WriteFile(z.fs(), "/d/new", "new"); }},
    {"a new file over an old one", [](Zombie& z) { return WriteFile(z.fs(), "/d/closed", "new"); }},
    {"reopening",
     [](Zombie& z) {
       std::unique_ptr<rocksdb::FSWritableFile> file;
       IOStatus status = z.fs().ReopenWritableFile("/d/closed", {}, &file, nullptr);
       if (status.ok()) status = file->Append("more", {}, nullptr);
       return status.ok() ? file->Close({}, nullptr) : status;
     }},
    {"deletion", [](Zombie& z) { return z.fs().DeleteFile("/d/closed", {}, nullptr); }},
    {"renaming", [](Zombie& z) { return z.fs().RenameFile("/d/closed", "/d/moved", {}, nullptr); }},
    {"replacing", [](Zombie& z) { return z.fs().RenameFile("/d/log", "/d/closed", {}, nullptr); }},
    {"moving in", [](Zombie& z) { return z.fs().RenameFile("/own/mine", "/d/in", {}, nullptr); }},
    {"linking in",
     [](Zombie& z) {
       IOStatus status = z.fs().LinkFile("/own/mine", "/d/in", {}, nullptr);
       return status.ok() ? z.directory->Fsync({}, nullptr) : status;
     }},
    {"a directory below", [](Zombie& z) { return z.fs().CreateDir("/d/more", {}, nullptr); }},
    {"removing a directory below",
     [](Zombie& z) { return z.fs().DeleteDir("/d/below", {}, nullptr); }},
    {"renaming a directory below",
     [](Zombie& z) { return z.fs().RenameFile("/d/below", "/d/above", {}, nullptr); }},
};

TEST_F(TakeoverTest, NothingThatAFormerOwnerDoesIsSeen) {
  for (const Attempt& attempt : kAttempts) {
    SCOPED_TRACE(attempt.what);
    TestCluster cluster;
    Zombie zombie = StartOwner(cluster);
    Process next = cluster.Start(2);
    ASSERT_TRUE(next.files->Take("/d").has_value());
    const Tree before = TreeOf(next.fs());
    EXPECT_EQ(before.at("/d/log"), std::string(30, 'l'));
    EXPECT_EQ(before.at("/d/full"), std::string(100, 'f'));
    EXPECT_FALSE(before.contains("/d/fresh"));

    const IOStatus status = attempt.make(zombie);
    EXPECT_TRUE(status.IsIOFenced()) << status.ToString();
    EXPECT_EQ(TreeOf(next.fs()), before);
    // Fenced for good, whatever it asks.
    EXPECT_TRUE(zombie.fs().FileExists("/d/closed", {}, nullptr).IsIOFenced());
    std::vector<std::string> names;
    EXPECT_TRUE(zombie.fs().GetChildren("/d", {}, &names, nullptr).IsIOFenced());
    EXPECT_TRUE(AppendAndSync(*zombie.log, 1).IsIOFenced());
    // Nor does it hurt what else it has.
    EXPECT_EQ(ContentOf(zombie.fs(), "/own/mine"), "mine");

    Process third = cluster.Start(3);
    ASSERT_TRUE(third.files->Take("/d").has_value());
    EXPECT_EQ(TreeOf(third.fs()), before);
  }
}

TEST_F(TakeoverTest, WhatAFormerOwnerLeavesIsCollected) {
  Zombie zombie = StartOwner(cluster_);
  Process next = cluster_.Start(2);
  ASSERT_TRUE(next.files->Take("/d").has_value());
  for (const Attempt& attempt : kAttempts) attempt.make(zombie).PermitUncheckedError();
  ASSERT_TRUE(next.files->Take("/own").has_value());
  const Tree before = TreeOf(next.fs());
  EXPECT_FALSE(Orphans(cluster_, *next.store).empty());
  const Result<GarbageCount> collected = next.files->CollectGarbage();
  ASSERT_TRUE(collected.has_value()) << collected.error().ToString();
  EXPECT_GT(collected->objects_removed, 0u);
  EXPECT_EQ(Orphans(cluster_, *next.store), std::set<std::string>());
  EXPECT_EQ(TreeOf(next.fs()), before);
}

// A writer syncs record after record while another process takes the directory, step by step in an
// order that the seed decides. Each record that was acknowledged is there, and what is there is the
// beginning of what was written.
TEST_F(TakeoverTest, SealingKeepsEveryAcknowledgedWrite) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    TestCluster cluster;
    std::mt19937_64 random(seed);
    Process owner = cluster.Start(seed);
    ASSERT_TRUE(owner.fs().CreateDir("/d", {}, nullptr).ok());
    std::unique_ptr<rocksdb::FSWritableFile> log;
    ASSERT_TRUE(owner.fs().NewWritableFile("/d/log", {}, &log, nullptr).ok());
    std::unique_ptr<rocksdb::FSDirectory> directory;
    ASSERT_TRUE(owner.fs().NewDirectory("/d", {}, &directory, nullptr).ok());
    ASSERT_TRUE(directory->Fsync({}, nullptr).ok());

    owner.store->Stop();
    std::atomic<bool> ended{false};
    std::string written;
    size_t acknowledged = 0;
    const uint64_t longest = seed % 2 == 0 ? 130 : 15;
    std::thread writer([&, sizes = std::mt19937_64(seed)]() mutable {
      for (int i = 0; i < 500; ++i) {
        const std::string record(1 + sizes() % longest, static_cast<char>('a' + i % 26));
        written += record;
        if (!log->Append(record, {}, nullptr).ok() || !log->Sync({}, nullptr).ok()) break;
        acknowledged = written.size();
      }
      ended = true;
    });
    const auto step = [&] {
      while (owner.store->waiting() == 0 && !ended) std::this_thread::yield();
      owner.store->Step(1);
    };
    for (uint64_t i = random() % 30; i > 0; --i) step();
    Process next = cluster.Start(seed + 1000);
    const uint64_t pace = 1 + seed % 16;
    next.store->BeforeEach([&] {
      if (random() % pace == 0) step();
    });
    const Status taken = next.files->Take("/d");
    next.store->BeforeEach(nullptr);
    EXPECT_TRUE(taken.has_value()) << taken.error().ToString();
    const std::string found = ContentOf(next.fs(), "/d/log");
    owner.store->Continue();
    writer.join();
    EXPECT_GE(found.size(), acknowledged);
    EXPECT_EQ(found, written.substr(0, found.size()));
    EXPECT_EQ(ContentOf(next.fs(), "/d/log"), found) << "nor did it change afterwards";
    EXPECT_TRUE(log->Sync({}, nullptr).IsIOFenced());
  }
}

TEST_F(TakeoverTest, ATakeThatCrashedIsDoneAgainByAnother) {
  for (uint64_t crash_at = 0;; ++crash_at) {
    SCOPED_TRACE(crash_at);
    TestCluster cluster;
    Zombie zombie = StartOwner(cluster);
    Process crashing = cluster.Start(crash_at);
    crashing.store->FaultAfter(crash_at, ObjectFault::kCrash);
    const bool taken = crashing.files->Take("/d").has_value();
    Process next = cluster.Start(2);
    ASSERT_TRUE(next.files->Take("/d").has_value());
    EXPECT_EQ(ContentOf(next.fs(), "/d/log"), std::string(30, 'l'));
    EXPECT_EQ(ContentOf(next.fs(), "/d/full"), std::string(100, 'f'));
    EXPECT_TRUE(AppendAndSync(*zombie.log, 10).IsIOFenced());
    if (taken) break;
    ASSERT_LT(crash_at, 100u);
  }
}

// One that stands still while it takes the directory, and wakes up when another has it, neither
// gets it nor disturbs its new owner.
TEST_F(TakeoverTest, ALateTakerIsRefused) {
  for (uint64_t steps = 0;; ++steps) {
    SCOPED_TRACE(steps);
    TestCluster cluster;
    Zombie zombie = StartOwner(cluster);
    Process late = cluster.Start(2);
    late.store->Stop();
    std::atomic<bool> ended{false};
    Status taken;
    std::thread taking([&] {
      taken = late.files->Take("/d");
      ended = true;
    });
    for (uint64_t i = 0; i < steps && !ended; ++i) {
      while (late.store->waiting() == 0 && !ended) std::this_thread::yield();
      late.store->Step(1);
    }
    while (late.store->waiting() == 0 && !ended) std::this_thread::yield();
    const bool first = ended;
    Process next = cluster.Start(3);
    ASSERT_TRUE(next.files->Take("/d").has_value());
    std::unique_ptr<rocksdb::FSWritableFile> log;
    ASSERT_TRUE(next.fs().NewWritableFile("/d/new_log", {}, &log, nullptr).ok());
    ASSERT_TRUE(AppendAndSync(*log, 30).ok());
    std::unique_ptr<rocksdb::FSDirectory> directory;
    ASSERT_TRUE(next.fs().NewDirectory("/d", {}, &directory, nullptr).ok());
    ASSERT_TRUE(directory->Fsync({}, nullptr).ok());
    late.store->Continue();
    taking.join();
    // One that had not examined the epoch yet comes after the new owner, as any other would.
    if (taken.has_value() && !first) {
      EXPECT_LE(steps, 1u);
      continue;
    }
    EXPECT_TRUE(AppendAndSync(*log, 30).ok());
    EXPECT_EQ(ContentOf(next.fs(), "/d/new_log"), std::string(60, 'z'));
    EXPECT_TRUE(WriteFile(next.fs(), "/d/more", "more").ok());
    EXPECT_TRUE(WriteFile(late.fs(), "/d/late", "late").IsIOFenced() || !first);
    if (first) break;
    EXPECT_EQ(taken.error().code(), Code::kFenced) << taken.error().ToString();
    ASSERT_LT(steps, 100u);
  }
}

TEST_F(TakeoverTest, ADirectoryGoesBackAndForth) {
  Process one = cluster_.Start(1);
  Process two = cluster_.Start(2);
  ASSERT_TRUE(one.fs().CreateDir("/d", {}, nullptr).ok());
  for (int i = 0; i < 5; ++i) {
    Process& owner = i % 2 == 0 ? one : two;
    ASSERT_TRUE(owner.files->Take("/d").has_value());
    ASSERT_TRUE(WriteFile(owner.fs(), "/d/f" + std::to_string(i), std::to_string(i)).ok());
    for (int j = 0; j <= i; ++j)
      EXPECT_EQ(ContentOf(owner.fs(), "/d/f" + std::to_string(j)), std::to_string(j));
  }
  two.files->Release("/d");
  EXPECT_EQ(TreeOf(two.fs()).size(), 6u) << "what is not owned can be read";
}

TEST_F(TakeoverTest, ATakenOverFileCanBeAddedTo) {
  Zombie zombie = StartOwner(cluster_);
  Process next = cluster_.Start(2);
  ASSERT_TRUE(next.files->Take("/d").has_value());
  std::unique_ptr<rocksdb::FSWritableFile> file;
  ASSERT_TRUE(next.fs().ReopenWritableFile("/d/full", {}, &file, nullptr).ok());
  EXPECT_TRUE(AppendAndSync(*zombie.full, 50).IsIOFenced()) << "which has made a second stripe";
  ASSERT_TRUE(file->Append(std::string(50, 'n'), {}, nullptr).ok());
  ASSERT_TRUE(file->Close({}, nullptr).ok());
  EXPECT_EQ(ContentOf(next.fs(), "/d/full"), std::string(100, 'f') + std::string(50, 'n'));
}

TEST_F(TakeoverTest, ABlocklistedOwnerIsFencedToo) {
  Zombie zombie = StartOwner(cluster_);
  Process next = cluster_.Start(2);
  ASSERT_TRUE(next.store->Blocklist(zombie.process.store->Address()).has_value());
  ASSERT_TRUE(next.files->Take("/d").has_value());
  EXPECT_TRUE(AppendAndSync(*zombie.log, 10).IsIOFenced());
  EXPECT_TRUE(AppendAndSync(*zombie.full, 10).IsIOFenced());
}

}  // namespace
}  // namespace orrery::storage::rados
