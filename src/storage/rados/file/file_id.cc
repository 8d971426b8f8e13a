#include "storage/rados/file/file_id.h"

#include <fmt/core.h>

#include <charconv>

namespace orrery::storage::rados {
namespace {

constexpr std::string_view kDirectorySuffix = ".dir";
constexpr size_t kIdDigits = 16;
constexpr size_t kNumberDigits = 8;

// Takes `digits` lower-case hex digits off the front.
template <typename T>
bool TakeHex(std::string_view& text, size_t digits, T& value) {
  if (text.size() < digits) return false;
  const std::string_view part = text.substr(0, digits);
  if (part.find_first_not_of("0123456789abcdef") != part.npos) return false;
  std::from_chars(part.data(), part.data() + part.size(), value, 16);
  text.remove_prefix(digits);
  return true;
}

bool TakeDot(std::string_view& text) {
  if (!text.starts_with('.')) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string DirectoryObject(DirectoryId directory) {
  return fmt::format("{:016x}.dir", directory.value());
}

std::string StripeObject(const FileId& file, uint32_t stripe) {
  return fmt::format("{:016x}.{:08x}.{:08x}.{:08x}", file.directory.value(), file.epoch.value(),
                     file.number, stripe);
}

std::optional<DirectoryId> ParseDirectoryObject(std::string_view object) {
  uint64_t id = 0;
  if (!TakeHex(object, kIdDigits, id) || object != kDirectorySuffix) return std::nullopt;
  return DirectoryId(id);
}

std::optional<std::pair<FileId, uint32_t>> ParseStripeObject(std::string_view object) {
  uint64_t directory = 0;
  uint32_t epoch = 0;
  uint32_t number = 0;
  uint32_t stripe = 0;
  if (!TakeHex(object, kIdDigits, directory) || !TakeDot(object) ||
      !TakeHex(object, kNumberDigits, epoch) || !TakeDot(object) ||
      !TakeHex(object, kNumberDigits, number) || !TakeDot(object) ||
      !TakeHex(object, kNumberDigits, stripe) || !object.empty())
    return std::nullopt;
  return std::pair(FileId{DirectoryId(directory), DirectoryEpoch(epoch), number}, stripe);
}

}  // namespace orrery::storage::rados
