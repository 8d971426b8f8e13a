#include "api/mongo/executor/write/expiry.h"

#include "api/mongo/executor/write/collection_writer.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

// {q: {$and: [{field: {$lte: date}}, partial filter]}}: only dates compare with a date, and of an
// array the smallest counts.
model::Document StatementOf(const IndexSpec& index, int64_t expired_before_ms, int64_t now_ms) {
  model::DocumentBuilder source;
  source.OpenObject("q").OpenArray("$and").OpenObject("0");
  source.OpenObject((*index.key.view().begin()).name());
  source.Append("$lte", model::Value::DateTime(expired_before_ms)).Close().Close();
  if (const auto partial = index.partial_filter()) source.AppendDocument("1", *partial);
  source.Close().Close().Append("now", model::Value::DateTime(now_ms));
  return std::move(source).Finish();
}

}  // namespace

int64_t DeleteExpired(gateway::Gateway& gateway, const CollectionCatalog& collections,
                      int64_t now_unix_ms) {
  int64_t deleted = 0;
  for (const DatabaseInfo& database : collections.ListDatabases()) {
    for (const CollectionPtr& collection : collections.ListCollections(database.name)) {
      for (const IndexSpec& index : collection->indexes) {
        const auto seconds = index.expire_after_seconds();
        if (!seconds.has_value() || index.is_text()) continue;
        auto statement =
            WriteStatement::Compile(StatementOf(index, now_unix_ms - *seconds * 1000, now_unix_ms));
        if (!statement.has_value()) continue;
        CollectionWriter writer({.gateway = gateway, .new_id = [] { return model::Value::Null(); }},
                                std::make_shared<RunState>());
        ChangeRequest request;
        request.collection = collection;
        request.statement = *std::move(statement);
        request.multi = true;
        const auto outcome = writer.Change(request);
        if (outcome.has_value()) deleted += outcome->matched;
      }
    }
  }
  return deleted;
}

}  // namespace orrery::mongo
