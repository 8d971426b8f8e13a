#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <ostream>

#include "cli/connection_flags.h"
#include "cli/json_view.h"
#include "cli/verb/verb.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

class SplitVerb final : public Verb {
 public:
  std::string_view name() const override { return "split"; }
  std::string_view summary() const override {
    return "cut a physical partition in two, under load";
  }
  std::string_view examples() const override {
    return "  orrery split shop/orders                   its largest physical partition\n"
           "  orrery split shop/orders --partition 7     this one; `orrery partitions` shows the "
           "ids\n"
           "\n"
           "Partitions split by themselves when they are full or must carry more RU/s. Reads and "
           "writes go on;\n"
           "the pause that writers see is shown.";
  }

  void DefineFlags(CLI::App& app) override {
    app.add_option("name", target_, "the container")->type_name("DATABASE/CONTAINER")->required();
    app.add_option("--partition", partition_,
                   "which of its physical partitions (default: the largest)")
        ->type_name("ID");
    connection_.Define(app);
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(const ContainerName target, ContainerName::Parse(target_));
    if (!target.container)
      return Fail(Code::kInvalidArgument, "name the container: DATABASE/CONTAINER");
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    const std::string body = partition_ ? fmt::format(R"({{"partition":{}}})", *partition_) : "{}";
    ORRERY_ASSIGN(const model::Document answer,
                  client.Call("POST", target.Path() + "/split", body));
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
      return {};
    }
    const model::Value value = answer.view().ToObject();
    const JsonView result(&value);
    std::string children;
    for (const JsonView child : result["children"].Elements()) {
      children += (children.empty() ? "" : " and ") + child.Text();
    }
    console.out << fmt::format("partition {} is now {}; writers paused {:.1f} ms\n",
                               result["partition"].Text(), children, result["pauseMs"].Number());
    return {};
  }

 private:
  ConnectionFlags connection_;
  std::string target_;
  std::optional<uint64_t> partition_;
};

}  // namespace

std::unique_ptr<Verb> MakeSplitVerb() { return std::make_unique<SplitVerb>(); }

}  // namespace orrery::cli
