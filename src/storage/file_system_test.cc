#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"
#include "storage/file_system_conformance.h"

namespace orrery::storage {
namespace {

FileSystemUnderTest MakePosix() {
  auto directory = std::make_shared<TemporaryDirectory>();
  return {rocksdb::FileSystem::Default(), directory->path(), directory};
}

FileSystemUnderTest MakeFaultless() {
  struct Owner {
    TemporaryDirectory data;
    TemporaryDirectory scratch;
    FaultFileSystem faults{scratch.path()};
  };
  auto owner = std::make_shared<Owner>();
  return {owner->faults.AsFileSystem(), owner->data.path(), owner};
}

INSTANTIATE_TEST_SUITE_P(Posix, FileSystemConformance, testing::Values(MakePosix));
INSTANTIATE_TEST_SUITE_P(Faultless, FileSystemConformance, testing::Values(MakeFaultless));

}  // namespace
}  // namespace orrery::storage
