#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <ostream>
#include <string>
#include <utility>

#include "cli/archive/export_run.h"
#include "cli/archive/server_choice.h"
#include "cli/verb/verb.h"

namespace orrery::cli {
namespace {

class ExportVerb final : public Verb {
 public:
  explicit ExportVerb(OpenFunction open) : server_(std::move(open)) {}

  std::string_view name() const override { return "export"; }
  std::string_view summary() const override {
    return "copy all databases and containers into an archive";
  }
  std::string_view examples() const override {
    return "  orrery export backup --data ./orrery-data     of a server that is stopped: exact\n"
           "  orrery export backup                          of the server on this machine\n"
           "  orrery export backup --url https://db:8081 --key KEY\n"
           "\n"
           "The archive is a directory: settings, throughput, everything the APIs keep "
           "(keyspaces,\n"
           "types, views, functions, roles, scripts), and all items with the times they were "
           "written\n"
           "and when they expire, with checksums. Run again after an interruption, it goes on.\n"
           "`orrery import` puts it into any server or cluster; docs/operations/export-import.md.";
  }

  void DefineFlags(CLI::App& app) override {
    app.add_option("archive", archive_, "a directory that is new, or has an unfinished export")
        ->type_name("ARCHIVE")
        ->required();
    server_.Define(app);
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(ArchiveClient client, server_.Connect(console, /*must_exist=*/true));
    ORRERY_ASSIGN(const ArchiveDirectory archive, ArchiveDirectory::Create(archive_));
    ORRERY_ASSIGN(const ArchiveTotals totals,
                  Export(client, archive,
                         {.progress = server_.json() ? nullptr : &console.out,
                          .terminal = isatty(STDOUT_FILENO) != 0}));
    if (server_.json()) {
      console.out << fmt::format(R"({{"containers":{},"items":{},"mortal":{}}})"
                                 "\n",
                                 totals.containers, totals.items, totals.mortal);
    } else {
      console.out << fmt::format("exported {} items of {} containers to {}\n", totals.items,
                                 totals.containers, archive.path());
    }
    return {};
  }

 private:
  ServerChoice server_;
  std::string archive_;
};

}  // namespace

std::unique_ptr<Verb> MakeExportVerb(OpenFunction open) {
  return std::make_unique<ExportVerb>(std::move(open));
}

}  // namespace orrery::cli
