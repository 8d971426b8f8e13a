#include "net/http/http_request_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/check.h"
#include "net/http/header_list.h"

namespace orrery::net {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr size_t kMethodBytesMax = 32;
// A chunk's size with its extensions, which no client of ours sends.
constexpr size_t kChunkLineBytesMax = 4096;
// A client may announce a large body and never send it: memory is reserved as bytes arrive.
constexpr size_t kBodyReserveMax = 64 << 10;

bool IsTokenChar(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsTokenChar);
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

template <typename T>
std::optional<T> ParseNumber(std::string_view text, int base) {
  T number = 0;
  const char* end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || parsed != end) return std::nullopt;
  return number;
}

std::string_view ErrorName(int status) {
  switch (status) {
    case 413:
      return "RequestEntityTooLarge";
    case 417:
      return "ExpectationFailed";
    case 431:
      return "RequestHeaderFieldsTooLarge";
    case 501:
      return "NotImplemented";
    case 505:
      return "HttpVersionNotSupported";
    default:
      return "BadRequest";
  }
}

}  // namespace

bool HttpRequestParser::Refuse(int status, std::string_view message) {
  state_ = State::kRefused;
  refusal_ = HttpResponse::JsonError(status, ErrorName(status), message);
  refusal_.close = true;
  return false;
}

HttpRequest HttpRequestParser::Take() {
  ORRERY_CHECK(state_ == State::kDone);
  state_ = State::kHeader;
  scanned_ = 0;
  trailer_bytes_ = 0;
  return std::exchange(request_, {});
}

size_t HttpRequestParser::Feed(std::string_view input) {
  ORRERY_CHECK(state_ == State::kHeader || state_ == State::kBody);
  size_t used = 0;
  if (state_ == State::kHeader) used = FeedHeader(input);
  if (state_ == State::kBody) used += FeedBody(input.substr(used));
  return used;
}

size_t HttpRequestParser::FeedHeader(std::string_view input) {
  // Some clients end a body with a CRLF too many: empty lines before a request are skipped.
  size_t skipped = 0;
  while (scanned_ == 0 && input.substr(skipped).starts_with(kLineEnd)) skipped += kLineEnd.size();
  std::string_view header = input.substr(skipped);

  constexpr std::string_view kEnd = "\r\n\r\n";
  const size_t end = header.find(kEnd, scanned_);
  const bool complete = end != std::string_view::npos;
  // The earliest place where an incomplete end could begin.
  const size_t open_end = header.size() - std::min(header.size(), kEnd.size() - 1);
  if ((complete ? end : open_end) > limits_.header_bytes_max) {
    Refuse(431, fmt::format("the request's headers exceed {} bytes", limits_.header_bytes_max));
    return skipped;
  }
  if (!complete) {
    scanned_ = open_end;
    return skipped;
  }

  header = header.substr(0, end + kLineEnd.size());
  for (bool first = true; !header.empty(); first = false) {
    const size_t line_end = header.find(kLineEnd);
    const std::string_view line = header.substr(0, line_end);
    header.remove_prefix(line_end + kLineEnd.size());
    if (!(first ? ParseRequestLine(line) : ParseField(line))) return skipped;
  }
  if (!CheckFields() || !StartBody()) return skipped;
  return skipped + end + kEnd.size();
}

bool HttpRequestParser::ParseRequestLine(std::string_view line) {
  const size_t method_end = line.find(' ');
  const size_t target_end = line.rfind(' ');
  if (method_end == std::string_view::npos || method_end == target_end) {
    return Refuse(400, "the request line is not \"METHOD target HTTP/1.1\"");
  }
  const std::string_view method = line.substr(0, method_end);
  const std::string_view target = line.substr(method_end + 1, target_end - method_end - 1);
  const std::string_view version = line.substr(target_end + 1);
  if (!IsToken(method) || method.size() > kMethodBytesMax)
    return Refuse(400, "the method is malformed");
  if (std::ranges::any_of(target, [](char c) { return c == ' ' || IsControl(c); })) {
    return Refuse(400, "the request target has spaces or control characters");
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    if (version.starts_with("HTTP/"))
      return Refuse(505, "only HTTP/1.1 and HTTP/1.0 are spoken here");
    return Refuse(400, "the request line does not end in an HTTP version");
  }
  auto parsed = ParseRequestTarget(target);
  if (!parsed) return Refuse(400, parsed.error().message());

  is_http_1_0_ = version == "HTTP/1.0";
  request_.method = method;
  request_.target = target;
  request_.path = std::move(parsed->path);
  request_.segments = std::move(parsed->segments);
  request_.query = std::move(parsed->query);
  return true;
}

bool HttpRequestParser::ParseField(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) {
    return Refuse(400, "a header field is malformed");
  }
  const std::string_view value = TrimSpace(line.substr(colon + 1));
  if (std::ranges::any_of(value, [](char c) { return IsControl(c) && c != '\t'; })) {
    return Refuse(400, "a header field has control characters");
  }
  if (request_.headers.size() == limits_.header_count_max) {
    return Refuse(
        431, fmt::format("the request has more than {} header fields", limits_.header_count_max));
  }
  request_.headers.Add(line.substr(0, colon), value);
  return true;
}

