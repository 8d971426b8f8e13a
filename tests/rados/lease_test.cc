// Leases by the clock of a real OSD, and what becomes of a holder that does not know that it lost
// one.
#include <memory>
#include <thread>

#include "base/clock.h"
#include "ceph_under_test.h"
#include "cluster/lease/lease.h"

namespace orrery::storage::rados {
namespace {

using cluster::Lease;

// Renews by a third of the duration, as a node does.
class Renewer {
 public:
  Renewer(Lease& lease, std::chrono::milliseconds pause)
      : thread_([&lease, pause](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            const Status renewed = lease.Renew();
            if (!renewed.has_value()) EXPECT_NE(renewed.error().code(), Code::kFenced);
            std::this_thread::sleep_for(pause);
          }
        }) {}

 private:
  std::jthread thread_;
};

class CephLeaseTest : public CephTest {
 protected:
  static constexpr std::chrono::milliseconds kDuration{3'000};

  Result<std::unique_ptr<Lease>> Take(LibradosStore& store, const std::string& cookie) {
    return Lease::TryTake(store, clock_,
                          {.object = "manager", .cookie = cookie, .duration = kDuration});
  }
  // As soon as it is free.
  std::unique_ptr<Lease> TakeWhenFree(LibradosStore& store, const std::string& cookie) {
    for (int look = 0; look < 600; ++look) {
      auto lease = Take(store, cookie);
      if (lease.has_value()) return std::move(*lease);
      EXPECT_EQ(CodeName(lease.error().code()), CodeName(Code::kAlreadyExists));
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ADD_FAILURE() << "the lease stays held";
    return nullptr;
  }

  const SystemClock clock_;
  const LibradosStore::Options options_ = NewOptions();
};

TEST_F(CephLeaseTest, WhoStopsRenewingIsFencedByTheNext) {
  const auto first = Connect(options_);
  const auto second = Connect(options_);
  const auto lease = Take(*first, "first");
  ASSERT_TRUE(lease.has_value()) << lease.error().ToString();
  ASSERT_TRUE(first->Apply("data", ObjectWrite().Write(0, "x")).has_value());
  const auto next = TakeWhenFree(*second, "second");
  ASSERT_NE(next, nullptr);
  EXPECT_FALSE((*lease)->ValidNow()) << "the holder's own clock was faster";
  ASSERT_TRUE(second->Stat("data").has_value());
  EXPECT_EQ(CodeOf(first->Apply("data", ObjectWrite().Write(0, "zombie"))), Code::kFenced);
  EXPECT_EQ(CodeOf((*lease)->Renew()), Code::kFenced);
}

TEST_F(CephLeaseTest, WhoRenewsKeepsIt) {
  const auto first = Connect(options_);
  const auto second = Connect(options_);
  const auto lease = Take(*first, "first");
  ASSERT_TRUE(lease.has_value()) << lease.error().ToString();
  auto renewer = std::make_unique<Renewer>(**lease, kDuration / 3);
  const Micros end = clock_.Monotonic() + 2 * kDuration;
  while (clock_.Monotonic() < end) {
    EXPECT_FALSE(Take(*second, "second").has_value());
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  renewer.reset();
  (*lease)->Release();
  EXPECT_TRUE(Take(*second, "second").has_value()) << "at once after a release";
  EXPECT_TRUE(first->Apply("data", ObjectWrite().Create()).has_value()) << "not fenced";
}

TEST_F(CephLeaseTest, AHungOsdCostsNoLease) {
  const auto store = Connect(options_);
  const auto lease = Take(*store, "first");
  ASSERT_TRUE(lease.has_value()) << lease.error().ToString();
  const auto copies = store->CopiesOf("manager");
  ASSERT_TRUE(copies.has_value() && !copies->empty());
  const Renewer renewer(**lease, kDuration / 3);
  {
    const OsdFailure hung(copies->front(), OsdFailure::kHung);
    // Answered by another OSD, once the hung one is given up.
    EXPECT_TRUE(store->Apply("manager", ObjectWrite().SetAttribute("any", "x")).has_value());
    for (int look = 0; look < 600 && !(*lease)->ValidNow(); ++look)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_TRUE((*lease)->ValidNow());
  }
  WaitForAllOsds(*store);
}

}  // namespace
}  // namespace orrery::storage::rados
