#include "cluster/peers.h"

#include <future>

namespace orrery::cluster {

Result<std::string> Peers::CallAndWait(NodeId node, PeerMethod method, std::string request,
                                       std::chrono::milliseconds patience) {
  std::promise<Result<std::string>> promise;
  std::future<Result<std::string>> answer = promise.get_future();
  Call(node, method, std::move(request), patience,
       [&promise](Result<std::string> outcome) { promise.set_value(std::move(outcome)); });
  return answer.get();
}

std::unexpected<Error> UnreadableMessage() {
  return Fail(Code::kInvalidArgument, "a message of another node that cannot be read");
}

}  // namespace orrery::cluster
