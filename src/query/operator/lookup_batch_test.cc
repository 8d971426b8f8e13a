#include "query/operator/lookup_batch.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace orrery::query {
namespace {

using model::Value;
using model::Values;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::weak_ordering ByNumber(const Value& a, const Value& b) {
  return a.AsInteger() <=> b.AsInteger();
}
Values Numbers(std::initializer_list<int> numbers) {
  Values values;
  for (const int number : numbers) values.push_back(Value::Int32(number));
  return values;
}

TEST(LookupBatchTest, AsksForEachValueOnce) {
  LookupBatch batch(ByNumber);
  batch.AddRow(Numbers({3, 1}));
  batch.AddRow(Numbers({}));
  batch.AddRow(Numbers({1, 1}));
  EXPECT_EQ(batch.rows(), 3u);
  EXPECT_EQ(batch.values(), Numbers({1, 3}));
}

TEST(LookupBatchTest, GivesEachRowItsDocumentsInTheirOrder) {
  LookupBatch batch(ByNumber);
  batch.AddRow(Numbers({3, 1}));
  batch.AddRow(Numbers({}));
  batch.AddRow(Numbers({1}));
  EXPECT_TRUE(batch.AddDocument(Numbers({1})));
  EXPECT_FALSE(batch.AddDocument(Numbers({2}))) << "nobody joins with it";
  EXPECT_TRUE(batch.AddDocument(Numbers({3, 1}))) << "once, although two values meet";
  EXPECT_TRUE(batch.AddDocument(Numbers({3})));
  EXPECT_THAT(batch.DocumentsOf(0), ElementsAre(0, 1, 2));
  EXPECT_THAT(batch.DocumentsOf(1), IsEmpty());
  EXPECT_THAT(batch.DocumentsOf(2), ElementsAre(0, 1));
}

TEST(LookupBatchTest, EqualIsWhatTheOrderCallsEqual) {
  LookupBatch batch([](const Value& a, const Value& b) -> std::weak_ordering {
    return a.AsInteger() / 10 <=> b.AsInteger() / 10;
  });
  batch.AddRow(Numbers({11}));
  EXPECT_TRUE(batch.AddDocument(Numbers({12})));
  EXPECT_THAT(batch.DocumentsOf(0), ElementsAre(0));
}

TEST(LookupBatchTest, JoinsAsALoopOverAllPairsDoes) {
  std::mt19937 random(7);
  const auto some_values = [&] {
    Values values;
    for (size_t i = random() % 4; i > 0; --i)
      values.push_back(Value::Int32(static_cast<int32_t>(random() % 12)));
    return values;
  };
  for (int round = 0; round < 200; ++round) {
    LookupBatch batch(ByNumber);
    std::vector<Values> rows(random() % 8);
    for (Values& row : rows) batch.AddRow(row = some_values());
    std::vector<Values> counted;
    for (size_t i = 0; i < 20; ++i) {
      const Values document = some_values();
      if (batch.AddDocument(document)) counted.push_back(document);
    }
    for (size_t row = 0; row < rows.size(); ++row) {
      std::vector<uint32_t> expected;
      for (uint32_t i = 0; i < counted.size(); ++i) {
        const bool meets = std::ranges::any_of(rows[row], [&](const Value& value) {
          return std::ranges::find(counted[i], value) != counted[i].end();
        });
        if (meets) expected.push_back(i);
      }
      EXPECT_TRUE(std::ranges::equal(batch.DocumentsOf(row), expected)) << "round " << round;
    }
  }
}

}  // namespace
}  // namespace orrery::query
