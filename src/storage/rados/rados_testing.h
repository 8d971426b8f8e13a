// The fixture that tests of the file system on an object store share: a cluster in memory,
// processes on it, and a view of what is stored, past all that they cache.
#pragma once

#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/clock.h"
#include "storage/rados/directory/directory_object.h"
#include "storage/rados/file/stripes.h"
#include "storage/rados/object/memory_store.h"
#include "storage/rados/rados_file_system.h"

namespace orrery::storage::rados {

// A process: a client of the cluster with a file system of its own.
struct Process {
  std::shared_ptr<MemoryStore> store;
  std::unique_ptr<RadosFileSystem> files;
  rocksdb::FileSystem& fs() const { return *files->AsFileSystem(); }
};

class TestCluster {
 public:
  explicit TestCluster(uint32_t stripe_bytes = 100) : stripe_bytes_(stripe_bytes) {}

  Process Start(uint64_t seed = 1) {
    Process process;
    process.store = std::make_shared<MemoryStore>(cluster, seed);
    RadosOptions options{.stripe_bytes = stripe_bytes_,
                         .clock = &clock,
                         .random = [this] { return ++last_id_ * 0x9e3779b97f4a7c15; },
                         .free_bytes = [this] { return free_bytes; }};
    Result<std::unique_ptr<RadosFileSystem>> files =
        RadosFileSystem::Open(process.store, std::move(options));
    EXPECT_TRUE(files.has_value()) << files.error().ToString();
    process.files = std::move(*files);
    return process;
  }

  ManualClock clock;
  MemoryCluster cluster{clock};
  std::optional<uint64_t> free_bytes;  // what it tells of the room that is left

 private:
  const uint32_t stripe_bytes_;
  std::atomic<uint64_t> last_id_{1};
};

inline rocksdb::IOStatus WriteFile(rocksdb::FileSystem& files, const std::string& path,
                                   const std::string& bytes) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  rocksdb::IOStatus status = files.NewWritableFile(path, {}, &file, nullptr);
  if (status.ok()) status = file->Append(bytes, {}, nullptr);
  if (status.ok()) status = file->Sync({}, nullptr);
  if (status.ok()) status = file->Close({}, nullptr);
  return status;
}

inline rocksdb::IOStatus ReadFile(rocksdb::FileSystem& files, const std::string& path,
                                  std::string* bytes) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  rocksdb::IOStatus status = files.NewSequentialFile(path, {}, &file, nullptr);
  bytes->clear();
  std::string scratch(64, '\0');
  while (status.ok()) {
    rocksdb::Slice piece;
    status = file->Read(scratch.size(), {}, &piece, scratch.data(), nullptr);
    bytes->append(piece.data(), piece.size());
    if (piece.size() < scratch.size()) break;
  }
  return status;
}

inline std::string ContentOf(rocksdb::FileSystem& files, const std::string& path) {
  std::string bytes;
  const rocksdb::IOStatus status = ReadFile(files, path, &bytes);
  return status.ok() ? bytes : "<" + status.ToString() + ">";
}

// Every file below `directory` with its content, and every directory with "<directory>".
using Tree = std::map<std::string, std::string>;
inline Tree TreeOf(rocksdb::FileSystem& files, const std::string& directory = "") {
  Tree tree;
  std::vector<std::string> names;
  const rocksdb::IOStatus listed = files.GetChildren(directory + "/", {}, &names, nullptr);
  EXPECT_TRUE(listed.ok()) << listed.ToString();
  for (const std::string& name : names) {
    const std::string path = directory + "/" + name;
    bool is_directory = false;
    EXPECT_TRUE(files.IsDirectory(path, {}, &is_directory, nullptr).ok()) << path;
    tree[path] = is_directory ? "<directory>" : ContentOf(files, path);
    if (is_directory) tree.merge(TreeOf(files, path));
  }
  return tree;
}

// The objects that are referred to from `directory` on. REQUIRES: every file is closed.
inline std::set<std::string> ReferencedObjects(ObjectStore& store,
                                               DirectoryId directory = kRootDirectory) {
  std::set<std::string> objects{DirectoryObject(directory)};
  const Result<Entries> entries = ReadEntries(store, directory);
  EXPECT_TRUE(entries.has_value());
  for (const auto& [name, entry] : *entries) {
    if (const auto* below = std::get_if<DirectoryId>(&entry)) {
      objects.merge(ReferencedObjects(store, *below));
      continue;
    }
    const FileEntry& file = std::get<FileEntry>(entry);
    EXPECT_TRUE(file.closed) << name;
    objects.insert(StripeObject(file.id, 0));
    for (uint32_t i = 1; i < StripeCount(file); ++i) objects.insert(StripeObject(file.id, i));
  }
  return objects;
}

// Those that nothing refers to. An empty file or directory may have no object: none is missed.
inline std::set<std::string> Orphans(TestCluster& cluster, ObjectStore& store) {
  const std::set<std::string> referenced = ReferencedObjects(store);
  std::set<std::string> orphans;
  for (const std::string& name : cluster.cluster.Names())
    if (!referenced.contains(name)) orphans.insert(name);
  return orphans;
}

}  // namespace orrery::storage::rados
