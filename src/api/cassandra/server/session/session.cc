#include "api/cassandra/server/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/cassandra/protocol/request/request_decoder.h"
#include "api/cassandra/protocol/response/error_writer.h"
#include "api/cassandra/server/session/handshake.h"
#include "base/overload.h"

namespace orrery::cassandra {
namespace {

CqlError OverloadError() {
  return {ErrorCode::kOverloaded,
          "The server has too many bytes of requests to answer; try again later",
          {},
          0};
}

void NoteParameters(PendingRequest& request, const QueryParameters& parameters) {
  request.skip_metadata = parameters.skip_metadata;
}

void NoteMetadata(PendingRequest& request, std::string_view client_metadata) {
  request.check_metadata = true;
  request.client_metadata = {};
  if (client_metadata.size() == request.client_metadata.size()) {
    std::ranges::copy(client_metadata, request.client_metadata.begin());
  }
}

}  // namespace

Session::Session(const ServerContext& context, Client client, bool authenticate, Outbox& outbox,
                 std::shared_ptr<Mailbox> mailbox)
    : context_(context),
      authenticate_(authenticate),
      outbox_(outbox),
      mailbox_(std::move(mailbox)),
      decoder_(Direction::kRequest, context.limits.body_bytes_max) {
  client.superuser = !authenticate;
  client_ = std::make_shared<const Client>(std::move(client));
  mailbox_->Open(*this);
}

Session::~Session() {
  if (registered_) context_.events.Unsubscribe(*mailbox_);
  mailbox_->Close();
}

Session::Step Session::Take(std::string_view& input) {
  const size_t input_bytes = input.size();
  const auto next = decoder_.Next(input);
  if (next.has_value() && !next->has_value()) {
    // Frames that were taken and gave nothing are pieces of a large message. Before v5 what is
    // taken so is the rest of a refused message, which nobody keeps.
    const bool framed = state_ != State::kNew && form_.version >= ProtocolVersion::kV5;
    if (framed) partial_bytes_ += input_bytes - input.size();
    return Step::kNeedInput;
  }
  partial_bytes_ = 0;
  taking_ = true;
  if (next.has_value()) {
    Handle(**next);
  } else {
    const EnvelopeRefusal& refusal = next.error();
    if (state_ == State::kNew) form_.version = refusal.version;
    AnswerError(refusal.stream, refusal.error);
    if (refusal.fatal()) over_ = true;
  }
  taking_ = false;
  return over_ ? Step::kOver : Step::kTook;
}

void Session::RefuseInput() {
  AnswerError(0, OverloadError());
  over_ = true;
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
  Dispatch(envelope, *message);
}

CqlStatus Session::CheckState(Opcode opcode) const {
  const auto unexpected = [opcode](std::string_view why) {
    return Refuse(ErrorCode::kProtocolError,
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

void Session::Dispatch(const Envelope& envelope, const RequestMessage& message) {
  const EnvelopeHeader& header = envelope.header;
  const auto begin = [&] { return MakeRequest(envelope, message.tracing); };
  std::visit(Overload{
                 [&](const ExecuteRequest& execute) {
                   PendingRequestPtr request = begin();
                   if (!request) return;
                   NoteParameters(*request, execute.parameters);
                   if (form_.version >= ProtocolVersion::kV5) {
                     NoteMetadata(*request, execute.result_metadata_id);
                   }
                   const RequestContext context = ContextOf(*request, message);
                   context_.statements.Execute(execute, context, Answerer(std::move(request)));
                 },
                 [&](const QueryRequest& query) {
                   PendingRequestPtr request = begin();
                   if (!request) return;
                   NoteParameters(*request, query.parameters);
                   const RequestContext context = ContextOf(*request, message);
                   context_.statements.Query(query, context, Answerer(std::move(request)));
                 },
                 [&](const BatchRequest& batch) {
                   PendingRequestPtr request = begin();
                   if (!request) return;
                   const RequestContext context = ContextOf(*request, message);
                   context_.statements.Batch(batch, context, Answerer(std::move(request)));
                 },
                 [&](const PrepareRequest& prepare) {
                   if (PendingRequestPtr request = begin())
                     Prepare(std::move(request), prepare, message);
                 },
                 [&](const AuthResponseRequest& response) {
                   if (PendingRequestPtr request = begin()) LogIn(std::move(request), response);
                 },
                 [&](const StartupRequest& startup) { Start(header, startup); },
                 [&](const RegisterRequest& registration) { Register(header, registration); },
                 [&](const OptionsRequest&) {
                   WriteSupported(outbox_.gather(), HeadFor(header.stream), SupportedOptions());
                 },
             },
             message.request);
}

void Session::Start(const EnvelopeHeader& header, const StartupRequest& startup) {
  const CqlResult<Compression> compression = AgreeOnStartup(startup, header.version);
  if (!compression.has_value()) {
    AnswerError(header.stream, compression.error());
    return;
  }
  // The answer itself is neither compressed nor framed yet.
  if (authenticate_) {
    WriteAuthenticate(outbox_.gather(), HeadFor(header.stream), kAuthenticatorName);
  } else {
    WriteReady(outbox_.gather(), HeadFor(header.stream));
  }
  decoder_.Start(header.version, *compression);
  form_ = {header.version, *compression};
  if (header.version >= ProtocolVersion::kV5) {
    outbox_.StartFrames(*compression == Compression::kLz4 ? FrameFormat::kLz4
                                                          : FrameFormat::kPlain);
  }
  state_ = authenticate_ ? State::kLoggingIn : State::kReady;
}

void Session::Register(const EnvelopeHeader& header, const RegisterRequest& registration) {
  registered_ = true;
  context_.events.Subscribe(mailbox_, registration);
  WriteReady(outbox_.gather(), HeadFor(header.stream));
}

void Session::LogIn(PendingRequestPtr request, const AuthResponseRequest& response) {
  const int16_t stream = request->stream;
  CqlResult<PlainCredentials> credentials = DecodePlain(response.token);
  if (!credentials.has_value()) {
    Recycle(std::move(request));
    FailLogin(stream, credentials.error());
    return;
  }
  login_running_ = context_.login_pool.Submit([&authenticator = context_.authenticator,
                                               request = std::move(request),
                                               credentials = std::move(*credentials)]() mutable {
    const std::shared_ptr<Mailbox> mailbox = request->mailbox;
    mailbox->DeliverLogin(std::move(request),
                          authenticator.Login(credentials.user, credentials.password));
  });
  if (login_running_) return;
  --in_flight_;  // the request went down with the task
  AnswerError(stream, {ErrorCode::kOverloaded, "Too many clients are logging in", {}, 0});
}

void Session::FailLogin(int16_t stream, const CqlError& error) {
  AnswerError(stream, error);
  if (++logins_failed_ >= kLoginsMax) over_ = true;
}

void Session::TakeLogin(PendingRequestPtr request, CqlResult<Client> client) {
  login_running_ = false;
  const int16_t stream = request->stream;
  Recycle(std::move(request));
  if (!client.has_value()) {
    FailLogin(stream, client.error());
    return;
  }
  client->address = client_->address;
  client_ = std::make_shared<const Client>(std::move(*client));
  state_ = State::kReady;
  WriteAuthSuccess(outbox_.gather(), HeadFor(stream), std::nullopt);
}

void Session::Prepare(PendingRequestPtr request, const PrepareRequest& prepare,
                      const RequestMessage& message) {
  CqlResult<PreparedInfo> prepared =
      context_.statements.Prepare(prepare, ContextOf(*request, message));
  if (!prepared.has_value()) {
    TakeOutcome(std::move(request), Outcome::Failed(std::move(prepared.error())));
    return;
  }
  EncodePrepared(outbox_.gather(), form_, *request, *prepared);
  Recycle(std::move(request));
}

void Session::TakeOutcome(PendingRequestPtr request, Outcome outcome) {
  if (const auto* const set = std::get_if<KeyspaceSet>(&outcome.result)) {
    auto client = std::make_shared<Client>(*client_);
    client->keyspace = set->keyspace;
    client_ = std::move(client);
  } else if (const auto* const error = std::get_if<CqlError>(&outcome.result)) {
    context_.metrics.CountError(error->code);
  }
  EncodeOutcome(outbox_.gather(), form_, *request, outcome);
  Recycle(std::move(request));
}

void Session::TakeEvent(const Event& event) { EncodeEvent(outbox_.gather(), form_, event); }

PendingRequestPtr Session::MakeRequest(const Envelope& envelope, bool tracing) {
  const size_t bytes = envelope.size();
  if (!context_.budget->TryBegin(bytes)) {
    AnswerError(envelope.header.stream, OverloadError());
    return nullptr;
  }
  PendingRequestPtr request;
  if (spare_requests_.empty()) {
    request = std::make_unique<PendingRequest>();
  } else {
    request = std::move(spare_requests_.back());
    spare_requests_.pop_back();
  }
  request->mailbox = mailbox_;
  request->budget = context_.budget;
  request->bytes = bytes;
  request->stream = envelope.header.stream;
  request->skip_metadata = false;
  request->check_metadata = false;
  request->tracing_id.reset();
  if (tracing) request->tracing_id = context_.tracing_ids.Next();
  ++in_flight_;
  return request;
}

void Session::Recycle(PendingRequestPtr request) {
  --in_flight_;
  request->Finish();
  if (spare_requests_.size() < kSpareRequestsMax) spare_requests_.push_back(std::move(request));
}

RequestContext Session::ContextOf(const PendingRequest& request,
                                  const RequestMessage& message) const {
  return {client_, message.payload, request.tracing_id};
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
  WriteError(outbox_.gather(), HeadFor(stream), error);
}

}  // namespace orrery::cassandra
