#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <ostream>

#include "cli/connection_flags.h"
#include "cli/json_view.h"
#include "cli/text_table.h"
#include "cli/verb/verb.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

class ThroughputVerb final : public Verb {
 public:
  std::string_view name() const override { return "throughput"; }
  std::string_view summary() const override {
    return "show or set the RU/s of a container or database";
  }
  std::string_view examples() const override {
    return "  orrery throughput shop/orders                          show\n"
           "  orrery throughput shop/orders --set 20000              exactly 20,000 RU/s\n"
           "  orrery throughput shop --autoscale-max 4000            400 to 4,000 RU/s, shared by "
           "its containers\n"
           "\n"
           "More RU/s than the partitions can carry splits them, in the background and without a "
           "pause worth\n"
           "noticing; `orrery partitions` shows it.";
  }

  void DefineFlags(CLI::App& app) override {
    app.add_option("name", target_, "what to show or set")
        ->type_name("DATABASE[/CONTAINER]")
        ->required();
    // Checked as text, too: an empty one would otherwise count as not given.
    const CLI::TypeValidator<int64_t> number("");
    auto* manual = app.add_option("--set", manual_, "provision exactly this much")
                       ->type_name("RU")
                       ->check(number);
    app.add_option("--autoscale-max", autoscale_max_, "scale between a tenth of this and this")
        ->type_name("RU")
        ->check(number)
        ->excludes(manual);
    connection_.Define(app);
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(const ContainerName target, ContainerName::Parse(target_));
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    const std::string path = target.Path() + "/throughput";
    std::string body;
    if (manual_) body = fmt::format(R"({{"manual":{}}})", *manual_);
    if (autoscale_max_) body = fmt::format(R"({{"autoscaleMax":{}}})", *autoscale_max_);
    ORRERY_ASSIGN(const model::Document answer,
                  body.empty() ? client.Get(path) : client.Call("PUT", path, body));
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
      return {};
    }
    const model::Value value = answer.view().ToObject();
    Print(console.out, target, JsonView(&value));
    return {};
  }

 private:
  static void Print(std::ostream& out, const ContainerName& target, JsonView answer) {
    const JsonView throughput = answer["throughput"];
    const std::string name = Printable(target.ToString());
    if (throughput["manual"].present()) {
      out << fmt::format("{}: {} RU/s", name, GroupDigits(throughput["manual"].Number()));
    } else if (throughput["autoscaleMax"].present()) {
      const double max = throughput["autoscaleMax"].Number();
      out << fmt::format("{}: autoscale, {} to {} RU/s", name, GroupDigits(max / 10),
                         GroupDigits(max));
    } else {
      out << fmt::format("{}: no throughput of its own{}\n", name,
                         target.container ? "; it shares its database's, or is unmetered" : "");
      return;
    }
    if (answer["minimum"].present()) {
      out << fmt::format(" (can be lowered to {})", GroupDigits(answer["minimum"].Number()));
    }
    out << "\n";
  }

  ConnectionFlags connection_;
  std::string target_;
  std::optional<int64_t> manual_;
  std::optional<int64_t> autoscale_max_;
};

}  // namespace

std::unique_ptr<Verb> MakeThroughputVerb() { return std::make_unique<ThroughputVerb>(); }

}  // namespace orrery::cli
