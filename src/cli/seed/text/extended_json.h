// MongoDB's extended JSON (canonical and relaxed, version 2, and the dates and binaries of version
// 1) as values, and back: what mongoexport writes and mongoimport reads. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::cli {

// kInvalidArgument names the first that is malformed.
Result<model::Value> FromExtendedJson(model::Value value);
Result<model::Document> ReadExtendedJson(std::string_view text);

// Canonical: every type survives.
std::string ToExtendedJson(model::DocumentView document);

}  // namespace orrery::cli
