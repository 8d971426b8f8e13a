// A Verb is one thing that `orrery` can be told to do: `orrery status`, `orrery split ...`.
//
// Each is in its own file. The program makes all of them, shows their flags in the help, and runs
// the one that was named.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/admin_client.h"
#include "cli/settings/settings_loader.h"

namespace CLI {
class App;
}

namespace orrery::cli {

// The process as a verb sees it.
struct Console {
  std::ostream& out;
  std::vector<NamedText> variables;  // the ORRERY_ ones
  int exit_code = 0;                 // of the process, if the verb succeeds
};

// Used once: DefineFlags, then Run after the command line was read into the verb's members.
class Verb {
 public:
  virtual ~Verb() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;   // one line, for the list of verbs
  virtual std::string_view examples() const = 0;  // shown at the end of its --help
  virtual void DefineFlags(CLI::App& app) = 0;
  virtual Status Run(Console& console) = 0;
};

// Runs a server until it is told to stop.
using ServeFunction = std::function<Status(const ServerSettings&, std::ostream& out)>;

// Runs a command while a server runs, and returns its exit code.
using RunFunction =
    std::function<Result<int>(const ServerSettings&, const std::vector<std::string>& command)>;

// A server of this process only, on a data directory that no other server has open. Stops when it
// is destroyed.
class PrivateServer {
 public:
  virtual ~PrivateServer() = default;
  virtual AdminAddress address() const = 0;
};
// The error says why the directory cannot be opened.
using OpenFunction =
    std::function<Result<std::unique_ptr<PrivateServer>>(const std::string& directory)>;

std::unique_ptr<Verb> MakeServeVerb(ServeFunction serve);
std::unique_ptr<Verb> MakeRunVerb(RunFunction run);
std::unique_ptr<Verb> MakeHealthVerb();
std::unique_ptr<Verb> MakeStatusVerb();
std::unique_ptr<Verb> MakePartitionsVerb();
std::unique_ptr<Verb> MakeThroughputVerb();
std::unique_ptr<Verb> MakeSplitVerb();
std::unique_ptr<Verb> MakeMergeVerb();
std::unique_ptr<Verb> MakeAdviseVerb();
std::unique_ptr<Verb> MakeMoveVerb();
std::unique_ptr<Verb> MakeCreateVerb();
std::unique_ptr<Verb> MakeDropVerb();
std::unique_ptr<Verb> MakeSampleVerb();
std::unique_ptr<Verb> MakeResetVerb();
std::unique_ptr<Verb> MakeSnapshotVerb();
std::unique_ptr<Verb> MakeClockVerb();
std::unique_ptr<Verb> MakeFaultVerb();
std::unique_ptr<Verb> MakeSimulateVerb();
std::unique_ptr<Verb> MakeExportVerb(OpenFunction open);
std::unique_ptr<Verb> MakeImportVerb(OpenFunction open);

}  // namespace orrery::cli
