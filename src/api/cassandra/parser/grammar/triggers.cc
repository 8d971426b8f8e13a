#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/statements.h"

namespace orrery::cassandra::grammar {

ast::CreateTrigger ParseCreateTrigger(TokenStream& stream) {
  stream.Expect(Keyword::kTrigger);
  ast::CreateTrigger create;
  create.if_not_exists = AcceptIfNotExists(stream);
  create.trigger = ParseName(stream);
  stream.Expect(Keyword::kOn);
  create.table = ParseQualifiedName(stream, "table");
  stream.Expect(Keyword::kUsing);
  create.class_name = stream.ExpectString();
  return create;
}

}  // namespace orrery::cassandra::grammar
