// A Datum is what crosses the border between the server and a script: a value, or JSON text.
//
// JSON is the fast path for documents: it is parsed and written by the engine itself, without a
// model::Value in between. README.md has the table of conversions for values.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "model/value.h"

namespace orrery::script {

struct Json {
  std::string text;
  friend bool operator==(const Json&, const Json&) = default;
};

using Datum = std::variant<model::Value, Json>;

// The form in which the receiver wants what a script made.
enum class DatumForm : uint8_t { kValue, kJson };

}  // namespace orrery::script
