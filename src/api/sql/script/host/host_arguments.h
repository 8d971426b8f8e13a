// The arguments of host functions, which come as JSON texts, and their options as typed values.
//
// Arguments of a script are foreign: anything invalid is kInvalidArgument.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/status.h"
#include "model/document/document.h"
#include "model/value.h"
#include "script/host.h"

namespace orrery::sql {

// Undefined (null) when it is not there.
Result<model::Value> ValueArgument(const script::HostCall& call, size_t index);
Result<std::string> TextArgument(const script::HostCall& call, size_t index, std::string_view what);
Result<model::Document> DocumentArgument(const script::HostCall& call, size_t index);

// A field of options, which may be no object at all; empty when there is none.
std::string TextOption(const model::Value& options, std::string_view name);
// {etag: ..}: nullopt without one. One that is no etag of ours matches nothing.
std::optional<Lsn> EtagOption(const model::Value& options, std::string_view name);
// {pageSize: ..} within [1, most]; without one, or with -1, `otherwise`.
size_t PageSizeOption(const model::Value& options, size_t otherwise, size_t most);

}  // namespace orrery::sql
