// Converts answers of the gateway's scans to pages of sources.
#pragma once

#include <optional>

#include "api/cassandra/executor/read/row_source.h"
#include "gateway/row/row_requests.h"

namespace orrery::cassandra {

CqlResult<SourcePage> PageOf(gateway::RowScanResponse response, const item::PageLimits& limits);

// Nothing for kWouldBlock, as RowSource::Next has it.
CqlResult<std::optional<SourcePage>> ScanError(const Error& error);

}  // namespace orrery::cassandra
