#include "base/request_context.h"

namespace orrery {

Status RequestContext::Check() const {
  switch (stop_reason()) {
    case StopReason::kNone:
      return {};
    case StopReason::kClientGone:
      return Fail(Code::kCancelled, "the client has closed the connection");
    case StopReason::kServerStopping:
      return Fail(Code::kCancelled, "the server is stopping");
    case StopReason::kDeadline:
      return Fail(Code::kCancelled, "the request took too long");
  }
  return {};
}

}  // namespace orrery
