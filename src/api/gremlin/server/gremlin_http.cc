#include "api/gremlin/server/gremlin_http.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/gremlin/protocol/graphson.h"
#include "gateway/account/base64.h"
#include "model/document/json.h"
#include "net/http/cut_connection.h"
#include "net/http/url.h"

namespace orrery::gremlin {
namespace {

net::HttpResponse ErrorResponse(int status, std::string_view message) {
  std::string body = R"({"message":)";
  model::AppendJsonString(body, message);
  body += "}";
  net::HttpResponse response = net::HttpResponse::Json(status, std::move(body));
  if (status == 401) response.headers.Add("www-authenticate", "Basic realm=\"gremlin\"");
  return response;
}

Result<Login> LoginOf(const SessionContext& context, const net::HttpRequest& request) {
  const auto header = request.headers.Find("authorization");
  if (!header.has_value()) {
    if (context.trusts) return Login{};
    return Fail(Code::kUnauthorized, "credentials are needed");
  }
  constexpr std::string_view kBasic = "Basic ";
  std::string text;
  if (!header->starts_with(kBasic) || !gateway::FromBase64(header->substr(kBasic.size()), text))
    return Fail(Code::kUnauthorized, "Basic is the only scheme");
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return Fail(Code::kUnauthorized, "no password");
  return LogIn(context.accounts, std::string_view(text).substr(0, colon),
               std::string_view(text).substr(colon + 1));
}

Result<Request> ReadRequest(const net::HttpRequest& http) {
  Request request{.id = {}, .op = "eval", .processor = {}, .args = {}};
  if (http.method == "GET") {
    const auto gremlin = http.Query("gremlin");
    if (!gremlin.has_value()) return Fail(Code::kInvalidArgument, "no gremlin script supplied");
    request.args.Set("gremlin", Value::String(std::string(*gremlin)));
  } else {
    ORRERY_ASSIGN(const model::Value json, model::ValueFromJson(http.body));
    ORRERY_ASSIGN(const Value body, ReadGraphSon(json));
    if (!body.is_map() || body.AsMap().Find("gremlin") == nullptr)
      return Fail(Code::kInvalidArgument, "no gremlin script supplied");
    request.args = body.AsMap();
    if (const Value* id = request.args.Find("requestId"); id != nullptr && id->is_string())
      request.id = id->AsString();
    if (request.args.Find("gremlin")->type() == Type::kTraversal) request.op = "bytecode";
  }
  return request;
}

int HttpStatusOf(StatusCode code) {
  switch (code) {
    case StatusCode::kSuccess:
    case StatusCode::kNoContent:
    case StatusCode::kPartialContent:
      return 200;
    case StatusCode::kUnauthorized:
      return 401;
    case StatusCode::kMalformedRequest:
    case StatusCode::kInvalidArguments:
      return 400;
    default:
      return 500;
  }
}

}  // namespace

std::optional<net::HttpResponse> HttpRefusal(const SessionContext& context,
                                             const net::HttpRequest& head) {
  if (head.method != "POST" && head.method != "GET")
    return ErrorResponse(405, "POST a Gremlin script");
  if (!LoginOf(context, head).has_value())
    return ErrorResponse(401, "Unauthorized: Invalid credentials provided");
  return std::nullopt;
}

void HandleHttp(const SessionContext& context, net::HttpRequest request,
                net::HttpResponder responder) {
  auto login = LoginOf(context, request);
  if (!login.has_value())
    return responder.Send(ErrorResponse(401, "Unauthorized: Invalid credentials provided"));
  auto read = ReadRequest(request);
  if (!read.has_value()) return responder.Send(ErrorResponse(400, read.error().message()));
  const std::string_view accept = request.headers.Find("accept").value_or("application/json");
  const Encoding encoding = EncodingOf(accept).value_or(Encoding::kGraphSon3);
  const bool is_binary =
      encoding == Encoding::kGraphBinary || encoding == Encoding::kGraphBinaryStrings;
  if (read->id.empty()) read->id = NewActivityId(context.random);
  auto answered = std::make_shared<net::HttpResponder>(std::move(responder));
  const bool taken = context.pool.Submit([&context, request = *std::move(read),
                                          login = *std::move(login), stop = request.context,
                                          peer = request.peer, encoding, is_binary, answered] {
    net::HttpResponse response;
    std::vector<ResultItem> pages;  // a body has all pages of the answer
    AnswerSender sender(
        {.request_id = request.id,
         .activity_id = NewActivityId(context.random),
         .host = "/" + peer,
         .clock = context.clock,
         .send = [&](const Response& answer, const EncodeOptions& options) -> Status {
           if (answer.code == StatusCode::kPartialContent) {
             if (pages.size() + answer.data.size() > kPageItemsMax) {
               return Fail(Code::kResourceExhausted,
                           "the answer has more than " + std::to_string(kPageItemsMax) +
                               " results: use range(), or a WebSocket, which gets them in pages");
             }
             pages.insert(pages.end(), answer.data.begin(), answer.data.end());
             return {};
           }
           response.status = HttpStatusOf(answer.code);
           const bool has_pages = !pages.empty() && answer.code == StatusCode::kSuccess;
           if (!has_pages) {
             response.body = EncodeResponse(encoding, answer, options);
             return {};
           }
           Response whole = answer;
           pages.insert(pages.end(), answer.data.begin(), answer.data.end());
           whole.data = std::move(pages);
           response.body = EncodeResponse(encoding, whole, options);
           return {};
         },
         .cut = [&response] { response.status = net::kCutStatus; }});
    context.runner.Run(request, login, stop, sender);
    response.headers.Add("content-type",
                         is_binary ? "application/vnd.graphbinary-v1.0" : "application/json");
    answered->Send(std::move(response));
  });
  if (!taken) answered->Send(ErrorResponse(503, "the server is too busy"));
}

}  // namespace orrery::gremlin
