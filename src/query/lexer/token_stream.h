// A TokenStream is what the rules of a hand-written grammar read from: the tokens of one text, the
// place reached in them, and the first error.
//
// Errors stick, as in an input stream: the first one is kept and the stream jumps to its end, where
// no token but the end is ever seen again. So a rule need not ask after every step whether it went
// well; it goes on, takes nothing, and returns something that nobody will look at, because a
// parser's entry points ask failed() once. Loops in rules must therefore end at the end of the
// stream.
//
// A language derives its own stream (`Derived`) and says there how it fails:
//
//   void FailExpected(Keyword keyword);   // what Expect() did not find
//   void FailExpected(Symbol symbol);
//   void FailNesting();                   // too many Levels
//
// Its tokens have a kind (one of which is kEnd), a keyword, a symbol and TextIn(text).
//
// Not thread-safe: one per parse. The text and the tokens must outlive it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "query/lexer/nesting.h"

namespace orrery::query {

template <typename Derived, typename Token, typename Error>
class TokenStream {
 public:
  using Kind = decltype(Token::kind);
  using Keyword = decltype(Token::keyword);
  using Symbol = decltype(Token::symbol);

  // Looking. Beyond the end is the end.
  const Token& Peek(size_t ahead = 0) const {
    return tokens_[std::min(index_ + ahead, tokens_.size() - 1)];
  }
  bool At(Kind kind, size_t ahead = 0) const { return Peek(ahead).kind == kind; }
  bool At(Keyword keyword, size_t ahead = 0) const { return Peek(ahead).keyword == keyword; }
  bool At(Symbol symbol, size_t ahead = 0) const { return Peek(ahead).symbol == symbol; }
  // The text of the token here, as it was written.
  std::string_view text() const { return Peek().TextIn(text_); }

  // Taking what is there. Accept: only if it is the one named, and says whether it was.
  // Expect: fails if it is not.
  void Skip() {
    if (index_ + 1 < tokens_.size()) ++index_;
  }
  bool Accept(Keyword keyword) { return AcceptIf(At(keyword)); }
  bool Accept(Symbol symbol) { return AcceptIf(At(symbol)); }
  bool Accept(Keyword first, Keyword second) {  // both or neither
    return AcceptIf(At(first) && At(second, 1)) && AcceptIf(true);
  }
  void Expect(Keyword keyword) {
    if (!Accept(keyword)) derived().FailExpected(keyword);
  }
  void Expect(Symbol symbol) {
    if (!Accept(symbol)) derived().FailExpected(symbol);
  }

  bool failed() const { return error_.has_value(); }
  Error TakeError() { return std::move(*error_); }  // REQUIRES: failed()

  // A rule that may contain itself keeps a Level while it runs; too many of them fail the stream.
  class Level {
   public:
    explicit Level(TokenStream& stream) : level_(stream.nesting_) {
      if (!level_.ok()) stream.derived().FailNesting();
    }

   private:
    NestingLevel level_;
  };

 protected:
  // REQUIRES: the last of `tokens` is the end.
  TokenStream(std::string_view text, std::span<const Token> tokens, uint32_t nesting_max)
      : text_(text), tokens_(tokens), nesting_(nesting_max) {
    ORRERY_CHECK(!tokens.empty() && tokens.back().kind == Kind::kEnd);
  }
  ~TokenStream() = default;

  // Keeps what `make` returns, if nothing has failed before: only the first failure counts.
  template <typename Make>
  void FailWith(Make make) {
    if (failed()) return;
    error_ = make();
    index_ = tokens_.size() - 1;
  }

  std::string_view whole_text() const { return text_; }
  std::span<const Token> tokens() const { return tokens_; }
  size_t index() const { return index_; }  // of the token here
  uint32_t depth() const { return nesting_.depth(); }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
  bool AcceptIf(bool is_there) {
    if (is_there) Skip();
    return is_there;
  }

  const std::string_view text_;
  const std::span<const Token> tokens_;
  size_t index_ = 0;
  Nesting nesting_;
  std::optional<Error> error_;
};

}  // namespace orrery::query
