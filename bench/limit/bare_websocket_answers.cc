#include "limit/bare_websocket_answers.h"

#include <fmt/format.h>
#include <rocksdb/slice.h>

#include <charconv>
#include <cstdint>

#include "base/bytes.h"
#include "cql/load/row_maker.h"
#include "net/websocket/websocket_frame.h"
#include "net/websocket/websocket_handshake.h"

namespace orrery::bench {
namespace {

constexpr std::string_view kVertexBinding = R"("x","v)";
constexpr std::string_view kRequestUuid = R"("g:UUID","@value":")";
constexpr size_t kUuidBytes = 36;
constexpr size_t kMaskBytes = 4;

std::optional<size_t> TakeHandshake(std::string_view input, std::string& out) {
  constexpr std::string_view kKey = "Sec-WebSocket-Key: ";
  const size_t end = input.find("\r\n\r\n");
  if (end == std::string_view::npos) return 0;
  const size_t key = input.find(kKey);
  if (key == std::string_view::npos) {
    out += "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n";
    return end + 4;
  }
  const std::string_view rest = input.substr(key + kKey.size());
  out += "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
  out += "Sec-WebSocket-Accept: " + net::WebSocketAcceptKey(rest.substr(0, rest.find('\r')));
  out += "\r\n\r\n";
  return end + 4;
}

}  // namespace

std::optional<size_t> TakeBareWebSocketFrame(std::string_view input, const BareStore& store,
                                             std::string& out) {
  if (input.starts_with("GET ")) return TakeHandshake(input, out);
  if (input.size() < 4) return 0;
  size_t head = 2;
  uint64_t size = static_cast<uint8_t>(input[1]) & 0x7f;
  if (size == net::kWebSocketLength64) return std::nullopt;  // no vertex is asked for so
  if (size == net::kWebSocketLength16) {
    head = 4;
    size = LoadBigEndian<uint16_t>(input.data() + 2);
  }
  if (input.size() < head + kMaskBytes + size) return 0;
  const net::WebSocketMask mask{input[head], input[head + 1], input[head + 2], input[head + 3]};
  static thread_local std::string payload;  // its memory is used again
  payload.assign(input.substr(head + kMaskBytes, size));
  net::ApplyWebSocketMask(payload, 0, mask, 0);

  const size_t uuid = payload.find(kRequestUuid);
  const size_t binding = payload.find(kVertexBinding);
  if (uuid == std::string::npos || binding == std::string::npos) return std::nullopt;
  uint64_t number = 0;
  std::from_chars(payload.data() + binding + kVertexBinding.size(), payload.data() + payload.size(),
                  number);
  static thread_local std::string key;
  RowMaker::MakeKey(number, key);
  static thread_local rocksdb::PinnableSlice value;  // its buffer is used again
  const bool found = store.Get(key, value);
  static thread_local std::string answer;
  answer.clear();
  fmt::format_to(std::back_inserter(answer),
                 R"({{"requestId":"{}","status":{{"message":"","code":200}},"result":{{"data":[)",
                 std::string_view(payload).substr(uuid + kRequestUuid.size(), kUuidBytes));
  if (found) {
    fmt::format_to(std::back_inserter(answer), R"({{"@type":"g:Vertex","id":"v{}","text":")",
                   number);
    answer.append(value.ToStringView());
    answer += R"("})";
  }
  answer += "]}}";
  value.Reset();  // lets go of the store, which ends before the thread
  net::AppendWebSocketFrame(out, net::WebSocketOpcode::kBinary, answer);
  return head + kMaskBytes + size;
}

}  // namespace orrery::bench
