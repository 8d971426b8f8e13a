#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/archive/export_run.h"
#include "cli/archive/server_choice.h"
#include "cli/transfer/seed_export.h"
#include "cli/verb/verb.h"

namespace orrery::cli {
namespace {

class ExportVerb final : public Verb {
 public:
  explicit ExportVerb(OpenFunction open) : server_(std::move(open)) {}

  std::string_view name() const override { return "export"; }
  std::string_view summary() const override {
    return "copy all databases and containers into an archive, or another database into files";
  }
  std::string_view examples() const override {
    return "  orrery export backup --data ./orrery-data     of a server that is stopped: exact\n"
           "  orrery export backup                          of the server on this machine\n"
           "  orrery export backup --url https://db:8081 --key KEY\n"
           "  orrery export ./seed --from 'AccountEndpoint=https://..;AccountKey=..;'\n"
           "  orrery export ./seed --from mongodb://user:password@host --database shop\n"
           "  orrery export ./seed --from cassandra://host:9042\n"
           "\n"
           "With --from it writes files as --seed and `orrery import` take them.\n"
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
    app.add_option("--from", from_,
                   "a live database, into files instead of an archive: "
                   "AccountEndpoint=..;AccountKey=.., mongodb://.. or cassandra://..")
        ->type_name("CONNECTION");
    app.add_option("--database", databases_, "(--from) of these alone; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    server_.Define(app);
  }

  Status Run(Console& console) override {
    if (!from_.empty()) return RunFiles(console);
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
  Status RunFiles(Console& console) const {
    ORRERY_ASSIGN(const TransferSource source, ParseTransferSource(from_));
    SeedExportOptions options{.directory = archive_, .databases = databases_};
    if (!server_.json()) {
      options.progress = [&](std::string_view line) {
        console.out << line << "\n" << std::flush;
      };
    }
    ORRERY_ASSIGN(const SeedExportTotals totals, ExportToFiles(source, options));
    if (server_.json()) {
      console.out << fmt::format(R"({{"containers":{},"items":{},"leftOut":{}}})"
                                 "\n",
                                 totals.containers, totals.items, totals.left_out.size());
      return {};
    }
    for (const std::string& each : totals.left_out) console.out << "left out: " << each << "\n";
    console.out << fmt::format("exported {} items of {} containers of {} to {}\n", totals.items,
                               totals.containers, NameOfSource(source), archive_);
    return {};
  }

  ServerChoice server_;
  std::string from_;
  std::vector<std::string> databases_;
  std::string archive_;
};

}  // namespace

std::unique_ptr<Verb> MakeExportVerb(OpenFunction open) {
  return std::make_unique<ExportVerb>(std::move(open));
}

}  // namespace orrery::cli
