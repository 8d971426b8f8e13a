#include "cli/archive/import_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "cli/settings/settings_file.h"

namespace orrery::cli {
namespace {

// An address as part of a file's name.
std::string FileNameOf(std::string_view target) {
  std::string name(target);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.'; }, '_');
  return name;
}

}  // namespace

Result<ImportState> ImportState::Load(const std::string& archive, std::string_view target) {
  ImportState state(fmt::format("{}/imported-{}", archive, FileNameOf(target)));
  std::error_code error;
  if (!std::filesystem::exists(state.path_, error)) return state;
  ORRERY_ASSIGN(std::string text, ReadSmallFile(state.path_, kImportStateBytesMax));
  text.resize(text.rfind('\n') + 1);  // a crash may have cut the last line off
  std::istringstream lines(text);
  uint32_t container = 0;
  uint32_t segment = 0;
  while (lines >> container >> segment) state.done_.emplace(container, segment);
  return state;
}

Status ImportState::Add(uint32_t container, uint32_t segment) {
  done_.emplace(container, segment);
  std::ofstream file(path_, std::ios::app);
  file << container << " " << segment << "\n" << std::flush;
  if (!file) return Fail(Code::kForbidden, fmt::format("cannot write {}", path_));
  return {};
}

void ImportState::Forget(uint32_t container) {
  std::erase_if(done_, [container](const auto& entry) { return entry.first == container; });
}

void ImportState::Remove() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace orrery::cli
