// A connected client of a Ceph cluster and its pool. Opening one is where configuration, network,
// keys and capabilities are found wanting, so this is where the messages for people are.
//
// For librados_*.cc only: it brings librados's headers.
//
// Thread-safe, as librados is.
#pragma once

#include <rados/librados.hpp>

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "storage/rados/object/librados_store.h"

namespace orrery::storage::rados {

// librados reports errors by numbers, but its buffers and the standard library throw: whatever
// comes out of `call`, which returns a Status or a Result, ends here.
template <typename Call>
auto WithoutExceptions(Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& error) {
    return Fail(Code::kInternal, std::string("librados: ") + error.what());
  }
}

class LibradosConnection {
 public:
  // As LibradosStore::Connect.
  static Result<std::unique_ptr<LibradosConnection>> Open(const LibradosStore::Options& options);
  // REQUIRES: no operation is under way.
  ~LibradosConnection();

  librados::Rados& cluster() { return cluster_; }
  librados::IoCtx& io() { return io_; }

  // The answer to a command, in JSON; `json` is the command with its arguments.
  Result<std::string> AskMonitor(const std::string& json, std::string_view what);

 private:
  LibradosConnection() = default;
  Status Configure(const LibradosStore::Options& options);
  Status Reach(const LibradosStore::Options& options);
  Status OpenPool(const LibradosStore::Options& options);
  Status CheckCapabilities(const LibradosStore::Options& options);

  librados::Rados cluster_;
  librados::IoCtx io_;
  bool connected_ = false;
};

}  // namespace orrery::storage::rados
