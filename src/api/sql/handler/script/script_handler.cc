#include "api/sql/handler/script/script_handler.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "api/sql/document/container_names.h"
#include "api/sql/document/etag.h"
#include "api/sql/handler/document/document_target.h"
#include "api/sql/handler/finder.h"
#include "api/sql/handler/script/script_values.h"
#include "api/sql/resource/resource_id.h"
#include "api/sql/script/definition/script_form.h"
#include "api/sql/script/definition/script_program.h"
#include "api/sql/script/definition/script_set_codec.h"
#include "model/document/json.h"
#include "net/http/url.h"

namespace orrery::sql {
namespace {

constexpr size_t kScriptStep = 2;  // dbs, colls, scripts

ScriptKind KindOf(const Call& call) {
  switch (call.path.type) {
    case ResourceType::kTrigger:
      return ScriptKind::kTrigger;
    case ResourceType::kUserFunction:
      return ScriptKind::kFunction;
    default:
      return ScriptKind::kProcedure;
  }
}

// nullopt when the request has no condition. One that is no etag of ours matches nothing.
std::optional<uint64_t> VersionOf(const Call& call) {
  if (call.headers.if_match.empty() || call.headers.if_match == "*") return std::nullopt;
  const std::optional<Lsn> version = ParseEtag(call.headers.if_match);
  return version.has_value() ? version->value() : UINT64_MAX;
}

Reply SeenReply(int status, const gateway::ContainerEntry& container, const StoredScript& script) {
  Reply reply{.status = status, .etag = ScriptEtag(script)};
  AppendScriptJson(reply.body, container, script);
  AddOwner(reply, container);
  return reply;
}

class Scripts {
 public:
  explicit Scripts(const HandlerParts& parts) : parts_(parts) {}

  // And upsert, by a header.
  SqlResult<Reply> Create(const Call& call) const {
    SQL_ASSIGN(ScriptDefinition definition, DefinitionOf(call));
    return Change(call, [&](const auto& container, ScriptSet& scripts) -> SqlResult<Reply> {
      const bool known = scripts.Find(definition.kind, definition.id) != nullptr;
      if (call.headers.upsert && known) {
        const std::string id = definition.id;
        SQL_ASSIGN(const StoredScript replaced,
                   scripts.Replace(id, definition, VersionOf(call), parts_.clock.Now()));
        return SeenReply(200, container, replaced);
      }
      SQL_ASSIGN(const StoredScript created, scripts.Create(definition, parts_.clock.Now()));
      return SeenReply(201, container, created);
    });
  }

  SqlResult<Reply> Read(const Call& call) const {
    return Look(call, [&](const auto& container, const ScriptSet& scripts) -> SqlResult<Reply> {
      SQL_ASSIGN(const StoredScript* script, ScriptOf(call, container, scripts));
      return SeenReply(200, container, *script);
    });
  }

  SqlResult<Reply> Replace(const Call& call) const {
    SQL_ASSIGN(ScriptDefinition definition, DefinitionOf(call));
    return Change(call, [&](const auto& container, ScriptSet& scripts) -> SqlResult<Reply> {
      SQL_ASSIGN(const StoredScript* script, ScriptOf(call, container, scripts));
      const std::string id = script->definition.id;
      SQL_ASSIGN(const StoredScript replaced,
                 scripts.Replace(id, definition, VersionOf(call), parts_.clock.Now()));
      return SeenReply(200, container, replaced);
    });
  }

  SqlResult<Reply> Delete(const Call& call) const {
    return Change(call, [&](const auto& container, ScriptSet& scripts) -> SqlResult<Reply> {
      SQL_ASSIGN(const StoredScript* script, ScriptOf(call, container, scripts));
      const std::string id = script->definition.id;
      SQL_TRY(scripts.Delete(KindOf(call), id, VersionOf(call)));
      return Reply{.status = 204};
    });
  }

  SqlResult<Reply> List(const Call& call) const {
    return Look(call, [&](const auto& container, const ScriptSet& scripts) -> SqlResult<Reply> {
      Reply reply{.body = ScriptFeedJson(container, KindOf(call), scripts),
                  .count = scripts.Count(KindOf(call))};
      AddOwner(reply, container);
      return reply;
    });
  }

  SqlResult<Reply> Query(const Call& call) const {
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(const QueryText query, QueryTextFrom(body));
    return Look(call, [&](const auto& container, const ScriptSet& scripts) -> SqlResult<Reply> {
      SQL_ASSIGN(const model::Document feed,
                 model::ParseJson(ScriptFeedJson(container, KindOf(call), scripts)));
      const std::string_view name = FeedNameOf(KindOf(call));
      SQL_ASSIGN(const auto rows, parts_.queries.Run(query, feed.view().Get(name).AsValues()));
      return FeedReply(ContainerNames(container).rid(), name, rows);
    });
  }

  void Execute(Call call) const {
    auto prepared = Prepare(call);
    if (!prepared.has_value()) return Answer(call, std::unexpected(std::move(prepared).error()));
    const gateway::ContainerRef container = prepared->container;
    parts_.executor.Run(*std::move(prepared),
                        [call = std::move(call), container](ProcedureAnswer answer) mutable {
                          Answer(call, ExecutionReply(*container, std::move(answer)));
                        });
  }

