#include "storage/memtable/entry_key.h"

#include <gtest/gtest.h>

#include <random>

#include "storage/memtable/entry_testing.h"

namespace orrery::storage {
namespace {

using std::string_literals::operator""s;

// As the list compares: heads first.
std::strong_ordering Order(const std::string& entry, const EntryKey& key) {
  const std::strong_ordering order = EntryKey::OfEntry(entry.data()).head <=> key.head;
  return order != 0 ? order : CompareBeyondHead(entry.data(), key);
}

std::strong_ordering Order(std::string_view user_key, uint64_t sequence, std::string_view other_key,
                           uint64_t other_sequence) {
  const std::string other = MakeInternalKey(other_key, other_sequence);
  return Order(MakeEntry(user_key, sequence), EntryKey::OfInternal(other));
}

TEST(EntryKeyTest, TakesAnEntryApart) {
  const std::string user_key(200, 'k');  // its size takes two bytes
  const std::string entry = MakeEntry(user_key, 77, "value");
  const EntryKey key = EntryKey::OfEntry(entry.data());
  EXPECT_EQ(key.user_key, user_key);
  EXPECT_EQ(key.sequence, 77u);
  EXPECT_EQ(key.head, (KeyHead{.high = 0x6b6b6b6b6b6b6b6b, .low = 0x6b6b6b6b6b6b6b6b}));
}

TEST(EntryKeyTest, OfOneKeyTheNewestComesFirstAndTheTypeDoesNotMatter) {
  EXPECT_EQ(Order("key", 2, "key", 1), std::strong_ordering::less);
  EXPECT_EQ(Order("key", 1, "key", 2), std::strong_ordering::greater);
  const std::string deletion = MakeInternalKey("key", 5, 0);
  EXPECT_EQ(Order(MakeEntry("key", 5, "value", 1), EntryKey::OfInternal(deletion)),
            std::strong_ordering::equal);
}

TEST(EntryKeyTest, ZerosAtTheEndOfAShortKeyCount) {
  EXPECT_EQ(Order("", 1, "\0"s, 9), std::strong_ordering::less);
  EXPECT_EQ(Order("a\0"s, 9, "a", 1), std::strong_ordering::greater);
  EXPECT_EQ(Order("a\0\0"s, 9, "a\0"s, 1), std::strong_ordering::greater);
}

TEST(EntryKeyTest, UserKeysAreInTheOrderOfTheirBytes) {
  constexpr uint32_t kSeed = 20;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  // Few different bytes and sizes around that of the head: many ties and prefixes.
  const auto draw = [&random] {
    std::string key(random() % 20, '\0');
    for (char& byte : key) byte = "\0\0\0\x7f\x80\xff"[random() % 6];
    return key;
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::string a = draw();
    const std::string b = draw();
    if (a == b) continue;
    EXPECT_EQ(Order(a, random() % 4, b, random() % 4), a <=> b) << ToHex(a) << " " << ToHex(b);
  }
}

}  // namespace
}  // namespace orrery::storage
