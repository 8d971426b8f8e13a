// The object store's conformance suite against a real cluster.
#include <thread>

#include "ceph_under_test.h"
#include "storage/rados/object_store_conformance.h"

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
