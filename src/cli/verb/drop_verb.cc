#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ostream>

#include "cli/connection_flags.h"
#include "cli/text_table.h"
#include "cli/verb/verb.h"

namespace orrery::cli {
namespace {

class DropVerb final : public Verb {
 public:
  std::string_view name() const override { return "drop"; }
  std::string_view summary() const override {
    return "delete a container, or a database with all its containers";
  }
  std::string_view examples() const override {
    return "  orrery drop shop/orders\n"
           "  orrery drop shop --yes        a database: say --yes, because all of its containers "
           "go\n";
  }

  void DefineFlags(CLI::App& app) override {
    app.add_option("name", target_, "what to delete, with all its items")
        ->type_name("DATABASE[/CONTAINER]")
        ->required();
    app.add_flag("--yes", yes_, "really delete a whole database");
    connection_.Define(app);
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(const ContainerName target, ContainerName::Parse(target_));
    if (!target.container && !yes_) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("'{}' is a database; say --yes to delete it with all its containers",
                              target.database));
    }
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    ORRERY_TRY(client.Call("DELETE", target.Path(), ""));
    if (!connection_.json())
      console.out << fmt::format("dropped {}\n", Printable(target.ToString()));
    return {};
  }

 private:
  ConnectionFlags connection_;
  std::string target_;
  bool yes_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeDropVerb() { return std::make_unique<DropVerb>(); }

}  // namespace orrery::cli
