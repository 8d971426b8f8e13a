#include "storage/log/manifest_edit.h"

#include "base/bytes.h"

namespace orrery::storage {
namespace {

enum Tag : uint64_t {
  kComparator = 1,
  kLogNumber = 2,
  kNextFileNumber = 3,
  kLastSequence = 4,
  kPreviousLogNumber = 9,
  kMinLogNumberToKeep = 10,
  kMaxColumnFamily = 203,
  kDatabaseId = 8193,
};

}  // namespace

std::optional<uint64_t> FirstLogNeeded(std::string_view edit) {
  ByteReader reader(edit);
  uint64_t tag = 0;
  uint64_t number = 0;
  std::string_view text;
  while (reader.ReadVarint(tag)) {
    switch (tag) {
      case kLogNumber:
        if (reader.ReadVarint(number)) return number;
        return std::nullopt;
      case kComparator:
      case kDatabaseId:
        if (!reader.ReadVarint(number) || !reader.ReadBytes(number, text)) return std::nullopt;
        break;
      case kNextFileNumber:
      case kLastSequence:
      case kPreviousLogNumber:
      case kMinLogNumberToKeep:
      case kMaxColumnFamily:
        if (!reader.ReadVarint(number)) return std::nullopt;
        break;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace orrery::storage
