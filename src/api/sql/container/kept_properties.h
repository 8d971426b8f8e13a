// The properties that this API keeps about a database or container and the core does not interpret:
// one field, "sql", of the entry's extra document. Other fields there belong to others and stay as
// they are.
//
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

// An object; empty when nothing is kept.
model::Value KeptProperties(const std::optional<model::Document>& extra);

// One of them, without a look at the others; undefined for none.
model::Value KeptProperty(const std::optional<model::Document>& extra, std::string_view name);

// `extra` with `kept` in the place of what was kept. REQUIRES: kept is an object.
model::Document WithKeptProperties(const std::optional<model::Document>& extra,
                                   const model::Value& kept);

// Sets or, for undefined, removes a field of an object. REQUIRES: object is one.
void SetField(model::Value& object, std::string_view name, model::Value value);

// A field that is a string, or a whole number. What is missing or something else counts as empty.
std::string TextField(const model::Value& object, std::string_view name);
int64_t NumberField(const model::Value& object, std::string_view name);

}  // namespace orrery::sql
