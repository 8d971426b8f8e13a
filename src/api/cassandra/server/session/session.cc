#include "api/cassandra/server/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/cassandra/executor/throttle_text.h"
#include "api/cassandra/protocol/request/request_decoder.h"
#include "api/cassandra/protocol/response/error_writer.h"
#include "api/cassandra/types/native/timeuuid.h"

namespace orrery::cassandra {
namespace {

// Smaller requests cost more by being under way than by their bytes.
constexpr size_t kUncountedRequestBytes = 512;

std::string ActivityId(const Uuid& id) {
  return UuidText({reinterpret_cast<const char*>(id.data()), id.size()});
}

CqlError OverloadError() {
  return {ErrorCode::kOverloaded,
          "The server has too many bytes of requests to answer; try again later",
          {},
          0};
}

}  // namespace

Session::Session(const ServerContext& context, Client client, bool authenticate,
                 SendBuffer& send_buffer, std::shared_ptr<Mailbox> mailbox)
    : context_(context),
      authenticate_(authenticate),
      send_buffer_(send_buffer),
      mailbox_(std::move(mailbox)),
      decoder_(Direction::kRequest, context.limits.body_bytes_max),
      place_(context.roster, client.address) {
  client.superuser = !authenticate;
  client_ = std::make_shared<const Client>(std::move(client));
  mailbox_->Open(*this);
}

Session::~Session() {
  context_.metrics.CountEnded(in_flight_);
  if (registered_) context_.events.Unsubscribe(*mailbox_);
  mailbox_->Close();
}

Session::Step Session::Take(std::string_view& input) {
  const auto next = decoder_.Next(input);
  if (next.has_value() && !next->has_value()) return Step::kNeedInput;
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
  const Incoming incoming{header, envelope.size(), *message};
  std::visit([&](const auto& request) { Do(incoming, request); }, message->request);
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
  client->local = client_->local;
  place_.LoggedIn(client->role);
  client_ = std::make_shared<const Client>(std::move(*client));
  state_ = State::kReady;
  WriteAuthSuccess(send_buffer_.gather(), HeadFor(stream), std::nullopt);
}

void Session::TakeOutcome(PendingRequestPtr request, Outcome outcome) {
  if (const auto* const set = std::get_if<KeyspaceSet>(&outcome.result)) {
    auto client = std::make_shared<Client>(*client_);
    client->keyspace = set->keyspace;
    client_ = std::move(client);
  } else if (auto* const error = std::get_if<CqlError>(&outcome.result)) {
    context_.metrics.CountError(error->code);
    if (error->retry_after_ms != 0)
      error->message = ThrottleText(ActivityId(context_.tracing_ids.Next()), error->retry_after_ms);
  }
  const size_t before = send_buffer_.gather().size();
  EncodeOutcome(send_buffer_.gather(), form_, *request, outcome);
  answer_bytes_ =
      std::max(send_buffer_.gather().size() - before, answer_bytes_ - answer_bytes_ / 8);
  Recycle(std::move(request));
}

void Session::TakeEvent(const Event& event) { EncodeEvent(send_buffer_.gather(), form_, event); }

PendingRequestPtr Session::Begin(const Incoming& incoming) {
  ByteShare memory;
  if (incoming.bytes > kUncountedRequestBytes) {
    memory = ByteShare(context_.requests);
    if (!memory.TryHold(incoming.bytes)) {
      AnswerError(incoming.header.stream, OverloadError());
      return nullptr;
    }
  }
  place_.CountRequest();
  context_.metrics.CountBegun();
  PendingRequestPtr request;
  if (spare_requests_.empty()) {
    request = std::make_unique<PendingRequest>();
  } else {
    request = std::move(spare_requests_.back());
    spare_requests_.pop_back();
  }
  request->mailbox = mailbox_;
  request->memory = std::move(memory);
  request->stream = incoming.header.stream;
  request->skip_metadata = false;
  request->check_metadata = false;
  request->tracing_id.reset();
  if (incoming.message.tracing) request->tracing_id = context_.tracing_ids.Next();
  ++in_flight_;
  return request;
}

void Session::Recycle(PendingRequestPtr request) {
  --in_flight_;
  context_.metrics.CountEnded();
  request->memory = ByteShare();
  request->mailbox.reset();
  if (spare_requests_.size() < kSpareRequestsMax) spare_requests_.push_back(std::move(request));
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
  WriteError(send_buffer_.gather(), HeadFor(stream), error);
}

}  // namespace orrery::cassandra
