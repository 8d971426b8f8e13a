#include "api/table/entity/etag.h"

#include "net/http/url.h"

namespace orrery::table {
namespace {

constexpr std::string_view kBegin = "W/\"datetime'";
constexpr std::string_view kEnd = "'\"";

}  // namespace

model::Ticks TicksOf(Micros time) { return time.count() * model::kTicksPerMicrosecond; }

std::string FormatTimestamp(Micros time) { return model::FormatTicks(TicksOf(time)); }

std::string FormatEtag(Micros time) { return EtagOf(FormatTimestamp(time)); }

std::string EtagOf(std::string_view timestamp) {
  constexpr std::string_view kEncodedColon = "%3A";
  std::string etag;
  etag.reserve(kBegin.size() + timestamp.size() + 2 * kEncodedColon.size() + kEnd.size());
  etag += kBegin;
  for (const char c : timestamp) {
    if (c == ':') {
      etag += kEncodedColon;
    } else {
      etag += c;
    }
  }
  return etag += kEnd;
}

std::optional<Micros> ParseEtag(std::string_view text) {
  if (!text.starts_with(kBegin) || !text.ends_with(kEnd) ||
      text.size() < kBegin.size() + kEnd.size())
    return std::nullopt;
  text = text.substr(kBegin.size(), text.size() - kBegin.size() - kEnd.size());
  const auto decoded = net::PercentDecode(text);
  if (!decoded.has_value()) return std::nullopt;
  const auto ticks = model::ParseTicks(*decoded);
  if (!ticks.has_value()) return std::nullopt;
  if (*ticks % model::kTicksPerMicrosecond != 0) return Micros(-1);
  return Micros(*ticks / model::kTicksPerMicrosecond);
}

}  // namespace orrery::table
