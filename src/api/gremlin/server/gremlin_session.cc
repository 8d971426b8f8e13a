#include "api/gremlin/server/gremlin_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "gateway/account/base64.h"

namespace orrery::gremlin {
namespace {

// Requests that wait for the client's credentials.
constexpr size_t kWaitingMax = 64;
constexpr size_t kWaitingBytesMax = size_t{1} << 20;
// The memory of a decoded request, as a multiple of its bytes.
constexpr size_t kDecodedFactor = 4;
// Bytes that the client has not read: a request that has more to say waits.
constexpr size_t kBacklogBytesMax = size_t{8} << 20;
constexpr auto kBacklogPause = std::chrono::milliseconds(2);

ErrorAnswer Malformed(std::string message) {
  return {.code = StatusCode::kMalformedRequest,
          .cosmos_code = 1004,
          .exception = "java.lang.IllegalArgumentException",
          .message = std::move(message)};
}

ErrorAnswer WrongCredentials() {
  return {.code = StatusCode::kUnauthorized,
          .cosmos_code = 401,
          .exception = "org.apache.tinkerpop.gremlin.server.auth.AuthenticationException",
          .message = "Unauthorized: Invalid credentials provided"};
}

// The user and the password of SASL PLAIN: base64 of NUL user NUL password.
std::optional<std::pair<std::string, std::string>> PlainCredentials(const Request& request) {
  std::string text = request.Text("sasl");
  if (text.empty()) text = request.Text("SASL");
  std::string bytes;
  if (text.empty() || !gateway::FromBase64(text, bytes)) return std::nullopt;
  const size_t first = bytes.find('\0');
  const size_t second = first == std::string::npos ? first : bytes.find('\0', first + 1);
  if (second == std::string::npos) return std::nullopt;
  return std::pair(bytes.substr(first + 1, second - first - 1), bytes.substr(second + 1));
}

// An id that drivers repeat in lower case.
std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

}  // namespace

std::string NewActivityId(const std::function<uint64_t()>& random) {
  const uint64_t high = random();
  const uint64_t low = random();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xFFFF,
                     high & 0xFFF, 0x8000 | (low >> 48 & 0x3FFF), low & 0xFFFFFFFFFFFF);
}

Result<Login> LogIn(const gateway::Accounts& accounts, std::string_view user,
                    std::string_view password) {
  ORRERY_ASSIGN(const gateway::Access access, accounts.CheckKey(password));
  // Cosmos DB's clients name a graph; others may give the account's name, and get the default one.
  if (user.starts_with("/dbs/")) return Login{.graph = std::string(user), .access = access};
  if (user != accounts.name() && !user.empty())
    return Fail(Code::kUnauthorized, "the user is /dbs/<database>/colls/<graph>, or the account");
  return Login{.access = access};
}

GremlinSession::GremlinSession(const SessionContext& context,
                               std::shared_ptr<net::WebSocketChannel> channel, std::string peer)
    : context_(context), channel_(std::move(channel)), peer_(std::move(peer)) {
  if (context_.trusts) login_.emplace();
}

AnswerSender GremlinSession::MakeSender(const Request& request, const Form& form,
                                        const RequestContext& context) const {
  return AnswerSender(
      {.request_id = request.id,
       .activity_id = NewActivityId(context_.random),
       .host = "/" + peer_,
       .clock = context_.clock,
       .send = [channel = channel_, form, context](const Response& response,
                                                   const EncodeOptions& options) -> Status {
         while (channel->backlog_bytes() > kBacklogBytesMax) {
           ORRERY_TRY(context.Check());
           std::this_thread::sleep_for(kBacklogPause);
         }
         if (!channel->Send(form.kind, EncodeResponse(form.encoding, response, options)))
           return Fail(Code::kCancelled, "the connection is closed");
         return {};
       },
       .cut = [channel = channel_] { channel->Cut(); }});
}

void GremlinSession::Refuse(const Request& request, const Form& form, const RequestContext& context,
                            const ErrorAnswer& error) const {
  AnswerSender sender = MakeSender(request, form, context);
  // Whom nobody listens to any more cannot be told.
  [[maybe_unused]] const Status sent = sender.FinishWith(error);
}

