#include "api/mongo/executor/write/expiry.h"

#include <optional>
#include <string_view>

#include "api/mongo/catalog/collection_forms.h"
#include "api/mongo/executor/write/collection_writer.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

// {q: {$and: [{field: {$lte: date}}, partial filter]}}: only dates compare with a date, and of an
// array the smallest counts.
model::Document StatementOf(std::string_view field, std::optional<model::DocumentView> partial,
                            int64_t expired_before_ms, int64_t now_ms) {
  model::DocumentBuilder source;
  source.OpenObject("q").OpenArray("$and").OpenObject("0");
  source.OpenObject(field);
  source.Append("$lte", model::Value::DateTime(expired_before_ms)).Close().Close();
  if (partial.has_value()) source.AppendDocument("1", *partial);
  source.Close().Close().Append("now", model::Value::DateTime(now_ms));
  return std::move(source).Finish();
}

int64_t DeleteMatches(gateway::Gateway& gateway, const CollectionPtr& collection,
                      model::Document source) {
  auto statement = WriteStatement::Compile(std::move(source));
  if (!statement.has_value()) return 0;
  CollectionWriter writer({.gateway = gateway, .new_id = [] { return model::Value::Null(); }},
                          std::make_shared<RunState>());
  ChangeRequest request;
  request.collection = collection;
  request.statement = *std::move(statement);
  request.multi = true;
  const auto outcome = writer.Change(request);
  return outcome.has_value() ? outcome->matched : 0;
}

}  // namespace

int64_t DeleteExpired(gateway::Gateway& gateway, const CollectionCatalog& collections,
                      int64_t now_unix_ms) {
  int64_t deleted = 0;
  for (const DatabaseInfo& database : collections.ListDatabases()) {
    for (const CollectionPtr& collection : collections.ListCollections(database.name)) {
      if (const auto rule = ExpiryOf(*collection)) {
        deleted += DeleteMatches(gateway, collection,
                                 StatementOf(rule->field, std::nullopt,
                                             now_unix_ms - rule->seconds * 1000, now_unix_ms));
      }
      for (const IndexSpec& index : collection->indexes) {
        const auto seconds = index.expire_after_seconds();
        if (!seconds.has_value() || index.is_text()) continue;
        deleted +=
            DeleteMatches(gateway, collection,
                          StatementOf((*index.key.view().begin()).name(), index.partial_filter(),
                                      now_unix_ms - *seconds * 1000, now_unix_ms));
      }
    }
  }
  return deleted;
}

}  // namespace orrery::mongo
