// Makes the statement of a command, for the statistics of statements: its name, collection and
// conditions, with '?' for each value. Empty for commands that ask and change no documents.
#pragma once

#include <string>

#include "api/mongo/command/command.h"

namespace orrery::mongo {

inline constexpr size_t kShapeBytesMax = 2'048;
inline constexpr size_t kShapeDepthMax = 16;

// Replaces what `shape` holds.
void WriteStatementShape(const Command& command, std::string& shape);

}  // namespace orrery::mongo
