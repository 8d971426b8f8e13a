#include "api/table/executor/entity_commands.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "api/table/entity/entity_limits.h"
#include "api/table/entity/etag.h"
#include "api/table/executor/change_run.h"
#include "net/http/dispatch/http_call.h"

namespace orrery::table {

EntityFormat FormatOf(const Call& call, const gateway::ContainerEntry& table) {
  return {.level = call.options.level,
          .selected = SelectedNames(call.request.Query("$select").value_or("")),
          .base_url = call.base_url,
          .account = call.grant.account,
          .table = table.settings.name};
}

Reply ChangeReply(const MadeChange& change, const item::OperationResult& result,
                  const EntityFormat& format, Preference preference) {
  Reply reply{.status = 204};
  if (change.operation == Operation::kDeleteEntity) return reply;
  reply.etag = FormatEtag(result.time);
  if (change.operation != Operation::kInsertEntity) return reply;
  reply.applied = preference;
  reply.location = fmt::format("{}/{}", format.base_url,
                               EntityLink(format.table, change.partition_key, change.row_key));
  if (preference == Preference::kNoContent) return reply;
  reply.status = 201;
  if (result.document.has_value())
    EntityWriter(format).AppendAlone(reply.body, *result.document, result.time);
  return reply;
}

void EntityCommands::Get(Call call) const {
  auto table = parts_.tables.Get(call.address.table, call.dialect);
  if (!table.has_value()) return Answer(call, std::unexpected(std::move(table).error()));
  // Most reads end here: what they need is in memory.
  if (auto reply = TryGet(call, *table, storage::ReadMode::kCachedOnly); reply.has_value())
    return Answer(call, *std::move(reply));
  net::AnswerFromPool(parts_.gateway.io_pool(), std::move(call),
                      [commands = *this, table = *std::move(table)](const Call& taken) {
                        return *commands.TryGet(taken, table, storage::ReadMode::kMayBlock);
                      });
}

std::optional<Outcome<Reply>> EntityCommands::TryGet(const Call& call,
                                                     const gateway::ContainerRef& table,
                                                     storage::ReadMode mode) const {
  const Address& address = call.address;
  if (auto may = call.grant.CheckEntity(address.partition_key, address.row_key); !may.has_value())
    return std::unexpected(std::move(may).error());
  for (const std::string* key : {&address.partition_key, &address.row_key})
    if (auto good = CheckKey(*key); !good.has_value())
      return std::unexpected(std::move(good).error());
  const gateway::ReadResponse read =
      parts_.gateway.Read(table, {model::Value::String(address.partition_key)},
                          model::Value::String(address.row_key), mode);
  if (!read.status.has_value()) {
    if (read.status.error().code() == Code::kWouldBlock) return std::nullopt;
    ErrorResponse error(read.status.error());
    error.charge = read.charge;
    return std::unexpected(std::move(error));
  }
  Reply reply{.etag = FormatEtag(read.item.time), .charge = read.charge};
  const EntityFormat format = FormatOf(call, *table);
  EntityWriter(format).AppendAlone(reply.body, read.item.document, read.item.time);
  return reply;
}

Outcome<EntityChange> EntityCommands::ReadCall(const Call& call) const {
  if (call.operation != Operation::kDeleteEntity) TABLE_TRY(CheckJsonBody(call.request.headers));
  TABLE_ASSIGN(EntityChange change,
               ReadChange(call.operation, call.address, call.options, call.request.body));
  TABLE_TRY(call.grant.CheckEntity(change.partition_key, change.row_key));
  return change;
}

void EntityCommands::Change(Call call) const {
  auto table = parts_.tables.Get(call.address.table, call.dialect);
  if (!table.has_value()) return Answer(call, std::unexpected(std::move(table).error()));
  auto change = ReadCall(call);
  if (!change.has_value()) return Answer(call, std::unexpected(std::move(change).error()));
  MadeChange made{change->operation, change->partition_key, change->row_key};
  EntityFormat format = FormatOf(call, **table);
  std::vector<EntityChange> changes;
  changes.push_back(*std::move(change));
  MakeChanges(parts_.gateway, *std::move(table), std::move(changes),
              [call = std::move(call), made = std::move(made),
               format = std::move(format)](ChangesDone done) mutable {
                if (done.error.has_value())
                  return Answer(call, std::unexpected(*std::move(done.error)));
                Reply reply =
                    ChangeReply(made, done.results.front(), format, call.options.preference);
                reply.charge = done.charge;
                Answer(call, std::move(reply));
              });
}

}  // namespace orrery::table
