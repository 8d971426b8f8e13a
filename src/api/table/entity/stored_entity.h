// Entities as documents: the form in which Cosmos DB's own SQL API shows the entities of a table.
//
//   document := {"$pk": partition key, "$id": row key, "id": row key, ["ttl": seconds,]
//                name: {"$t": type, "$v": value}, ...}
//   type     := the number of an EdmType
//   value    := number       Int32, Double
//             | bool         Boolean
//             | string       String; Guid, 36 characters; Binary, base64;
//                            DateTime, ticks of 100 ns since the year 1, 20 digits;
//                            Int64, decimal, zeros before it up to 20 characters;
//                            Double that is not finite: "NaN", "Infinity", "-Infinity"
//
// A property whose name is one of the document's own ("id", "ttl", "_ts", ...) is stored under its
// name with a '$' behind it, which no property name has. The time of the last write is the item's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/table/entity/edm_value.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"

namespace orrery::table {

inline constexpr std::string_view kPartitionKeyField = "$pk";
inline constexpr std::string_view kRowKeyField = "$id";
inline constexpr std::string_view kIdField = "id";
inline constexpr std::string_view kTtlField = "ttl";
inline constexpr std::string_view kTypeField = "$t";
inline constexpr std::string_view kValueField = "$v";

// The container's paths.
inline constexpr std::string_view kPartitionKeyPath = "/'$pk'";

// Returns the field that holds a property.
std::string FieldOf(std::string_view property);
// Returns the property that a field holds; nullopt if it holds none.
std::optional<std::string_view> PropertyOf(std::string_view field);

// Begins a document with its keys.
void AppendKeys(model::DocumentBuilder& builder, std::string_view partition_key,
                std::string_view row_key);
void AppendProperty(model::DocumentBuilder& builder, std::string_view property,
                    const EdmValue& value);

// A stored property: its type and "$v".
struct TypedElement {
  EdmType type;
  model::ElementView value;
};
// Returns nullopt for what no entity has: another API may have written the document.
std::optional<TypedElement> TypedElementIn(const model::ElementView& field);
// The value of a field as it is stored; nullopt if it is none of its type.
std::optional<EdmValue> StoredValue(const TypedElement& stored);
std::optional<EdmValue> StoredValue(const model::ElementView& field);
// The value of "$v" that a value is stored as.
model::Value StoredForm(const EdmValue& value);

// The text form of an Int64 and of a DateTime.
std::string StoredInt64(int64_t value);
std::string StoredTicks(model::Ticks ticks);

// A key of a stored entity; empty if the document has none.
std::string_view KeyOf(model::DocumentView document, std::string_view field);

// Merges `changes` into `former`: every property of both, those of `changes` first.
model::Document MergeEntities(model::DocumentView former, model::DocumentView changes);

}  // namespace orrery::table
