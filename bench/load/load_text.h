// Formats the measurements of a run for people and for programs. The settings around it are each
// generator's own.
#pragma once

#include <cstdint>
#include <string>

#include "load/load_run.h"

namespace orrery::bench {

// Formats the codes of a protocol's errors.
using CodeText = std::string (*)(int32_t code);

// A few lines, each "what: figures".
std::string LoadText(const LoadReport& load, CodeText code_text);
// The fields of a JSON object, without its braces: figures with their units in the names.
std::string LoadJson(const LoadReport& load, CodeText code_text);

}  // namespace orrery::bench
