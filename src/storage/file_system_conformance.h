// Conformance tests for every rocksdb::FileSystem under an engine. Include in one test file per
// program and instantiate:
//
//   INSTANTIATE_TEST_SUITE_P(Posix, FileSystemConformance, testing::Values(MakePosix));
//
// It checks what RocksDB relies on, not what a full POSIX file system would give.
#pragma once

#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>

namespace orrery::storage {

struct FileSystemUnderTest {
  std::shared_ptr<void> owner;  // whatever must outlive the file system
  std::shared_ptr<rocksdb::FileSystem> file_system;
  std::string root;  // an existing empty directory
};
using FileSystemFactory = std::function<FileSystemUnderTest()>;

class FileSystemConformance : public testing::TestWithParam<FileSystemFactory> {
 protected:
  std::string Path(const std::string& name) const { return under_test_.root + "/" + name; }

  void Write(const std::string& name, const std::string& bytes) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    ASSERT_TRUE(fs_.NewWritableFile(Path(name), {}, &file, nullptr).ok());
    ASSERT_TRUE(file->Append(bytes, io_, nullptr).ok());
    ASSERT_TRUE(file->Sync(io_, nullptr).ok());
    ASSERT_TRUE(file->Close(io_, nullptr).ok());
  }
  // Through a sequential file, in pieces.
  std::string ReadAll(const std::string& name) {
    std::unique_ptr<rocksdb::FSSequentialFile> file;
    const rocksdb::IOStatus opened = fs_.NewSequentialFile(Path(name), {}, &file, nullptr);
    EXPECT_TRUE(opened.ok()) << opened.ToString();
    if (!opened.ok()) return "<cannot open>";
    std::string all;
    std::string scratch(10'007, '\0');
    for (;;) {
      rocksdb::Slice piece;
      EXPECT_TRUE(file->Read(scratch.size(), io_, &piece, scratch.data(), nullptr).ok());
      all.append(piece.data(), piece.size());
      if (piece.size() < scratch.size()) return all;  // short only at the end
    }
  }
  std::set<std::string> Names(const std::string& name) {
    std::vector<std::string> names;
    EXPECT_TRUE(fs_.GetChildren(Path(name), io_, &names, nullptr).ok());
    std::set<std::string> unique(names.begin(), names.end());
    EXPECT_EQ(unique.size(), names.size());
    unique.erase(".");
    unique.erase("..");
    return unique;
  }
  bool Exists(const std::string& name) {
    const rocksdb::IOStatus status = fs_.FileExists(Path(name), io_, nullptr);
    EXPECT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
    return status.ok();
  }

  const FileSystemUnderTest under_test_ = GetParam()();
  rocksdb::FileSystem& fs_ = *under_test_.file_system;
  const rocksdb::IOOptions io_;
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FileSystemConformance);

TEST_P(FileSystemConformance, BytesComeBackInOrder) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  ASSERT_TRUE(fs_.NewWritableFile(Path("f"), {}, &file, nullptr).ok());
  std::string expected;
  for (int i = 0; i < 300; ++i) {
    const std::string piece(static_cast<size_t>(i * 37 % 5000), static_cast<char>('a' + i % 26));
    ASSERT_TRUE(file->Append(piece, io_, nullptr).ok());
    expected += piece;
    if (i % 3 == 0) ASSERT_TRUE(file->Flush(io_, nullptr).ok());
    if (i % 50 == 0) ASSERT_TRUE(file->Sync(io_, nullptr).ok());
    EXPECT_EQ(file->GetFileSize(io_, nullptr), expected.size());
  }
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(ReadAll("f"), expected);
  uint64_t size = 0;
  ASSERT_TRUE(fs_.GetFileSize(Path("f"), io_, &size, nullptr).ok());
  EXPECT_EQ(size, expected.size());
}

