#include "item/outbox/outbox.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"
#include "item/layout/key_layout.h"
#include "item/outbox/derived_write_testing.h"

namespace orrery::item {
namespace {

constexpr ContainerId kOutboxContainer{1};

// Writes one entry, as a transaction does.
class EntryMutation final : public partition::Mutation {
 public:
  EntryMutation(ContainerId container, Hash128 hash, std::vector<DerivedWrite> derived_writes,
                std::move_only_function<void(Status)> done)
      : container_(container),
        hash_(hash),
        derived_writes_(std::move(derived_writes)),
        done_(std::move(done)) {}
  Status Evaluate(partition::GroupWriter& writer) override {
    PutOutboxEntry(writer, container_, hash_, derived_writes_, {});
    return {};
  }
  void Complete(std::unique_ptr<Mutation>, Result<Lsn> outcome) override {
    done_(outcome.has_value() ? Status() : Fail(outcome.error()));
  }
  size_t bytes() const override { return 1; }

 private:
  const ContainerId container_;
  const Hash128 hash_;
  const std::vector<DerivedWrite> derived_writes_;
  std::move_only_function<void(Status)> done_;
};

class OutboxTest : public testing::Test {
 protected:
  void Put(Hash128 hash, std::string_view value, ContainerId container = kOutboxContainer) {
    std::vector<DerivedWrite> derived_writes{DerivedWriteOf(9, "k", "c", RowOf(1, value))};
    const Status put = harness.Submit([&](auto done) {
      return std::make_unique<EntryMutation>(container, hash, std::move(derived_writes),
                                             std::move(done));
    });
    ASSERT_TRUE(put.has_value());
  }
  std::vector<OutboxEntry> ReadAll(const SliceRanges& slices = {{kOutboxContainer, {{}}}}) {
    std::vector<OutboxEntry> entries;
    pages = 0;
    for (std::string from;; ++pages) {
      auto page = ReadOutbox(harness.engine(), slices, from);
      EXPECT_TRUE(page.has_value());
      if (!page.has_value()) return entries;
      damaged = page->damaged.size();
      std::ranges::move(page->entries, std::back_inserter(entries));
      if (!page->next.has_value()) return entries;
      from = *page->next;
    }
  }

  ItemHarness harness;
  size_t pages = 0;
  size_t damaged = 0;
};

TEST_F(OutboxTest, EntriesComeBackUntilTheyAreRemoved) {
  Put({1, 0}, "a");
  Put({1, 0}, "b");
  const auto entries = ReadAll();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].place, (OutboxPlace{kOutboxContainer, {1, 0}, Lsn(1)}));
  EXPECT_EQ(entries[1].place, (OutboxPlace{kOutboxContainer, {1, 0}, Lsn(2)}));
  EXPECT_EQ(entries[1].derived_writes,
            std::vector<DerivedWrite>{DerivedWriteOf(9, "k", "c", RowOf(1, "b"))});

  const auto remove = [&](OutboxPlace place) {
    return harness.Submit([&](auto done) { return OutboxRemoval({place}, std::move(done)); });
  };
  EXPECT_TRUE(remove(entries[0].place).has_value());
  EXPECT_TRUE(remove(entries[0].place).has_value()) << "once more does no harm";
  harness.Close();
  harness.Open();
  const auto left = ReadAll();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].place, entries[1].place);
}

TEST_F(OutboxTest, EntriesOfOtherSlicesAreNotOurs) {
  Put({1, 0}, "ours");
  Put({9, 0}, "the sibling's");
  Put({1, 0}, "another container's", ContainerId(2));
  const auto range = partition::HashRange::Inclusive({0, 0}, {5, 0});
  const auto entries = ReadAll({{kOutboxContainer, {range}}});
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].place.lsn, Lsn(1));
}

TEST_F(OutboxTest, ManyComeInPages) {
  const size_t count = 2 * kOutboxPageEntriesMax + 1;
  for (size_t i = 0; i < count; ++i) Put({i, 0}, "x");
  EXPECT_EQ(ReadAll().size(), count);
  EXPECT_EQ(pages, 2u);
}

TEST_F(OutboxTest, LargeOnesComeInPages) {
  for (uint64_t i = 0; i < 3; ++i) Put({i, 0}, std::string(kOutboxPageBytesMax, 'x'));
  EXPECT_EQ(ReadAll().size(), 3u);
  EXPECT_EQ(pages, 2u);
}

TEST_F(OutboxTest, DamagedEntriesAreTold) {
  Put({1, 0}, "sound");
  std::string key;
  WriteOutboxKey(key, kOutboxContainer, {2, 0}, Lsn(7));
  storage::Batch batch;
  batch.Put(key, "nonsense");
  ASSERT_TRUE(harness.engine().Write(batch, storage::Durability::kOs).has_value());
  EXPECT_EQ(ReadAll().size(), 1u);
  EXPECT_EQ(damaged, 1u);
}

// Compaction keeps them as long as their slice is here, and drops them with it.
TEST_F(OutboxTest, RetentionFollowsTheSlice) {
  Put({1, 0}, "low");
  Put({9, 0}, "high");
  auto slices = std::make_shared<RetainedSlices>();
  (*slices)[kOutboxContainer].ranges = {partition::HashRange::Inclusive({0, 0}, {5, 0})};
  harness.retention().SetSlices(slices);
  ASSERT_TRUE(harness.engine().Flush().has_value());
  ASSERT_TRUE(harness.engine().Compact("", "").has_value());
  const auto entries = ReadAll();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].place.hash, (Hash128{1, 0}));
}

}  // namespace
}  // namespace orrery::item
