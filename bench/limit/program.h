// `orrery-bench limit`: the least that a CQL server could do, as a server: one event loop on one
// thread that takes frames, does one cached RocksDB Get for each EXECUTE and writes the row back.
// Inserts that it finds ready together are one write of RocksDB, which waits for no disk. With
// --protocol http the same for the reads of the SQL API, with mongo for finds by _id, with
// websocket for g.V(id).
//
// The load generator drives it exactly as it drives Orrery, and the ratio of the two rates says
// what everything above the bare event loop costs.
#pragma once

#include <span>
#include <string_view>

namespace orrery::bench {

// Serves until SIGINT or SIGTERM. Returns the exit code: 2 for wrong flags.
int RunLimitProgram(std::span<const std::string_view> words);

}  // namespace orrery::bench
