// The private Ceph in which this program was started (tools/ceph run DIR -- orrery_rados_test):
// stores in it, and failures of its parts. Without one every test is skipped.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "storage/rados/object/librados_store.h"

namespace orrery::storage::rados {

class CephTest : public testing::Test {
 public:
  static bool There();
  // Of the cluster, as user 'orrery', in a namespace that nobody used before.
  static LibradosStore::Options NewOptions();
  // Fails the test when it cannot.
  static std::shared_ptr<LibradosStore> Connect(const LibradosStore::Options& options);

  // tools/ceph VERB DIR ARGUMENTS; fails the test when it fails.
  static void Ceph(const std::string& verb, const std::string& arguments = "");
  // Kills or stops an OSD and has the cluster whole again at the end of the scope.
  class OsdFailure {
   public:
    enum Kind { kKilled, kHung };
    OsdFailure(uint32_t osd, Kind kind);
    ~OsdFailure() { Repair(); }
    OsdFailure(const OsdFailure&) = delete;
    OsdFailure& operator=(const OsdFailure&) = delete;
    void Repair();

   private:
    const uint32_t osd_;
    const Kind kind_;
    bool repaired_ = false;
  };
  // Asks until all OSDs are up, so that the next test begins with a whole cluster.
  static void WaitForAllOsds(LibradosStore& store);

  static Code CodeOf(const Status& status) {
    return status.has_value() ? Code::kInternal : status.error().code();
  }

 protected:
  void SetUp() override;
};

}  // namespace orrery::storage::rados
