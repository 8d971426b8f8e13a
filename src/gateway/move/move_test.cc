#include <gtest/gtest.h>

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "base/has_code.h"
#include "gateway/move/move_keeper.h"
#include "gateway/test_server.h"

namespace orrery::gateway {
namespace {

using model::Value;
using partition::ThroughputSettings;

constexpr int kMovedItems = 1'500;

class MoveTest : public testing::Test {
 protected:
  MoveKeeper& Moves() { return server_.core().moves(); }

  MoveRecord Start(std::string_view changes) {
    auto begun = Moves().Start("db", "c", Json(changes));
    EXPECT_TRUE(begun.has_value()) << begun.error().ToString();
    return begun.has_value() ? *begun : MoveRecord();
  }

  // Budgets fill up while the clock `goes`.
  MoveRecord Await(uint64_t number, bool goes = true) {
    while (true) {
      if (goes) server_.clock.Advance(std::chrono::milliseconds(20));
      auto record = Moves().Find(number);
      EXPECT_TRUE(record.has_value());
      if (!record.has_value()) return MoveRecord();
      if (record->is_over()) {
        // What the move has read is owed still.
        if (goes) server_.clock.Advance(std::chrono::seconds(10));
        return *record;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  void Fill(const ContainerRef& container, int items = kMovedItems) {
    for (int i = 0; i < items; ++i) Put(container, i, 0);
  }

  static std::string Item(int i, int n, std::string_view city = "") {
    return fmt::format(R"({{"id":"{}","pk":"p{}","city":"{}","n":{}}})", i, i % 7,
                       city.empty() ? fmt::format("c{}", i % 31) : std::string(city), n);
  }

  Status Put(const ContainerRef& container, int i, int n, std::string_view city = "") {
    Status status = server_.Put(container, Item(i, n, city)).status;
    if (status.has_value()) {
      const std::lock_guard lock(mutex_);
      model_[i] = Item(i, n, city);
    }
    return status;
  }

  Status Remove(const ContainerRef& container, int i) {
    WriteRequest request;
    request.container = container;
    request.partition_key = KeyValues{Value::String(fmt::format("p{}", i % 7))};
    request.operations.emplace_back();
    request.operations.back().kind = item::OperationKind::kDelete;
    request.operations.back().row_key = Value::String(std::to_string(i));
    Status status = server_.gateway->WriteAndWait(std::move(request)).status;
    if (status.has_value() || HasCode(status, Code::kNotFound)) {
      const std::lock_guard lock(mutex_);
      model_.erase(i);
    }
    return status;
  }

  // All items of the container of that name, by id; two of one id are a failure.
  std::map<int, std::string> Stored(std::string_view name = "c") {
    std::map<int, std::string> stored;
    std::string continuation;
    do {
      auto page = server_.gateway->Scan(server_.Find(name), {}, continuation);
      EXPECT_TRUE(page.has_value()) << page.error().ToString();
      if (!page.has_value()) return stored;
      for (const item::ScannedItem& item : page->items) {
        const int id = std::stoi(std::string(item.document.view().Get("id").AsString()));
        EXPECT_TRUE(stored.emplace(id, model::ToJson(item.document)).second) << "twice: " << id;
      }
      continuation = page->continuation;
    } while (!continuation.empty());
    return stored;
  }

  TestServer server_{SmallPartitions()};
  std::mutex mutex_;
  std::map<int, std::string> model_;  // what was acknowledged
};

TEST_F(MoveTest, BringsAllItemsToAnotherKeyAndMorePartitions) {
  const ContainerRef before = server_.MakeContainer("c");
  Fill(before);
  const Micros written = server_.Get(before, "p3", "3").item.time;
  server_.clock.Advance(std::chrono::hours(1));

  const MoveRecord done =
      Await(Start(R"({"partitionKey":{"paths":["/city"]},"throughput":{"manual":3000}})").number);
  EXPECT_EQ(done.phase, MovePhase::kDone) << done.error;
  EXPECT_EQ(done.copied, static_cast<uint64_t>(kMovedItems));
  EXPECT_EQ(done.verified, static_cast<uint64_t>(kMovedItems));
  EXPECT_TRUE(done.pause_ms.has_value());

  const ContainerRef after = server_.Find("c");
  EXPECT_NE(after->id, before->id);
  EXPECT_EQ(after->settings.partition_key_paths, std::vector<std::string>{"/city"});
  EXPECT_EQ(after->settings.feed_retention_minutes, 0u);
  EXPECT_EQ(server_.node->topology()->Of(after->throughput_owner).size(), 3u);
  EXPECT_EQ(Stored(), model_);
  const ReadResponse read = server_.Get(after, "c3", "3");
  ASSERT_TRUE(read.status.has_value());
  EXPECT_EQ(read.item.time, written);
  EXPECT_FALSE(server_.catalog->FindContainer("db", done.target_name).has_value());
  EXPECT_EQ(server_.catalog->snapshot()->by_id.Find(before->id), nullptr);
}

// Writers use the entry that they found before the move: where the key has changed they are told
// so, and never that something was done which was not.
TEST_F(MoveTest, LosesAndDoublesNothingUnderWriters) {
  const ContainerRef before = server_.MakeContainer("c");
  Fill(before);
  std::atomic<uint64_t> writes{0};
  std::vector<std::thread> writers;
  for (int thread = 0; thread < 4; ++thread) {
    writers.emplace_back([&, thread] {
      std::mt19937 random(static_cast<unsigned>(thread));
      for (int n = 1;; ++n) {
        // Each has items of its own, so that the order of its writes is known.
        const int i = static_cast<int>(random() % (kMovedItems / 4)) * 4 + thread;
        Status status;
        switch (random() % 4) {
          case 0:
            status = Remove(before, i);
            break;
          case 1:
            status = Put(before, i, n, fmt::format("moved{}", random() % 50));
            break;
          default:
            status = Put(before, i, n);
        }
        ++writes;
        if (HasCode(status, Code::kOverloaded) || HasCode(status, Code::kThrottled)) break;
        ASSERT_TRUE(status.has_value() || HasCode(status, Code::kNotFound))
            << status.error().ToString();
      }
    });
  }
  const MoveRecord done = Await(Start(R"({"partitionKey":{"paths":["/city"]}})").number);
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(done.phase, MovePhase::kDone) << done.error;
  EXPECT_GT(done.changes, 0u);
  EXPECT_GT(writes.load(), 0u);
  EXPECT_EQ(Stored(), model_);
}

TEST_F(MoveTest, WritersGoOnThroughTheSwitchWhereTheKeyStays) {
  const ContainerRef before = server_.MakeContainer("c");
  Fill(before);
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  for (int thread = 0; thread < 3; ++thread) {
    writers.emplace_back([&, thread] {
      for (int n = 1; !stop.load(); ++n) {
        const int i = (n * 13 % (kMovedItems / 3)) * 3 + thread;
        const Status status = n % 5 == 0 ? Remove(before, i) : Put(before, i, n);
        ASSERT_TRUE(status.has_value() || HasCode(status, Code::kNotFound) ||
                    HasCode(status, Code::kThrottled))
            << status.error().ToString();
      }
    });
  }
  const MoveRecord done =
      Await(Start(R"({"indexingPolicy":{"excludedPaths":["/n/?"]}})").number);
  EXPECT_EQ(done.phase, MovePhase::kDone) << done.error;
  stop.store(true);
  for (std::thread& writer : writers) writer.join();
  EXPECT_NE(server_.Find("c")->id, before->id);
  EXPECT_EQ(Stored(), model_);
}

TEST_F(MoveTest, GoesOnAfterARestart) {
  Fill(server_.MakeContainer("c"));
  const uint64_t number = Start(R"({"partitionKey":{"paths":["/city"]}})").number;
  server_.Restart();
  for (int i = 0; i < 200; ++i)
    ASSERT_TRUE(Put(server_.Find("c"), i, 9, "elsewhere").has_value() ||
                server_.Find("c")->settings.partition_key_paths.front() == "/city");
  const MoveRecord done = Await(number);
  EXPECT_EQ(done.phase, MovePhase::kDone) << done.error;
  server_.Restart();
  EXPECT_EQ(server_.Find("c")->settings.partition_key_paths, std::vector<std::string>{"/city"});
  EXPECT_EQ(Moves().List().size(), 1u);
}

TEST_F(MoveTest, GivesUpWhereTwoItemsWouldBeOne) {
  const ContainerRef before = server_.MakeContainer("c");
  ASSERT_TRUE(server_.Put(before, R"({"id":"1","pk":"a","city":"x"})").status.has_value());
  ASSERT_TRUE(server_.Put(before, R"({"id":"1","pk":"b","city":"x"})").status.has_value());
  const MoveRecord failed = Await(Start(R"({"partitionKey":{"paths":["/city"]}})").number);
  EXPECT_EQ(failed.phase, MovePhase::kFailed);
  EXPECT_NE(failed.error.find("would be the same item"), std::string::npos) << failed.error;
  EXPECT_EQ(server_.Find("c")->id, before->id);
  EXPECT_EQ(server_.Find("c")->settings.feed_retention_minutes, 0u);
  EXPECT_FALSE(server_.catalog->FindContainer("db", failed.target_name).has_value());
  // Writers go on, and it can be changed again.
  EXPECT_TRUE(server_.Put(before, R"({"id":"2","pk":"b"})").status.has_value());
  ContainerSettings settings = server_.Find("c")->settings;
  settings.default_ttl_s = -1;
  EXPECT_TRUE(server_.catalog->UpdateContainer("db", settings).has_value());
}

TEST_F(MoveTest, ItemsExpireWhenTheyWouldHave) {
  if (!server_.catalog->FindDatabase("db").has_value())
    ASSERT_TRUE(server_.catalog->CreateDatabase("db", {}).has_value());
  ContainerSettings settings;
  settings.name = "c";
  settings.default_ttl_s = -1;
  const auto before = server_.catalog->CreateContainer("db", settings);
  ASSERT_TRUE(before.has_value());
  ASSERT_TRUE(server_.Put(*before, R"({"id":"1","city":"x","ttl":100})").status.has_value());
  ASSERT_TRUE(server_.Put(*before, R"({"id":"2","city":"x"})").status.has_value());
  server_.clock.Advance(std::chrono::seconds(60));
  const MoveRecord done =
      Await(Start(R"({"partitionKey":{"paths":["/city"]},"throughput":{"manual":1000}})").number,
            /*goes=*/false);
  ASSERT_EQ(done.phase, MovePhase::kDone) << done.error;
  EXPECT_EQ(server_.Find("c")->kind, partition::ContainerKind::kUnlimited);
  EXPECT_EQ(Stored().size(), 2u);
  server_.clock.Advance(std::chrono::seconds(41));
  EXPECT_EQ(Stored().size(), 1u);
}

TEST_F(MoveTest, AContainerOnTheMoveStaysAsItIsUntilCancelled) {
  Fill(server_.MakeContainer("c"));
  const MoveRecord begun = Start(R"({"partitionKey":{"paths":["/city"]}})");
  const auto again = Moves().Start("db", "c", Json(R"({"throughput":{"manual":1000}})"));
  const Status dropped = server_.catalog->DropContainer("db", "c");
  ASSERT_TRUE(Moves().Remove(begun.number).has_value());
  const MoveRecord over = *Moves().Find(begun.number);
  // It may have been done before it was cancelled; then these were asked too late.
  if (over.phase == MovePhase::kCancelled) {
    EXPECT_TRUE(HasCode(again, Code::kAlreadyExists));
    EXPECT_TRUE(HasCode(dropped, Code::kPreconditionFailed));
    EXPECT_EQ(server_.Find("c")->settings.partition_key_paths, std::vector<std::string>{"/pk"});
    EXPECT_EQ(Stored(), model_);
  }
  EXPECT_TRUE(Moves().Remove(begun.number).has_value());
  EXPECT_TRUE(Moves().List().empty());
}

TEST_F(MoveTest, RefusesWhatCannotBeMoved) {
  server_.MakeContainer("c");
  const auto refused = [&](std::string_view changes) {
    return Moves().Start("db", "c", Json(changes));
  };
  EXPECT_TRUE(HasCode(refused("{}"), Code::kInvalidArgument));
  EXPECT_TRUE(HasCode(refused(R"({"partitionKey":{"paths":["/pk"]}})"), Code::kInvalidArgument));
  EXPECT_TRUE(HasCode(refused(R"({"defaultTtl":5})"), Code::kInvalidArgument));
  EXPECT_TRUE(HasCode(refused(R"({"partitionKey":{"paths":["city"]}})"), Code::kInvalidArgument));
  EXPECT_TRUE(HasCode(Moves().Start("db", "d", Json("{}")), Code::kNotFound));
  EXPECT_TRUE(server_.catalog->FindContainer("db", "c~move1").error().code() == Code::kNotFound);
}

TEST(MoveRecordTest, SurvivesItsEncoding) {
  MoveRecord record{.number = 7,
                    .database = "shop",
                    .container = "orders",
                    .target_name = "orders~move7",
                    .source = ContainerId(3),
                    .target = ContainerId(9),
                    .phase = MovePhase::kFollow,
                    .scan = std::string("\0\xff", 2),
                    .feed = "there",
                    .incomplete = true,
                    .retention_minutes = 60,
                    .copied = 5,
                    .changes = 6,
                    .total = 8,
                    .started_ms = 1'790'000'000'000,
                    .ended_ms = 1'790'000'000'001,
                    .pause_ms = 1.5,
                    .verified = 5,
                    .digest = "5:00",
                    .error = "no"};
  const auto decoded = DecodeMove(MoveKey(7), EncodeMove(record));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().ToString();
  EXPECT_EQ(*decoded, record);
  EXPECT_TRUE(HasCode(DecodeMove(MoveKey(7), "x"), Code::kCorruption));
  EXPECT_TRUE(HasCode(DecodeMove("mv/", EncodeMove(record)), Code::kCorruption));
}

}  // namespace
}  // namespace orrery::gateway
