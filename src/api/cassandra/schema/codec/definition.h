// The header of all definitions that this API keeps in the catalog: whose they are, and in which
// version they were written.
#pragma once

#include <optional>

#include "api/cassandra/schema/codec/fields.h"
#include "base/status.h"
#include "model/document/document.h"

namespace orrery::cassandra {

inline constexpr int64_t kDefinitionVersion = 1;

// Returns whether a database or container is one of ours.
bool IsOurs(const std::optional<model::Document>& extra);

void AppendHead(model::DocumentBuilder& builder);
// kUnsupported when a newer version wrote it.
Status CheckVersion(const Fields& fields);

}  // namespace orrery::cassandra
