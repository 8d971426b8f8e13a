#include "api/table/auth/access_policy.h"

#include <utility>

#include "api/table/protocol/kept_field.h"

namespace orrery::table {
namespace {

using model::Value;

constexpr std::string_view kAcl = "acl";

std::optional<std::string> TextOf(const Value& object, std::string_view name) {
  const Value* text = object.Find(name);
  if (text == nullptr || text->kind() != model::Kind::kString) return std::nullopt;
  return text->AsString();
}

}  // namespace

std::vector<AccessPolicy> KeptPolicies(const std::optional<model::Document>& extra) {
  std::vector<AccessPolicy> policies;
  const Value kept = KeptField(extra, kAcl);
  if (kept.kind() != model::Kind::kArray) return policies;
  for (const Value& each : kept.AsValues()) {
    const Value* has_policy = each.Find("hasPolicy");
    policies.push_back({.id = TextOf(each, "id").value_or(""),
                        .has_policy = has_policy != nullptr &&
                                      has_policy->kind() == model::Kind::kBool &&
                                      has_policy->AsBool(),
                        .start = TextOf(each, "start"),
                        .expiry = TextOf(each, "expiry"),
                        .permission = TextOf(each, "permission")});
  }
  return policies;
}

model::Document WithPolicies(const std::optional<model::Document>& extra,
                             const std::vector<AccessPolicy>& policies) {
  model::Values kept;
  for (const AccessPolicy& policy : policies) {
    Value each = Value::Object(
        {{"id", Value::String(policy.id)}, {"hasPolicy", Value::Bool(policy.has_policy)}});
    const auto add = [&](const char* name, const std::optional<std::string>& text) {
      if (text.has_value()) each.MutableFields().push_back({name, Value::String(*text)});
    };
    add("start", policy.start);
    add("expiry", policy.expiry);
    add("permission", policy.permission);
    kept.push_back(std::move(each));
  }
  return WithKeptField(extra, kAcl, Value::Array(std::move(kept)));
}

}  // namespace orrery::table
