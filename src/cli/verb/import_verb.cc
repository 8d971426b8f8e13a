#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/archive/import_run.h"
#include "cli/archive/server_choice.h"
#include "cli/verb/verb.h"

namespace orrery::cli {
namespace {

class ImportVerb final : public Verb {
 public:
  explicit ImportVerb(OpenFunction open) : server_(std::move(open)) {}

  std::string_view name() const override { return "import"; }
  std::string_view summary() const override {
    return "put an archive that `orrery export` made into a server or cluster";
  }
  std::string_view examples() const override {
    return "  orrery import backup                                 into the server on this "
           "machine\n"
           "  orrery import backup --url http://127.0.0.2:8081     into a cluster, by any node\n"
           "  orrery import backup --data ./orrery-data            into a data directory\n"
           "  orrery import backup --exclude system_auth           but for one database (here: the "
           "roles)\n"
           "\n"
           "Containers that are there must have the same settings; throughput may differ, and "
           "limits\n"
           "the speed. Run again after an interruption, it goes on; writing twice does no harm. In "
           "the\n"
           "end everything is read and compared with the archive.";
  }

  void DefineFlags(CLI::App& app) override {
    app.add_option("archive", archive_, "what `orrery export` wrote")
        ->type_name("ARCHIVE")
        ->required();
    app.add_option("--exclude", exclude_, "leave this database out; may be repeated")
        ->type_name("DATABASE")
        ->allow_extra_args(false);
    app.add_flag("--no-verify", no_verify_, "do not read and compare in the end");
    server_.Define(app);
  }

  Status Run(Console& console) override {
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
  ServerChoice server_;
  std::string archive_;
  std::vector<std::string> exclude_;
  bool no_verify_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeImportVerb(OpenFunction open) {
  return std::make_unique<ImportVerb>(std::move(open));
}

}  // namespace orrery::cli
