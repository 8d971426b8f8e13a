#include "api/sql/direct/server/direct_session.h"

#include <fmt/format.h>

#include <utility>

#include "api/sql/document/container_names.h"
#include "api/sql/handler/finder.h"
#include "gateway/view/partition_owner.h"
#include "net/http/cut_connection.h"

namespace orrery::sql::direct {
namespace {

// Smaller requests cost more by being under way than by their bytes.
constexpr size_t kUncountedRequestBytes = 512;

// Returns the headers that scripts can read of a request, by the names that they have over HTTP.
net::HttpHeaders ScriptHeaders(const RequestTokens& tokens, const Guid& activity) {
  net::HttpHeaders headers;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) headers.Add(name, value);
  };
  add("x-ms-date", tokens.date);
  add("x-ms-documentdb-partitionkey", tokens.partition_key);
  add("x-ms-session-token", tokens.session);
  add("x-ms-documentdb-pre-trigger-include", tokens.pre_triggers);
  add("x-ms-documentdb-post-trigger-include", tokens.post_triggers);
  add("if-match", tokens.match);
  add("x-ms-activity-id", GuidText(activity));
  return headers;
}

}  // namespace

void DirectMailbox::Deliver(PendingDirectRequestPtr request, SqlResult<Reply> answer) {
  DirectLetter letter{std::move(request), std::move(answer)};
  DirectSession* const session = reader_here();
  if (session == nullptr) return Put(std::move(letter));
  session->TakeLetter(letter);
  if (!session->taking()) Raise();
}

DirectSession::DirectSession(const net::FramedLink& link, const DirectContext& context)
    : FramedSession(link),
      context_(context),
      tls_(link.peer.tls),
      mailbox_(std::make_shared<DirectMailbox>(link.signal)) {
  mailbox_->Open(*this);
}

DirectSession::~DirectSession() { mailbox_->Close(); }

// Nothing can be said but by an answer to a request, and that has not come.
void DirectSession::Refuse(Refusal /*why*/) { SetOver(); }

net::FramedSession::Step DirectSession::TakeMessage(std::string_view& input) {
  const size_t before = input.size();
  const auto next = decoder_.Next(input);
  if (!next.has_value()) {
    SetOver();
    return Step::kOver;
  }
  if (!next->has_value()) return Step::kNeedInput;
  const RequestFrame& frame = **next;
  if (frame.is(WireResource::kConnection)) {
    ShakeHands(frame);
  } else if (ready()) {
    Begin(frame, before - input.size());
  } else {
    SetOver();
  }
  return Step::kTook;
}

void DirectSession::ShakeHands(const RequestFrame& frame) {
  const auto refuse = [&](const Failure& failure) {
    AppendContextError(out().gather(), frame.activity, static_cast<uint32_t>(failure.status),
                       context_.identity, FailureBody(failure, GuidText(frame.activity)));
    out().EndPiece();
    SetOver();
  };
  if (ready()) return refuse({.status = 400, .message = "the connection is already initialized"});
  if (context_.require_tls && !tls_) {
    return refuse({.status = 403,
                   .message = "this server takes signed requests over TLS only; clients in Direct "
                              "mode use it by themselves"});
  }
  const auto request = ReadContextRequest(frame);
  if (!request.has_value()) return refuse(FailureOf(request.error()));
  client_version_ = request->client_version;
  AppendContextAnswer(out().gather(), frame.activity, *request, context_.identity);
  out().EndPiece();
  SetReady();
}

void DirectSession::Begin(const RequestFrame& frame, size_t bytes) {
  RequestTokens tokens;
  const Status read = ReadRequestTokens(frame.tokens, tokens);
  AnswerContext to{
      .transport_request_id = static_cast<uint32_t>(tokens.transport_request_id.value_or(0)),
      .activity = frame.activity,
      .session = std::string(tokens.session)};
  if (!read.has_value()) return RefuseRequest(to, read.error());
  ByteShare memory;
  if (bytes > kUncountedRequestBytes) {
    memory = ByteShare(budget());
    if (!memory.TryHold(bytes)) {
      return RefuseRequest(
          to, Failure{.status = 503,
                      .message = "the server has too many bytes of requests to answer; try again "
                                 "later"});
    }
  }
  SqlResult<DirectRequest> request = ReadDirectRequest(frame, tokens, client_version_);
  if (!request.has_value()) return RefuseRequest(to, request.error());
  if (const auto checked = CheckPartition(*request, tokens); !checked.has_value())
    return RefuseRequest(to, checked.error());
  to.wants_body = request->wants_body;
  to.old_session_tokens = request->headers.old_session_tokens;
  PendingDirectRequestPtr pending = pool_.Take();
  pending->mailbox = mailbox_;
  pending->memory = std::move(memory);
  pending->to = to;
  pending->begin = context_.clock.Monotonic();
  Start(frame, tokens, *std::move(request), std::move(pending));
}

