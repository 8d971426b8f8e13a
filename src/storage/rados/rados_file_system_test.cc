// Tests of the file system on an object store beyond the conformance of file systems: its cost, its
// errors, and how directories are shared.
#include "storage/rados/rados_file_system.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/crc32c.h"
#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

using rocksdb::IOStatus;

class RadosFileSystemTest : public testing::Test {
 protected:
  RadosFileSystemTest() { EXPECT_TRUE(fs_.CreateDir("/d", {}, nullptr).ok()); }

  std::unique_ptr<rocksdb::FSWritableFile> Create(const std::string& path) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(fs_.NewWritableFile(path, {}, &file, nullptr).ok());
    return file;
  }
  IOStatus Fsync(const std::string& path) {
    std::unique_ptr<rocksdb::FSDirectory> directory;
    IOStatus status = fs_.NewDirectory(path, {}, &directory, nullptr);
    return status.ok() ? directory->Fsync({}, nullptr) : status;
  }
  uint64_t CostOf(const std::function<void()>& work) {
    process_.files->WaitForRemovals();
    const uint64_t before = process_.store->calls();
    work();
    process_.files->WaitForRemovals();
    return process_.store->calls() - before;
  }
  // The tree that another process would find after this one has crashed.
  Tree Stored() { return TreeOf(cluster_.Start(9).fs()); }

  TestCluster cluster_;
  Process process_ = cluster_.Start();
  rocksdb::FileSystem& fs_ = process_.fs();
};

TEST_F(RadosFileSystemTest, WhatThingsCost) {
  ASSERT_TRUE(WriteFile(fs_, "/d/first", "takes the directory").ok());
  EXPECT_EQ(CostOf([&] { EXPECT_TRUE(WriteFile(fs_, "/d/f", "bytes").ok()); }), 2u)
      << "the bytes and the name";
  EXPECT_EQ(CostOf([&] { EXPECT_TRUE(Fsync("/d").ok()); }), 0u) << "which is stored already";
  auto log = Create("/d/log");
  EXPECT_EQ(CostOf([&] {
              ASSERT_TRUE(log->Append("x", {}, nullptr).ok());
              ASSERT_TRUE(log->Flush({}, nullptr).ok());
            }),
            0u);
  EXPECT_EQ(CostOf([&] { ASSERT_TRUE(log->Sync({}, nullptr).ok()); }), 1u);
  EXPECT_EQ(CostOf([&] { ASSERT_TRUE(Fsync("/d").ok()); }), 1u);
  EXPECT_EQ(CostOf([&] {
              ASSERT_TRUE(log->Append("y", {}, nullptr).ok());
              ASSERT_TRUE(log->Sync({}, nullptr).ok());
            }),
            1u);
  EXPECT_EQ(CostOf([&] {
              ASSERT_TRUE(log->Append(std::string(100, 'z'), {}, nullptr).ok());
              ASSERT_TRUE(log->Sync({}, nullptr).ok());
            }),
            3u)
      << "the end of a stripe, the start of the next, and whether the directory is ours still";
  EXPECT_EQ(CostOf([&] { ASSERT_TRUE(log->Close({}, nullptr).ok()); }), 0u);
  EXPECT_EQ(CostOf([&] { ASSERT_TRUE(fs_.RenameFile("/d/f", "/d/g", {}, nullptr).ok()); }), 1u);
  EXPECT_EQ(CostOf([&] { ASSERT_TRUE(fs_.LinkFile("/d/g", "/d/h", {}, nullptr).ok()); }), 1u);
  EXPECT_EQ(CostOf([&] { ASSERT_TRUE(fs_.DeleteFile("/d/first", {}, nullptr).ok()); }), 2u)
      << "the name and the object";
  EXPECT_EQ(CostOf([&] {
              uint64_t bytes = 0;
              std::vector<std::string> names;
              EXPECT_TRUE(fs_.FileExists("/d/g", {}, nullptr).ok());
              EXPECT_TRUE(fs_.FileExists("/d/none", {}, nullptr).IsNotFound());
              EXPECT_TRUE(fs_.GetFileSize("/d/g", {}, &bytes, nullptr).ok());
              EXPECT_TRUE(fs_.GetChildren("/d", {}, &names, nullptr).ok());
            }),
            0u)
      << "an owned directory is in memory";
}

