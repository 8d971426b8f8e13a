#include "api/sql/handler/document/document_handler.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/document/etag.h"
#include "api/sql/handler/document/conditional_patch.h"
#include "api/sql/handler/document/document_target.h"
#include "api/sql/handler/document/patch_condition.h"
#include "api/sql/handler/document/write_operation.h"
#include "api/sql/handler/finder.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

using item::OperationKind;

constexpr size_t kDocumentBytesMax = size_t{2} << 20;

ErrorResponse ErrorResponseOf(const Error& error, RequestUnits charge, std::string session) {
  ErrorResponse error_response(error);
  error_response.charge = charge;
  error_response.session = std::move(session);
  return error_response;
}

Conditions ConditionsOf(const Call& call) {
  return {call.headers.if_match, call.headers.if_none_match};
}

const std::string& IdOfPath(const Call& call) { return call.path.steps.back().id; }

class Documents {
 public:
  explicit Documents(const HandlerParts& parts) : parts_(parts) {}

  void Read(Call call) const {
    auto found = Finder(parts_.gateway.catalog()).Container(call.path, call.headers);
    if (!found.has_value()) return Answer(call, std::unexpected(std::move(found).error()));
    // By far the most reads end here: they name the document and find it in memory.
    std::optional<SqlResult<Reply>> reply;
    if (!found->by_rid) reply = TryRead(call, found->container, storage::ReadMode::kCachedOnly);
    if (reply.has_value()) return Answer(call, *std::move(reply));
    net::AnswerFromPool(
        parts_.gateway.io_pool(), std::move(call),
        [documents = *this, found = *std::move(found)](Call& taken) -> SqlResult<Reply> {
          if (found.by_rid) {
            SQL_ASSIGN(taken.path.steps.back().id, documents.NameOf(taken, found.container));
          }
          return *documents.TryRead(taken, found.container, storage::ReadMode::kMayBlock);
        });
  }

  void Create(Call call) const {
    Write(std::move(call), [documents = *this](const Call& taken, const auto& container) {
      return documents.PrepareBody(
          taken, *container, taken.headers.upsert ? OperationKind::kUpsert : OperationKind::kCreate,
          "");
    });
  }

  void Replace(Call call) const {
    WithNames(std::move(call), [documents = *this](Call named) {
      documents.Write(std::move(named), [documents](const Call& taken, const auto& container) {
        return documents.PrepareBody(taken, *container, OperationKind::kReplace, IdOfPath(taken));
      });
    });
  }

  void Delete(Call call) const {
    WithNames(std::move(call), [documents = *this](Call named) {
      documents.Write(
          std::move(named),
          [documents](const Call& taken, const auto& container) -> SqlResult<PreparedWrite> {
            SQL_ASSIGN(DocumentTarget target, documents.Target(taken, *container));
            return PrepareWithoutBody(std::move(target), OperationKind::kDelete,
                                      ConditionsOf(taken));
          });
    });
  }

  void Patch(Call call) const {
    WithNames(std::move(call), [documents = *this](Call named) {
      documents.Write(
          std::move(named),
          [documents](const Call& taken, const auto& container) -> SqlResult<PreparedWrite> {
            SQL_ASSIGN(DocumentTarget target, documents.Target(taken, *container));
            SQL_ASSIGN(const model::Value body, model::ValueFromJson(taken.request.body));
            return PreparePatch(std::move(target), ConditionsOf(taken), body,
                                documents.parts_.clock.Now());
          });
    });
  }

 private:
  SqlResult<DocumentTarget> Target(const Call& call,
                                   const gateway::ContainerEntry& container) const {
    SQL_ASSIGN(gateway::KeyValues key, KeyOfRequest(container, call.headers));
    return TargetOf(parts_.gateway, container, std::move(key), IdOfPath(call));
  }

  // nullopt when it would block.
  std::optional<SqlResult<Reply>> TryRead(const Call& call, const gateway::ContainerRef& container,
                                          storage::ReadMode mode) const {
    auto target = Target(call, *container);
    if (!target.has_value()) return std::unexpected(std::move(target).error());
    const gateway::ReadResponse read =
        parts_.gateway.Read(container, target->key, mode, call.headers.session);
    if (!read.status.has_value() && read.status.error().code() == Code::kWouldBlock)
      return std::nullopt;
    return ReadReply(call, *container, target->key, read);
  }

  static SqlResult<Reply> ReadReply(const Call& call, const gateway::ContainerEntry& container,
                                    const item::ItemKey& key, const gateway::ReadResponse& read) {
    if (!read.status.has_value()) {
      const Error& error = read.status.error();
      if (error.code() == Code::kUnavailable && !call.headers.session.empty()) {
        return Refuse(
            404,
            "The read session is not available for the input session token: " + error.message(),
            Substatus::kReadSessionNotAvailable);
      }
      return std::unexpected(ErrorResponseOf(error, read.charge, read.session));
    }
    Reply reply{.charge = read.charge, .session = read.session, .etag = FormatEtag(read.item.lsn)};
    AddOwner(reply, container);
    reply.item_lsn = read.item.lsn;
    if (!call.headers.if_none_match.empty() &&
        ParseEtag(call.headers.if_none_match) == read.item.lsn) {
      reply.status = 304;
      return reply;
    }
    AppendSeenJson(reply.body, read.item.document, ContainerNames(container),
                   {.key = key, .lsn = read.item.lsn, .time = read.item.time});
    return reply;
  }

