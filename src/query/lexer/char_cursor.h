// A CharCursor walks the text of a query byte by byte and knows at every step which line and
// column it stands on.
//
// It knows nothing of any language: the lexers of the wire APIs put tokens on top of it. Looking
// past the end is allowed and gives NUL, so a lexer needs no bounds checks; a NUL inside the text
// is distinguished by at_end().
//
// A view: the text must outlive it. REQUIRES: the text is shorter than 4 GiB.
#pragma once

#include <cstddef>
#include <string_view>

#include "query/lexer/text_position.h"

namespace orrery::query {

class CharCursor {
 public:
  explicit CharCursor(std::string_view text) : text_(text) {}

  bool at_end() const { return offset_ == text_.size(); }
  size_t offset() const { return offset_; }
  std::string_view text() const { return text_; }
  std::string_view rest() const { return text_.substr(offset_); }

  TextPosition position() const {
    return {.line = line_,
            .column = static_cast<uint32_t>(offset_ - line_start_ - continuation_bytes_)};
  }

  // The byte `ahead` of the cursor, NUL past the end.
  char Peek(size_t ahead = 0) const {
    return ahead < text_.size() - offset_ ? text_[offset_ + ahead] : '\0';
  }

  // Moves over `bytes` bytes of any content.
  // REQUIRES: that many are left.
  void Advance(size_t bytes);

  // The same for bytes that are known to be ASCII without a line end: words, numbers, symbols.
  void AdvanceWithinLine(size_t bytes) { offset_ += bytes; }

  // Moves over spaces, tabs and line ends.
  void SkipBlanks();

  // Moves to the next line end or the end of the text; the line end itself is not passed.
  void SkipLine();

  // Moves just behind the next `mark`. False, and at the end of the text, when there is none.
  [[nodiscard]] bool SkipPast(std::string_view mark);

 private:
  std::string_view text_;
  size_t offset_ = 0;
  size_t line_start_ = 0;          // offset of the current line's first byte
  size_t continuation_bytes_ = 0;  // UTF-8 continuation bytes passed in the current line
  uint32_t line_ = 1;
};

}  // namespace orrery::query
