#include "api/table/executor/service_properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "api/table/protocol/header_text.h"
#include "api/table/protocol/kept_field.h"

namespace orrery::table {
namespace {

constexpr std::string_view kField = "properties";
constexpr int kRetentionDaysMax = 365;
constexpr std::array<std::string_view, 5> kParts = {"Logging", "HourMetrics", "MinuteMetrics",
                                                    "Cors", "DefaultServiceVersion"};
constexpr std::array<std::string_view, 9> kMethods = {"DELETE",  "GET", "HEAD",  "MERGE",  "POST",
                                                      "OPTIONS", "PUT", "PATCH", "CONNECT"};
constexpr std::string_view kDefaults =
    "<StorageServiceProperties>"
    "<Logging><Version>1.0</Version><Delete>false</Delete><Read>false</Read><Write>false</Write>"
    "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></Logging>"
    "<HourMetrics><Version>1.0</Version><Enabled>false</Enabled>"
    "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></HourMetrics>"
    "<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled>"
    "<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy></MinuteMetrics>"
    "<Cors /></StorageServiceProperties>";

std::unexpected<ErrorResponse> BadProperties(std::string_view what) {
  return Refuse(ErrorCode::kInvalidXmlDocument,
                fmt::format("XML specified is not valid: {}.", what));
}

std::optional<int> NumberOf(const std::optional<std::string>& text) {
  int number = 0;
  if (!text.has_value()) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return number;
}

bool IsTrue(const XmlElement& element, std::string_view child) {
  return element.TextOf(child) == "true";
}

Outcome<void> CheckRetention(const XmlElement& element) {
  const XmlElement* const policy = element.Find("RetentionPolicy");
  if (policy == nullptr || !IsTrue(*policy, "Enabled")) return {};
  const auto days = NumberOf(policy->TextOf("Days"));
  if (!days.has_value() || *days < 1 || *days > kRetentionDaysMax)
    return BadProperties(fmt::format("Days must be from 1 to {}", kRetentionDaysMax));
  return {};
}

Outcome<void> CheckMetrics(const XmlElement& metrics) {
  TABLE_TRY(CheckRetention(metrics));
  if (IsTrue(metrics, "Enabled") && metrics.Find("IncludeAPIs") == nullptr)
    return BadProperties("IncludeAPIs is required where metrics are enabled");
  return {};
}

Outcome<void> CheckMethods(std::string_view list) {
  for (const std::string_view method : SplitList(list)) {
    if (std::ranges::find(kMethods, method) == kMethods.end())
      return BadProperties(fmt::format("'{}' is no method", method));
  }
  return {};
}

Outcome<void> CheckCors(const XmlElement& cors) {
  if (cors.children.size() > kCorsRulesMax) return BadProperties("there are at most 5 CORS rules");
  for (const XmlElement& rule : cors.children) {
    if (rule.name != "CorsRule") return BadProperties("CorsRule is expected");
    if (rule.TextOf("AllowedOrigins").value_or("").empty())
      return BadProperties("a CORS rule needs AllowedOrigins");
    TABLE_TRY(CheckMethods(rule.TextOf("AllowedMethods").value_or("")));
    const auto age = NumberOf(rule.TextOf("MaxAgeInSeconds"));
    if (!age.has_value() || *age < 0) return BadProperties("a CORS rule needs MaxAgeInSeconds");
  }
  return {};
}

Outcome<void> CheckPart(const XmlElement& part) {
  if (part.name == "Logging") return CheckRetention(part);
  if (part.name == "HourMetrics" || part.name == "MinuteMetrics") return CheckMetrics(part);
  if (part.name == "Cors") return CheckCors(part);
  return {};
}

}  // namespace

XmlElement KeptProperties(const std::optional<model::Document>& extra) {
  const model::Value kept = KeptField(extra, kField);
  if (kept.kind() == model::Kind::kString)
    if (auto read = ReadXml(kept.AsString()); read.has_value()) return *std::move(read);
  return *ReadXml(kDefaults);
}

Outcome<XmlElement> ChangedProperties(XmlElement kept, std::string_view text) {
  TABLE_ASSIGN(XmlElement given, ReadXml(text));
  if (given.name != "StorageServiceProperties")
    return BadProperties("StorageServiceProperties is expected");
  for (XmlElement& part : given.children) {
    if (std::ranges::find(kParts, part.name) == kParts.end())
      return BadProperties(fmt::format("there is no property {}", part.name));
    TABLE_TRY(CheckPart(part));
    const auto former = std::ranges::find(kept.children, part.name, &XmlElement::name);
    if (former == kept.children.end()) {
      kept.children.push_back(std::move(part));
    } else {
      *former = std::move(part);
    }
  }
  return kept;
}

model::Document WithProperties(const std::optional<model::Document>& extra,
                               const XmlElement& properties) {
  return WithKeptField(extra, kField, model::Value::String(XmlText(properties)));
}

}  // namespace orrery::table
