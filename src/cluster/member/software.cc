#include "cluster/member/software.h"

#include <fmt/format.h>

namespace orrery::cluster {
namespace {

// "1.2" of "1.2.3".
std::string_view Series(std::string_view version) {
  const size_t major = version.find('.');
  if (major == std::string_view::npos) return version;
  return version.substr(0, version.find('.', major + 1));
}

}  // namespace

bool CanRunTogether(std::string_view version, std::string_view other) {
  return Series(version) == Series(other);
}

Status CheckSoftware(std::string_view version, std::span<const NodeDescriptor> living) {
  for (const NodeDescriptor& descriptor : living) {
    if (CanRunTogether(version, descriptor.software)) continue;
    return Fail(
        Code::kPreconditionFailed,
        fmt::format(
            "this is Orrery {0}, and node {1} of the cluster ({2}:{3}) runs {4}: nodes that "
            "run at the same time may differ in the last number of their version only. "
            "Start version {4} here, or stop all nodes and start them with {0}",
            version, descriptor.id.value(), descriptor.peer_address, descriptor.peer_port,
            descriptor.software));
  }
  return {};
}

}  // namespace orrery::cluster
