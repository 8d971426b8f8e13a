#include "storage/rados/object/memory_store.h"

#include <gtest/gtest.h>

#include "storage/rados/object/object_store_conformance.h"

namespace orrery::storage::rados {
namespace {

ObjectStoresUnderTest MakeMemory() {
  struct Owner {
    ManualClock clock;
    MemoryCluster cluster{clock};
  };
  auto owner = std::make_shared<Owner>();
  return {.first = std::make_shared<MemoryStore>(owner->cluster, 1),
          .second = std::make_shared<MemoryStore>(owner->cluster, 2),
          .pass = [owner](std::chrono::milliseconds time) { owner->clock.Advance(time); },
          .owner = owner};
}
INSTANTIATE_TEST_SUITE_P(Memory, ObjectStoreConformance, testing::Values(MakeMemory));

class MemoryStoreTest : public testing::Test {
 protected:
  static Code CodeOf(const Status& status) {
    return status.has_value() ? Code::kInternal : status.error().code();
  }
  bool There(const std::string& object) { return cluster_.Stat("test", object).has_value(); }

  const ManualClock clock_;
  MemoryCluster cluster_{clock_};
  MemoryStore store_{cluster_};
};

TEST_F(MemoryStoreTest, ALostRequestIsNotDoneAndALostAnswerIs) {
  store_.FaultAfter(0, ObjectFault::kLostRequest);
  EXPECT_EQ(CodeOf(store_.Apply("a", ObjectWrite().Create())), Code::kUnavailable);
  EXPECT_FALSE(There("a"));
  store_.FaultAfter(0, ObjectFault::kLostAnswer);
  EXPECT_EQ(CodeOf(store_.Apply("a", ObjectWrite().Create())), Code::kUnavailable);
  EXPECT_TRUE(There("a"));
  EXPECT_TRUE(store_.Apply("b", ObjectWrite().Create()).has_value()) << "once only";
}

TEST_F(MemoryStoreTest, AFullPoolTakesNoBytes) {
  cluster_.SetBytesMax(10);
  EXPECT_TRUE(store_.Apply("a", ObjectWrite().Write(0, "0123456789")).has_value());
  EXPECT_EQ(CodeOf(store_.Apply("b", ObjectWrite().Write(0, "x"))), Code::kResourceExhausted);
  EXPECT_FALSE(There("b"));
  EXPECT_TRUE(store_.Apply("a", ObjectWrite().Remove()).has_value());
  EXPECT_TRUE(store_.Apply("b", ObjectWrite().Write(0, "x")).has_value());
}

TEST_F(MemoryStoreTest, AStoppedClientWaits) {
  store_.Stop();
  std::promise<Status> first;
  std::promise<Status> second;
  store_.Submit("a", ObjectWrite().CreateFirst(), [&](Status s) { first.set_value(s); });
  store_.Submit("a", ObjectWrite().Remove(), [&](Status s) { second.set_value(s); });
  EXPECT_EQ(store_.waiting(), 2u);
  EXPECT_FALSE(There("a"));
  EXPECT_EQ(store_.Step(1), 1u);
  EXPECT_TRUE(first.get_future().get().has_value());
  EXPECT_TRUE(There("a"));
  store_.Continue();
  EXPECT_TRUE(second.get_future().get().has_value());
  EXPECT_FALSE(There("a"));
}

TEST_F(MemoryStoreTest, ACrashCarriesOutAFirstPartOfWhatWaits) {
  std::set<size_t> outcomes;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const std::string object = "a" + std::to_string(seed);
    MemoryStore client(cluster_, seed);
    client.Stop();
    std::vector<std::promise<Status>> answers(3);
    for (size_t i = 0; i < answers.size(); ++i) {
      client.Submit(object, ObjectWrite().Write(i, "x"),
                    [&answer = answers[i]](Status status) { answer.set_value(status); });
    }
    client.Crash();
    client.Continue();
    for (auto& answer : answers) EXPECT_EQ(CodeOf(answer.get_future().get()), Code::kUnavailable);
    outcomes.insert(There(object) ? cluster_.Stat("test", object)->bytes : 0);
    EXPECT_EQ(CodeOf(client.Apply(object, ObjectWrite().Remove())), Code::kUnavailable);
  }
  EXPECT_EQ(outcomes, (std::set<size_t>{0, 1, 2, 3}));
}

TEST_F(MemoryStoreTest, OperationsOnDifferentObjectsOvertakeEachOther) {
  std::set<std::string> orders;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    MemoryStore client(cluster_, seed);
    client.Stop();
    std::string order;
    client.Submit("a", ObjectWrite().Create(), [&](const Status&) { order += "a"; });
    client.Submit("b", ObjectWrite().Create(), [&](const Status&) { order += "b"; });
    EXPECT_EQ(client.Step(2), 2u);
    orders.insert(order);
  }
  EXPECT_EQ(orders, (std::set<std::string>{"ab", "ba"}));
}

TEST_F(MemoryStoreTest, AnObjectThatHasNotHeardServesABlocklistedClient) {
  MemoryStore zombie(cluster_);
  ASSERT_TRUE(store_.Apply("a", ObjectWrite().Create()).has_value());
  ASSERT_TRUE(store_.Blocklist(zombie.Address()).has_value());
  EXPECT_TRUE(zombie.Apply("a", ObjectWrite().Write(0, "x")).has_value());
  EXPECT_TRUE(store_.Stat("a").has_value());
  EXPECT_EQ(CodeOf(zombie.Apply("a", ObjectWrite().Write(0, "y"))), Code::kFenced);
}

}  // namespace
}  // namespace orrery::storage::rados
