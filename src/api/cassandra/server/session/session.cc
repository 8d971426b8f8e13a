#include "api/cassandra/server/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/cassandra/executor/throttle_text.h"
#include "api/cassandra/protocol/request/request_decoder.h"
#include "api/cassandra/protocol/response/error_writer.h"
#include "api/cassandra/types/native/timeuuid.h"
#include "base/statement_book.h"

namespace orrery::cassandra {
namespace {

RequestOperation MeteredAs(const PendingRequest& request, const Outcome& outcome) {
  if (request.is_batch) return RequestOperation::kBatch;
  if (std::holds_alternative<RowsOutcome>(outcome.result)) return RequestOperation::kQuery;
  if (std::holds_alternative<VoidOutcome>(outcome.result)) return RequestOperation::kWrite;
  return RequestOperation::kOther;
}

// Smaller requests cost more by being under way than by their bytes.
constexpr size_t kUncountedRequestBytes = 512;

std::string ActivityId(const Uuid& id) {
  return UuidText({reinterpret_cast<const char*>(id.data()), id.size()});
}

InetEndpoint ToInet(const net::EndpointBytes& endpoint) {
  InetEndpoint inet;
  std::ranges::copy(endpoint.address, inet.address.storage.begin());
  inet.address.size = endpoint.address_bytes;
  inet.port = endpoint.port;
  return inet;
}

CqlError OverloadError() {
  return {ErrorCode::kOverloaded,
          "The server has too many bytes of requests to answer; try again later",
          {},
          0};
}

}  // namespace

Session::Session(const ServerContext& context, const net::FramedLink& link, bool authenticate)
    : FramedSession(link),
      context_(context),
      authenticate_(authenticate),
      mailbox_(std::make_shared<Mailbox>(link.signal)),
      decoder_(Direction::kRequest, context.body_bytes_max),
      place_(context.registry, ToInet(link.peer.remote)) {
  Client client;
  client.address = ToInet(link.peer.remote);
  client.local = ToInet(link.peer.local);
  client.superuser = !authenticate;
  client_ = std::make_shared<const Client>(std::move(client));
  if (link.peer.tls) place_.OverTls(link.peer.tls_version, link.peer.tls_cipher);
  mailbox_->Open(*this);
}

Session::~Session() {
  if (registered_) context_.events.Unsubscribe(*mailbox_);
  mailbox_->Close();
}

Session::Step Session::TakeMessage(std::string_view& input) {
  const auto next = decoder_.Next(input);
  if (next.has_value() && !next->has_value()) return Step::kNeedInput;
  if (next.has_value()) {
    Handle(**next);
  } else {
    const EnvelopeError& error = next.error();
    if (state_ == State::kNew) form_.version = error.version;
    AnswerError(error.stream, error.error);
    if (error.fatal()) SetOver();
  }
  return Step::kTook;
}

void Session::Refuse(Refusal why) {
  switch (why) {
    case Refusal::kNoMemory:
      return AnswerError(0, OverloadError());
    case Refusal::kTooSlow:
      return AnswerError(0, ProtocolError("The request took too long to arrive"));
    case Refusal::kTooLarge:
      return AnswerError(0, ProtocolError("The request is too large before the connection is "
                                          "initialized"));
  }
}

void Session::Handle(const Envelope& envelope) {
  const EnvelopeHeader& header = envelope.header;
  context_.metrics.CountRequest(header.opcode);
  if (state_ == State::kNew) form_.version = header.version;
  if (const CqlStatus timely = CheckState(header.opcode); !timely.has_value()) {
    AnswerError(header.stream, timely.error());
    return;
  }
  const Result<RequestMessage> message = DecodeRequest(envelope);
  if (!message.has_value()) {
    AnswerError(header.stream, ProtocolError(message.error().message()));
    return;
  }
  const Incoming incoming{header, envelope.size(), *message};
  std::visit([&](const auto& request) { Do(incoming, request); }, message->request);
}

CqlStatus Session::CheckState(Opcode opcode) const {
  const auto unexpected = [opcode](std::string_view why) {
    return cassandra::Refuse(ErrorCode::kProtocolError,
                             fmt::format("Unexpected message {}, {}", OpcodeName(opcode), why));
  };
  if (opcode == Opcode::kOptions) return {};
  switch (state_) {
    case State::kNew:
      if (opcode != Opcode::kStartup) return unexpected("expecting STARTUP or OPTIONS");
      return {};
    case State::kLoggingIn:
      if (opcode != Opcode::kAuthResponse) return unexpected("expecting AUTH_RESPONSE");
      if (login_running_) return unexpected("the last one is not answered yet");
      return {};
    case State::kReady:
      if (opcode == Opcode::kStartup || opcode == Opcode::kAuthResponse) {
        return unexpected("the connection is already initialized");
      }
      return {};
  }
  return {};
}

void Session::FailLogin(int16_t stream, const CqlError& error) {
  AnswerError(stream, error);
  if (++logins_failed_ >= kLoginsMax) SetOver();
}

void Session::TakeLogin(PendingRequestPtr request, CqlResult<Client> client) {
  login_running_ = false;
  const int16_t stream = request->stream;
  End(std::move(request));
  if (!client.has_value()) {
    FailLogin(stream, client.error());
    return;
  }
  client->address = client_->address;
  client->local = client_->local;
  place_.LoggedIn(client->role);
  client_ = std::make_shared<const Client>(std::move(*client));
  state_ = State::kReady;
  SetReady();
  WriteAuthSuccess(out().gather(), HeadFor(stream), std::nullopt);
}

void Session::TakeOutcome(PendingRequestPtr request, Outcome outcome) {
  if (outcome.cuts_connection) {
    End(std::move(request));
    SetOver();
    return;
  }
  if (const auto* const set = std::get_if<KeyspaceSet>(&outcome.result)) {
    auto client = std::make_shared<Client>(*client_);
    client->keyspace = set->keyspace;
    client_ = std::move(client);
  } else if (auto* const error = std::get_if<CqlError>(&outcome.result)) {
    context_.metrics.CountError(error->code);
    if (error->retry_after_ms != 0)
      error->message = ThrottleText(ActivityId(context_.tracing_ids.Next()), error->retry_after_ms);
  }
  context_.metrics.meter().Note(MeteredAs(*request, outcome),
                                wire().clock.Monotonic() - request->begin, outcome.charge,
                                std::holds_alternative<CqlError>(outcome.result));
  if (!request->statement.empty()) NoteStatementOf(*request, outcome);
  const size_t before = out().gather().size();
  EncodeOutcome(out().gather(), form_, *request, outcome);
  End(std::move(request), out().gather().size() - before);
}

void Session::NoteStatementOf(const PendingRequest& request, const Outcome& outcome) const {
  const std::string_view keyspace = client_ == nullptr ? "" : std::string_view(client_->keyspace);
  const StatementName name{.api = "cassandra",
                           .database = keyspace,
                           .container = {},
                           .identity = request.statement};
  // Statements run where partitions are not counted.
  const StatementRun run{.took = wire().clock.Monotonic() - request.begin,
                         .charge = outcome.charge,
                         .partitions = 0,
                         .failed = std::holds_alternative<CqlError>(outcome.result)};
  NoteStatement(name, run, [&] {
    return NormalizeStatement(request.is_prepared
                                  ? context_.statements.PreparedText(request.statement)
                                  : request.statement,
                              StatementQuotes::kSingle);
  });
}

void Session::TakeEvent(const Event& event) { EncodeEvent(out().gather(), form_, event); }

PendingRequestPtr Session::Begin(const Incoming& incoming) {
  ByteShare memory;
  if (incoming.bytes > kUncountedRequestBytes) {
    memory = ByteShare(budget());
    if (!memory.TryHold(incoming.bytes)) {
      AnswerError(incoming.header.stream, OverloadError());
      return nullptr;
    }
  }
  place_.CountRequest();
  PendingRequestPtr request = requests_.Take();
  request->mailbox = mailbox_;
  request->memory = std::move(memory);
  request->begin = wire().clock.Monotonic();
  request->stream = incoming.header.stream;
  request->is_batch = std::holds_alternative<BatchRequest>(incoming.message.request);
  request->is_prepared = false;
  request->statement.clear();
  request->skip_metadata = false;
  request->check_metadata = false;
  request->tracing_id.reset();
  if (incoming.message.tracing) request->tracing_id = context_.tracing_ids.Next();
  BeginRequest();
  return request;
}

void Session::End(PendingRequestPtr request, size_t answer_bytes) {
  EndRequest(answer_bytes);
  Recycle(std::move(request));
}

void Session::End(PendingRequestPtr request) {
  EndRequest();
  Recycle(std::move(request));
}

void Session::Recycle(PendingRequestPtr request) {
  request->memory = ByteShare();
  request->mailbox.reset();
  requests_.GiveBack(std::move(request));
}

ResponseHead Session::HeadFor(int16_t stream) const {
  ResponseHead head;
  head.version = form_.version;
  head.compression = form_.compression;
  head.stream = stream;
  return head;
}

void Session::AnswerError(int16_t stream, const CqlError& error) {
  context_.metrics.CountError(error.code);
  WriteError(out().gather(), HeadFor(stream), error);
}

}  // namespace orrery::cassandra
