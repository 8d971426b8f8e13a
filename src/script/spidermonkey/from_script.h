// Values that a script made, as values or JSON of the server. README.md has the table.
//
// Reading can run script code (getters, proxies, toJSON): it is part of the run and under its
// limits. What comes out is bounded by an OutputBudget.
#pragma once

#include <jsapi.h>

#include <string>

#include "model/value.h"
#include "script/datum.h"

namespace orrery::script {

struct OutputBudget {
  size_t bytes_left = 0;
  bool exceeded = false;  // also when nested too deeply
};

// False with an exception pending, which the script threw or which says that the budget was
// exceeded; or with none when the run has ended.
bool FromScript(JSContext* cx, JS::HandleValue from, OutputBudget& budget, model::Value& out);

// As JSON.stringify writes it; what that leaves out altogether is "null". Lone surrogates are
// written as U+FFFD: other readers of JSON take them for an error.
bool JsonFromScript(JSContext* cx, JS::HandleValue from, OutputBudget& budget, std::string& out);

bool FromScript(JSContext* cx, JS::HandleValue from, DatumForm form, OutputBudget& budget,
                Datum& out);

}  // namespace orrery::script
