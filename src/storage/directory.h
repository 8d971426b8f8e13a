// Directories on the file system that the engines live on, for whoever keeps several engines: made,
// listed and removed through it, and durable where a promise hangs on the name.
//
// Thread-safe, as long as no two callers change the same directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace orrery::storage {

class EngineResources;

// Makes the directory when it is missing; its name is durable on return. The directory above it
// must exist.
Status MakeDirectory(EngineResources& resources, const std::string& path);

// Returns whether there is a file or a directory of that name.
Result<bool> Exists(EngineResources& resources, const std::string& path);

// The names in it, without "." and "..". kNotFound when there is no such directory.
Result<std::vector<std::string>> ListDirectory(EngineResources& resources, const std::string& path);

// Removes a file, or a directory with all it holds, down to kRemovedDepthMax below it. OK when
// there is none. What a power cut brings back of it may be removed again.
inline constexpr int kRemovedDepthMax = 4;
Status RemoveAll(EngineResources& resources, const std::string& path);

// Returns how many bytes can still be stored there; nullopt where the file system does not know.
std::optional<uint64_t> FreeBytes(EngineResources& resources, const std::string& path);

// Returns whether a small file can be written into the directory of an engine that is open here:
// tries it, and removes it. For stores that are full without knowing how much is free.
bool HasRoom(EngineResources& resources, const std::string& path);

}  // namespace orrery::storage
