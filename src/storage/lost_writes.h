// The choice to open engines although write-ahead logs are missing, cut or damaged.
#pragma once

namespace orrery::storage {

class EngineResources;

// From now on engines whose logs are not whole are opened without the acknowledged writes that were
// there, and the log says so; else that is kCorruption. Before the first engine is opened.
void AcceptLostWrites(EngineResources& resources);

}  // namespace orrery::storage