 private:
  SqlResult<ScriptDefinition> DefinitionOf(const Call& call) const {
    SQL_TRY(Finder(parts_.gateway.catalog()).Container(call.path, call.headers));
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    SQL_ASSIGN(ScriptDefinition definition, ParseDefinition(KindOf(call), body));
    return definition;
  }

  template <typename Work>
  SqlResult<Reply> Look(const Call& call, Work work) const {
    SQL_ASSIGN(const auto found,
               Finder(parts_.gateway.catalog()).Container(call.path, call.headers));
    SQL_ASSIGN(const ScriptSetRef scripts, parts_.scripts.Of(*found.container));
    return work(*found.container, *scripts);
  }

  // One change after the other: each is made to what the last one left, again when another node
  // was faster.
  template <typename Work>
  SqlResult<Reply> Change(const Call& call, Work work) const {
    const MutexLock lock(parts_.container_changes);
    gateway::Catalog& catalog = parts_.gateway.catalog();
    for (int attempt = 1;; ++attempt) {
      SQL_ASSIGN(const auto found, Finder(catalog).Container(call.path, call.headers));
      const gateway::ContainerEntry& container = *found.container;
      SQL_ASSIGN(ScriptSet scripts, ReadScripts(container.settings.extra));
      SQL_ASSIGN(Reply reply, work(container, scripts));
      gateway::ContainerSettings settings = container.settings;
      settings.extra = WithScripts(settings.extra, scripts);
      const auto changed = catalog.UpdateContainer(container.database_name, settings, &container);
      if (changed.has_value()) return reply;
      if (changed.error().code() != Code::kPreconditionFailed || attempt == kChangeAttemptsMax)
        return Fail(changed.error());
    }
  }

  // By id, or by rid.
  static SqlResult<const StoredScript*> ScriptOf(const Call& call,
                                                 const gateway::ContainerEntry& container,
                                                 const ScriptSet& scripts) {
    const std::string& id = call.path.steps.at(kScriptStep).id;
    if (const StoredScript* named = scripts.Find(KindOf(call), id)) return named;
    for (const StoredScript& script : scripts.all()) {
      if (script.definition.kind == KindOf(call) && ScriptRid(container, script) == id)
        return &script;
    }
    return Refuse(
        404, fmt::format("Resource Not Found: there is no {} '{}'", WordFor(KindOf(call)), id));
  }

  SqlResult<ProcedureCall> Prepare(const Call& call) const {
    SQL_ASSIGN(const auto found,
               Finder(parts_.gateway.catalog()).Container(call.path, call.headers));
    SQL_ASSIGN(ScriptSetRef scripts, parts_.scripts.Of(*found.container));
    SQL_ASSIGN(const StoredScript* script, ScriptOf(call, *found.container, *scripts));
    std::string id = script->definition.id;
    SQL_ASSIGN(gateway::KeyValues key, KeyOfRequest(*found.container, call.headers));
    return ProcedureCall{.container = found.container,
                         .partition_key = std::move(key),
                         .scripts = std::move(scripts),
                         .id = std::move(id),
                         .arguments = call.request.body,
                         .headers = ScriptValuesOf(call.request.headers),
                         .logging = call.headers.script_logging};
  }

  static SqlResult<Reply> ExecutionReply(const gateway::ContainerEntry& container,
                                         ProcedureAnswer answer) {
    if (!answer.body.has_value()) {
      ErrorResponse error_response(std::move(answer.body).error());
      error_response.charge = answer.charge;
      error_response.session = std::move(answer.session);
      return std::unexpected(std::move(error_response));
    }
    Reply reply{.body = *std::move(answer.body),
                .charge = answer.charge,
                .session = std::move(answer.session)};
    // Official clients parse whatever body comes.
    if (reply.body.empty()) reply.body = "\"\"";
    AddOwner(reply, container);
    if (!answer.log.empty())
      reply.headers.Add("x-ms-documentdb-script-log-results", net::PercentEncode(answer.log));
    return reply;
  }

  const HandlerParts parts_;
};

}  // namespace

void AddScriptHandlers(HandlerTable& table, const HandlerParts& parts) {
  const Scripts scripts(parts);
  const auto add = [&](ResourceType type, Action action,
                       SqlResult<Reply> (Scripts::*method)(const Call&) const) {
    table.AddBlocking(parts.gateway.io_pool(), type, action,
                      [=](const Call& call) { return (scripts.*method)(call); });
  };
  for (const ResourceType type :
       {ResourceType::kStoredProcedure, ResourceType::kTrigger, ResourceType::kUserFunction}) {
    add(type, Action::kCreate, &Scripts::Create);
    add(type, Action::kRead, &Scripts::Read);
    add(type, Action::kReplace, &Scripts::Replace);
    add(type, Action::kDelete, &Scripts::Delete);
    add(type, Action::kReadFeed, &Scripts::List);
    add(type, Action::kQuery, &Scripts::Query);
  }
  table.Add(ResourceType::kStoredProcedure, Action::kExecute,
            [scripts](Call call) { scripts.Execute(std::move(call)); });
}

}  // namespace orrery::sql
