#include "api/cassandra/parser/grammar/statements.h"

namespace orrery::cassandra::grammar {

ast::Batch ParseBatch(TokenStream& stream) {
  ast::Batch batch;
  stream.Expect(Keyword::kBegin);
  if (stream.Accept(Keyword::kUnlogged)) {
    batch.kind = ast::BatchKind::kUnlogged;
  } else if (stream.Accept(Keyword::kCounter)) {
    batch.kind = ast::BatchKind::kCounter;
  }
  stream.Expect(Keyword::kBatch);
  batch.attributes = ParseUsing(stream);
  while (stream.CheckElements(batch.statements.size())) {
    if (stream.At(Keyword::kInsert)) {
      batch.statements.push_back(ParseInsert(stream));
    } else if (stream.At(Keyword::kUpdate)) {
      batch.statements.emplace_back(ParseUpdate(stream));
    } else if (stream.At(Keyword::kDelete)) {
      batch.statements.emplace_back(ParseDelete(stream));
    } else {
      break;
    }
    stream.Accept(Symbol::kSemicolon);
  }
  stream.Expect(Keyword::kApply);
  stream.Expect(Keyword::kBatch);
  return batch;
}

}  // namespace orrery::cassandra::grammar
