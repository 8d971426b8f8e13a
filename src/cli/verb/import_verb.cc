#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/archive/import_run.h"
#include "cli/archive/server_choice.h"
#include "cli/transfer/file_import.h"
#include "cli/transfer/seed_export.h"
#include "cli/verb/verb.h"

namespace orrery::cli {
namespace {

class ImportVerb final : public Verb {
 public:
  explicit ImportVerb(OpenFunction open) : server_(std::move(open)) {}

  std::string_view name() const override { return "import"; }
  std::string_view summary() const override {
    return "put an archive, a directory of files or another database into a server or cluster";
  }
  std::string_view examples() const override {
    return "  orrery import backup                                 into the server on this "
           "machine\n"
           "  orrery import backup --url http://127.0.0.2:8081     into a cluster, by any node\n"
           "  orrery import backup --data ./orrery-data            into a data directory\n"
           "  orrery import backup --exclude system_auth           but for one database (here: the "
           "roles)\n"
           "  orrery import ./seed                                 files, as --seed takes them\n"
           "  orrery import ./work --from 'AccountEndpoint=https://..;AccountKey=..;'\n"
           "  orrery import ./work --from mongodb://user:password@host --database shop\n"
           "  orrery import ./work --from cassandra://host:9042\n"
           "\n"
           "With --from the other database is copied into files first, which stay in the directory.\n"
           "Containers that are there must have the same settings; throughput may differ, and "
           "limits\n"
           "the speed. Run again after an interruption, it goes on; writing twice does no harm. In "
           "the\n"
           "end everything is read and compared with the archive.";
  }

  void DefineFlags(CLI::App& app) override {
    app.add_option("archive", archive_, "what `orrery export` wrote, or a directory of files")
        ->type_name("DIRECTORY")
        ->required();
    app.add_option("--from", from_,
                   "a live database: AccountEndpoint=..;AccountKey=.., mongodb://.. or "
                   "cassandra://..")
        ->type_name("CONNECTION");
    app.add_option("--database", databases_, "(--from) of these alone; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app.add_option("--exclude", exclude_, "leave this database out; may be repeated")
        ->type_name("DATABASE")
        ->allow_extra_args(false);
    app.add_flag("--no-verify", no_verify_, "do not read and compare in the end");
    server_.Define(app);
  }

  Status Run(Console& console) override {
    std::error_code error;
    const bool is_archive = std::filesystem::exists(archive_ + "/FORMAT", error);
    if (!from_.empty() || (!is_archive && std::filesystem::is_directory(archive_, error)))
      return RunFiles(console);
    ORRERY_ASSIGN(const ArchiveDirectory archive, ArchiveDirectory::Open(archive_));
    ORRERY_ASSIGN(ArchiveClient client, server_.Connect(console, /*must_exist=*/false));
    ORRERY_ASSIGN(const ArchiveTotals totals,
                  Import(client, archive,
                         {.target = server_.name(),
                          .exclude = exclude_,
                          .verify = !no_verify_,
                          .progress = server_.json() ? nullptr : &console.out,
                          .terminal = isatty(STDOUT_FILENO) != 0}));
    if (server_.json()) {
      console.out << fmt::format(R"({{"containers":{},"items":{},"mortal":{},"verified":{}}})"
                                 "\n",
                                 totals.containers, totals.items, totals.mortal, !no_verify_);
      return {};
    }
    console.out << fmt::format("imported {} items of {} containers{}\n", totals.items,
                               totals.containers, no_verify_ ? "" : "; all of them are there");
    if (totals.mortal > 0) {
      console.out << fmt::format(
          "{} items have a time to live; they were written, and not compared\n", totals.mortal);
    }
    return {};
  }

 private:
  Status RunFiles(Console& console) {
    if (!exclude_.empty())
      return Fail(Code::kInvalidArgument, "--exclude is for archives; leave files out by moving them");
    ORRERY_ASSIGN(AdminClient client, server_.ConnectToServer(console));
    ORRERY_ASSIGN(const SeedEndpoints endpoints, EndpointsOfServer(client));
    const auto progress = [&](std::string_view line) { console.out << line << "\n" << std::flush; };
    FileImportOptions options{.directory = archive_,
                              .target = server_.name(),
                              .verify = !no_verify_,
                              .rows_as_read = !from_.empty()};
    if (!server_.json()) options.progress = progress;
    std::vector<std::string> left_out;
    if (!from_.empty()) {
      ORRERY_ASSIGN(const TransferSource source, ParseTransferSource(from_));
      ORRERY_ASSIGN(const SeedExportTotals copied,
                    ExportToFiles(source, {.directory = archive_,
                                           .databases = databases_,
                                           .progress = options.progress}));
      left_out = copied.left_out;
    }
    ORRERY_ASSIGN(const FileImportTotals totals, ImportFiles(options, endpoints));
    if (server_.json()) {
      console.out << fmt::format(
          R"({{"files":{},"items":{},"compared":{},"filesCompared":{},"filesNotCompared":{},"leftOut":{}}})"
          "\n",
          totals.files, totals.items, totals.compared, totals.files_compared, totals.files_left,
          left_out.size());
      return {};
    }
    for (const std::string& each : left_out) console.out << "left out: " << each << "\n";
    console.out << fmt::format("imported {} items of {} files\n", totals.items, totals.files);
    if (no_verify_) return {};
    console.out << fmt::format("{} items of {} files were compared: all of them are there\n",
                               totals.compared, totals.files_compared);
    if (totals.files_left > 0) {
      console.out << fmt::format(
          "{} files with definitions, statements or entities were not compared\n",
          totals.files_left);
    }
    return {};
  }

  ServerChoice server_;
  std::string archive_;
  std::string from_;
  std::vector<std::string> databases_;
  std::vector<std::string> exclude_;
  bool no_verify_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeImportVerb(OpenFunction open) {
  return std::make_unique<ImportVerb>(std::move(open));
}

}  // namespace orrery::cli