TEST_P(FileSystemConformance, RandomReadsAreShortOnlyAtTheEnd) {
  std::string bytes(100'000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
  Write("f", bytes);
  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  ASSERT_TRUE(fs_.NewRandomAccessFile(Path("f"), {}, &file, nullptr).ok());
  std::string scratch(50'000, '\0');
  for (const auto& [offset, n] : {std::pair<uint64_t, size_t>{0, 10},
                                  {4095, 2},
                                  {12'345, 50'000},
                                  {99'990, 100},
                                  {100'000, 10},
                                  {200'000, 10}}) {
    rocksdb::Slice got;
    ASSERT_TRUE(file->Read(offset, n, io_, &got, scratch.data(), nullptr).ok());
    const std::string expected = offset < bytes.size() ? bytes.substr(offset, n) : std::string();
    EXPECT_EQ(got.ToString(), expected) << offset;
  }
}

TEST_P(FileSystemConformance, FlushedBytesAreReadableThroughOtherHandles) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  ASSERT_TRUE(fs_.NewWritableFile(Path("f"), {}, &file, nullptr).ok());
  ASSERT_TRUE(file->Append("one", io_, nullptr).ok());
  ASSERT_TRUE(file->Flush(io_, nullptr).ok());
  EXPECT_EQ(ReadAll("f"), "one");
  ASSERT_TRUE(file->Append("two", io_, nullptr).ok());
  ASSERT_TRUE(file->Flush(io_, nullptr).ok());
  EXPECT_EQ(ReadAll("f"), "onetwo");
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
}

TEST_P(FileSystemConformance, OpeningToWriteReplacesAndReopeningKeeps) {
  Write("f", "first");
  Write("f", "2nd");
  EXPECT_EQ(ReadAll("f"), "2nd");
  std::unique_ptr<rocksdb::FSWritableFile> file;
  ASSERT_TRUE(fs_.ReopenWritableFile(Path("f"), {}, &file, nullptr).ok());
  ASSERT_TRUE(file->Append(" and more", io_, nullptr).ok());
  ASSERT_TRUE(file->Sync(io_, nullptr).ok());
  ASSERT_TRUE(file->Close(io_, nullptr).ok());
  EXPECT_EQ(ReadAll("f"), "2nd and more");
}

TEST_P(FileSystemConformance, SequentialFilesSkip) {
  Write("f", "0123456789");
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  ASSERT_TRUE(fs_.NewSequentialFile(Path("f"), {}, &file, nullptr).ok());
  ASSERT_TRUE(file->Skip(7).ok());
  char scratch[10];
  rocksdb::Slice got;
  ASSERT_TRUE(file->Read(10, io_, &got, scratch, nullptr).ok());
  EXPECT_EQ(got.ToString(), "789");
}

TEST_P(FileSystemConformance, MissingFilesAreToldFromErrors) {
  EXPECT_TRUE(fs_.FileExists(Path("none"), io_, nullptr).IsNotFound());
  std::unique_ptr<rocksdb::FSSequentialFile> sequential;
  EXPECT_TRUE(fs_.NewSequentialFile(Path("none"), {}, &sequential, nullptr).IsPathNotFound());
  std::unique_ptr<rocksdb::FSRandomAccessFile> random;
  EXPECT_TRUE(fs_.NewRandomAccessFile(Path("none"), {}, &random, nullptr).IsPathNotFound());
  uint64_t size = 0;
  EXPECT_TRUE(fs_.GetFileSize(Path("none"), io_, &size, nullptr).IsPathNotFound());
  EXPECT_FALSE(fs_.DeleteFile(Path("none"), io_, nullptr).ok());
  EXPECT_FALSE(fs_.RenameFile(Path("none"), Path("f"), io_, nullptr).ok());
  std::vector<std::string> names;
  EXPECT_TRUE(fs_.GetChildren(Path("none"), io_, &names, nullptr).IsNotFound());
  std::unique_ptr<rocksdb::FSWritableFile> file;
  EXPECT_FALSE(fs_.NewWritableFile(Path("none/f"), {}, &file, nullptr).ok());
}

TEST_P(FileSystemConformance, RenamingReplacesTheTarget) {
  Write("from", "new");
  Write("to", "old");
  ASSERT_TRUE(fs_.RenameFile(Path("from"), Path("to"), io_, nullptr).ok());
  EXPECT_FALSE(Exists("from"));
  EXPECT_EQ(ReadAll("to"), "new");
}

TEST_P(FileSystemConformance, RenamingADirectoryTakesItsFilesAlong) {
  ASSERT_TRUE(fs_.CreateDir(Path("a"), io_, nullptr).ok());
  Write("a/f", "bytes");
  ASSERT_TRUE(fs_.RenameFile(Path("a"), Path("b"), io_, nullptr).ok());
  EXPECT_FALSE(Exists("a"));
  EXPECT_EQ(ReadAll("b/f"), "bytes");
}

TEST_P(FileSystemConformance, LinksShareTheContent) {
  Write("f", "bytes");
  ASSERT_TRUE(fs_.CreateDir(Path("d"), io_, nullptr).ok());
  ASSERT_TRUE(fs_.LinkFile(Path("f"), Path("d/g"), io_, nullptr).ok());
  uint64_t links = 0;
  ASSERT_TRUE(fs_.NumFileLinks(Path("f"), io_, &links, nullptr).ok());
  EXPECT_EQ(links, 2u);
  bool same = false;
  ASSERT_TRUE(fs_.AreFilesSame(Path("f"), Path("d/g"), io_, &same, nullptr).ok());
  EXPECT_TRUE(same);
  EXPECT_FALSE(fs_.LinkFile(Path("f"), Path("d/g"), io_, nullptr).ok()) << "a link never replaces";
  ASSERT_TRUE(fs_.DeleteFile(Path("f"), io_, nullptr).ok());
  EXPECT_EQ(ReadAll("d/g"), "bytes");
}

TEST_P(FileSystemConformance, AnOpenFileOutlivesItsName) {
  Write("f", "bytes");
  std::unique_ptr<rocksdb::FSRandomAccessFile> file;
  ASSERT_TRUE(fs_.NewRandomAccessFile(Path("f"), {}, &file, nullptr).ok());
  ASSERT_TRUE(fs_.DeleteFile(Path("f"), io_, nullptr).ok());
  EXPECT_FALSE(Exists("f"));
  Write("f", "other");
  char scratch[10];
  rocksdb::Slice got;
  ASSERT_TRUE(file->Read(0, 10, io_, &got, scratch, nullptr).ok());
  EXPECT_EQ(got.ToString(), "bytes");
}

TEST_P(FileSystemConformance, DirectoriesListWhatTheyHold) {
  ASSERT_TRUE(fs_.CreateDir(Path("d"), io_, nullptr).ok());
  EXPECT_TRUE(Names("d").empty());
  Write("d/one", "1");
  Write("d/two", "22");
  ASSERT_TRUE(fs_.CreateDir(Path("d/sub"), io_, nullptr).ok());
  EXPECT_EQ(Names("d"), (std::set<std::string>{"one", "two", "sub"}));
  ASSERT_TRUE(fs_.DeleteFile(Path("d/one"), io_, nullptr).ok());
  ASSERT_TRUE(fs_.RenameFile(Path("d/two"), Path("d/three"), io_, nullptr).ok());
  EXPECT_EQ(Names("d"), (std::set<std::string>{"three", "sub"}));
  std::vector<rocksdb::FileAttributes> attributes;
  ASSERT_TRUE(fs_.GetChildrenFileAttributes(Path("d"), io_, &attributes, nullptr).ok());
  EXPECT_TRUE(std::ranges::any_of(attributes, [](const rocksdb::FileAttributes& file) {
    return file.name == "three" && file.size_bytes == 2;
  }));
}

TEST_P(FileSystemConformance, DirectoriesComeAndGo) {
  EXPECT_TRUE(fs_.CreateDirIfMissing(Path("d"), io_, nullptr).ok());
  EXPECT_TRUE(fs_.CreateDirIfMissing(Path("d"), io_, nullptr).ok());
  EXPECT_FALSE(fs_.CreateDir(Path("d"), io_, nullptr).ok());
  bool is_directory = false;
  ASSERT_TRUE(fs_.IsDirectory(Path("d"), io_, &is_directory, nullptr).ok());
  EXPECT_TRUE(is_directory);
  Write("d/f", "x");
  ASSERT_TRUE(fs_.IsDirectory(Path("d/f"), io_, &is_directory, nullptr).ok());
  EXPECT_FALSE(is_directory);
  std::unique_ptr<rocksdb::FSDirectory> directory;
  ASSERT_TRUE(fs_.NewDirectory(Path("d"), io_, &directory, nullptr).ok());
  EXPECT_TRUE(directory->Fsync(io_, nullptr).ok());
  EXPECT_TRUE(directory->FsyncWithDirOptions(io_, nullptr, rocksdb::DirFsyncOptions("f")).ok());
  EXPECT_TRUE(directory->Close(io_, nullptr).ok());
  EXPECT_FALSE(fs_.NewDirectory(Path("none"), io_, &directory, nullptr).ok());
  EXPECT_FALSE(fs_.DeleteDir(Path("d"), io_, nullptr).ok()) << "not while it holds a file";
  ASSERT_TRUE(fs_.DeleteFile(Path("d/f"), io_, nullptr).ok());
  EXPECT_TRUE(fs_.DeleteDir(Path("d"), io_, nullptr).ok());
  EXPECT_FALSE(Exists("d"));
}

TEST_P(FileSystemConformance, ALockIsHeldOnce) {
  rocksdb::FileLock* lock = nullptr;
  ASSERT_TRUE(fs_.LockFile(Path("LOCK"), io_, &lock, nullptr).ok());
  rocksdb::FileLock* second = nullptr;
  EXPECT_FALSE(fs_.LockFile(Path("LOCK"), io_, &second, nullptr).ok());
  ASSERT_TRUE(fs_.UnlockFile(lock, io_, nullptr).ok());
  ASSERT_TRUE(fs_.LockFile(Path("LOCK"), io_, &second, nullptr).ok());
  EXPECT_TRUE(fs_.UnlockFile(second, io_, nullptr).ok());
}

}  // namespace orrery::storage