TEST_F(RadosFileSystemTest, NamesAreStoredWithWhatMayReferToThem) {
  auto manifest = Create("/d/MANIFEST");
  ASSERT_TRUE(manifest->Append("edits", {}, nullptr).ok());
  ASSERT_TRUE(manifest->Sync({}, nullptr).ok());
  auto unsynced = Create("/d/unsynced");
  ASSERT_TRUE(unsynced->Append("bytes", {}, nullptr).ok());
  EXPECT_FALSE(Stored().contains("/d/MANIFEST"));
  ASSERT_TRUE(WriteFile(fs_, "/d/tmp", "MANIFEST").ok());
  ASSERT_TRUE(fs_.RenameFile("/d/tmp", "/d/CURRENT", {}, nullptr).ok());
  EXPECT_EQ(Stored(),
            (Tree{{"/d", "<directory>"}, {"/d/MANIFEST", "edits"}, {"/d/CURRENT", "MANIFEST"}}));
}

TEST_F(RadosFileSystemTest, AReplacedFileStaysUntilTheNewOneIsStored) {
  ASSERT_TRUE(WriteFile(fs_, "/d/f", "former").ok());
  auto file = Create("/d/f");
  ASSERT_TRUE(file->Append("new", {}, nullptr).ok());
  EXPECT_EQ(ContentOf(fs_, "/d/f"), "new");
  EXPECT_EQ(Stored().at("/d/f"), "former");
  ASSERT_TRUE(file->Sync({}, nullptr).ok());
  ASSERT_TRUE(file->Close({}, nullptr).ok());
  EXPECT_EQ(Stored().at("/d/f"), "new");
  process_.files->WaitForRemovals();
  EXPECT_EQ(Orphans(cluster_, *process_.store), std::set<std::string>());
}

TEST_F(RadosFileSystemTest, ALostAnswerToAReadMayBeAskedForAgain) {
  ASSERT_TRUE(WriteFile(fs_, "/d/f", "bytes").ok());
  process_.store->FaultAfter(0, ObjectFault::kLostRequest);
  std::string bytes;
  const IOStatus status = ReadFile(fs_, "/d/f", &bytes);
  EXPECT_TRUE(status.IsIOError() && status.GetRetryable()) << status.ToString();
  EXPECT_FALSE(status.IsPathNotFound());
  EXPECT_EQ(ContentOf(fs_, "/d/f"), "bytes");
  // A lookup that fails is not one that finds nothing.
  Process other = cluster_.Start(2);
  other.store->FaultAfter(0, ObjectFault::kLostRequest);
  EXPECT_TRUE(other.fs().FileExists("/d/f", {}, nullptr).IsIOError());
}

TEST_F(RadosFileSystemTest, ALostAnswerToAWriteEndsTheFile) {
  auto file = Create("/d/f");
  ASSERT_TRUE(file->Append("x", {}, nullptr).ok());
  process_.store->FaultAfter(0, ObjectFault::kLostAnswer);
  const IOStatus status = file->Sync({}, nullptr);
  EXPECT_TRUE(status.IsIOError() && !status.GetRetryable()) << status.ToString();
  EXPECT_FALSE(file->Sync({}, nullptr).ok());
  EXPECT_FALSE(file->Append("y", {}, nullptr).ok());
  EXPECT_FALSE(file->Flush({}, nullptr).ok());
  EXPECT_FALSE(file->Close({}, nullptr).ok());
}

