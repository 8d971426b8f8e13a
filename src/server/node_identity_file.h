// A NodeIdentityFile records which node of a cluster the process was that had this data directory
// before. The process that has the directory's lock now knows that the former one has ended, and
// that nobody need wait for its leases.
//
// The file SEAT in the directory, one line:
//
//   cluster <id> node <number> boot <id> lock <device>:<inode>
//
// It says nothing to a process of another start of the machine, of another machine, or in a copy of
// the directory: what it tells of may be running then.
#pragma once

#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/status.h"
#include "server/data_directory.h"

namespace orrery::server {

class NodeIdentityFile {
 public:
  // `directory` must outlive it: its lock is the proof.
  explicit NodeIdentityFile(const DataDirectory& directory);

  // 0 when nothing is known.
  NodeId Predecessor(std::string_view cluster_id) const;
  Status Write(std::string_view cluster_id, NodeId self) const;

 private:
  std::string Line(std::string_view cluster_id, NodeId node) const;

  const std::string path_;
  const std::string here_;  // "boot ... lock ..."; empty when it cannot be told
};

}  // namespace orrery::server
