// What the tests of the file system on an object store have in common: a cluster in memory, and
// processes on it that can be crashed.
#pragma once

#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <memory>
#include <string>

#include "base/clock.h"
#include "storage/rados/memory_store.h"
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
    RadosOptions options{.stripe_bytes = stripe_bytes_, .clock = &clock, .random = [this] {
                           return ++last_id_ * 0x9e3779b97f4a7c15;
                         }};
    Result<std::unique_ptr<RadosFileSystem>> files =
        RadosFileSystem::Open(process.store, std::move(options));
    EXPECT_TRUE(files.has_value()) << files.error().ToString();
    process.files = std::move(*files);
    return process;
  }

  ManualClock clock;
  MemoryCluster cluster{clock};

 private:
  const uint32_t stripe_bytes_;
  std::atomic<uint64_t> last_id_{1};
};

}  // namespace orrery::storage::rados
