// Values and JSON of the server as values of a script. README.md has the table.
#pragma once

#include <jsapi.h>

#include <string_view>

#include "model/value.h"
#include "script/datum.h"

namespace orrery::script {

// New objects belong to the current realm. False with an exception pending: no memory, or deeper
// than kValueDepthMax.
bool ToScript(JSContext* cx, const model::Value& value, JS::MutableHandleValue out);
bool JsonToScript(JSContext* cx, std::string_view json, JS::MutableHandleValue out);
bool ToScript(JSContext* cx, const Datum& datum, JS::MutableHandleValue out);

}  // namespace orrery::script
