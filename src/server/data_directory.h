// The directory that holds all of a server's data, held by one process at a time.
//
//   FORMAT         "orrery data directory, format 1": written once; its absence in a directory that
//                  is not empty means that the directory is somebody else's
//   LOCK           flock'ed while a server runs; holds its process id for the message that a second
//                  server gives
//   system/        the system store (cluster/system/system_store.h)
//   partitions/    one directory per physical partition (cluster/node.h)
//   tls/           the self-made certificate (net/tls/tls_identity.h)
//   BALLAST        space for a start on a full disk (storage/ballast.h)
//   SEAT           which node of a cluster it last was (server/node_identity_file.h)
//   SEEDED         which files of a seed directory are loaded (server/seeding.h)
//   seeding/, retired/, ADOPT    a second state on its way in (server/staged_data.h)
//   NODE           who this node is to clients: 32 hex digits, drawn at the first start
//
// The lock goes with the object, or with the process, however that ends.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"

namespace orrery::server {

class DataDirectory {
 public:
  // Creates the directory (mode 0700) when missing and takes the lock. Nothing is written into a
  // directory that is refused:
  //   kUnavailable      another server has it
  //   kInvalidArgument  not a directory, or not ours
  //   kUnsupported      of a newer format
  //   kForbidden        cannot be created, read or written
  static Result<std::unique_ptr<DataDirectory>> Open(const std::string& path);
  ~DataDirectory();
  DataDirectory(const DataDirectory&) = delete;
  DataDirectory& operator=(const DataDirectory&) = delete;

  const std::string& path() const { return path_; }  // absolute
  // A random uuid, 16 bytes: the same for the directory's whole life.
  const std::string& node_id() const { return node_id_; }
  std::string lock_path() const { return path_ + "/LOCK"; }
  std::string tls_path() const { return path_ + "/tls"; }

 private:
  DataDirectory(std::string path, int lock_file, std::string node_id)
      : path_(std::move(path)), lock_file_(lock_file), node_id_(std::move(node_id)) {}

  const std::string path_;
  const int lock_file_;
  const std::string node_id_;
};

}  // namespace orrery::server
