#include "api/table/auth/policy_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/table/entity/edm_value.h"
#include "api/table/protocol/xml.h"

namespace orrery::table {
namespace {

constexpr std::string_view kPermissions = "raud";

std::unexpected<ErrorResponse> BadPolicy(std::string_view what) {
  return Refuse(ErrorCode::kInvalidXmlDocument,
                fmt::format("XML specified is not valid: {}.", what));
}

// Times come back with seven digits of a second.
Outcome<std::optional<std::string>> TimeOf(const XmlElement& policy, std::string_view name) {
  auto text = policy.TextOf(name);
  if (!text.has_value() || text->empty()) return std::nullopt;
  const auto ticks = ParseEdmDateTime(*text);
  if (!ticks.has_value())
    return BadPolicy(fmt::format("{} is no time, such as 2026-01-31T00:00:00Z", name));
  return std::optional(model::FormatTicks(*ticks));
}

Outcome<AccessPolicy> PolicyOf(const XmlElement& identifier) {
  AccessPolicy policy{.id = identifier.TextOf("Id").value_or("")};
  if (policy.id.empty() || policy.id.size() > kPolicyIdBytesMax)
    return BadPolicy(fmt::format("an Id must have 1 to {} characters", kPolicyIdBytesMax));
  const XmlElement* const inner = identifier.Find("AccessPolicy");
  if (inner == nullptr) return policy;
  policy.has_policy = true;
  TABLE_ASSIGN(policy.start, TimeOf(*inner, "Start"));
  TABLE_ASSIGN(policy.expiry, TimeOf(*inner, "Expiry"));
  policy.permission = inner->TextOf("Permission");
  const bool is_good =
      !policy.permission.has_value() || std::ranges::all_of(*policy.permission, [](char c) {
        return kPermissions.find(c) != std::string_view::npos;
      });
  if (!is_good) return BadPolicy("Permission may have r, a, u and d");
  return policy;
}

}  // namespace

Outcome<std::vector<AccessPolicy>> ReadPoliciesXml(std::string_view text) {
  std::vector<AccessPolicy> policies;
  if (text.empty()) return policies;
  TABLE_ASSIGN(const XmlElement root, ReadXml(text));
  if (root.name != "SignedIdentifiers") return BadPolicy("SignedIdentifiers is expected");
  for (const XmlElement& identifier : root.children) {
    if (identifier.name != "SignedIdentifier") return BadPolicy("SignedIdentifier is expected");
    if (policies.size() == kPoliciesMax) return BadPolicy("a table has at most 5 access policies");
    TABLE_ASSIGN(AccessPolicy policy, PolicyOf(identifier));
    policies.push_back(std::move(policy));
  }
  return policies;
}

std::string PoliciesXml(const std::vector<AccessPolicy>& policies) {
  XmlElement root{.name = "SignedIdentifiers"};
  for (const AccessPolicy& policy : policies) {
    XmlElement identifier{.name = "SignedIdentifier"};
    identifier.children.push_back({.name = "Id", .text = policy.id});
    XmlElement inner{.name = "AccessPolicy"};
    const auto add = [&](const char* name, const std::optional<std::string>& text) {
      if (text.has_value()) inner.children.push_back({.name = name, .text = *text});
    };
    add("Start", policy.start);
    add("Expiry", policy.expiry);
    add("Permission", policy.permission);
    if (policy.has_policy) identifier.children.push_back(std::move(inner));
    root.children.push_back(std::move(identifier));
  }
  return XmlText(root);
}

}  // namespace orrery::table
