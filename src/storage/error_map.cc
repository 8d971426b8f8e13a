#include "storage/error_map.h"

#include <fmt/core.h>
#include <rocksdb/status.h>

namespace orrery::storage {
namespace {

Code CodeOf(const rocksdb::Status& status) {
  // Subcodes first: they say more than the code they refine.
  if (status.IsIOFenced()) return Code::kFenced;
  if (status.IsNoSpace() || status.IsMemoryLimit()) return Code::kResourceExhausted;
  if (status.subcode() == rocksdb::Status::kSpaceLimit) return Code::kResourceExhausted;
  if (status.IsPathNotFound()) return Code::kNotFound;
  switch (status.code()) {
    case rocksdb::Status::kNotFound:
      return Code::kNotFound;
    case rocksdb::Status::kCorruption:
      return Code::kCorruption;
    case rocksdb::Status::kNotSupported:
      return Code::kUnsupported;
    case rocksdb::Status::kInvalidArgument:
      return Code::kInvalidArgument;
    case rocksdb::Status::kIncomplete:
      return Code::kWouldBlock;
    case rocksdb::Status::kIOError:
    case rocksdb::Status::kShutdownInProgress:
    case rocksdb::Status::kTimedOut:
    case rocksdb::Status::kAborted:
    case rocksdb::Status::kBusy:
    case rocksdb::Status::kExpired:
    case rocksdb::Status::kTryAgain:
      return Code::kUnavailable;
    default:
      return Code::kInternal;
  }
}

}  // namespace

Error MapError(const rocksdb::Status& status, std::string_view doing) {
  if (status.IsNoSpace()) {
    return {Code::kResourceExhausted,
            fmt::format("{}: the disk is full ({})", doing, status.ToString())};
  }
  return {CodeOf(status), fmt::format("{}: {}", doing, status.ToString())};
}

Error MapEngineError(const rocksdb::Status& status, std::string_view doing) {
  Error error = MapError(status, doing);
  if (error.code() != Code::kNotFound) return error;
  return {Code::kCorruption, error.message() + " (a file of the engine is missing)"};
}

Status MapStatus(const rocksdb::Status& status, std::string_view doing, std::string_view path) {
  if (status.ok()) return {};
  return Fail(MapEngineError(status, fmt::format("{} '{}'", doing, path)));
}

}  // namespace orrery::storage
