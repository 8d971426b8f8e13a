#include "storage/log/manifest_guard.h"

#include <rocksdb/file_system.h>

#include "storage/log/log_scan.h"

namespace orrery::storage {
namespace {

class ManifestGuard final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "orrery.ManifestGuard"; }

  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    const size_t slash = path.rfind('/');
    if (slash != path.npos && path.compare(slash + 1, 9, "MANIFEST-") == 0) {
      const Result<std::string> current = CurrentManifest(*target(), path.substr(0, slash));
      if (!current.has_value()) return rocksdb::IOStatus::IOError("not known to be obsolete", path);
      if (*current == path.substr(slash + 1)) return rocksdb::IOStatus::OK();
    }
    return target()->DeleteFile(path, options, debug);
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> WithManifestsKept(
    std::shared_ptr<rocksdb::FileSystem> target) {
  return std::make_shared<ManifestGuard>(target);
}

}  // namespace orrery::storage
