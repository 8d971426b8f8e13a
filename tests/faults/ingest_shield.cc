#include "faults/ingest_shield.h"

#include <rocksdb/file_system.h>

#include <string>

namespace orrery::faults {
namespace {

// How cluster/merge.cc names the tables it makes.
constexpr const char* kIngestedName = "/merge-";

class Shield final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;

  const char* Name() const override { return "orrery.IngestShield"; }

  rocksdb::IOStatus NewRandomAccessFile(const std::string& path,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                                        rocksdb::IODebugContext* debug) override {
    const bool ingested = path.find(kIngestedName) != std::string::npos;
    return (ingested ? rocksdb::FileSystem::Default().get() : target())
        ->NewRandomAccessFile(path, options, result, debug);
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> ShieldIngestion(std::shared_ptr<rocksdb::FileSystem> faulty) {
  return std::make_shared<Shield>(std::move(faulty));
}

}  // namespace orrery::faults
