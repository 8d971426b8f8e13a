#include "net/read_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

namespace orrery::net {
namespace {

TEST(ReadBufferTest, KeepsBytesInOrderWhateverTheSizes) {
  constexpr uint32_t kSeed = 4711;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  ReadBuffer buffer;
  std::string expected;
  for (int i = 0; i < 10'000; ++i) {
    const size_t room = random() % 300;
    const std::span<char> space = buffer.Prepare(room);
    ASSERT_EQ(space.size(), room);
    const size_t filled = room == 0 ? 0 : random() % (room + 1);
    for (size_t j = 0; j < filled; ++j) {
      space[j] = static_cast<char>(random());
      expected.push_back(space[j]);
    }
    buffer.Commit(filled);
    ASSERT_EQ(buffer.data(), expected);
    const size_t used = random() % (expected.size() + 1);
    buffer.Consume(used);
    expected.erase(0, used);
  }
}

TEST(ReadBufferTest, KeepsLargeMessagesWhileTheyGrow) {
  ReadBuffer buffer;
  std::string expected;
  buffer.Prepare(10);
  buffer.Commit(10);
  for (int i = 0; i < 40; ++i) {
    const std::span<char> space = buffer.Prepare(256 << 10);
    std::ranges::fill(space, static_cast<char>('a' + i % 26));
    expected.append(space.data(), space.size());
    buffer.Commit(space.size());
    if (i == 20) buffer.Consume(10);
  }
  EXPECT_EQ(buffer.data(), expected);
  ReadBuffer other = std::move(buffer);
  EXPECT_EQ(other.data(), expected);
  other.Consume(expected.size() - 1);
  other.Prepare(64 << 20);
  EXPECT_EQ(other.data().size(), 1u);
  other.Consume(1);
  other.Shrink(10);
  EXPECT_EQ(other.Prepare(5).size(), 5u);
}

TEST(ReadBufferTest, ShrinksOnlyWhenEmpty) {
  ReadBuffer buffer;
  buffer.Prepare(1000)[0] = 'x';
  buffer.Commit(1);
  buffer.Shrink(10);
  EXPECT_EQ(buffer.data(), "x");
  buffer.Consume(1);
  buffer.Shrink(10);
  EXPECT_TRUE(buffer.empty());
  buffer.Prepare(1)[0] = 'y';
  buffer.Commit(1);
  EXPECT_EQ(buffer.data(), "y");
}

}  // namespace
}  // namespace orrery::net
