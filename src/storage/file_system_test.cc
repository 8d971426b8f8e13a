#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"
#include "storage/file_system_conformance.h"
#include "storage/rados/rados_testing.h"

namespace orrery::storage {
namespace {

FileSystemUnderTest MakePosix() {
  auto directory = std::make_shared<TemporaryDirectory>();
  return {directory, rocksdb::FileSystem::Default(), directory->path()};
}

FileSystemUnderTest MakeFaultless() {
  struct Owner {
    TemporaryDirectory data;
    TemporaryDirectory scratch;
    FaultFileSystem faults{scratch.path()};
  };
  auto owner = std::make_shared<Owner>();
  return {owner, owner->faults.AsFileSystem(), owner->data.path()};
}

FileSystemUnderTest MakeRados(uint32_t stripe_bytes) {
  struct Owner {
    explicit Owner(uint32_t bytes) : cluster(bytes), process(cluster.Start()) {}
    rados::TestCluster cluster;
    rados::Process process;
  };
  auto owner = std::make_shared<Owner>(stripe_bytes);
  std::shared_ptr<rocksdb::FileSystem> files = owner->process.files->AsFileSystem();
  EXPECT_TRUE(files->CreateDir("/test", {}, nullptr).ok());
  return {owner, std::move(files), "/test"};
}
FileSystemUnderTest MakeRadosWithSmallStripes() { return MakeRados(100); }
FileSystemUnderTest MakeRadosWithUsualStripes() { return MakeRados(8 << 20); }

INSTANTIATE_TEST_SUITE_P(Posix, FileSystemConformance, testing::Values(MakePosix));
INSTANTIATE_TEST_SUITE_P(Faultless, FileSystemConformance, testing::Values(MakeFaultless));
INSTANTIATE_TEST_SUITE_P(Rados, FileSystemConformance,
                         testing::Values(MakeRadosWithSmallStripes, MakeRadosWithUsualStripes));

}  // namespace
}  // namespace orrery::storage
