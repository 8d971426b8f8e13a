#include "load/http/answer_parser.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "net/http/http_message.h"

namespace orrery::bench {
namespace {

using net::EqualsIgnoringCase;

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kVersion = "HTTP/1.1 ";
constexpr size_t kHeadBytesMax = 64 << 10;
constexpr size_t kBodyBytesMax = 64 << 20;
constexpr size_t kStatusDigits = 3;

std::unexpected<Error> NoHttp(std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("the answer is no HTTP: {}", what));
}

template <typename T>
std::optional<T> NumberOf(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<size_t> HexOf(std::string_view text) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Head {
  HttpAnswer answer;
  std::optional<size_t> length;
  bool chunked = false;
};

Status ReadField(std::string_view line, Head& head) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos) return NoHttp("a header field without a colon");
  const std::string_view name = line.substr(0, colon);
  std::string_view value = line.substr(colon + 1);
  while (value.starts_with(' ')) value.remove_prefix(1);
  if (EqualsIgnoringCase(name, "content-length")) {
    head.length = NumberOf<size_t>(value);
    if (!head.length || *head.length > kBodyBytesMax) return NoHttp("its length is malformed");
  } else if (EqualsIgnoringCase(name, "transfer-encoding")) {
    head.chunked = EqualsIgnoringCase(value, "chunked");
  } else if (EqualsIgnoringCase(name, "x-ms-request-charge")) {
    head.answer.charge = NumberOf<double>(value).value_or(0);
  }
  return {};
}

// `text` is everything up to the empty line, with the last field's line end.
Result<Head> ReadHead(std::string_view text) {
  Head head;
  if (!text.starts_with(kVersion)) return NoHttp("it does not begin with HTTP/1.1");
  const auto status = NumberOf<int>(text.substr(kVersion.size(), kStatusDigits));
  if (!status) return NoHttp("it has no status");
  head.answer.status = *status;
  text.remove_prefix(text.find(kLineEnd) + kLineEnd.size());
  while (!text.empty()) {
    const size_t end = text.find(kLineEnd);
    ORRERY_TRY(ReadField(text.substr(0, end), head));
    text.remove_prefix(end + kLineEnd.size());
  }
  return head;
}

// Joins the chunks at the front of `input` and returns how many bytes they took; nothing when more
// are needed.
Result<std::optional<size_t>> JoinChunks(std::string_view input, std::string& body) {
  body.clear();
  const size_t all = input.size();
  while (true) {
    const size_t line_end = input.find(kLineEnd);
    if (line_end == std::string_view::npos) return std::nullopt;
    const auto size = HexOf(input.substr(0, line_end));
    if (!size || *size > kBodyBytesMax - body.size()) return NoHttp("a chunk's size is malformed");
    input.remove_prefix(line_end + kLineEnd.size());
    if (input.size() < *size + kLineEnd.size()) return std::nullopt;
    body.append(input.substr(0, *size));
    if (input.substr(*size, kLineEnd.size()) != kLineEnd) return NoHttp("a chunk has no end");
    input.remove_prefix(*size + kLineEnd.size());
    if (*size == 0) return all - input.size();
  }
}

}  // namespace

Result<std::optional<HttpAnswer>> ParseAnswer(std::string_view input, std::string& memory) {
  const size_t end = input.substr(0, kHeadBytesMax).find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (input.size() >= kHeadBytesMax) return NoHttp("its head has no end");
    return std::nullopt;
  }
  ORRERY_ASSIGN(Head head, ReadHead(input.substr(0, end + kLineEnd.size())));
  const size_t head_bytes = end + 2 * kLineEnd.size();
  const std::string_view rest = input.substr(head_bytes);
  if (head.chunked) {
    ORRERY_ASSIGN(const std::optional<size_t> bytes, JoinChunks(rest, memory));
    if (!bytes) return std::nullopt;
    head.answer.body = memory;
    head.answer.bytes = head_bytes + *bytes;
    return head.answer;
  }
  const size_t length = head.length.value_or(0);
  if (rest.size() < length) return std::nullopt;
  head.answer.body = rest.substr(0, length);
  head.answer.bytes = head_bytes + length;
  return head.answer;
}

}  // namespace orrery::bench
