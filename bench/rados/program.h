// `orrery-bench rados`: measures the object store on a Ceph cluster, and what is built on it.
#pragma once

#include <span>
#include <string_view>

namespace orrery::bench {

// Prints Markdown to stdout; returns the exit code: 2 for wrong flags.
int RunRadosProgram(std::span<const std::string_view> words);

}  // namespace orrery::bench
