#include "api/sql/request/partition_key_text.h"

#include <algorithm>
#include <utility>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

std::unexpected<Error> Malformed(std::string_view what) {
  return Fail(Code::kInvalidArgument,
              "the partition key is not a JSON array of values, such as "
              "[\"a\"] or [\"tenant\",5]: " +
                  std::string(what));
}

bool IsUndefined(const model::Value& value) { return value.is_undefined(); }

}  // namespace

Result<gateway::KeyValues> ParsePartitionKey(std::string_view json) {
  const auto value = model::ValueFromJson(json);
  if (!value.has_value()) return Malformed(value.error().message());
  return PartitionKeyFrom(*value);
}

Result<gateway::KeyValues> PartitionKeyFrom(const model::Value& json) {
  if (json.kind() != model::Kind::kArray) return Malformed("it is no array");
  gateway::KeyValues values;
  for (const model::Value& value : json.AsValues()) {
    if (value.kind() == model::Kind::kArray) return Malformed("a value is an array");
    if (value.kind() != model::Kind::kObject) {
      values.push_back(value);
    } else if (value.AsFields().empty()) {
      values.push_back(model::Value::Undefined());
    } else {
      return Malformed("a value is an object");
    }
  }
  return values;
}

gateway::KeyValues KeyFor(const gateway::ContainerEntry& container, gateway::KeyValues values) {
  const size_t paths = container.settings.partition_key_paths.size();
  const bool nothing = std::ranges::all_of(values, IsUndefined);
  // Clients write [{}] for "none", also where there is no path.
  if (nothing && values.size() <= 1) return gateway::KeyValues(paths);
  return values;
}

std::string PartitionKeyText(const gateway::KeyValues& values) {
  std::string text = "[";
  for (const model::Value& value : values) {
    if (text.size() > 1) text += ',';
    if (value.is_undefined()) {
      text += "{}";
    } else {
      model::AppendJson(text, value);
    }
  }
  return text + "]";
}

}  // namespace orrery::sql
