#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/properties.h"
#include "api/cassandra/parser/grammar/statements.h"

namespace orrery::cassandra::grammar {

ast::CreateKeyspace ParseCreateKeyspace(TokenStream& stream) {
  stream.Skip();  // KEYSPACE or SCHEMA
  ast::CreateKeyspace create;
  create.if_not_exists = AcceptIfNotExists(stream);
  create.keyspace = ParseKeyspaceName(stream);
  stream.Expect(Keyword::kWith);
  create.properties = ParseProperties(stream);
  return create;
}

ast::AlterKeyspace ParseAlterKeyspace(TokenStream& stream) {
  stream.Skip();  // KEYSPACE or SCHEMA
  ast::AlterKeyspace alter;
  alter.if_exists = AcceptIfExists(stream);
  alter.keyspace = ParseKeyspaceName(stream);
  stream.Expect(Keyword::kWith);
  alter.properties = ParseProperties(stream);
  return alter;
}

}  // namespace orrery::cassandra::grammar
