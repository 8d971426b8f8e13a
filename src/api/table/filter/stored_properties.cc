#include "api/table/filter/stored_properties.h"

#include "api/table/entity/etag.h"
#include "api/table/entity/stored_entity.h"

namespace orrery::table {

std::optional<EdmValue> StoredProperties::Read(const std::string& name) const {
  if (name == "PartitionKey")
    return EdmValue::String(std::string(KeyOf(document_, kPartitionKeyField)));
  if (name == "RowKey") return EdmValue::String(std::string(KeyOf(document_, kRowKeyField)));
  if (name == "Timestamp") return EdmValue::DateTime(TicksOf(time_));
  const auto field = document_.Find(FieldOf(name));
  return field.has_value() ? StoredValue(*field) : std::nullopt;
}

}  // namespace orrery::table
