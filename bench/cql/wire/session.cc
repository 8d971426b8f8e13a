#include "cql/wire/session.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "api/cassandra/protocol/frame/frame.h"
#include "api/cassandra/protocol/request/request_writer.h"
#include "api/cassandra/protocol/response/response_reader.h"

namespace orrery::bench {
namespace {

using namespace cassandra;

constexpr size_t kSessionReadBytes = 16 << 10;
constexpr std::string_view kCqlVersion = "3.0.0";  // every server speaks it

std::unexpected<Error> Unexpected(std::string_view asked) {
  return Fail(Code::kUnsupported, fmt::format("the server answered {} with something else", asked));
}

}  // namespace

void AppendForWire(std::string& out, std::string_view envelopes, ProtocolVersion version) {
  if (version >= ProtocolVersion::kV5) {
    AppendFrames(out, envelopes, FrameFormat::kPlain);
  } else {
    out.append(envelopes);
  }
}

Session::Session(std::unique_ptr<Transport> transport, ProtocolVersion version)
    : transport_(std::move(transport)), version_(version), decoder_(Direction::kResponse) {}

Result<std::unique_ptr<Session>> Session::Open(boost::asio::io_context& context,
                                               const Target& target) {
  ORRERY_ASSIGN(auto transport, Transport::Connect(context, target));
  std::unique_ptr<Session> session(
      new Session(std::move(transport), static_cast<ProtocolVersion>(target.protocol)));
  ORRERY_TRY(session->StartUp(target));
  session->ForgetAnswer();
  return session;
}

Status Session::StartUp(const Target& target) {
  ORRERY_ASSIGN(const Response answer, Ask(StartupRequest{{{"CQL_VERSION", kCqlVersion}}}));
  const bool ready = std::holds_alternative<ReadyResponse>(answer);
  const bool asks = std::holds_alternative<AuthenticateResponse>(answer);
  decoder_.Start(version_, Compression::kNone);
  framed_ = version_ >= ProtocolVersion::kV5;
  if (ready) return {};
  return asks ? Authenticate(target) : Unexpected("STARTUP");
}

Status Session::Authenticate(const Target& target) {
  if (target.user.empty()) {
    return Fail(Code::kUnauthorized, "the server wants credentials: --user and --password");
  }
  std::string token;
  token.append(1, '\0').append(target.user).append(1, '\0').append(target.password);
  const auto answer = Ask(AuthResponseRequest{token});
  if (!answer.has_value()) return Fail(Code::kUnauthorized, answer.error().message());
  if (!std::holds_alternative<AuthSuccessResponse>(*answer)) return Unexpected("AUTH_RESPONSE");
  return {};
}

void Session::ForgetAnswer() { input_.Consume(std::exchange(used_bytes_, 0)); }

Result<Envelope> Session::ReadEnvelope() {
  while (true) {
    std::string_view input = input_.data();
    const auto decoded = decoder_.Next(input);
    if (!decoded.has_value()) return Fail(Code::kUnavailable, decoded.error().error.message);
    used_bytes_ = input_.data().size() - input.size();
    if (decoded->has_value()) return **decoded;
    ForgetAnswer();
    ORRERY_ASSIGN(const size_t size, transport_->Read(input_.Prepare(kSessionReadBytes)));
    input_.Commit(size);
  }
}

Result<Response> Session::Ask(Request request) {
  ForgetAnswer();
  std::string envelope, bytes;
  WriteRequest(envelope, {version_, 0}, {std::move(request), {}, false});
  AppendForWire(bytes, envelope, framed_ ? version_ : ProtocolVersion::kV4);
  ORRERY_TRY(transport_->Write(bytes));
  ORRERY_ASSIGN(const Envelope answer, ReadEnvelope());
  ORRERY_ASSIGN(ResponseMessage message, DecodeResponse(answer));
  if (const auto* error = std::get_if<ErrorResponse>(&message.response)) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the server answered {:#06x}: {}", static_cast<uint32_t>(error->code),
                            error->message));
  }
  return std::move(message.response);
}

Status Session::Run(std::string_view statement) {
  if (const auto answer = Ask(QueryRequest{statement, {}}); !answer.has_value()) {
    return Fail(Error(answer.error()).Annotate(statement));
  }
  return {};
}

Result<PreparedId> Session::Prepare(std::string_view statement) {
  ORRERY_ASSIGN(const Response answer, Ask(PrepareRequest{statement, {}}));
  const auto* prepared = std::get_if<PreparedResult>(&answer);
  if (prepared == nullptr) return Unexpected("PREPARE");
  return PreparedId{std::string(prepared->id), std::string(prepared->result_metadata_id)};
}

}  // namespace orrery::bench
