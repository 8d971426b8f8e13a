#include "cli/settings/settings_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace orrery::cli {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The value after '=' without its quotes or its comment; nullopt when a quote is not closed or
// something stands after it.
std::optional<std::string> ReadValue(std::string_view text) {
  text = Trim(text);
  if (text.starts_with('"')) {
    const size_t end = text.find('"', 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view rest = Trim(text.substr(end + 1));
    if (!rest.empty() && !rest.starts_with('#')) return std::nullopt;
    return std::string(text.substr(1, end - 1));
  }
  return std::string(Trim(text.substr(0, text.find('#'))));
}

}  // namespace

Result<std::vector<FileSetting>> ParseSettingsFile(std::string_view text) {
  std::vector<FileSetting> settings;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.starts_with('#')) continue;

    const auto refuse = [&](std::string_view why) {
      return Fail(Code::kInvalidArgument, fmt::format("line {}: {}", number, why));
    };
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      return refuse("expected 'name = value', as in 'sql-port = 8081'");
    }
    const std::string name(Trim(line.substr(0, equals)));
    const auto value = ReadValue(line.substr(equals + 1));
    if (name.empty()) return refuse("the name before '=' is missing");
    if (!value) return refuse("the closing quote is missing, or something stands after it");
    const auto earlier = std::ranges::find(settings, name, &FileSetting::name);
    if (earlier != settings.end()) {
      return refuse(fmt::format("'{}' was already set in line {}", name, earlier->line));
    }
    settings.push_back({name, *value, number});
  }
  return settings;
}

Result<std::string> ReadSmallFile(const std::string& path, size_t bytes_max) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Fail(Code::kInvalidArgument, fmt::format("'{}' is a directory; name a file", path));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const int error = errno;
    return Fail(error == ENOENT ? Code::kNotFound : Code::kForbidden,
                fmt::format("cannot read '{}': {}", path, std::strerror(error)));
  }
  std::string bytes(bytes_max + 1, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<size_t>(file.gcount()));
  if (bytes.size() > bytes_max) {
    return Fail(Code::kTooLarge, fmt::format("'{}' is larger than {} bytes", path, bytes_max));
  }
  return bytes;
}

}  // namespace orrery::cli
