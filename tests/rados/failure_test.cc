// Parts of the cluster fail, and what the contract promises still holds.
#include <fmt/core.h>

#include <atomic>
#include <future>
#include <thread>

#include "ceph_under_test.h"

namespace orrery::storage::rados {
namespace {

class FailureTest : public CephTest {
 protected:
  void SetUp() override {
    CephTest::SetUp();
    if (!There()) return;
    store_ = Connect(options_);
    ASSERT_NE(store_, nullptr);
  }
  void TearDown() override {
    if (store_ != nullptr) WaitForAllOsds(*store_);
  }
  std::shared_ptr<LibradosStore> Impatient() {
    LibradosStore::Options options = options_;
    options.operation_timeout = std::chrono::seconds(3);
    return Connect(options);
  }
  // On objects of all placement groups, so that each OSD is in charge of some.
  static void ExpectWritesGoOn(LibradosStore& store, const std::string& value) {
    for (int i = 0; i < kObjects; ++i) {
      const Status written = store.Apply(Name(i), ObjectWrite().Write(0, value));
      EXPECT_TRUE(written.has_value()) << written.error().ToString();
    }
    for (int i = 0; i < kObjects; ++i)
      EXPECT_EQ(store.Read(Name(i), 0, 100).value_or("error"), value) << Name(i);
  }
  static std::string Name(int i) { return fmt::format("object.{}", i); }

  static constexpr int kObjects = 48;
  const LibradosStore::Options options_ = NewOptions();
  std::shared_ptr<LibradosStore> store_;
};

TEST_F(FailureTest, WritesGoOnWithoutOneOsd) {
  ExpectWritesGoOn(*store_, "before");
  const OsdFailure killed(1, OsdFailure::kKilled);
  ExpectWritesGoOn(*store_, "during");
}

TEST_F(FailureTest, WritesWaitForAHungOsdToBeGivenUp) {
  ExpectWritesGoOn(*store_, "before");
  const OsdFailure hung(2, OsdFailure::kHung);
  ExpectWritesGoOn(*store_, "during");
}

TEST_F(FailureTest, WithoutTwoOsdsWritesWaitAndResume) {
  ExpectWritesGoOn(*store_, "before");
  const auto impatient = Impatient();
  std::promise<Status> waiting;
  {
    OsdFailure first(0, OsdFailure::kKilled);
    OsdFailure second(3, OsdFailure::kKilled);
    store_->Submit(Name(0), ObjectWrite().Write(0, "during"),
                   [&](Status status) { waiting.set_value(std::move(status)); });
    EXPECT_EQ(CodeOf(impatient->Apply(Name(1), ObjectWrite().Write(0, "during"))),
              Code::kUnavailable);
    EXPECT_FALSE(impatient->Stat(Name(1)).has_value());
  }
  const Status resumed = waiting.get_future().get();
  EXPECT_TRUE(resumed.has_value()) << resumed.error().ToString();
  EXPECT_EQ(store_->Read(Name(0), 0, 100).value_or("error"), "during");
  EXPECT_EQ(store_->Read(Name(2), 0, 100).value_or("error"), "before");
  // Placement groups resume one by one, and on a busy machine the last may take longer than the
  // impatient one waits.
  ExpectWritesGoOn(*store_, "waited");
  ExpectWritesGoOn(*impatient, "after.");
}

TEST_F(FailureTest, AMonitorThatRestartsIsNotMissed) {
  ExpectWritesGoOn(*store_, "before");
  Ceph("restart-mon");
  ExpectWritesGoOn(*store_, "during");
  const auto other = Connect(options_);
  ASSERT_NE(other, nullptr);
  EXPECT_TRUE(store_->Blocklist(other->Address()).has_value());
}

TEST_F(FailureTest, AFencedClientIsRefusedEverywhereAndItsSuccessorIsNot) {
  ExpectWritesGoOn(*store_, "before");
  const auto successor = Connect(options_);
  ASSERT_TRUE(successor->Blocklist(store_->Address()).has_value());
  for (int i = 0; i < kObjects; ++i) {
    ASSERT_TRUE(successor->Stat(Name(i)).has_value());
    EXPECT_EQ(CodeOf(store_->Apply(Name(i), ObjectWrite().Write(0, "zombie"))), Code::kFenced);
  }
  EXPECT_EQ(CodeOf(store_->Lock("lock", "lease", "me", std::chrono::seconds(5))), Code::kFenced);
  ExpectWritesGoOn(*successor, "after.");
  // A new client of the same process has another address.
  store_ = Connect(options_);
  ExpectWritesGoOn(*store_, "again.");
}

TEST_F(FailureTest, AFullPoolSaysSo) {
  ASSERT_TRUE(store_->Apply("a", ObjectWrite().Write(0, "x")).has_value());
  Ceph("ask", "osd pool set-quota orrery max_objects 1");
  Status written;
  // The monitor finds out when it next counts.
  for (int i = 0; i < 600 && written.has_value(); ++i) {
    written = store_->Apply("b", ObjectWrite().Write(static_cast<uint64_t>(i), "y"));
    if (written.has_value()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(CodeOf(written), Code::kResourceExhausted);
  EXPECT_EQ(store_->Read("a", 0, 1).value_or("error"), "x");
  EXPECT_TRUE(store_->Apply("a", ObjectWrite().Remove()).has_value()) << "to make room";

  Ceph("ask", "osd pool set-quota orrery max_objects 0");
  for (int i = 0; i < 600 && !written.has_value(); ++i) {
    written = store_->Apply("c", ObjectWrite().Write(0, "y"));
    if (!written.has_value()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_TRUE(written.has_value());
}

TEST_F(FailureTest, AWatchOutlivesItsOsd) {
  ASSERT_TRUE(store_->Apply("a", ObjectWrite().Create()).has_value());
  const auto copies = store_->CopiesOf("a");
  ASSERT_TRUE(copies.has_value() && !copies->empty());
  const auto watcher = Connect(options_);
  std::atomic<int> heard{0};
  const auto watch = watcher->StartWatch("a", [&](std::string_view) { ++heard; });
  ASSERT_TRUE(watch.has_value());
  ASSERT_TRUE(store_->Notify("a", "one", std::chrono::seconds(5)).has_value());
  EXPECT_EQ(heard, 1);
  const OsdFailure killed(copies->front(), OsdFailure::kKilled);
  // Those said before the watch is back are lost, and allowed to be.
  for (int i = 0; i < 100 && heard == 1; ++i)
    EXPECT_TRUE(store_->Notify("a", "two", std::chrono::seconds(1)).has_value());
  EXPECT_GT(heard, 1);
}

}  // namespace
}  // namespace orrery::storage::rados
