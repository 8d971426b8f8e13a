#include "api/sql/parser/grammar/names.h"

namespace orrery::sql::grammar {

bool AtName(const TokenStream& stream, size_t ahead) {
  return stream.At(TokenKind::kWord, ahead) && !IsReserved(stream.Peek(ahead).keyword);
}

ast::Name ParseName(TokenStream& stream) {
  if (!AtName(stream)) {
    stream.FailHere();
    return {};
  }
  return ParseWord(stream);
}

ast::Name ParseWord(TokenStream& stream) {
  if (!stream.At(TokenKind::kWord)) {
    stream.FailHere();
    return {};
  }
  ast::Name name{.text = std::string(stream.text()), .range = stream.Peek().range};
  stream.Skip();
  return name;
}

}  // namespace orrery::sql::grammar
