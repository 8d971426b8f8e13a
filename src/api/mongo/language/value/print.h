// Values as MongoDB's error texts show them.
#pragma once

#include <string>
#include <string_view>

#include "model/value.h"

namespace orrery::mongo {

// `{ a: 1, b: [ "x" ] }`, as BSON documents are shown.
std::string PrintBson(const model::Value& value);
// `a: 1`, as an element of a document is shown.
std::string PrintElement(std::string_view name, const model::Value& value);
// `{a: 1, b: ["x"]}`, as values of expressions are shown.
std::string PrintValue(const model::Value& value);

}  // namespace orrery::mongo
