#include "api/sql/offer/auto_upgrade.h"

#include <string_view>

#include "api/sql/container/kept_properties.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

constexpr std::string_view kKept = "autoscaleIncrement";

std::optional<int64_t> IntegerOf(const Value* value) {
  if (value == nullptr || (value->kind() != Kind::kInt32 && value->kind() != Kind::kInt64))
    return std::nullopt;
  return value->AsInteger();
}

const Value* ObjectAt(const Value* object, std::string_view name) {
  if (object == nullptr || object->kind() != Kind::kObject) return nullptr;
  return object->Find(name);
}

}  // namespace

std::optional<int64_t> IncrementIn(const Value* autopilot_settings) {
  const Value* policy = ObjectAt(autopilot_settings, "autoUpgradePolicy");
  return IntegerOf(ObjectAt(ObjectAt(policy, "throughputPolicy"), "incrementPercent"));
}

Value SeenIncrement(int64_t percent) {
  return Value::Object(
      {{"throughputPolicy", Value::Object({{"incrementPercent", Value::Int64(percent)}})}});
}

std::optional<int64_t> KeptIncrement(const std::optional<model::Document>& extra) {
  const Value kept = KeptProperty(extra, kKept);
  return IntegerOf(&kept);
}

model::Document WithIncrement(const std::optional<model::Document>& extra, int64_t percent) {
  Value kept = KeptProperties(extra);
  SetField(kept, kKept, Value::Int64(percent));
  return WithKeptProperties(extra, kept);
}

}  // namespace orrery::sql
