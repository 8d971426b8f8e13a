#include "api/table/entity/edm_type.h"

namespace orrery::table {
namespace {

struct TypeName {
  EdmType type;
  std::string_view name;
};
constexpr TypeName kNames[] = {
    {EdmType::kString, "Edm.String"},   {EdmType::kInt32, "Edm.Int32"},
    {EdmType::kInt64, "Edm.Int64"},     {EdmType::kDouble, "Edm.Double"},
    {EdmType::kBoolean, "Edm.Boolean"}, {EdmType::kDateTime, "Edm.DateTime"},
    {EdmType::kGuid, "Edm.Guid"},       {EdmType::kBinary, "Edm.Binary"},
};

}  // namespace

std::string_view NameOf(EdmType type) {
  for (const TypeName& each : kNames)
    if (each.type == type) return each.name;
  return kNames[0].name;
}

std::optional<EdmType> EdmTypeNamed(std::string_view name) {
  for (const TypeName& each : kNames)
    if (each.name == name) return each.type;
  return std::nullopt;
}

std::optional<EdmType> EdmTypeNumbered(int64_t number) {
  for (const TypeName& each : kNames)
    if (static_cast<int64_t>(each.type) == number) return each.type;
  return std::nullopt;
}

bool IsAnnotated(EdmType type) {
  return type == EdmType::kInt64 || type == EdmType::kDateTime || type == EdmType::kGuid ||
         type == EdmType::kBinary;
}

}  // namespace orrery::table
