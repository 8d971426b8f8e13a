#include "base/log.h"

#include <fmt/chrono.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <chrono>

#include "base/log_format.h"
#include "base/utf8.h"

namespace orrery {
namespace {

spdlog::logger& Logger() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto made = std::make_shared<spdlog::logger>(
        "orrery", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %^%L%$ %v", spdlog::pattern_time_type::utc);
    made->flush_on(spdlog::level::warn);
    return made;
  }();
  return *logger;
}

std::atomic<bool> writes_json{false};

std::string_view LevelName(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarn:
      return "warn";
    case LogLevel::kError:
      return "error";
    case LogLevel::kOff:
      break;
  }
  return "off";
}

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
    case LogLevel::kOff:
      return spdlog::level::off;
  }
  return spdlog::level::info;
}

}  // namespace

void SetLogLevel(LogLevel level) { Logger().set_level(ToSpdlog(level)); }

bool LogEnabled(LogLevel level) { return Logger().should_log(ToSpdlog(level)); }

void SetLogFormat(LogFormat format) {
  writes_json.store(format == LogFormat::kJson);
  if (format == LogFormat::kJson) Logger().set_pattern("%v");
}

std::string JsonLogLine(int64_t time_ms, LogLevel level, std::string_view text) {
  std::string line = fmt::format(
      "{{\"time\":\"{:%Y-%m-%dT%H:%M:%S}.{:03}Z\",\"level\":\"{}\",\"message\":\"",
      fmt::gmtime(static_cast<std::time_t>(time_ms / 1'000)), time_ms % 1'000, LevelName(level));
  const bool is_text = IsUtf8(text);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      line += '\\';
      line += c;
    } else if (c == '\n') {
      line += "\\n";
    } else if (byte < 0x20) {
      line += fmt::format("\\u{:04x}", byte);
    } else {
      line += byte >= 0x80 && !is_text ? '?' : c;
    }
  }
  return line + "\"}";
}

void LogLine(LogLevel level, std::string_view text) {
  if (writes_json.load(std::memory_order_relaxed)) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::string line = JsonLogLine(
        std::chrono::duration_cast<std::chrono::milliseconds>(now).count(), level, text);
    Logger().log(ToSpdlog(level), fmt::string_view(line.data(), line.size()));
    return;
  }
  Logger().log(ToSpdlog(level), fmt::string_view(text.data(), text.size()));
}

}  // namespace orrery
