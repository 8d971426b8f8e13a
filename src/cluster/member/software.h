// Decides which versions of the program may be nodes of one cluster: those that differ in the last
// number only. Others may have other messages and formats; they run one after the other
// (docs/operations/cluster.md).
//
// Pure.
#pragma once

#include <span>
#include <string_view>

#include "base/status.h"
#include "cluster/member/node_descriptor.h"

namespace orrery::cluster {

bool CanRunTogether(std::string_view version, std::string_view other);

// kPreconditionFailed, with what to do, when one of `living` is of a version that cannot run
// together with `version`.
Status CheckSoftware(std::string_view version, std::span<const NodeDescriptor> living);

}  // namespace orrery::cluster
