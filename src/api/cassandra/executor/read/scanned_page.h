// What the gateway's scans answer, as sources give it on.
#pragma once

#include <optional>

#include "api/cassandra/executor/read/row_source.h"
#include "gateway/row/row_requests.h"

namespace orrery::cassandra {

CqlResult<SourcePage> PageOf(gateway::RowScanResponse response, const item::PageLimits& limits);

// Nothing for kWouldBlock, as RowSource::Next has it.
CqlResult<std::optional<SourcePage>> ScanError(const Error& error);

}  // namespace orrery::cassandra
