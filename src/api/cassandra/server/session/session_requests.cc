// Handles each kind of request, once the session's state allows it.
#include <algorithm>
#include <utility>

#include "api/cassandra/protocol/response/response_writer.h"
#include "api/cassandra/server/session/handshake.h"
#include "api/cassandra/server/session/session.h"
#include "base/statement_book.h"

namespace orrery::cassandra {
namespace {

void NoteMetadata(PendingRequest& request, std::string_view client_metadata) {
  request.check_metadata = true;
  request.client_metadata = {};
  if (client_metadata.size() == request.client_metadata.size()) {
    std::ranges::copy(client_metadata, request.client_metadata.begin());
  }
}

}  // namespace

void Session::Do(const Incoming& incoming, const OptionsRequest&) {
  WriteSupported(out().gather(), HeadFor(incoming.header.stream), SupportedOptions());
}

void Session::Do(const Incoming& incoming, const StartupRequest& startup) {
  const EnvelopeHeader& header = incoming.header;
  const CqlResult<Compression> compression = AgreeOnStartup(startup, header.version);
  if (!compression.has_value()) {
    AnswerError(header.stream, compression.error());
    return;
  }
  // The answer itself is neither compressed nor framed yet.
  if (authenticate_) {
    WriteAuthenticate(out().gather(), HeadFor(header.stream), kAuthenticatorName);
  } else {
    WriteReady(out().gather(), HeadFor(header.stream));
  }
  decoder_.Start(header.version, *compression);
  form_ = {header.version, *compression};
  if (header.version >= ProtocolVersion::kV5) {
    frames_.set_format(*compression == Compression::kLz4 ? FrameFormat::kLz4 : FrameFormat::kPlain);
    out().WrapFromHere(frames_);
  }
  state_ = authenticate_ ? State::kLoggingIn : State::kReady;
  if (!authenticate_) SetReady();
  place_.Started(header.version, startup, /*ready=*/!authenticate_);
}

void Session::Do(const Incoming& incoming, const RegisterRequest& registration) {
  registered_ = true;
  context_.events.Subscribe(mailbox_, registration);
  WriteReady(out().gather(), HeadFor(incoming.header.stream));
}

void Session::Do(const Incoming& incoming, const AuthResponseRequest& response) {
  PendingRequestPtr request = Begin(incoming);
  if (!request) return;
  const int16_t stream = request->stream;
  CqlResult<PlainCredentials> credentials = DecodePlain(response.token);
  if (!credentials.has_value()) {
    End(std::move(request));
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
  EndRequest();  // it went down with the task
  AnswerError(stream, {ErrorCode::kOverloaded, "Too many clients are logging in", {}, 0});
}

void Session::Do(const Incoming& incoming, const QueryRequest& query) {
  PendingRequestPtr request = Begin(incoming);
  if (!request) return;
  request->skip_metadata = query.parameters.skip_metadata;
  if (StatementBookIsOpen()) request->statement.assign(query.query);
  const MessageContext context = ContextOf(*request, incoming.message);
  context_.statements.Query(query, context, Answerer(std::move(request)));
}

void Session::Do(const Incoming& incoming, const PrepareRequest& prepare) {
  PendingRequestPtr request = Begin(incoming);
  if (!request) return;
  CqlResult<PreparedInfo> prepared =
      context_.statements.Prepare(prepare, ContextOf(*request, incoming.message));
  if (!prepared.has_value()) {
    TakeOutcome(std::move(request), Outcome::Failed(std::move(prepared.error())));
    return;
  }
  EncodePrepared(out().gather(), form_, *request, *prepared);
  End(std::move(request));
}

void Session::Do(const Incoming& incoming, const ExecuteRequest& execute) {
  PendingRequestPtr request = Begin(incoming);
  if (!request) return;
  request->skip_metadata = execute.parameters.skip_metadata;
  request->is_prepared = true;
  if (StatementBookIsOpen()) request->statement.assign(execute.id);
  if (form_.version >= ProtocolVersion::kV5) NoteMetadata(*request, execute.result_metadata_id);
  const MessageContext context = ContextOf(*request, incoming.message);
  context_.statements.Execute(execute, context, Answerer(std::move(request)));
}

void Session::Do(const Incoming& incoming, const BatchRequest& batch) {
  PendingRequestPtr request = Begin(incoming);
  if (!request) return;
  const MessageContext context = ContextOf(*request, incoming.message);
  context_.statements.Batch(batch, context, Answerer(std::move(request)));
}

MessageContext Session::ContextOf(const PendingRequest& request, const RequestMessage& message) {
  return {client_, message.payload, request.tracing_id, NewContext()};
}

}  // namespace orrery::cassandra