void DirectSession::RefuseRequest(const AnswerContext& to,
                                  const sql::ErrorResponse& error_response) {
  AppendAnswer(out().gather(), to, std::unexpected(error_response), Micros(0));
  out().EndPiece();
}

SqlResult<void> DirectSession::CheckPartition(const DirectRequest& request,
                                              const RequestTokens& tokens) const {
  if (!request.partition.has_value()) return {};
  const gateway::Gateway& gateway = context_.service.gateway();
  if (gateway::PartitionExists(gateway, *request.partition))
    return CheckOwner(*request.partition, tokens);
  const auto found = Finder(gateway.catalog()).Container(request.path, {});
  if (!found.has_value()) return std::unexpected(found.error());
  if (!tokens.container_rid.empty() &&
      tokens.container_rid != ContainerNames(*found->container).rid()) {
    return sql::Refuse(410, "the container was deleted and created again",
                       Substatus::kNameCacheIsStale);
  }
  // Clients that have chosen the range themselves read the ranges again; for all others their
  // routing does, and sends the request once more.
  return sql::Refuse(
      410,
      fmt::format("there is no partition {} any more: it has split or merged; read the ranges "
                  "again",
                  request.partition->value()),
      tokens.range_id.empty() ? Substatus::kCompletingSplit : Substatus::kPartitionKeyRangeGone);
}

// A client whose address is old is told so once; then its request is forwarded, as the addresses
// that it gets may be old as well.
SqlResult<void> DirectSession::CheckOwner(PartitionId partition,
                                          const RequestTokens& tokens) const {
  if (context_.service.direct().cluster == nullptr || tokens.retry_attempts != 0) return {};
  const auto owner = gateway::OwnerElsewhere(context_.service.gateway(), partition);
  if (!owner.has_value() || !context_.service.direct().Serving(*owner).has_value()) return {};
  return sql::Refuse(410, fmt::format("partition {} is on another node now; resolve its address "
                                      "again",
                                      partition.value()));
}

void DirectSession::Start(const RequestFrame& frame, const RequestTokens& tokens,
                          DirectRequest request, PendingDirectRequestPtr pending) {
  BeginRequest();
  Call call{.path = std::move(request.path),
            .headers = std::move(request.headers),
            .action = request.action,
            .respond = [answerer = DirectAnswerer(std::move(pending))](SqlResult<Reply> answer,
                                                                       const AnswerFacts&) mutable {
              answerer(std::move(answer));
            },
            .clock = &wire().clock,
            .received = wire().clock.Monotonic()};
  call.request.context = NewContext();
  const bool scripts = call.action == Action::kExecute || !call.headers.pre_triggers.empty() ||
                       !call.headers.post_triggers.empty();
  if (scripts) call.request.headers = ScriptHeaders(tokens, frame.activity);
  call.request.body = frame.body;
  call.request.tls = tls_;
  context_.service.Handle(std::move(call), {.verb = request.verb,
                                            .authorization = tokens.authorization,
                                            .ms_date = tokens.date,
                                            .date = {}});
}

void DirectSession::TakeLetter(DirectLetter& letter) {
  PendingDirectRequestPtr request = std::move(letter.request);
  if (!letter.answer.has_value() && letter.answer.error().failure.status == net::kCutStatus) {
    EndRequest();
    SetOver();
    return;
  }
  std::string& gather = out().gather();
  const size_t before = gather.size();
  if (letter.answer.has_value() && !HasRoomFor(letter.answer->body.size())) {
    letter.answer = sql::Refuse(503,
                                "the server has too many bytes of answers that clients have not "
                                "read; try again later");
  }
  AppendAnswer(gather, request->to, letter.answer, context_.clock.Monotonic() - request->begin);
  out().EndPiece();
  EndRequest(gather.size() - before);
  request->mailbox.reset();
  request->memory = ByteShare();
  pool_.GiveBack(std::move(request));
}

}  // namespace orrery::sql::direct
