// The form of log lines: text for people, or one JSON object a line for programs.
//
//   {"time":"2026-01-02T03:04:05.678Z","level":"info","message":"..."}
//
// Process-wide, as the log is. Thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/log.h"

namespace orrery {

enum class LogFormat : uint8_t { kText, kJson };

void SetLogFormat(LogFormat format);

// Returns a line in JSON, at a time in milliseconds since 1970.
std::string JsonLogLine(int64_t time_ms, LogLevel level, std::string_view text);

}  // namespace orrery
