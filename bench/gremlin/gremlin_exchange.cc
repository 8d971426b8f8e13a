#include "gremlin/gremlin_exchange.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "net/websocket/websocket_frame.h"

namespace orrery::bench {
namespace {

constexpr std::string_view kUpgrade =
    "GET /gremlin HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
constexpr size_t kHeadBytesMax = 16 << 10;
constexpr int kSuccess = 200;

// The payload of the frame at the front of `input` and the frame's size; nullopt if more is needed.
struct Frame {
  std::string_view payload;
  size_t bytes = 0;
};
std::optional<Frame> ReadFrame(std::string_view input) {
  if (input.size() < 2) return std::nullopt;
  size_t head = 2;
  uint64_t size = static_cast<uint8_t>(input[1]) & 0x7f;
  if (size == net::kWebSocketLength16) {
    head = 4;
    if (input.size() < head) return std::nullopt;
    size = LoadBigEndian<uint16_t>(input.data() + 2);
  } else if (size == net::kWebSocketLength64) {
    head = 10;
    if (input.size() < head) return std::nullopt;
    size = LoadBigEndian<uint64_t>(input.data() + 2);
  }
  if (input.size() < head + size) return std::nullopt;
  return Frame{.payload = input.substr(head, size), .bytes = head + size};
}

// The text between `before` and the next quotation mark.
std::string_view TextBehind(std::string_view payload, std::string_view before) {
  const size_t found = payload.find(before);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = payload.substr(found + before.size());
  return rest.substr(0, rest.find('"'));
}

int CodeOf(std::string_view payload) {
  constexpr std::string_view kCode = R"("code":)";
  const size_t found = payload.find(kCode);
  int code = 0;
  if (found != std::string_view::npos)
    std::from_chars(payload.data() + found + kCode.size(), payload.data() + payload.size(), code);
  return code;
}

}  // namespace

GremlinExchange::GremlinExchange(GremlinWorkloadKind kind, KeyChooser keys,
                                 const TraversalMaker& traversals)
    : kind_(kind), keys_(std::move(keys)), traversals_(traversals) {
  ORRERY_CHECK(kind != GremlinWorkloadKind::kNone);
}

OperationKind GremlinExchange::Next(uint32_t id, std::string& out) {
  traversals_.Append(kind_, id, keys_.Next(), out);
  switch (kind_) {
    case GremlinWorkloadKind::kVertex:
      return OperationKind::kRead;
    case GremlinWorkloadKind::kProperty:
    case GremlinWorkloadKind::kAddVertex:
    case GremlinWorkloadKind::kVertices:
    case GremlinWorkloadKind::kEdges:
    case GremlinWorkloadKind::kHubEdges:
      return OperationKind::kInsert;
    default:
      return OperationKind::kQuery;
  }
}

std::optional<FramedAnswer> GremlinExchange::Take(std::string_view input) const {
  const auto frame = ReadFrame(input);
  if (!frame.has_value()) return std::nullopt;
  FramedAnswer answer{.bytes = frame->bytes};
  const auto request = ReadRequestId(TextBehind(frame->payload, R"("requestId":")"));
  if (!request.has_value()) {
    answer.verdict.problem = "an answer without the id of a request";
    return answer;
  }
  answer.id = request->id;
  const int code = CodeOf(frame->payload);
  answer.verdict.good =
      code == kSuccess && traversals_.IsGood(kind_, request->number, frame->payload);
  if (answer.verdict.good) return answer;
  if (code != kSuccess) answer.verdict.error = code;
  answer.verdict.problem = TextBehind(frame->payload, R"("message":")");
  if (answer.verdict.problem.empty()) answer.verdict.problem = frame->payload.substr(0, 500);
  return answer;
}

Status ShakeGremlinHands(Transport& transport) {
  ORRERY_TRY(transport.Write(kUpgrade));
  std::string head;
  while (!head.ends_with("\r\n\r\n")) {
    char next = 0;
    ORRERY_TRY(transport.Read(std::span(&next, 1)));
    head.push_back(next);
    if (head.size() > kHeadBytesMax) return Fail(Code::kUnavailable, "the handshake has no end");
  }
  if (!head.starts_with("HTTP/1.1 101"))
    return Fail(Code::kUnavailable, fmt::format("no WebSocket: {}", head));
  return {};
}

}  // namespace orrery::bench
