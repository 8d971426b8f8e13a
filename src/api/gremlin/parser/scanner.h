// A Scanner reads the words of Gremlin text: names, numbers, strings and symbols, with white space
// and comments between them.
//
// A view: the text must outlive it. Used by one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/gremlin/value/value.h"
#include "base/status.h"
#include "query/lexer/char_cursor.h"

namespace orrery::gremlin {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : cursor_(text) { Skip(); }

  bool at_end() const { return cursor_.at_end(); }
  char Peek(size_t ahead = 0) const { return cursor_.Peek(ahead); }

  // Takes the symbol and what blanks follow it; false if another stands here.
  bool Take(std::string_view symbol);
  // kInvalidArgument unless the symbol stands here.
  Status Expect(std::string_view symbol);

  // Returns whether a name begins here.
  bool AtName() const;
  // The name that stands here, not taken; empty if none does.
  std::string_view PeekName() const;
  // REQUIRES: AtName().
  std::string_view TakeName();
  // Returns whether `symbol` follows the name that stands here, blanks between them skipped.
  bool NameIsFollowedBy(char symbol) const;

  bool AtString() const { return Peek() == '\'' || Peek() == '"'; }
  Result<std::string> TakeString();
  // Returns whether a number begins here, its sign included.
  bool AtNumber() const;
  Result<Value> TakeNumber();

  // An error at this place.
  std::unexpected<Error> Failure(std::string_view message) const;

 private:
  void Skip();
  Status AppendEscape(std::string& text);

  query::CharCursor cursor_;
};

// An error of the parser at a place of the text, in TinkerPop's words.
std::unexpected<Error> ParseFailure(query::TextPosition position, std::string_view message);

}  // namespace orrery::gremlin
