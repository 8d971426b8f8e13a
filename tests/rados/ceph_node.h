// A process with engines on the cluster under test: a client, a file system on it, and what engines
// share.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "ceph_under_test.h"
#include "storage/rados/rados_file_system.h"
#include "storage/resources.h"

namespace orrery::storage::rados {

class CephNode {
 public:
  explicit CephNode(const LibradosStore::Options& options)
      : store(CephTest::Connect(options)), files(OpenFiles(store, clock_)) {
    resources =
        std::make_unique<EngineResources>(ResourceOptions{.block_cache_bytes = 8 << 20,
                                                          .recycled_log_bytes_min = UINT64_MAX,
                                                          .file_system = files->AsFileSystem()});
  }

 private:
  static std::unique_ptr<RadosFileSystem> OpenFiles(std::shared_ptr<ObjectStore> the_store,
                                                    const Clock& clock) {
    static std::atomic<uint64_t> last_id{1};
    auto opened = RadosFileSystem::Open(
        std::move(the_store),
        {.clock = &clock, .random = [] { return ++last_id * 0x9e3779b97f4a7c15; }});
    EXPECT_TRUE(opened.has_value()) << opened.error().ToString();
    return std::move(*opened);
  }

  SystemClock clock_;

 public:
  const std::shared_ptr<LibradosStore> store;
  const std::unique_ptr<RadosFileSystem> files;
  std::unique_ptr<EngineResources> resources;
};

}  // namespace orrery::storage::rados
