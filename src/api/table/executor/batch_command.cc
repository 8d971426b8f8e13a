#include "api/table/executor/batch_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "api/table/executor/batch_reply.h"
#include "api/table/executor/change_run.h"
#include "api/table/executor/entity_commands.h"
#include "api/table/executor/query_command.h"
#include "net/http/dispatch/http_call.h"

namespace orrery::table {
namespace {

// Refuses a change that cannot be made together with those before it.
Outcome<void> AddChange(const Grant& grant, const Call& part, std::set<std::string>& row_keys,
                        std::vector<EntityChange>& changes) {
  TABLE_ASSIGN(EntityChange change,
               ReadChange(part.operation, part.address, part.options, part.request.body));
  TABLE_TRY(grant.CheckEntity(change.partition_key, change.row_key));
  if (!changes.empty() && change.partition_key != changes.front().partition_key)
    return Refuse(ErrorCode::kCommandsInBatchActOnDifferentPartitions);
  if (!row_keys.insert(change.row_key).second) return Refuse(ErrorCode::kInvalidDuplicateRow);
  changes.push_back(std::move(change));
  return {};
}

// A batch that is too large is told so as one, not as an entity.
ErrorResponse InBatch(ErrorResponse error) {
  if (error.code != ErrorCode::kEntityTooLarge) return error;
  ErrorResponse larger(ErrorCode::kRequestBodyTooLarge);
  larger.charge = error.charge;
  return larger;
}

}  // namespace

Outcome<Call> BatchCommand::ReadPart(const Call& call, BatchPart part,
                                     std::span<const std::string> accounts) const {
  Call inner{.dialect = call.dialect};
  inner.request.tls = call.request.tls;
  inner.request.headers = std::move(part.headers);
  inner.request.body = std::move(part.content);
  if (part.target.find("://") == std::string::npos && !part.target.starts_with('/'))
    part.target.insert(0, "/");
  auto target = net::ParseRequestTarget(part.target);
  if (!target.has_value()) return Refuse(ErrorCode::kRequestUrlFailedToParse);
  inner.request.query = std::move(target->query);
  TABLE_ASSIGN(inner.address, ReadAddress(target->segments, accounts));
  TABLE_ASSIGN(inner.options, ReadOptions(inner.request.headers, std::nullopt));
  if (!inner.request.headers.Find("accept").has_value()) inner.options.level = call.options.level;
  TABLE_ASSIGN(inner.request.method, EffectiveMethod(part.method, inner.request.headers));
  const std::string& method = inner.request.method;
  std::optional<Operation> operation;
  if (inner.address.kind == ResourceKind::kEntity)
    operation = EntityOperation(method, !inner.options.if_match.empty());
  if (inner.address.kind == ResourceKind::kEntities && method == "POST")
    operation = Operation::kInsertEntity;
  if (inner.address.kind == ResourceKind::kEntities && method == "GET")
    operation = Operation::kQueryEntities;
  if (!operation.has_value()) return Refuse(ErrorCode::kUnsupportedHttpVerb);
  if (IsRead(*operation) && part.is_in_changeset) {
    return Refuse(ErrorCode::kInvalidInput,
                  "One of the request inputs is not valid: a changeset has no queries.");
  }
  inner.operation = *operation;
  // A change is made with the batch's.
  if (IsRead(*operation)) {
    inner.grant = call.grant;
    inner.base_url = call.base_url;
    inner.request.context = call.request.context;
  }
  TABLE_TRY(call.grant.Check(inner.operation, inner.address.table));
  return inner;
}

BatchCommand::Read BatchCommand::ReadParts(const Call& call, std::vector<BatchPart> parts) const {
  Read read;
  read.calls.reserve(std::min(parts.size(), kBatchOperationsMax));
  const std::vector<std::string> accounts = {call.grant.account};
  for (BatchPart& part : parts) {
    if (read.calls.size() == kBatchOperationsMax) {
      read.error = ErrorResponse(
          ErrorCode::kInvalidInput,
          "The batch request operation exceeds the maximum 100 changes per change set.");
      return read;
    }
    auto inner = ReadPart(call, std::move(part), accounts);
    if (!inner.has_value()) {
      read.error = std::move(inner).error();
      return read;
    }
    read.calls.push_back(*std::move(inner));
  }
  return read;
}

void BatchCommand::Run(Call call) const {
  const BatchFacts facts{call.context().activity_id(), parts_.clock.Now()};
  auto parts =
      ReadMultipart(call.request.headers.Find("content-type").value_or(""), call.request.body);
  if (!parts.has_value()) return Answer(call, std::unexpected(std::move(parts).error()));
  Read read = ReadParts(call, *std::move(parts));
  if (read.error.has_value()) {
    // What is counted is what may be there: the last of them is one too many.
    const size_t failed = std::min(read.calls.size(), kBatchOperationsMax - 1);
    return Answer(call, FailedBatchReply(*read.error, failed, /*are_changes=*/true, facts));
  }
  if (read.calls.empty()) return Answer(call, BatchReply({}, /*are_changes=*/true, facts));
  const bool has_query =
      std::ranges::any_of(read.calls, [](const Call& part) { return IsRead(part.operation); });
  if (!has_query) return RunChanges(std::move(call), read.calls);
  if (read.calls.size() > 1) {
    return Answer(call, FailedBatchReply(
                            ErrorResponse(ErrorCode::kInvalidInput,
                                          "One of the request inputs is not valid: a query stands "
                                          "alone in its batch."),
                            0, /*are_changes=*/false, facts));
  }
  RunQuery(std::move(call), std::move(read.calls.front()));
}

void BatchCommand::RunQuery(Call call, Call query) const {
  const auto shared = std::make_shared<Call>(std::move(query));
  net::AnswerFromPool(
      parts_.gateway.io_pool(), std::move(call),
      [parts = parts_, shared](const Call& taken) -> Outcome<Reply> {
        const BatchFacts facts{taken.context().activity_id(), parts.clock.Now()};
        Outcome<Reply> reply = Refuse(ErrorCode::kTableNotFound);
        if (shared->operation == Operation::kQueryEntities) {
          reply = QueryCommand(parts).RunAndWait(*shared);
        } else if (auto table = parts.tables.Get(shared->address.table, shared->dialect);
                   table.has_value()) {
          reply = *EntityCommands(parts).TryGet(*shared, *table, storage::ReadMode::kMayBlock);
        }
        if (!reply.has_value())
          return FailedBatchReply(reply.error(), 0, /*are_changes=*/false, facts);
        const RequestUnits charge = reply->charge;
        std::vector<Reply> parts_of_reply;
        parts_of_reply.push_back(*std::move(reply));
        Reply whole = BatchReply(parts_of_reply, /*are_changes=*/false, facts);
        whole.charge = charge;
        return whole;
      });
}

void BatchCommand::RunChanges(Call call, const std::vector<Call>& parts) const {
  const BatchFacts facts{call.context().activity_id(), parts_.clock.Now()};
  const auto refuse = [&](const ErrorResponse& error, size_t failed) {
    Answer(call, FailedBatchReply(error, failed, /*are_changes=*/true, facts));
  };
  auto table = parts_.tables.Get(parts.front().address.table, call.dialect);
  if (!table.has_value()) return refuse(table.error(), 0);
  std::vector<EntityChange> changes;
  std::set<std::string> row_keys;
  std::vector<MadeChange> made;
  std::vector<Preference> preferences;
  for (const Call& part : parts) {
    if (part.address.table != parts.front().address.table)
      return refuse(ErrorResponse(ErrorCode::kCommandsInBatchActOnDifferentPartitions),
                    made.size());
    if (auto added = AddChange(call.grant, part, row_keys, changes); !added.has_value())
      return refuse(added.error(), made.size());
    const EntityChange& change = changes.back();
    made.push_back({change.operation, change.partition_key, change.row_key});
    preferences.push_back(part.options.preference);
  }
  EntityFormat format = FormatOf(call, **table);
  MakeChanges(parts_.gateway, *std::move(table), std::move(changes),
              [call = std::move(call), made = std::move(made), preferences = std::move(preferences),
               format = std::move(format), &clock = parts_.clock](ChangesDone done) mutable {
                const BatchFacts now{call.context().activity_id(), clock.Now()};
                if (done.error.has_value() && done.error->code == ErrorCode::kTooManyRequests)
                  return Answer(call, std::unexpected(*std::move(done.error)));
                if (done.error.has_value()) {
                  return Answer(call, FailedBatchReply(InBatch(*std::move(done.error)), done.failed,
                                                       /*are_changes=*/true, now));
                }
                std::vector<Reply> replies;
                for (size_t i = 0; i < made.size(); ++i)
                  replies.push_back(ChangeReply(made[i], done.results[i], format, preferences[i]));
                Reply reply = BatchReply(replies, /*are_changes=*/true, now);
                reply.charge = done.charge;
                Answer(call, std::move(reply));
              });
}

}  // namespace orrery::table
