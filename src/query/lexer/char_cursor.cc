#include "query/lexer/char_cursor.h"

#include <algorithm>

namespace orrery::query {

void CharCursor::Advance(size_t bytes) {
  for (const size_t end = offset_ + bytes; offset_ < end; ++offset_) {
    const auto byte = static_cast<unsigned char>(text_[offset_]);
    if (byte == '\n') {
      ++line_;
      line_start_ = offset_ + 1;
      continuation_bytes_ = 0;
    } else if ((byte & 0xC0) == 0x80) {
      ++continuation_bytes_;
    }
  }
}

void CharCursor::SkipBlanks() {
  while (!at_end()) {
    const char c = text_[offset_];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++offset_;
    } else if (c == '\n') {
      Advance(1);
    } else {
      return;
    }
  }
}

void CharCursor::SkipLine() {
  const size_t end = text_.find_first_of("\n\r", offset_);
  Advance(std::min(end, text_.size()) - offset_);
}

bool CharCursor::SkipPast(std::string_view mark) {
  const size_t found = text_.find(mark, offset_);
  if (found == std::string_view::npos) {
    Advance(text_.size() - offset_);
    return false;
  }
  Advance(found + mark.size() - offset_);
  return true;
}

}  // namespace orrery::query
