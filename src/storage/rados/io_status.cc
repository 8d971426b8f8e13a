#include "storage/rados/io_status.h"

#include <fmt/core.h>

namespace orrery::storage::rados {

using rocksdb::IOStatus;

IOStatus ToIoStatus(const Error& error, IoKind kind, std::string_view path) {
  const std::string text = fmt::format("{}: {}", path, error.message());
  switch (error.code()) {
    case Code::kNotFound:
      return IOStatus::PathNotFound(text);
    case Code::kFenced:
      return IOStatus::IOFenced(text);
    case Code::kResourceExhausted:
      return IOStatus::NoSpace(text);
    case Code::kCorruption:
      return IOStatus::Corruption(text);
    case Code::kUnsupported:
      return IOStatus::NotSupported(text);
    case Code::kInvalidArgument:
      return IOStatus::InvalidArgument(text);
    default: {
      IOStatus status = IOStatus::IOError(text);
      status.SetRetryable(error.code() == Code::kUnavailable && kind == IoKind::kRead);
      return status;
    }
  }
}

}  // namespace orrery::storage::rados
