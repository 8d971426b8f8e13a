#include "base/metrics_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/check.h"

namespace orrery {
namespace {

bool IsNameChar(char c, bool first) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (!first && c >= '0' && c <= '9');
}

// Colons are legal in metric names too, but reserved for recording rules.
bool IsName(std::string_view name) {
  if (name.empty()) return false;
  for (size_t i = 0; i < name.size(); ++i) {
    if (!IsNameChar(name[i], i == 0)) return false;
  }
  return true;
}

void AppendEscaped(std::string& out, std::string_view text, bool escape_quotes) {
  for (const char c : text) {
    if (c == '\\') {
      out.append("\\\\");
    } else if (c == '\n') {
      out.append("\\n");
    } else if (c == '"' && escape_quotes) {
      out.append("\\\"");
    } else {
      out.push_back(c);
    }
  }
}

std::string FormatNumber(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  // Whole numbers up to 2^53 are exact in a double: write them as a reader expects to see counts.
  constexpr double kExactMax = 9007199254740992.0;
  if (value == std::trunc(value) && std::abs(value) <= kExactMax) {
    return fmt::format("{}", static_cast<int64_t>(value));
  }
  return fmt::format("{}", value);
}

void AppendSample(std::string& out, std::string_view name, std::string_view suffix,
                  const MetricLabels& labels, std::string_view bound, double value) {
  out.append(name).append(suffix);
  char separator = '{';
  for (const auto& [label, text] : labels) {
    ORRERY_CHECK(IsName(label));
    out.push_back(separator);
    out.append(label).append("=\"");
    AppendEscaped(out, text, /*escape_quotes=*/true);
    out.push_back('"');
    separator = ',';
  }
  if (!bound.empty()) {
    out.push_back(separator);
    out.append("le=\"").append(bound).append("\"");
    separator = ',';
  }
  if (separator == ',') out.push_back('}');
  out.push_back(' ');
  out.append(FormatNumber(value));
  out.push_back('\n');
}

std::string_view KindName(MetricKind kind) {
  switch (kind) {
    case MetricKind::kCounter:
      return "counter";
    case MetricKind::kGauge:
      return "gauge";
    case MetricKind::kHistogram:
      return "histogram";
  }
  return "untyped";
}

}  // namespace

std::string& MetricsText::Samples(MetricKind kind, std::string_view name, std::string_view help) {
  auto found = families_.find(name);
  if (found == families_.end()) {
    ORRERY_CHECK(IsName(name));
    found = families_.emplace(std::string(name), Family{kind, std::string(help), {}}).first;
  }
  ORRERY_CHECK(found->second.kind == kind);
  return found->second.samples;
}

void MetricsText::AddCounter(std::string_view name, std::string_view help,
                             const MetricLabels& labels, double value) {
  AppendSample(Samples(MetricKind::kCounter, name, help), name, "", labels, "", value);
}

void MetricsText::AddGauge(std::string_view name, std::string_view help, const MetricLabels& labels,
                           double value) {
  AppendSample(Samples(MetricKind::kGauge, name, help), name, "", labels, "", value);
}

void MetricsText::AddHistogram(std::string_view name, std::string_view help,
                               const MetricLabels& labels, std::span<const double> bounds,
                               std::span<const uint64_t> counts, double sum) {
  ORRERY_CHECK(counts.size() == bounds.size() + 1);
  std::string& samples = Samples(MetricKind::kHistogram, name, help);
  uint64_t seen = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    seen += counts[i];
    const std::string bound = i < bounds.size() ? FormatNumber(bounds[i]) : "+Inf";
    AppendSample(samples, name, "_bucket", labels, bound, static_cast<double>(seen));
  }
  AppendSample(samples, name, "_sum", labels, "", sum);
  AppendSample(samples, name, "_count", labels, "", static_cast<double>(seen));
}

std::string MetricsText::Render() const {
  std::string out;
  for (const auto& [name, family] : families_) {
    out.append("# HELP ").append(name).append(" ");
    AppendEscaped(out, family.help, /*escape_quotes=*/false);
    fmt::format_to(std::back_inserter(out), "\n# TYPE {} {}\n", name, KindName(family.kind));
    out.append(family.samples);
  }
  return out;
}

}  // namespace orrery