TEST_F(RadosFileSystemTest, AFullPoolIsNoSpaceAndNothingElse) {
  ASSERT_TRUE(WriteFile(fs_, "/d/f", "bytes").ok());
  cluster_.cluster.SetBytesMax(0);
  EXPECT_TRUE(WriteFile(fs_, "/d/g", "bytes").IsNoSpace());
  cluster_.cluster.SetBytesMax(UINT64_MAX);
  EXPECT_TRUE(WriteFile(fs_, "/d/h", "bytes").ok());
  process_.store->FaultWrites([](std::string_view object) { return object.ends_with(".dir"); },
                              ObjectFault::kFull);
  EXPECT_TRUE(fs_.DeleteFile("/d/f", {}, nullptr).IsNoSpace());
  EXPECT_EQ(ContentOf(fs_, "/d/f"), "bytes");
  process_.store->FaultWrites(nullptr, ObjectFault::kFull);
  EXPECT_TRUE(fs_.DeleteFile("/d/f", {}, nullptr).ok());
}

TEST_F(RadosFileSystemTest, TheFreeSpaceIsWhatTheStoreTells) {
  uint64_t bytes = 0;
  EXPECT_TRUE(fs_.GetFreeSpace("/d", {}, &bytes, nullptr).IsNotSupported()) << "not told yet";
  cluster_.free_bytes = 12'345;
  ASSERT_TRUE(fs_.GetFreeSpace("/d", {}, &bytes, nullptr).ok());
  EXPECT_EQ(bytes, 12'345u);
}

TEST_F(RadosFileSystemTest, AnUnknownChangeOfADirectoryIsRepairedByLockingIt) {
  for (const ObjectFault fault : {ObjectFault::kLostRequest, ObjectFault::kLostAnswer}) {
    ASSERT_TRUE(WriteFile(fs_, "/d/f", "bytes").ok());
    process_.store->FaultAfter(0, fault);
    EXPECT_TRUE(fs_.RenameFile("/d/f", "/d/g", {}, nullptr).IsIOError());
    const IOStatus refused = fs_.DeleteFile("/d/f", {}, nullptr);
    EXPECT_TRUE(refused.IsIOError() && !refused.IsIOFenced()) << refused.ToString();
    rocksdb::FileLock* lock = nullptr;
    ASSERT_TRUE(fs_.LockFile("/d/LOCK", {}, &lock, nullptr).ok());
    ASSERT_TRUE(fs_.UnlockFile(lock, {}, nullptr).ok());
    const bool renamed = fault == ObjectFault::kLostAnswer;
    EXPECT_EQ(fs_.FileExists("/d/g", {}, nullptr).ok(), renamed);
    EXPECT_EQ(fs_.FileExists("/d/f", {}, nullptr).ok(), !renamed);
    EXPECT_TRUE(fs_.DeleteFile(renamed ? "/d/g" : "/d/f", {}, nullptr).ok());
    // Else the next fault meets what is removed in the background.
    process_.files->WaitForRemovals();
  }
  // Not when another has taken it meanwhile.
  ASSERT_TRUE(WriteFile(fs_, "/d/f", "bytes").ok());
  process_.store->FaultAfter(0, ObjectFault::kLostRequest);
  EXPECT_TRUE(fs_.RenameFile("/d/f", "/d/g", {}, nullptr).IsIOError());
  Process other = cluster_.Start(2);
  ASSERT_TRUE(other.files->Take("/d").has_value());
  rocksdb::FileLock* lock = nullptr;
  EXPECT_TRUE(fs_.LockFile("/d/LOCK", {}, &lock, nullptr).IsIOFenced());
}

TEST_F(RadosFileSystemTest, LockingIsForTheOwner) {
  ASSERT_TRUE(WriteFile(fs_, "/d/f", "bytes").ok());
  Process other = cluster_.Start(2);
  rocksdb::FileLock* lock = nullptr;
  EXPECT_TRUE(other.fs().LockFile("/d/LOCK", {}, &lock, nullptr).IsIOFenced());
  EXPECT_EQ(lock, nullptr);
  ASSERT_TRUE(other.files->Take("/d").has_value());
  ASSERT_TRUE(other.fs().LockFile("/d/LOCK", {}, &lock, nullptr).ok());
  EXPECT_TRUE(other.fs().UnlockFile(lock, {}, nullptr).ok());
}

TEST_F(RadosFileSystemTest, DamagedDirectoriesAreNamed) {
  ASSERT_TRUE(WriteFile(fs_, "/d/f", "bytes").ok());
  const DirectoryId id = std::get<DirectoryId>(**FindEntry(*process_.store, kRootDirectory, "d"));
  ASSERT_TRUE(
      process_.store->Apply(DirectoryObject(id), ObjectWrite().SetEntry("f", "not an entry"))
          .has_value());
  Process other = cluster_.Start(2);
  const Status taken = other.files->Take("/d");
  ASSERT_FALSE(taken.has_value());
  EXPECT_EQ(taken.error().code(), Code::kCorruption);
  EXPECT_NE(taken.error().message().find(DirectoryObject(id)), std::string::npos);
  EXPECT_TRUE(other.fs().FileExists("/d/f", {}, nullptr).IsCorruption());
}

TEST_F(RadosFileSystemTest, MissingAndShortObjectsAreCorruption) {
  ASSERT_TRUE(WriteFile(fs_, "/d/f", std::string(150, 'x')).ok());
  std::string object;
  for (const std::string& name : cluster_.cluster.Names())
    if (name.ends_with(".00000001")) object = name;
  std::string bytes;
  ASSERT_TRUE(process_.store->Apply(object, ObjectWrite().Truncate(49)).has_value());
  EXPECT_TRUE(ReadFile(fs_, "/d/f", &bytes).IsCorruption());
  ASSERT_TRUE(process_.store->Apply(object, ObjectWrite().Remove()).has_value());
  const IOStatus missing = ReadFile(fs_, "/d/f", &bytes);
  EXPECT_TRUE(missing.IsCorruption()) << missing.ToString();
  EXPECT_NE(missing.ToString().find(object), std::string::npos);
}

TEST_F(RadosFileSystemTest, BytesThatDoNotFitTheirChecksumAreRefused) {
  auto file = Create("/d/f");
  const std::string bytes = "bytes";
  const uint32_t crc = Crc32c(0, bytes);
  std::string checksum;
  for (int i = 0; i < 4; ++i) checksum.push_back(static_cast<char>(crc >> (8 * i)));
  rocksdb::DataVerificationInfo info;
  info.checksum = checksum;
  EXPECT_TRUE(file->Append(bytes, {}, info, nullptr).ok());
  EXPECT_TRUE(file->Append("bytez", {}, info, nullptr).IsCorruption());
  ASSERT_TRUE(file->Close({}, nullptr).ok());
  EXPECT_EQ(ContentOf(fs_, "/d/f"), "bytes");
}

TEST_F(RadosFileSystemTest, ReadsRunBesideEachOther) {
  std::string bytes(1'000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31 >> 2);
  ASSERT_TRUE(WriteFile(fs_, "/d/f", bytes).ok());
  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  ASSERT_TRUE(fs_.NewRandomAccessFile("/d/f", {}, &file, nullptr).ok());

  std::vector<rocksdb::FSReadRequest> requests(5);
  std::vector<std::string> scratch(5, std::string(300, '\0'));
  for (size_t i = 0; i < requests.size(); ++i) {
    requests[i].offset = i * 230;
    requests[i].len = 300;
    requests[i].scratch = scratch[i].data();
  }
  ASSERT_TRUE(file->MultiRead(requests.data(), requests.size(), {}, nullptr).ok());
  for (const rocksdb::FSReadRequest& request : requests) {
    ASSERT_TRUE(request.status.ok());
    EXPECT_EQ(request.result.ToString(), bytes.substr(request.offset, 300));
  }

  struct Answer {
    std::string bytes;
    int calls = 0;
  } answer;
  const auto callback = [](const rocksdb::FSReadRequest& request, void* argument) {
    EXPECT_TRUE(request.status.ok());
    static_cast<Answer*>(argument)->bytes = request.result.ToString();
    ++static_cast<Answer*>(argument)->calls;
  };
  void* handle = nullptr;
  rocksdb::IOHandleDeleter deleter;
  ASSERT_TRUE(file->ReadAsync(requests[1], {}, callback, &answer, &handle, &deleter, nullptr).ok());
  std::vector<void*> handles{handle};
  ASSERT_TRUE(fs_.Poll(handles, 1).ok());
  EXPECT_EQ(answer.bytes, bytes.substr(230, 300));
  ASSERT_TRUE(fs_.Poll(handles, 1).ok());
  EXPECT_EQ(answer.calls, 1);
  deleter(handle);
  ASSERT_TRUE(file->ReadAsync(requests[2], {}, callback, &answer, &handle, &deleter, nullptr).ok());
  handles = {handle};
  ASSERT_TRUE(fs_.AbortIO(handles).ok());
  deleter(handle);
  EXPECT_EQ(answer.calls, 1);
}

TEST_F(RadosFileSystemTest, LongFilesAreReadAhead) {
  TestCluster cluster(1 << 20);
  Process process = cluster.Start();
  ASSERT_TRUE(process.fs().CreateDir("/d", {}, nullptr).ok());
  std::string bytes(11 << 20, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 2'654'435'761 >> 24);
  ASSERT_TRUE(WriteFile(process.fs(), "/d/log", bytes).ok());
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  ASSERT_TRUE(process.fs().NewSequentialFile("/d/log", {}, &file, nullptr).ok());
  std::string all;
  std::string scratch(32 << 10, '\0');
  rocksdb::Slice piece;
  const uint64_t before = process.store->calls();
  do {
    ASSERT_TRUE(file->Read(scratch.size(), {}, &piece, scratch.data(), nullptr).ok());
    all.append(piece.data(), piece.size());
    if (all.size() == 64 << 10) ASSERT_TRUE(file->Skip(5 << 20).ok());
    if (all.size() == 64 << 10) all.append(bytes, all.size(), 5 << 20);
  } while (piece.size() == scratch.size());
  EXPECT_TRUE(all == bytes);
  EXPECT_LE(process.store->calls() - before, 20u) << "a stripe at a time";
}

TEST_F(RadosFileSystemTest, ProcessesShareTheDirectoriesAboveTheirOwn) {
  Process other = cluster_.Start(2);
  ASSERT_TRUE(fs_.CreateDir("/shared", {}, nullptr).ok());
  const auto work = [](rocksdb::FileSystem& fs, const std::string& name) {
    for (int i = 0; i < 20; ++i) {
      const std::string path = "/shared/" + name + std::to_string(i);
      EXPECT_TRUE(fs.CreateDir(path, {}, nullptr).ok());
      EXPECT_TRUE(WriteFile(fs, path + "/f", name).ok());
      EXPECT_TRUE(fs.RenameFile(path, path + "done", {}, nullptr).ok());
      EXPECT_EQ(ContentOf(fs, path + "done/f"), name);
    }
  };
  std::thread second([&] { work(other.fs(), "b"); });
  work(fs_, "a");
  second.join();
  std::vector<std::string> names;
  ASSERT_TRUE(fs_.GetChildren("/shared", {}, &names, nullptr).ok());
  EXPECT_EQ(names.size(), 40u);
  EXPECT_EQ(ContentOf(fs_, "/shared/b7done/f"), "b");
  for (const std::string& name : names) {
    ASSERT_TRUE(fs_.DeleteFile("/shared/" + name + "/f", {}, nullptr).ok());
    ASSERT_TRUE(fs_.DeleteDir("/shared/" + name, {}, nullptr).ok());
  }
  ASSERT_TRUE(fs_.DeleteDir("/shared", {}, nullptr).ok());
  process_.files->WaitForRemovals();
  EXPECT_EQ(Orphans(cluster_, *process_.store), std::set<std::string>());
}

TEST_F(RadosFileSystemTest, OneOfTwoMakesADirectory) {
  Process other = cluster_.Start(2);
  for (int i = 0; i < 20; ++i) {
    const std::string path = "/new" + std::to_string(i);
    IOStatus theirs;
    std::thread second([&] { theirs = other.fs().CreateDir(path, {}, nullptr); });
    const IOStatus ours = fs_.CreateDir(path, {}, nullptr);
    second.join();
    EXPECT_NE(ours.ok(), theirs.ok());
    EXPECT_TRUE(other.fs().CreateDirIfMissing(path, {}, nullptr).ok());
  }
}

TEST_F(RadosFileSystemTest, ADirectoryOfAnotherIsNeitherRenamedNorShared) {
  ASSERT_TRUE(WriteFile(fs_, "/d/f", "bytes").ok());
  Process other = cluster_.Start(2);
  EXPECT_TRUE(other.fs().RenameFile("/d", "/e", {}, nullptr).IsIOFenced());
  EXPECT_TRUE(other.fs().CreateDir("/d/below", {}, nullptr).IsIOFenced());
  EXPECT_EQ(ContentOf(other.fs(), "/d/f"), "bytes") << "but read";
  // Leavings are cleared by whoever comes: that takes the directory.
  EXPECT_TRUE(other.fs().DeleteFile("/d/f", {}, nullptr).ok());
  EXPECT_TRUE(other.fs().DeleteDir("/d", {}, nullptr).ok());
  EXPECT_TRUE(WriteFile(fs_, "/d/g", "bytes").IsIOFenced());
}

TEST_F(RadosFileSystemTest, ALinkOfALogHasWhatWasStored) {
  auto log = Create("/d/log");
  ASSERT_TRUE(log->Append(std::string(150, 'x'), {}, nullptr).ok());
  ASSERT_TRUE(log->Sync({}, nullptr).ok());
  ASSERT_TRUE(fs_.CreateDir("/e", {}, nullptr).ok());
  process_.store->FaultAfter(0, ObjectFault::kLostRequest);
  ASSERT_TRUE(log->Append("lost", {}, nullptr).ok());
  ASSERT_FALSE(log->Sync({}, nullptr).ok());
  ASSERT_TRUE(fs_.LinkFile("/d/log", "/e/log", {}, nullptr).ok());
  EXPECT_EQ(ContentOf(fs_, "/e/log"), std::string(150, 'x'));
  auto empty = Create("/d/empty");
  ASSERT_TRUE(fs_.LinkFile("/d/empty", "/e/empty", {}, nullptr).ok());
  EXPECT_EQ(ContentOf(fs_, "/e/empty"), "");
  ASSERT_TRUE(empty->Append("more", {}, nullptr).ok());
  ASSERT_TRUE(empty->Close({}, nullptr).ok());
  EXPECT_EQ(ContentOf(fs_, "/d/empty"), "more");
}

TEST_F(RadosFileSystemTest, ItRefusesStripesThatDoNotFit) {
  for (const uint64_t bytes : {uint64_t{0}, kStripeBytesMax + 1}) {
    const auto opened =
        RadosFileSystem::Open(process_.store, {.stripe_bytes = static_cast<uint32_t>(bytes),
                                               .clock = &cluster_.clock,
                                               .random = [] { return 2; }});
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), Code::kInvalidArgument);
  }
}

TEST_F(RadosFileSystemTest, ModificationTimesAreTheClocks) {
  cluster_.clock.Advance(std::chrono::seconds(77));
  ASSERT_TRUE(WriteFile(fs_, "/d/f", "bytes").ok());
  uint64_t time = 0;
  ASSERT_TRUE(fs_.GetFileModificationTime("/d/f", {}, &time, nullptr).ok());
  EXPECT_EQ(time, 1'700'000'077u);
}

}  // namespace
}  // namespace orrery::storage::rados