  SqlResult<PreparedWrite> PrepareBody(const Call& call, const gateway::ContainerEntry& container,
                                       OperationKind kind, std::string_view id) const {
    if (call.request.body.size() > kDocumentBytesMax)
      return Refuse(413, "Request size is too large: a document has 2 MB at most");
    SQL_ASSIGN(const model::Document body, BodyOf(call));
    return PrepareDocument(parts_.gateway, container, call.headers.partition_key, kind, id,
                           ConditionsOf(call), body, parts_.clock.Now());
  }

  // Prepares by `prepare` and sends.
  template <typename Prepare>
  void Write(Call call, Prepare prepare) const {
    auto found = Finder(parts_.gateway.catalog()).Container(call.path, call.headers);
    if (!found.has_value()) return Answer(call, std::unexpected(std::move(found).error()));
    SqlResult<PreparedWrite> write = prepare(std::as_const(call), found->container);
    if (!write.has_value()) return Answer(call, std::unexpected(std::move(write).error()));
    if (!write->condition.empty()) {
      if (!IsBounded(write->condition))
        return WriteIf(std::move(call), std::move(found->container), *std::move(write));
      return RunPatch(std::move(call), std::move(found->container), *std::move(write));
    }
    Send(std::move(call), std::move(found->container), *std::move(write));
  }

  void Send(Call call, gateway::ContainerRef container, PreparedWrite write) const {
    item::ItemKey key = write.target.key;
    gateway::WriteRequest request = RequestOf(container, std::move(write));
    parts_.gateway.Write(std::move(request),
                         [call = std::move(call), container = std::move(container),
                          key = std::move(key)](gateway::WriteResponse response) mutable {
                           Answer(call, WriteReply(call, *container, key, response));
                         });
  }

  void RunPatch(Call call, gateway::ContainerRef container, PreparedWrite write) const {
    item::ItemKey key = write.target.key;
    const gateway::ProgramRequest request = ProgramOf(parts_.queries, container, std::move(write));
    parts_.gateway.Run(request, [call = std::move(call), container = std::move(container),
                                 key = std::move(key)](gateway::WriteResponse response) mutable {
      Answer(call, WriteReply(call, *container, key, response));
    });
  }

  void WriteIf(Call call, gateway::ContainerRef container, PreparedWrite write) const {
    const auto shared = std::make_shared<PreparedWrite>(std::move(write));
    net::AnswerFromPool(parts_.gateway.io_pool(), std::move(call),
                        [documents = *this, container = std::move(container),
                         shared](const Call& taken) -> SqlResult<Reply> {
                          SQL_ASSIGN(const gateway::WriteResponse response,
                                     WriteIfMet(documents.parts_, container, *shared));
                          return WriteReply(taken, *container, shared->target.key, response);
                        });
  }

  static SqlResult<Reply> WriteReply(const Call& call, const gateway::ContainerEntry& container,
                                     const item::ItemKey& key,
                                     const gateway::WriteResponse& response) {
    if (!response.status.has_value()) {
      return std::unexpected(
          ErrorResponseOf(response.status.error(), response.charge, response.session));
    }
    const item::OperationResult& result = response.results.back();
    // A document that was given another id is still the one that was there.
    const bool is_renamed = response.results.size() > 1;
    Reply reply{.status = is_renamed ? StatusOf(OperationKind::kReplace) : StatusOf(result.done),
                .charge = response.charge,
                .session = response.session};
    AddOwner(reply, container);
    if (result.done == OperationKind::kDelete) return reply;
    reply.etag = FormatEtag(result.lsn);
    if (!call.headers.minimal) AppendResult(reply.body, ContainerNames(container), key, result);
    return reply;
  }

  // Calls `next` with the document's id in the place of its rid, when the path is one of rids.
  template <typename Next>
  void WithNames(Call call, Next next) const {
    auto found = Finder(parts_.gateway.catalog()).Container(call.path, call.headers);
    if (!found.has_value()) return Answer(call, std::unexpected(std::move(found).error()));
    if (!found->by_rid) return next(std::move(call));
    const auto shared = std::make_shared<Call>(std::move(call));
    const bool taken = parts_.gateway.io_pool().Submit(
        [documents = *this, container = std::move(found->container), shared, next] {
          auto id = documents.NameOf(*shared, container);
          if (!id.has_value()) return Answer(*shared, std::unexpected(std::move(id).error()));
          shared->path.steps.back().id = *std::move(id);
          next(std::move(*shared));
        });
    if (!taken)
      Answer(*shared, Refuse(503, "too many requests are waiting for the disk; try again soon"));
  }

  SqlResult<std::string> NameOf(const Call& call, const gateway::ContainerRef& container) const {
    SQL_ASSIGN(const gateway::KeyValues key, KeyOfRequest(*container, call.headers));
    return IdOfRid(parts_.gateway, container, key, IdOfPath(call));
  }

  HandlerParts parts_;
};

}  // namespace

void AddDocumentHandlers(HandlerTable& table, const HandlerParts& parts) {
  const Documents documents(parts);
  const auto add = [&](Action action, void (Documents::*method)(Call) const) {
    table.Add(ResourceType::kDocument, action,
              [=](Call call) { (documents.*method)(std::move(call)); });
  };
  add(Action::kCreate, &Documents::Create);
  add(Action::kRead, &Documents::Read);
  add(Action::kReplace, &Documents::Replace);
  add(Action::kPatch, &Documents::Patch);
  add(Action::kDelete, &Documents::Delete);
}

}  // namespace orrery::sql
