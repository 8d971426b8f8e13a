#include "storage/log/archive_guard.h"

#include <rocksdb/file_system.h>

namespace orrery::storage {
namespace {

class ArchiveGuard final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "orrery.ArchiveGuard"; }

  rocksdb::IOStatus FileExists(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    if (path.ends_with("/archive")) return rocksdb::IOStatus::NotFound();
    return target()->FileExists(path, options, debug);
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> WithoutArchives(
    const std::shared_ptr<rocksdb::FileSystem>& target) {
  return std::make_shared<ArchiveGuard>(target);
}

}  // namespace orrery::storage
