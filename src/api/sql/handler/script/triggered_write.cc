#include "api/sql/handler/script/triggered_write.h"

#include <memory>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/document/etag.h"
#include "api/sql/handler/document/document_target.h"
#include "api/sql/handler/finder.h"
#include "api/sql/handler/script/script_values.h"

namespace orrery::sql {
namespace {

bool NamesTriggers(const Call& call) {
  return !call.headers.pre_triggers.empty() || !call.headers.post_triggers.empty();
}

TriggerOperation OperationOf(const Call& call) {
  switch (call.action) {
    case Action::kDelete:
      return TriggerOperation::kDelete;
    case Action::kReplace:
      return TriggerOperation::kReplace;
    default:
      return call.headers.upsert ? TriggerOperation::kUpsert : TriggerOperation::kCreate;
  }
}

// nullopt when the request has no condition. One that is no etag of ours matches nothing.
std::optional<Lsn> ConditionOf(const Call& call) {
  if (call.headers.if_match.empty() || call.headers.if_match == "*") return std::nullopt;
  return ParseEtag(call.headers.if_match).value_or(Lsn(UINT64_MAX));
}

class TriggeredWrites {
 public:
  explicit TriggeredWrites(const HandlerParts& parts) : parts_(parts) {}

  void Run(Call call) const {
    const auto shared = std::make_shared<Call>(std::move(call));
    // A document may have to be found by its rid, which blocks.
    const bool taken = parts_.gateway.io_pool().Submit([writes = *this, shared] {
      auto prepared = writes.Prepare(*shared);
      if (!prepared.has_value())
        return Answer(*shared, std::unexpected(std::move(prepared).error()));
      const gateway::ContainerRef container = prepared->container;
      writes.parts_.executor.Write(
          *std::move(prepared), [shared, container](TriggeredAnswer answer) {
            Answer(*shared, WriteReply(*shared, *container, std::move(answer)));
          });
    });
    if (!taken)
      Answer(*shared, Refuse(503, "too many requests are waiting for the disk; try again soon"));
  }

 private:
  SqlResult<TriggeredWrite> Prepare(const Call& call) const {
    SQL_ASSIGN(const auto found,
               Finder(parts_.gateway.catalog()).Container(call.path, call.headers));
    SQL_ASSIGN(ScriptSetRef scripts, parts_.scripts.Of(*found.container));
    TriggeredWrite write{.container = found.container,
                         .partition_key = {},
                         .scripts = std::move(scripts),
                         .operation = OperationOf(call),
                         .if_match = ConditionOf(call),
                         .before = call.headers.pre_triggers,
                         .after = call.headers.post_triggers,
                         .headers = ScriptValuesOf(call.request.headers)};
    if (call.action == Action::kDelete) {
      SQL_ASSIGN(write.partition_key, KeyOfRequest(*found.container, call.headers));
    } else {
      SQL_ASSIGN(model::Document body, BodyOf(call));
      SQL_ASSIGN(const DocumentTarget target,
                 TargetOf(parts_.gateway, *found.container, call.headers.partition_key, body));
      write.partition_key = target.partition_key;
      write.document = std::move(body);
    }
    if (call.path.feed) return write;
    write.id = call.path.steps.back().id;
    if (found.by_rid) {
      SQL_ASSIGN(write.id, IdOfRid(parts_.gateway, found.container, write.partition_key, write.id));
    }
    return write;
  }

  static SqlResult<Reply> WriteReply(const Call& call, const gateway::ContainerEntry& container,
                                     TriggeredAnswer answer) {
    if (!answer.written.has_value()) {
      ErrorResponse error_response(std::move(answer.written).error());
      error_response.charge = answer.charge;
      error_response.session = std::move(answer.session);
      return std::unexpected(std::move(error_response));
    }
    const TriggeredResult& result = *answer.written;
    Reply reply{.charge = answer.charge, .session = std::move(answer.session)};
    AddOwner(reply, container);
    if (call.action == Action::kDelete) {
      reply.status = 204;
      return reply;
    }
    const bool created = result.created || (call.action == Action::kCreate && !call.headers.upsert);
    reply.status = created ? 201 : 200;
    if (!result.document.has_value()) return reply;
    reply.etag = FormatEtag(result.document->lsn);
    if (result.body.has_value()) {
      reply.body = *result.body;
    } else if (!call.headers.minimal) {
      AppendSeenJson(reply.body, result.document->document, ContainerNames(container),
                     {.key = result.document->key,
                      .lsn = result.document->lsn,
                      .time = result.document->time});
    }
    return reply;
  }

  HandlerParts parts_;
};

}  // namespace

void AddTriggeredWrites(HandlerTable& table, const HandlerParts& parts) {
  const TriggeredWrites writes(parts);
  for (const Action action : {Action::kCreate, Action::kReplace, Action::kDelete}) {
    const Handler plain = *table.Find(ResourceType::kDocument, action);
    table.Add(ResourceType::kDocument, action, [writes, plain](Call call) {
      NamesTriggers(call) ? writes.Run(std::move(call)) : plain(std::move(call));
    });
  }
}

}  // namespace orrery::sql
