// Chooses the server that data is moved out of or into: a running one (--url, --key), or a data
// directory that no server has open (--data), for which one is started in this process.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "cli/archive/archive_client.h"
#include "cli/connection_flags.h"
#include "cli/verb/verb.h"

namespace orrery::cli {

class ServerChoice {
 public:
  explicit ServerChoice(OpenFunction open) : open_(std::move(open)) {}

  void Define(CLI::App& app);
  bool json() const { return connection_.json(); }

  // A directory that is missing is made, unless it `must_exist`. The client lives no longer than
  // the choice.
  Result<ArchiveClient> Connect(const Console& console, bool must_exist);
  // A client of the running server. kUnsupported with --data.
  Result<AdminClient> ConnectToServer(const Console& console);
  // Its address or its directory. After Connect.
  const std::string& name() const { return name_; }

 private:
  const OpenFunction open_;
  ConnectionFlags connection_;
  std::optional<std::string> data_;
  std::unique_ptr<PrivateServer> server_;
  std::string name_;
};

}  // namespace orrery::cli
