// The conformance suites of object stores and of file systems, against a real cluster.
#include <thread>

#include "ceph_node.h"
#include "ceph_under_test.h"
#include "storage/file_system_conformance.h"
#include "storage/rados/object/object_store_conformance.h"

namespace orrery::storage::rados {
namespace {

ObjectStoresUnderTest MakeLibrados() {
  const LibradosStore::Options options = CephTest::NewOptions();
  return {.first = CephTest::Connect(options),
          .second = CephTest::Connect(options),
          // Locks expire by the clocks of the OSDs, which nothing can turn forward.
          .pass = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); },
          .owner = nullptr};
}
INSTANTIATE_TEST_SUITE_P(Librados, ObjectStoreConformance,
                         testing::ValuesIn(CephTest::There()
                                               ? std::vector<ObjectStoresFactory>{MakeLibrados}
                                               : std::vector<ObjectStoresFactory>{}));

}  // namespace
}  // namespace orrery::storage::rados

namespace orrery::storage {
namespace {

FileSystemUnderTest MakeOnCeph() {
  auto node = std::make_shared<rados::CephNode>(rados::CephTest::NewOptions());
  std::shared_ptr<rocksdb::FileSystem> files = node->files->AsFileSystem();
  EXPECT_TRUE(files->CreateDir("/test", {}, nullptr).ok());
  return {node, std::move(files), "/test"};
}
INSTANTIATE_TEST_SUITE_P(OnCeph, FileSystemConformance,
                         testing::ValuesIn(rados::CephTest::There()
                                               ? std::vector<FileSystemFactory>{MakeOnCeph}
                                               : std::vector<FileSystemFactory>{}));

}  // namespace
}  // namespace orrery::storage
