// EdmType is the type of an entity's property, as OData names it and as stored entities number it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery::table {

// The numbers are stored (stored_entity.h): never change one.
enum class EdmType : uint8_t {
  kGuid = 0,
  kDouble = 1,
  kString = 2,
  kBinary = 5,
  kBoolean = 8,
  kDateTime = 9,
  kInt32 = 16,
  kInt64 = 18,
};

// "Edm.Guid"
std::string_view NameOf(EdmType type);
std::optional<EdmType> EdmTypeNamed(std::string_view name);
// nullopt if the number stands for no type.
std::optional<EdmType> EdmTypeNumbered(int64_t number);

// Returns whether answers with minimal metadata name the type: it cannot be told from the JSON
// value.
bool IsAnnotated(EdmType type);

}  // namespace orrery::table
