#include "storage/memtable/entry_list.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <latch>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "storage/memtable/entry_testing.h"

namespace orrery::storage {
namespace {

// Gives memory at every alignment in turn, as an arena that others take odd sizes from.
class UnalignedMemory final : public EntryMemory {
 public:
  char* Allocate(size_t bytes) override {
    const size_t offset = pieces_.size() % alignof(std::max_align_t);
    pieces_.push_back(std::make_unique<char[]>(bytes + offset));
    return pieces_.back().get() + offset;
  }
  size_t piece_count() const { return pieces_.size(); }

 private:
  std::deque<std::unique_ptr<char[]>> pieces_;
};

struct Version {
  std::string user_key;
  uint64_t sequence = 0;

  // The order a memtable must have.
  bool operator<(const Version& other) const {
    return user_key != other.user_key ? user_key < other.user_key : sequence > other.sequence;
  }
  bool operator==(const Version&) const = default;
};

class EntryListTest : public testing::Test {
 protected:
  bool Insert(const Version& version, uint8_t type = 1) {
    entries_.push_back(MakeEntry(version.user_key, version.sequence, "value", type));
    return list_.Insert(entries_.back().data());
  }

  static Version At(const EntryList::Cursor& cursor) {
    const EntryKey key = EntryKey::OfEntry(cursor.entry());
    return {std::string(key.user_key), key.sequence};
  }

  // Seeks for `version` as RocksDB does: by an internal key with some type.
  template <typename Function>
  auto WithKey(const Version& version, Function&& function) const {
    const std::string internal = MakeInternalKey(version.user_key, version.sequence, 0x19);
    return function(EntryKey::OfInternal(internal));
  }

  UnalignedMemory memory_;
  std::deque<std::string> entries_;
  EntryList list_{memory_};
};

TEST_F(EntryListTest, AnEmptyListHasNothingAndTakesNoMemory) {
  EntryList::Cursor cursor(list_);
  EXPECT_FALSE(cursor.Valid());
  cursor.SeekToFirst();
  EXPECT_FALSE(cursor.Valid());
  cursor.SeekToLast();
  EXPECT_FALSE(cursor.Valid());
  WithKey({"key", 1}, [&](const EntryKey& key) {
    cursor.Seek(key);
    EXPECT_FALSE(cursor.Valid());
    cursor.SeekForPrev(key);
    EXPECT_FALSE(cursor.Valid());
    EXPECT_FALSE(list_.Contains(key));
    EXPECT_EQ(list_.EstimateBefore(key), 0u);
  });
  EXPECT_EQ(memory_.piece_count(), 0u);
}

TEST_F(EntryListTest, TakesAKeyAndSequenceOnce) {
  EXPECT_TRUE(Insert({"key", 7}));
  EXPECT_FALSE(Insert({"key", 7}));
  EXPECT_FALSE(Insert({"key", 7}, 0));  // a deletion of the same moment
  EXPECT_TRUE(Insert({"key", 8}));
  EntryList::Cursor cursor(list_);
  cursor.SeekToFirst();
  EXPECT_EQ(cursor.entry(), entries_.back().data());
  cursor.Next();
  EXPECT_EQ(cursor.entry(), entries_.front().data());
  cursor.Next();
  EXPECT_FALSE(cursor.Valid());
}

TEST_F(EntryListTest, IsAnOrderedSet) {
  constexpr uint32_t kSeed = 4;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  // Keys of one prefix, some a prefix of another, some alike beyond their heads; few sequences.
  const auto draw = [&random] {
    std::string key(random() % 4 == 0 ? 0 : 15, 'p');
    const size_t size = key.size() + random() % 4 + (random() % 50 == 0 ? 200 : 0);
    while (key.size() < size) key.push_back("\0az\xff"[random() % 4]);
    return Version{std::move(key), 1 + random() % 8};
  };
  std::set<Version> model;
  for (int i = 0; i < 6000; ++i) {
    const Version version = draw();
    EXPECT_EQ(Insert(version), model.insert(version).second);
  }

  EntryList::Cursor cursor(list_);
  cursor.SeekToFirst();
  for (auto it = model.begin(); it != model.end(); ++it, cursor.Next()) {
    ASSERT_TRUE(cursor.Valid());
    ASSERT_EQ(At(cursor), *it);
  }
  EXPECT_FALSE(cursor.Valid());
  cursor.SeekToLast();
  for (auto it = model.rbegin(); it != model.rend(); ++it, cursor.Prev()) {
    ASSERT_TRUE(cursor.Valid());
    ASSERT_EQ(At(cursor), *it);
  }
  EXPECT_FALSE(cursor.Valid());

  for (int i = 0; i < 4000; ++i) {
    const Version sought = draw();
    WithKey(sought, [&](const EntryKey& key) {
      EXPECT_EQ(list_.Contains(key), model.contains(sought));
      const auto after = model.lower_bound(sought);
      cursor.Seek(key);
      ASSERT_EQ(cursor.Valid(), after != model.end());
      if (cursor.Valid()) EXPECT_EQ(At(cursor), *after);
      const auto beyond = model.upper_bound(sought);
      cursor.SeekForPrev(key);
      ASSERT_EQ(cursor.Valid(), beyond != model.begin());
      if (cursor.Valid()) EXPECT_EQ(At(cursor), *std::prev(beyond));
    });
  }
}

TEST_F(EntryListTest, GuessesHowManyComeBefore) {
  constexpr uint64_t kCount = 10'000;
  for (uint64_t i = 0; i < kCount; ++i) Insert({fmt::format("{:08}", i), 1});
  const auto guess = [this](std::string user_key) {
    return WithKey({std::move(user_key), 1},
                   [this](const EntryKey& key) { return list_.EstimateBefore(key); });
  };
  EXPECT_EQ(guess(""), 0u);
  EXPECT_EQ(guess("00000000"), 0u);
  EXPECT_GT(guess("00005000"), kCount / 2 / 3);
  EXPECT_LT(guess("00005000"), kCount / 2 * 3);
  EXPECT_GT(guess("1"), kCount / 3);
  EXPECT_LT(guess("1"), kCount * 3);
}

// Readers walk, seek and step back while one thread writes: what was inserted before they looked is
// there, and all is in order.
TEST_F(EntryListTest, ReadersSeeWhatWasInsertedBefore) {
  constexpr size_t kCount = 6000;
  constexpr int kReaders = 3;
  constexpr uint32_t kSeed = 9;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  std::vector<std::string> entries;  // in the order they are inserted; numbered by their sequence
  for (size_t i = 0; i < kCount; ++i) {
    entries.push_back(MakeEntry(fmt::format("{:020}", random() % 1000), i));
  }
  std::atomic<size_t> inserted = 0;
  std::latch start(kReaders + 1);

  const auto read = [&](uint32_t seed) {
    std::mt19937 draw(seed);
    EntryList::Cursor cursor(list_);
    start.arrive_and_wait();
    for (size_t known = 0; known < kCount;) {
      known = inserted.load(std::memory_order_acquire);
      size_t found = 0;
      std::optional<Version> last;
      for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
        Version version = At(cursor);
        ASSERT_TRUE(!last.has_value() || *last < version);
        found += version.sequence < known ? 1 : 0;
        last = std::move(version);
      }
      ASSERT_EQ(found, known);
      for (int i = 0; i < 100 && known > 0; ++i) {
        const EntryKey key = EntryKey::OfEntry(entries[draw() % known].data());
        ASSERT_TRUE(list_.Contains(key));
        cursor.Seek(key);
        ASSERT_TRUE(cursor.Valid());
        const Version version = At(cursor);
        ASSERT_EQ(version, (Version{std::string(key.user_key), key.sequence}));
        cursor.Prev();
        if (cursor.Valid()) ASSERT_TRUE(At(cursor) < version);
      }
    }
  };

