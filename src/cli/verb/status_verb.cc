#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ostream>

#include "cli/byte_size.h"
#include "cli/connection_flags.h"
#include "cli/json_view.h"
#include "cli/text_table.h"
#include "cli/verb/verb.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

// "3 d 4 h", "2 min 5 s": the two largest units.
std::string FormatDuration(double seconds) {
  const auto total = static_cast<int64_t>(seconds);
  if (total < 60) return fmt::format("{} s", total);
  if (total < 3600) return fmt::format("{} min {} s", total / 60, total % 60);
  if (total < 86400) return fmt::format("{} h {} min", total / 3600, total % 3600 / 60);
  return fmt::format("{} d {} h", total / 86400, total % 86400 / 3600);
}

class StatusVerb final : public Verb {
 public:
  std::string_view name() const override { return "status"; }
  std::string_view summary() const override { return "is the server well, and what does it hold"; }
  std::string_view examples() const override {
    return "  orrery status\n"
           "  orrery status --url https://db.example:8081 --key $(cat key) --ca cert.pem\n"
           "  orrery status --json";
  }

  void DefineFlags(CLI::App& app) override { connection_.Define(app); }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    ORRERY_ASSIGN(const model::Document answer, client.Get("status"));
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
      return {};
    }
    const model::Value value = answer.view().ToObject();
    Print(console.out, JsonView(&value));
    return {};
  }

 private:
  static void Print(std::ostream& out, JsonView status) {
    out << fmt::format("Orrery {}, {}, up {}, account {}\n", status["version"].Text(),
                       status["status"].Text(), FormatDuration(status["uptimeSeconds"].Number()),
                       Printable(status["account"].Text()));
    out << fmt::format("{} physical partitions, {} items, {}\n",
                       GroupDigits(status["partitions"].Number()),
                       GroupDigits(status["items"].Number()),
                       FormatByteSize(static_cast<uint64_t>(status["bytes"].Number())));
    const auto containers = status["containers"].Elements();
    if (containers.empty()) {
      out << "no containers yet; make one with: orrery create DATABASE/CONTAINER --partition-key "
             "/PATH\n";
      return;
    }
    TextTable table({{"CONTAINER"},
                     {"KEY"},
                     {"KIND"},
                     {"THROUGHPUT", Align::kRight},
                     {"PARTITIONS", Align::kRight},
                     {"ITEMS", Align::kRight},
                     {"SIZE", Align::kRight}});
    for (const JsonView container : containers) {
      std::string key;
      for (const JsonView path : container["partitionKey"].Elements()) {
        key += (key.empty() ? "" : ", ") + path.Text();
      }
      table.AddRow({Printable(container["database"].Text() + "/" + container["id"].Text()),
                    key.empty() ? "-" : Printable(key), container["kind"].Text(),
                    Throughput(container), GroupDigits(container["partitions"].Number()),
                    GroupDigits(container["items"].Number()),
                    FormatByteSize(static_cast<uint64_t>(container["bytes"].Number()))});
    }
    out << "\n" << table.Render();
    if (status["moreContainers"].Number() > 0) {
      out << fmt::format("... and {} more\n", GroupDigits(status["moreContainers"].Number()));
    }
  }

  static std::string Throughput(JsonView container) {
    const JsonView throughput = container["throughput"];
    const std::string kind = throughput["kind"].Text();
    const std::string rate = GroupDigits(throughput["requestUnitsPerSecond"].Number());
    if (kind == "manual") return rate + " RU/s";
    if (kind == "autoscale") return fmt::format("max {} RU/s", rate);
    return kind == "shared" ? "shared" : "unmetered";
  }

  ConnectionFlags connection_;
};

}  // namespace

std::unique_ptr<Verb> MakeStatusVerb() { return std::make_unique<StatusVerb>(); }

}  // namespace orrery::cli
