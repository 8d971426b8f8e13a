#include "model/sql/identity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "model/document/json.h"
#include "model/number/number.h"
#include "model/sql/json_type.h"

namespace orrery::model::sql {
namespace {

template <typename T>
void AppendRaw(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void AppendText(std::string& out, std::string_view text) {
  AppendRaw(out, uint64_t{text.size()});
  out += text;
}

void AppendFields(std::string& out, const Fields& fields) {
  std::vector<const Field*> sorted;
  sorted.reserve(fields.size());
  for (const Field& field : fields) {
    if (!field.value.is_undefined()) sorted.push_back(&field);
  }
  std::ranges::sort(sorted, {}, &Field::name);
  AppendRaw(out, uint64_t{sorted.size()});
  for (const Field* field : sorted) {
    AppendText(out, field->name);
    AppendIdentity(out, field->value);
  }
}

}  // namespace

void AppendIdentity(std::string& out, const Value& value) {
  const JsonType type = TypeOf(value);
  out.push_back(static_cast<char>(type));
  switch (type) {
    case JsonType::kUndefined:
    case JsonType::kNull:
      return;
    case JsonType::kBool:
      out.push_back(static_cast<char>(value.AsBool()));
      return;
    case JsonType::kNumber: {
      double number = ToDouble(value);
      if (number == 0) number = 0;  // -0 too
      if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
      AppendRaw(out, number);
      return;
    }
    case JsonType::kString:
      AppendText(out, value.AsString());
      return;
    case JsonType::kArray:
      AppendRaw(out, uint64_t{value.AsValues().size()});
      for (const Value& element : value.AsValues()) AppendIdentity(out, element);
      return;
    case JsonType::kObject:
      AppendFields(out, value.AsFields());
      return;
    case JsonType::kForeign:
      out.push_back(static_cast<char>(value.kind()));
      AppendText(out, ToJson(value));
      return;
  }
}

std::string IdentityOf(const Value& value) {
  std::string identity;
  AppendIdentity(identity, value);
  return identity;
}

}  // namespace orrery::model::sql
