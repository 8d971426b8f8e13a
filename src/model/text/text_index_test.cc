#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/text/indexed_terms.h"
#include "model/text/tokenizer.h"

namespace orrery::model {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string NumberedWords(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += "w" + std::to_string(i) + " ";
  return text;
}

bool HaveOneInCommon(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::ranges::any_of(
      a, [&](const Value& value) { return std::ranges::find(b, value) != b.end(); });
}

TEST(Tokenizer, WordsInLowerCase) {
  EXPECT_THAT(Tokenize("The R2-D2, naïve: Übermut!"),
              ElementsAre("the", "r2", "d2", "naïve", "übermut"));
  EXPECT_THAT(Tokenize(" ,;! "), IsEmpty());
  EXPECT_THAT(Tokenize(""), IsEmpty());
  EXPECT_THAT(Tokenize("日本 語"), ElementsAre("日本", "語"));
}

TEST(Tokenizer, BytesThatAreNoTextSeparate) {
  EXPECT_THAT(Tokenize("one\xFFtwo\xC3"), ElementsAre("one", "two"));
}

TEST(IndexedTerms, EachWordOnce) {
  EXPECT_EQ(IndexedTermsOf("to be, or NOT to be"),
            (std::vector<Value>{Value::String("be"), Value::String("not"), Value::String("or"),
                                Value::String("to")}));
  EXPECT_THAT(IndexedTermsOf("..."), IsEmpty());
}

TEST(IndexedTerms, TooManyWordsAreOneMarkThatEveryQueryReads) {
  EXPECT_EQ(IndexedTermsOf(NumberedWords(kIndexedTermsMax)).size(), kIndexedTermsMax);
  const std::vector<Value> many = IndexedTermsOf(NumberedWords(kIndexedTermsMax + 1));
  EXPECT_EQ(many, std::vector<Value>{Value::Null()});
  const std::vector<std::string> wanted = {"w7"};
  EXPECT_TRUE(HaveOneInCommon(many, IndexedTermsToFind(wanted)));
}

TEST(IndexedTerms, LongWordsAreFoundByTheirBeginning) {
  for (const std::string letter : {"x", "ü", "日"}) {
    std::string word;
    while (word.size() <= 2 * kIndexedTermBytesMax) word += letter;
    const std::vector<Value> values = IndexedTermsOf("a " + word);
    EXPECT_LE(values.back().AsString().size(), kIndexedTermBytesMax);
    EXPECT_EQ(Tokenize(values.back().AsString()).size(), 1u);
    const std::vector<std::string> wanted = {word};
    EXPECT_TRUE(HaveOneInCommon(values, IndexedTermsToFind(wanted))) << letter;
  }
}

}  // namespace
}  // namespace orrery::model
