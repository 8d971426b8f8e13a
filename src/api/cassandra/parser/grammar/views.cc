#include "api/cassandra/parser/grammar/names.h"
#include "api/cassandra/parser/grammar/properties.h"
#include "api/cassandra/parser/grammar/relations.h"
#include "api/cassandra/parser/grammar/statements.h"

namespace orrery::cassandra::grammar {
namespace {

void ParseViewOptions(TokenStream& stream, ast::CreateView& create) {
  PropertyList properties;
  do {
    if (stream.At(Keyword::kCompact) && stream.At(Keyword::kStorage, 1)) {
      stream.Fail(stream.position(),
                  "COMPACT STORAGE tables are not allowed starting with version 4.0");
    } else if (stream.At(Keyword::kClustering) && stream.At(Keyword::kOrder, 1)) {
      stream.Skip();
      create.clustering_order = ParseClusteringOrder(stream);
    } else {
      properties.ParseOne(stream);
    }
  } while (stream.Accept(Keyword::kAnd));
  create.properties = properties.Take();
}

}  // namespace

ast::CreateView ParseCreateView(TokenStream& stream) {
  stream.Expect(Keyword::kMaterialized);
  stream.Expect(Keyword::kView);
  ast::CreateView create;
  create.if_not_exists = AcceptIfNotExists(stream);
  create.view = ParseQualifiedName(stream, "table");
  stream.Expect(Keyword::kAs);
  stream.Expect(Keyword::kSelect);
  create.selectors = ParseSelectors(stream);
  stream.Expect(Keyword::kFrom);
  create.base_table = ParseQualifiedName(stream, "table");
  if (stream.Accept(Keyword::kWhere)) create.where = ParseWhere(stream);
  create.primary_key = ParsePrimaryKey(stream);
  if (stream.Accept(Keyword::kWith)) ParseViewOptions(stream, create);
  return create;
}

ast::AlterView ParseAlterView(TokenStream& stream) {
  stream.Expect(Keyword::kMaterialized);
  stream.Expect(Keyword::kView);
  ast::AlterView alter;
  alter.if_exists = AcceptIfExists(stream);
  alter.view = ParseQualifiedName(stream, "table");
  stream.Expect(Keyword::kWith);
  alter.properties = ParseProperties(stream);
  return alter;
}

}  // namespace orrery::cassandra::grammar
