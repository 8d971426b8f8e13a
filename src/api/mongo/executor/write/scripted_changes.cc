// Changes by statements that run JavaScript (settled_change.h).
#include <utility>

#include "api/mongo/catalog/stream_scope.h"
#include "api/mongo/executor/write/collection_writer.h"
#include "gateway/account/key_maker.h"

namespace orrery::mongo {
namespace {

// The times that a change looks anew at a document that others change meanwhile.
constexpr int kScriptLooksMax = 1'000;

}  // namespace

Answer<std::shared_ptr<const SettledChange>> CollectionWriter::Settle(const ChangeRequest& request,
                                                                      model::Document document) {
  const WriteStatement& statement = *request.statement;
  auto settled = std::make_shared<SettledChange>();
  settled->seen = std::move(document);
  MatchDetails details;
  MONGO_ASSIGN(const auto search, BindText(*request.collection, statement.filter.get()));
  MONGO_ASSIGN(settled->matches, statement.filter->Matches(settled->seen, &details, search.get()));
  if (!settled->matches || statement.update == nullptr) return settled;
  UpdateContext context = ChangeProgram::ContextOf(*request.collection, statement, TimeOf(request));
  context.tells_paths = NeedsNotes(*request.collection);
  MONGO_ASSIGN(settled->updated, statement.update->Apply(settled->seen, details, context));
  return settled;
}

Answer<WriteOutcome> CollectionWriter::ChangeSettled(const ChangeRequest& request,
                                                     model::Document document) {
  const Collection& collection = *request.collection;
  const auto partition_key = gateway::PartitionKeyOf(*collection.container->schema, document);
  const model::Value row_key = RowKeyOf(document, collection.form);
  return ChangeSettled(request, partition_key, row_key, std::move(document));
}

Answer<WriteOutcome> CollectionWriter::ChangeSettled(const ChangeRequest& request,
                                                     const gateway::KeyValues& partition_key,
                                                     const model::Value& row_key,
                                                     std::optional<model::Document> document,
                                                     std::optional<int32_t> attempt) {
  const CollectionPtr& collection = request.collection;
  for (int look = 0; look < kScriptLooksMax; ++look) {
    MONGO_TRY(state_->Check());
    if (!document.has_value()) {
      const gateway::ReadResponse read = parts_.gateway.Read(collection->container, partition_key,
                                                             row_key, storage::ReadMode::kMayBlock);
      state_->charge += read.charge;
      if (read.status.has_value()) {
        document = ToMongoForm(read.item.document, collection->form);
      } else if (read.status.error().code() != Code::kNotFound) {
        return Refuse(read.status.error());
      }
    }
    std::shared_ptr<const SettledChange> settled;
    if (document.has_value()) {
      MONGO_ASSIGN(settled, Settle(request, *std::exchange(document, std::nullopt)));
      if (!settled->matches && !attempt.has_value()) return WriteOutcome();
    } else if (!attempt.has_value()) {
      return WriteOutcome();
    }
    std::optional<RetryStatements> retry;
    if (request.retry.has_value())
      retry.emplace(*request.retry, std::vector<int32_t>{request.statement_number}, attempt);
    gateway::ProgramRequest program{
        .container = collection->container, .partition_key = partition_key, .program = nullptr};
    program.program = std::make_shared<const ChangeProgram>(
        collection, row_key, request.statement,
        ChangeOptions{.image = request.image, .upserts = false, .validates = request.validates},
        std::move(retry), std::move(settled));
    MONGO_ASSIGN(WriteOutcome outcome, Run(*collection, program));
    if (outcome.wants == WriteOutcome::Wants::kNothing) return outcome;
  }
  return Conflict();
}

}  // namespace orrery::mongo
