#include "storage/rados/object/librados_error.h"

#include <fmt/core.h>

#include <cerrno>
#include <system_error>

#include "base/check.h"

namespace orrery::storage::rados {
namespace {

Code CodeOf(int error) {
  switch (error) {
    case ENOENT:
      return Code::kNotFound;
    case EEXIST:
      return Code::kAlreadyExists;
    case ECANCELED:  // what a failed comparison of a compound operation answers
      return Code::kPreconditionFailed;
    case ESHUTDOWN:  // named EBLOCKLISTED by Ceph
      return Code::kFenced;
    case ENOSPC:
    case EDQUOT:  // a quota of the pool
      return Code::kResourceExhausted;
    case EPERM:
    case EACCES:
      return Code::kForbidden;
    case EFBIG:
    case E2BIG:
    case EMSGSIZE:
      return Code::kTooLarge;
    case EINVAL:
    case ENAMETOOLONG:
      return Code::kInvalidArgument;
    case EOPNOTSUPP:  // a class of the OSDs is missing, or the pool cannot keep entries
      return Code::kUnsupported;
    default:
      return Code::kUnavailable;
  }
}

std::string_view Hint(int error) {
  switch (error) {
    case ESHUTDOWN:
      return " (this process was fenced by the cluster)";
    case EDQUOT:
      return " (the pool's quota is used up)";
    case ENOSPC:
      return " (the cluster is full)";
    case EPERM:
    case EACCES:
      return " (the Ceph user lacks a capability)";
    case EOPNOTSUPP:
      return " (the pool must be replicated, and its OSDs must have the class 'lock')";
    case ETIMEDOUT:
      return " (too many OSDs or the monitors are down, or slow)";
    default:
      return "";
  }
}

}  // namespace

Error RadosError(int result, std::string_view what) {
  ORRERY_CHECK(result < 0);
  return {CodeOf(-result),
          fmt::format("{}: {}{}", what, std::generic_category().message(-result), Hint(-result))};
}

Status RadosStatus(int result, std::string_view what) {
  if (result < 0) return Fail(RadosError(result, what));
  return {};
}

}  // namespace orrery::storage::rados