void GremlinSession::OnMessage(net::WebSocketKind kind, std::string_view payload,
                               const RequestContext& context, net::WebSocketExchange exchange) {
  Form form{.encoding = Encoding::kGraphSon3, .kind = kind};
  Request none{.id = "00000000-0000-0000-0000-000000000000", .op = {}, .processor = {}, .args = {}};
  std::string_view body = payload;
  if (kind == net::WebSocketKind::kBinary) {
    const auto frame = SplitFrame(payload);
    if (!frame.has_value()) {
      form.encoding = Encoding::kGraphBinary;
      return Refuse(none, form, context, Malformed("the frame is shorter than its mime type"));
    }
    const auto encoding = EncodingOf(frame->mime);
    if (!encoding.has_value()) {
      form.encoding = Encoding::kGraphBinary;
      ErrorAnswer error = Malformed(fmt::format("unknown mime type '{}'", frame->mime));
      error.code = StatusCode::kInvalidArguments;
      return Refuse(none, form, context, error);
    }
    form.encoding = *encoding;
    body = frame->body;
  }
  if (form.encoding == Encoding::kPlain2 && !context_.is_cosmos)
    form.encoding = Encoding::kGraphSon2;
  auto request = DecodeRequest(form.encoding, body);
  if (!request.has_value())
    return Refuse(none, form, context, Malformed(request.error().message()));
  Handle(*std::move(request), form, context, std::move(exchange));
}

void GremlinSession::Handle(Request request, const Form& form, const RequestContext& context,
                            net::WebSocketExchange exchange) {
  if (request.op == "authentication")
    return Authenticate(request, form, context, std::move(exchange));
  if (request.op == "close") {
    AnswerSender sender = MakeSender(request, form, context);
    [[maybe_unused]] const Status sent = sender.FinishEmpty(StatusCode::kNoContent);
    return;
  }
  if (request.op != "eval" && request.op != "bytecode") {
    return Refuse(request, form, context,
                  Malformed(fmt::format("unknown op '{}': this server knows eval, bytecode, "
                                        "authentication and close",
                                        request.op)));
  }
  if (request.processor == "session") {
    return Refuse(request, form, context,
                  Malformed("sessions are not supported: the writes of one request to one "
                            "partition are atomic; send each request without a session"));
  }
  if (login_.has_value()) return Submit(std::move(request), form, context, std::move(exchange));
  AnswerSender sender = MakeSender(request, form, context);
  [[maybe_unused]] const Status sent =
      KeepWaiting(std::move(request), form, exchange.TakeMemory())
          ? sender.FinishEmpty(StatusCode::kAuthenticate)
          : sender.FinishWith(Malformed("too many requests before authentication"));
}

bool GremlinSession::KeepWaiting(Request request, const Form& form, ByteShare memory) {
  const size_t bytes = kDecodedFactor * memory.bytes();
  size_t kept = bytes;
  for (const Waiting& each : waiting_) kept += each.memory.bytes();
  if (waiting_.size() >= kWaitingMax || kept > kWaitingBytesMax || !memory.TryHold(bytes))
    return false;
  waiting_.push_back({.request = std::move(request), .form = form, .memory = std::move(memory)});
  return true;
}

void GremlinSession::Authenticate(const Request& request, const Form& form,
                                  const RequestContext& context, net::WebSocketExchange exchange) {
  // The answer is that to the request which was asked for credentials: of this id, or, as Java's
  // driver makes a new one, the first that waits.
  const std::string id = Lower(request.id);
  auto found = std::ranges::find_if(
      waiting_, [&](const Waiting& each) { return Lower(each.request.id) == id; });
  if (found == waiting_.end()) found = waiting_.begin();
  const auto credentials = PlainCredentials(request);
  Result<Login> login =
      credentials.has_value()
          ? LogIn(context_.accounts, credentials->first, credentials->second)
          : Result<Login>(Fail(Code::kUnauthorized, "SASL PLAIN is the only mechanism"));
  if (!login.has_value()) {
    Refuse(found == waiting_.end() ? request : found->request, form, context, WrongCredentials());
    if (found != waiting_.end()) waiting_.erase(found);
    return;
  }
  if (!login_.has_value() || !context_.trusts) login_ = *std::move(login);
  channel_->LetIn();
  if (found == waiting_.end()) {
    AnswerSender sender = MakeSender(request, form, context);
    [[maybe_unused]] const Status sent = sender.FinishEmpty(StatusCode::kNoContent);
    return;
  }
  Waiting waiting = std::move(*found);
  waiting_.erase(found);
  Submit(std::move(waiting.request), waiting.form, context, std::move(exchange));
}

void GremlinSession::Submit(Request request, const Form& form, const RequestContext& context,
                            net::WebSocketExchange exchange) {
  auto sender = std::make_shared<AnswerSender>(MakeSender(request, form, context));
  // Sending does not wait for the client then, and one vertex is read where the request arrived.
  const bool has_room = channel_->backlog_bytes() <= kBacklogBytesMax / 2;
  if (has_room && context_.runner.TryPoint(request, *login_, context, *sender)) return;
  const bool taken = context_.pool.Submit(
      [&runner = context_.runner, request = std::move(request), login = *login_, context, sender,
       exchange = std::move(exchange)] { runner.Run(request, login, context, *sender); });
  if (!taken) {
    [[maybe_unused]] const Status sent = sender->FinishWith(
        ToAnswer(Error(Code::kOverloaded, ""), Phase::kRequest, StopReason::kNone));
  }
}

}  // namespace orrery::gremlin
