// A RadosFileSystem keeps the files of engines as objects of an ObjectStore: put AsFileSystem()
// into ResourceOptions::file_system, with recycled_log_bytes_min at UINT64_MAX, as objects are not
// faster when they are written over.
//
// Directories are objects whose entries are names, files are stripes of a fixed size; see
// docs/format/rados.md. A directory with files in it has one owner, the process that took it last:
// everything that another writes there is refused by the store. Take says when; the lease that
// entitles to it is not known here.
//
// Durability: bytes after Sync; a name after the directory's Fsync, a rename, a deletion, or its
// file's Close, and with it every name of a synced file before. Flush costs nothing, a Sync one
// write.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "storage/rados/directory/garbage.h"
#include "storage/rados/object/object_store.h"
#include "storage/resources.h"

namespace rocksdb {
class FileSystem;
}

namespace orrery::storage::rados {

struct FileSystemCore;

struct RadosOptions {
  // Of new files; up to kStripeBytesMax.
  uint32_t stripe_bytes = 8 << 20;
  const Clock* clock = nullptr;  // must outlive the file system
  // Gives the ids of directories: 64 random bits each time.
  std::function<uint64_t()> random;
  // Returns how many more bytes fit, if that is known. Must not block. Null: never known.
  std::function<std::optional<uint64_t>()> free_bytes{};
};

class RadosFileSystem final : public DirectoryOwner {
 public:
  // Makes the root directory when the store has none. REQUIRES: a clock and a source of ids.
  static Result<std::unique_ptr<RadosFileSystem>> Open(std::shared_ptr<ObjectStore> store,
                                                       RadosOptions options);
  ~RadosFileSystem() override;

  // May outlive this object.
  std::shared_ptr<rocksdb::FileSystem> AsFileSystem() const { return file_system_; }

  // Makes this process the owner of the directory, whoever was it before: from the return on
  // nothing that a former owner does there has an effect, and what it was promised is there. Of the
  // directory itself: those below it have owners of their own.
  // kNotFound, kCorruption; kUnavailable (then try again); kFenced when another has taken it at the
  // same moment (then ask who should). Engines of this process in it must be closed.
  Status Take(const std::string& path) override;
  // Gives up what Take gave: the next operation looks at the store. Close its files first.
  void Release(const std::string& path) override;

  // Removes what nothing refers to any more (garbage.h), in steps. Any process may, at any time.
  // The file system must outlive it.
  std::unique_ptr<GarbageSweep> NewGarbageSweep();
  // One whole pass.
  Result<GarbageCount> CollectGarbage();
  // Returns when the objects of deleted files are gone.
  void WaitForRemovals();

 private:
  explicit RadosFileSystem(std::shared_ptr<FileSystemCore> core);

  const std::shared_ptr<FileSystemCore> core_;
  const std::shared_ptr<rocksdb::FileSystem> file_system_;
};

}  // namespace orrery::storage::rados
