#include "net/http/http_message.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace orrery::net {
namespace {

constexpr size_t kFieldsUsual = 16;
constexpr size_t kTextBytesUsual = 512;

char LowerCase(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

void AppendJsonString(std::string& out, std::string_view text) {
  out.push_back('"');
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out.append(fmt::format("\\u{:04x}", static_cast<unsigned>(c)));
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

}  // namespace

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return LowerCase(x) == LowerCase(y);
         });
}

HttpHeaders::HttpHeaders(
    std::initializer_list<std::pair<std::string_view, std::string_view>> headers) {
  for (const auto& [name, value] : headers) Add(name, value);
}

void HttpHeaders::Add(std::string_view name, std::string_view value) {
  // Offsets are 32 bits wide; whoever adds foreign headers limits them to kilobytes first.
  ORRERY_CHECK(text_.size() + name.size() + value.size() < UINT32_MAX);
  if (fields_.empty()) {
    // Most messages need this many: growing step by step costs more than all the copying.
    fields_.reserve(kFieldsUsual);
    text_.reserve(kTextBytesUsual);
  }
  fields_.push_back({static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(name.size()),
                     static_cast<uint32_t>(value.size())});
  text_.append(name).append(value);
}

std::optional<std::string_view> HttpHeaders::Find(std::string_view wanted) const {
  for (size_t i = 0; i < size(); ++i) {
    // Most names differ in length already, and requests have dozens of headers to look for.
    if (fields_[i].name_size == wanted.size() && EqualsIgnoringCase(name(i), wanted))
      return value(i);
  }
  return std::nullopt;
}

size_t HttpHeaders::Count(std::string_view wanted) const {
  size_t count = 0;
  for (size_t i = 0; i < size(); ++i) count += EqualsIgnoringCase(name(i), wanted) ? 1 : 0;
  return count;
}

std::string_view HttpHeaders::name(size_t index) const {
  const Field& field = fields_[index];
  return std::string_view(text_).substr(field.offset, field.name_size);
}

std::string_view HttpHeaders::value(size_t index) const {
  const Field& field = fields_[index];
  return std::string_view(text_).substr(field.offset + field.name_size, field.value_size);
}

std::optional<std::string_view> HttpRequest::Query(std::string_view name) const {
  const auto found = std::ranges::find(query, name, &QueryParameter::name);
  if (found == query.end()) return std::nullopt;
  return found->value;
}

HttpResponse HttpResponse::Json(int status, std::string body) {
  return {
      .status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

HttpResponse HttpResponse::Text(int status, std::string body) {
  return {.status = status,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
          .body = std::move(body)};
}

HttpResponse HttpResponse::JsonError(int status, std::string_view code, std::string_view message) {
  std::string body = "{\"code\":";
  AppendJsonString(body, code);
  body.append(",\"message\":");
  AppendJsonString(body, message);
  body.push_back('}');
  return Json(status, std::move(body));
}

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 101:
      return "Switching Protocols";
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 207:
      return "Multi-Status";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 307:
      return "Temporary Redirect";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 411:
      return "Length Required";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 416:
      return "Range Not Satisfiable";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 424:
      return "Failed Dependency";
    case 426:
      return "Upgrade Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 449:
      return "Retry With";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    case 507:
      return "Insufficient Storage";
    default:
      return "Unknown";
  }
}

}  // namespace orrery::net
