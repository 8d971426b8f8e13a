#include "query/lexer/token_stream.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orrery::query {
namespace {

enum class ToyKind : uint8_t { kEnd, kWord, kSymbol };
enum class ToyKeyword : uint8_t { kNone, kNot, kNull };
enum class ToySymbol : uint8_t { kNone, kOpen, kClose };

struct ToyToken {
  size_t offset = 0;
  ToyKind kind = ToyKind::kEnd;
  ToyKeyword keyword = ToyKeyword::kNone;
  ToySymbol symbol = ToySymbol::kNone;
  std::string_view TextIn(std::string_view text) const { return text.substr(offset, 1); }
};

// n: NOT, u: NULL, ( and ).
std::vector<ToyToken> TokensOf(std::string_view text) {
  std::vector<ToyToken> tokens;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case 'n':
        tokens.push_back({.offset = i, .kind = ToyKind::kWord, .keyword = ToyKeyword::kNot});
        break;
      case 'u':
        tokens.push_back({.offset = i, .kind = ToyKind::kWord, .keyword = ToyKeyword::kNull});
        break;
      case '(':
        tokens.push_back({.offset = i, .kind = ToyKind::kSymbol, .symbol = ToySymbol::kOpen});
        break;
      default:
        tokens.push_back({.offset = i, .kind = ToyKind::kSymbol, .symbol = ToySymbol::kClose});
        break;
    }
  }
  tokens.push_back({.offset = text.size()});
  return tokens;
}

class ToyStream : public TokenStream<ToyStream, ToyToken, std::string> {
 public:
  ToyStream(std::string_view text, std::span<const ToyToken> tokens)
      : TokenStream(text, tokens, /*nesting_max=*/3) {}

  void FailExpected(ToyKeyword) { Fail("keyword"); }
  void FailExpected(ToySymbol) { Fail("symbol"); }
  void FailNesting() { Fail("nesting"); }
  void Fail(std::string_view what) {
    FailWith([&] { return std::string(what) + " at " + std::to_string(index()); });
  }

  // nested := "(" nested ")" | NULL
  void ReadNested() {
    const Level level(*this);
    if (!Accept(ToySymbol::kOpen)) return Expect(ToyKeyword::kNull);
    ReadNested();
    Expect(ToySymbol::kClose);
  }
};

TEST(TokenStream, LooksAheadAndTakes) {
  const std::string_view text = "nu(";
  const auto tokens = TokensOf(text);
  ToyStream stream(text, tokens);
  EXPECT_TRUE(stream.At(ToyKeyword::kNot));
  EXPECT_TRUE(stream.At(ToyKeyword::kNull, 1));
  EXPECT_TRUE(stream.At(ToyKind::kEnd, 3));
  EXPECT_TRUE(stream.At(ToyKind::kEnd, 99));
  EXPECT_EQ(stream.text(), "n");
  EXPECT_FALSE(stream.Accept(ToyKeyword::kNull));
  EXPECT_FALSE(stream.Accept(ToyKeyword::kNot, ToyKeyword::kNot));
  EXPECT_TRUE(stream.Accept(ToyKeyword::kNot, ToyKeyword::kNull));
  EXPECT_TRUE(stream.Accept(ToySymbol::kOpen));
  stream.Skip();
  EXPECT_TRUE(stream.At(ToyKind::kEnd));
  EXPECT_FALSE(stream.failed());
}

TEST(TokenStream, TheFirstErrorStays) {
  const std::string_view text = "n(u)";
  const auto tokens = TokensOf(text);
  ToyStream stream(text, tokens);
  stream.Skip();
  stream.Expect(ToyKeyword::kNull);
  EXPECT_TRUE(stream.failed());
  EXPECT_TRUE(stream.At(ToyKind::kEnd));
  stream.Expect(ToySymbol::kClose);
  EXPECT_FALSE(stream.Accept(ToySymbol::kOpen));
  EXPECT_EQ(stream.TakeError(), "keyword at 1");
}

TEST(TokenStream, LevelsAreLimited) {
  for (const std::string_view text : {"((u))", "(u)", "u"}) {
    const auto tokens = TokensOf(text);
    ToyStream stream(text, tokens);
    stream.ReadNested();
    EXPECT_FALSE(stream.failed()) << text;
  }
  const std::string_view text = "(((u)))";
  const auto tokens = TokensOf(text);
  ToyStream stream(text, tokens);
  stream.ReadNested();
  ASSERT_TRUE(stream.failed());
  EXPECT_EQ(stream.TakeError(), "nesting at 3");
}

}  // namespace
}  // namespace orrery::query
