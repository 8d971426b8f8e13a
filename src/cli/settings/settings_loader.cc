#include "cli/settings/settings_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/nearest_name.h"
#include "cli/settings/settings_file.h"

namespace orrery::cli {
namespace {

constexpr std::string_view kPrefix = "ORRERY_";
constexpr std::string_view kConfigVariable = "ORRERY_CONFIG";
constexpr std::string_view kUrlVariable = "ORRERY_URL";
constexpr std::string_view kCaVariable = "ORRERY_CA";

const Setting* FindSetting(std::span<const Setting> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Setting::name);
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> Names(std::span<const Setting> table) {
  std::vector<std::string> names;
  for (const Setting& setting : table) names.push_back(setting.name);
  return names;
}

// The settings that lines of one source mean, refused with `where` before the message.
Status ApplyOne(const Setting& setting, ServerSettings& settings, const std::string& value,
                std::string_view where) {
  Status status = setting.apply(settings, value);
  if (status.has_value()) return status;
  return Fail(std::move(status).error().Annotate(where));
}

Status ApplyFile(std::span<const Setting> table, const std::string& path,
                 ServerSettings& settings) {
  ORRERY_ASSIGN(const std::string text, ReadSmallFile(path, kSettingsFileBytesMax));
  auto lines = ParseSettingsFile(text);
  if (!lines) return Fail(std::move(lines).error().Annotate(path));
  for (const FileSetting& line : *lines) {
    const Setting* setting = FindSetting(table, line.name);
    if (setting == nullptr) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("{}: line {}: unknown setting '{}'{}", path, line.line, line.name,
                              DidYouMean(line.name, Names(table))));
    }
    ORRERY_TRY(ApplyOne(*setting, settings, line.value,
                        fmt::format("{}: line {}: {}", path, line.line, line.name)));
  }
  return {};
}

}  // namespace

std::vector<NamedText> OrreryVariables(const char* const* environment) {
  std::vector<NamedText> variables;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const size_t equals = entry.find('=');
    if (!entry.starts_with(kPrefix) || equals == std::string_view::npos) continue;
    variables.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return variables;
}

Status CheckVariables(std::span<const Setting> table, std::span<const NamedText> variables) {
  std::vector<std::string> known = {std::string(kConfigVariable), std::string(kUrlVariable),
                                    std::string(kCaVariable)};
  for (const Setting& setting : table) known.push_back(VariableName(setting.name));
  for (const auto& [name, value] : variables) {
    if (std::ranges::find(known, name) != known.end()) continue;
    return Fail(Code::kInvalidArgument,
                fmt::format("unknown environment variable {}{}", name, DidYouMean(name, known)));
  }
  return {};
}

Result<ServerSettings> LoadSettings(std::span<const Setting> table, const SettingSources& sources) {
  ORRERY_TRY(CheckVariables(table, sources.variables));
  const auto variable = [&](std::string_view name) -> const std::string* {
    const auto found = std::ranges::find(sources.variables, name, &NamedText::first);
    return found == sources.variables.end() ? nullptr : &found->second;
  };

  ServerSettings settings = sources.defaults;
  if (sources.file) {
    ORRERY_TRY(ApplyFile(table, *sources.file, settings));
  } else if (const std::string* path = variable(kConfigVariable)) {
    ORRERY_TRY(ApplyFile(table, *path, settings));
  }
  for (const Setting& setting : table) {
    const std::string name = VariableName(setting.name);
    if (const std::string* value = variable(name))
      ORRERY_TRY(ApplyOne(setting, settings, *value, name));
  }
  for (const auto& [name, value] : sources.flags) {
    const Setting* setting = FindSetting(table, name);
    if (setting == nullptr) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("unknown flag --{}{}", name, DidYouMean(name, Names(table), "--")));
    }
    ORRERY_TRY(ApplyOne(*setting, settings, value, "--" + name));
  }
  ORRERY_TRY(CheckExposure(settings));
  return settings;
}

}  // namespace orrery::cli
