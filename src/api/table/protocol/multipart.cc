#include "api/table/protocol/multipart.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "api/table/protocol/header_text.h"

namespace orrery::table {
namespace {

constexpr size_t kBoundaryBytesMax = 200;
constexpr size_t kPartHeadersMax = 64;

std::unexpected<ErrorResponse> BadBatch(std::string_view what) {
  return Refuse(ErrorCode::kInvalidInput,
                fmt::format("One of the request inputs is not valid: the batch {}.", what));
}

// Cuts the first line off, without its end.
std::string_view TakeLine(std::string_view& rest) {
  const size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The boundary of "multipart/mixed; boundary=x"; nullopt if it is another type.
std::optional<std::string> BoundaryOf(std::string_view content_type) {
  const std::string_view type = Trimmed(content_type.substr(0, content_type.find(';')));
  if (!net::EqualsIgnoringCase(type, "multipart/mixed")) return std::nullopt;
  constexpr std::string_view kName = "boundary=";
  for (size_t at = content_type.find(';'); at != std::string_view::npos;
       at = content_type.find(';', at + 1)) {
    std::string_view parameter = content_type.substr(at + 1);
    parameter = Trimmed(parameter.substr(0, parameter.find(';')));
    if (parameter.size() <= kName.size() ||
        !net::EqualsIgnoringCase(parameter.substr(0, kName.size()), kName))
      continue;
    parameter.remove_prefix(kName.size());
    if (parameter.size() > 1 && parameter.starts_with('"') && parameter.ends_with('"'))
      parameter = parameter.substr(1, parameter.size() - 2);
    if (parameter.empty() || parameter.size() > kBoundaryBytesMax) return std::nullopt;
    return std::string(parameter);
  }
  return std::nullopt;
}

// The text between lines that begin with the boundary.
Outcome<std::vector<std::string_view>> SectionsOf(std::string_view body,
                                                  const std::string& boundary) {
  const std::string mark = "--" + boundary;
  std::vector<std::string_view> sections;
  std::optional<size_t> begin;  // of the section
  for (size_t at = 0; at < body.size();) {
    std::string_view rest = body.substr(at);
    const std::string_view line = TakeLine(rest);
    const size_t next = body.size() - rest.size();
    if (line.starts_with(mark)) {
      const std::string_view end = Trimmed(line.substr(mark.size()));
      if (end.empty() || end == "--") {
        if (begin.has_value()) sections.push_back(body.substr(*begin, at - *begin));
        if (end == "--" || sections.size() >= kPartsReadMax) return sections;
        begin = next;
      }
    }
    at = next;
  }
  return BadBatch("has no last boundary");
}

// Cuts the headers and the empty line behind them off.
Outcome<net::HttpHeaders> TakeHeaders(std::string_view& rest) {
  net::HttpHeaders headers;
  while (!rest.empty()) {
    const std::string_view line = TakeLine(rest);
    if (Trimmed(line).empty()) return headers;
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0 || headers.size() == kPartHeadersMax)
      return BadBatch("has a malformed header");
    headers.Add(Trimmed(line.substr(0, colon)), Trimmed(line.substr(colon + 1)));
  }
  return headers;
}

Outcome<BatchPart> RequestOf(std::string_view rest, bool is_in_changeset) {
  while (rest.starts_with('\r') || rest.starts_with('\n')) rest.remove_prefix(1);
  const std::string_view line = TakeLine(rest);
  const size_t first = line.find(' ');
  if (first == std::string_view::npos) return BadBatch("has a part without a request line");
  std::string_view target = line.substr(first + 1);
  constexpr std::string_view kVersion = " HTTP/";
  if (const size_t version = target.rfind(kVersion); version != std::string_view::npos)
    target = target.substr(0, version);
  BatchPart part{.method = std::string(line.substr(0, first)),
                 .target = std::string(Trimmed(target)),
                 .is_in_changeset = is_in_changeset};
  TABLE_ASSIGN(part.headers, TakeHeaders(rest));
  part.content = Trimmed(rest);
  return part;
}

Outcome<void> AddParts(std::string_view body, const std::string& boundary, bool is_in_changeset,
                       std::vector<BatchPart>& parts) {
  TABLE_ASSIGN(const auto sections, SectionsOf(body, boundary));
  for (std::string_view section : sections) {
    TABLE_ASSIGN(const net::HttpHeaders headers, TakeHeaders(section));
    const std::string_view type = headers.Find("content-type").value_or("");
    if (const auto inner = BoundaryOf(type); inner.has_value()) {
      if (is_in_changeset) return BadBatch("has a changeset within another");
      TABLE_TRY(AddParts(section, *inner, /*is_in_changeset=*/true, parts));
      continue;
    }
    if (!type.empty() &&
        !net::EqualsIgnoringCase(Trimmed(type.substr(0, type.find(';'))), "application/http"))
      return BadBatch("has a part that is not of the type application/http");
    if (parts.size() == kPartsReadMax) return {};
    TABLE_ASSIGN(BatchPart part, RequestOf(section, is_in_changeset));
    parts.push_back(std::move(part));
  }
  return {};
}

}  // namespace

Outcome<std::vector<BatchPart>> ReadMultipart(std::string_view content_type,
                                              std::string_view body) {
  const auto boundary = BoundaryOf(content_type);
  if (!boundary.has_value())
    return BadBatch("is not said to be multipart/mixed with a boundary, in Content-Type");
  std::vector<BatchPart> parts;
  TABLE_TRY(AddParts(body, *boundary, /*is_in_changeset=*/false, parts));
  return parts;
}

}  // namespace orrery::table