  std::vector<std::jthread> readers;
  for (uint32_t i = 0; i < kReaders; ++i) readers.emplace_back(read, i);
  start.arrive_and_wait();
  for (size_t i = 0; i < kCount; ++i) {
    EXPECT_TRUE(list_.Insert(entries[i].data()));
    inserted.store(i + 1, std::memory_order_release);
  }
}

// Every insertion goes to where the readers have just looked, right before their key.
TEST_F(EntryListTest, AReaderIsNotLedAstrayByInsertionsBeforeItsKey) {
  constexpr int kCount = 100'000;
  constexpr int kReaders = 2;
  ASSERT_TRUE(Insert({"sought", 1}));
  std::vector<std::string> entries;
  for (int i = 0; i < kCount; ++i) entries.push_back(MakeEntry(fmt::format("a{:06}", i), 1));
  std::atomic<bool> done = false;
  std::latch start(kReaders + 1);

  const auto read = [&] {
    const EntryKey key = EntryKey::OfEntry(entries_.front().data());
    EntryList::Cursor cursor(list_);
    start.arrive_and_wait();
    while (!done.load(std::memory_order_relaxed)) {
      ASSERT_TRUE(list_.Contains(key));
      cursor.Seek(key);
      ASSERT_TRUE(cursor.Valid());
      ASSERT_EQ(cursor.entry(), entries_.front().data());
      cursor.SeekForPrev(key);
      ASSERT_TRUE(cursor.Valid());
      ASSERT_EQ(cursor.entry(), entries_.front().data());
    }
  };

  std::vector<std::jthread> readers;
  for (int i = 0; i < kReaders; ++i) readers.emplace_back(read);
  start.arrive_and_wait();
  for (const std::string& entry : entries) EXPECT_TRUE(list_.Insert(entry.data()));
  done.store(true, std::memory_order_relaxed);
}

}  // namespace
}  // namespace orrery::storage
