#include "ceph_under_test.h"

#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

namespace orrery::storage::rados {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Answers of the cluster that are waited for, a tenth of a second apart.
constexpr int kLooksMax = 600;

}  // namespace

bool CephTest::There() { return !Environment("ORRERY_CEPH_CONF").empty(); }

void CephTest::SetUp() {
  if (!There()) GTEST_SKIP() << "needs a cluster: tools/ceph run DIR -- orrery_rados_test";
}

LibradosStore::Options CephTest::NewOptions() {
  static std::atomic<int> last{0};
  return {.conf = Environment("ORRERY_CEPH_CONF"),
          .name_space = fmt::format("test.{}.{}", getpid(), ++last)};
}

std::shared_ptr<LibradosStore> CephTest::Connect(const LibradosStore::Options& options) {
  auto store = LibradosStore::Connect(options);
  EXPECT_TRUE(store.has_value()) << store.error().ToString();
  return store.has_value() ? std::shared_ptr(std::move(*store)) : nullptr;
}

void CephTest::Ceph(const std::string& verb, const std::string& arguments) {
  const std::string command = fmt::format("{} {} '{}' {} >/dev/null 2>&1", ORRERY_TOOLS_CEPH, verb,
                                          Environment("ORRERY_CEPH_DIR"), arguments);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

CephTest::OsdFailure::OsdFailure(uint32_t osd, Kind kind) : osd_(osd), kind_(kind) {
  Ceph(kind == kKilled ? "kill-osd" : "stop-osd", std::to_string(osd));
}

void CephTest::OsdFailure::Repair() {
  if (!std::exchange(repaired_, true))
    Ceph(kind_ == kKilled ? "start-osd" : "cont-osd", std::to_string(osd_));
}

void CephTest::WaitForAllOsds(LibradosStore& store) {
  for (int look = 0; look < kLooksMax; ++look) {
    const auto facts = store.Cluster();
    if (facts.has_value() && facts->osds_up == facts->osds) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  ADD_FAILURE() << "OSDs stay down";
}

}  // namespace orrery::storage::rados