bool HttpRequestParser::CheckFields() {
  const HttpHeaders& headers = request_.headers;
  const size_t hosts = headers.Count("host");
  if (hosts > 1 || (hosts == 0 && !is_http_1_0_))
    return Refuse(400, "exactly one Host header is needed");

  keep_alive_ = !is_http_1_0_;
  for (size_t i = 0; i < headers.size(); ++i) {
    if (!EqualsIgnoringCase(headers.name(i), "connection")) continue;
    if (is_http_1_0_ && ListHas(headers.value(i), "keep-alive")) keep_alive_ = true;
    if (ListHas(headers.value(i), "close")) {
      keep_alive_ = false;
      break;
    }
  }

  expects_continue_ = false;
  if (const auto expect = headers.Find("expect"); expect && !is_http_1_0_) {
    if (!EqualsIgnoringCase(*expect, "100-continue"))
      return Refuse(417, "the only expectation met is 100-continue");
    expects_continue_ = true;
  }
  return true;
}

bool HttpRequestParser::StartBody() {
  const HttpHeaders& headers = request_.headers;
  const size_t lengths = headers.Count("content-length");
  const size_t codings = headers.Count("transfer-encoding");
  if (lengths > 1) return Refuse(400, "there is more than one Content-Length");
  if (lengths > 0 && codings > 0)
    return Refuse(400, "Content-Length and Transfer-Encoding exclude each other");

  state_ = State::kBody;
  if (codings > 0) {
    if (is_http_1_0_) return Refuse(400, "HTTP/1.0 knows no Transfer-Encoding");
    if (codings > 1 || !EqualsIgnoringCase(*headers.Find("transfer-encoding"), "chunked")) {
      return Refuse(501, "the only Transfer-Encoding understood is chunked");
    }
    step_ = BodyStep::kChunkSize;
    return true;
  }

  remaining_ = 0;
  if (lengths > 0) {
    const std::string_view text = *headers.Find("content-length");
    const auto length = ParseNumber<uint64_t>(text, 10);
    // from_chars reads no sign into an unsigned number, so digits are all it can have read.
    if (!length) return Refuse(400, "the Content-Length is no number");
    if (*length > limits_.body_bytes_max) {
      return Refuse(413,
                    fmt::format("the request's body exceeds {} bytes", limits_.body_bytes_max));
    }
    remaining_ = *length;
  }
  step_ = BodyStep::kLength;
  request_.body.reserve(std::min<uint64_t>(remaining_, kBodyReserveMax));
  if (remaining_ == 0) state_ = State::kDone;
  return true;
}

size_t HttpRequestParser::FeedBody(std::string_view input) {
  size_t used = 0;
  while (state_ == State::kBody && used < input.size()) {
    const std::string_view rest = input.substr(used);
    const bool data = step_ == BodyStep::kLength || step_ == BodyStep::kChunkData;
    const size_t taken = data ? FeedData(rest) : FeedLine(rest);
    if (taken == 0) break;
    used += taken;
  }
  if (used > 0) expects_continue_ = false;
  return used;
}

size_t HttpRequestParser::FeedData(std::string_view input) {
  const size_t taken = std::min<uint64_t>(remaining_, input.size());
  request_.body.append(input.substr(0, taken));
  remaining_ -= taken;
  if (remaining_ == 0) {
    if (step_ == BodyStep::kLength) {
      state_ = State::kDone;
    } else {
      step_ = BodyStep::kChunkEnd;
    }
  }
  return taken;
}

size_t HttpRequestParser::FeedLine(std::string_view input) {
  const size_t line_max = step_ == BodyStep::kTrailer    ? limits_.header_bytes_max - trailer_bytes_
                          : step_ == BodyStep::kChunkEnd ? 0
                                                         : kChunkLineBytesMax;
  const size_t end = input.substr(0, line_max + kLineEnd.size()).find(kLineEnd);
  if (end == std::string_view::npos) {
    if (input.size() >= line_max + kLineEnd.size()) Refuse(400, "the chunked body is malformed");
    return 0;
  }
  const std::string_view line = input.substr(0, end);
  const size_t used = end + kLineEnd.size();
  switch (step_) {
    case BodyStep::kChunkEnd:
      step_ = BodyStep::kChunkSize;
      break;
    case BodyStep::kChunkSize:
      if (!ParseChunkSize(line)) return 0;
      break;
    default:
      trailer_bytes_ = std::min(trailer_bytes_ + used, limits_.header_bytes_max);
      if (line.empty()) state_ = State::kDone;
      break;
  }
  return used;
}

bool HttpRequestParser::ParseChunkSize(std::string_view line) {
  const size_t extension = std::min(line.find(';'), line.size());
  const auto size = ParseNumber<uint64_t>(line.substr(0, extension), 16);
  if (!size || std::ranges::any_of(line, [](char c) { return IsControl(c) && c != '\t'; })) {
    return Refuse(400, "a chunk's size is malformed");
  }
  if (*size > limits_.body_bytes_max - request_.body.size()) {
    return Refuse(413, fmt::format("the request's body exceeds {} bytes", limits_.body_bytes_max));
  }
  remaining_ = *size;
  step_ = *size == 0 ? BodyStep::kTrailer : BodyStep::kChunkData;
  return true;
}

}  // namespace orrery::net
