#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "cli/byte_size.h"
#include "cli/connection_flags.h"
#include "cli/json_view.h"
#include "cli/text_table.h"
#include "cli/verb/verb.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

constexpr double kClockToleratedSeconds = 1;
constexpr size_t kUnopenedShown = 10;

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
  std::string_view summary() const override {
    return "show server status: health, version, nodes, containers";
  }
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
    PrintUnopened(out, status["partitionsNotOpen"].Elements());
    if (status["cluster"].present()) PrintCluster(out, status["cluster"]);
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

  static void PrintUnopened(std::ostream& out, const std::vector<JsonView>& partitions) {
    if (partitions.empty()) return;
    std::string ids;
    for (size_t i = 0; i < std::min(partitions.size(), kUnopenedShown); ++i)
      ids += (i == 0 ? "" : ", ") + partitions[i].Text();
    if (partitions.size() > kUnopenedShown) ids += ", ...";
    out << fmt::format(
        "{} not open: {} (for a moment while they move or their node starts; if they stay so, the "
        "logs of the nodes say why)\n",
        GroupDigits(static_cast<double>(partitions.size())), ids);
  }

  static void PrintCluster(std::ostream& out, JsonView cluster) {
    PrintStore(out, cluster["store"]);
    TextTable table({{"NODE", Align::kRight},
                     {"ADDRESS"},
                     {"VERSION"},
                     {"PARTITIONS", Align::kRight},
                     {"SIZE", Align::kRight},
                     {"RU/S", Align::kRight},
                     {""}});
    for (const JsonView node : cluster["nodes"].Elements()) {
      const bool answers = node["answers"].Bool();
      table.AddRow({node["id"].Text(),
                    Printable(fmt::format("{}:{}", node["address"].Text(), node["sqlPort"].Text())),
                    Printable(node["version"].Text()),
                    answers ? GroupDigits(node["partitions"].Number()) : "?",
                    answers ? FormatByteSize(static_cast<uint64_t>(node["bytes"].Number())) : "?",
                    answers ? GroupDigits(node["usedLastSecond"].Number()) : "?", Remarks(node)});
    }
    out << "\n" << table.Render();
  }

  static void PrintStore(std::ostream& out, JsonView store) {
    out << fmt::format("\npool {}", Printable(store["pool"].Text()));
    if (store["health"].present()) {
      out << fmt::format(": {} copies, serves with {}; {}, {} of {} disks up, {} used, {} free",
                         store["copies"].Text(), store["copiesServing"].Text(),
                         Printable(store["health"].Text()), store["disksUp"].Text(),
                         store["disks"].Text(),
                         FormatByteSize(static_cast<uint64_t>(store["bytesUsed"].Number())),
                         FormatByteSize(static_cast<uint64_t>(store["bytesAvailable"].Number())));
      for (const JsonView check : store["checks"].Elements())
        out << fmt::format("\n  {}", Printable(check.Text()));
    }
    if (store["trouble"].present())
      out << fmt::format("\n  not up to date: {}", Printable(store["trouble"].Text()));
    out << "\n";
  }

  static std::string Remarks(JsonView node) {
    std::vector<std::string> remarks;
    if (node["manager"].Bool()) remarks.emplace_back("manager");
    if (node["self"].Bool()) remarks.emplace_back("this one");
    if (!node["answers"].Bool()) remarks.emplace_back("does not answer");
    const double ahead = node["clockAheadMs"].Number() / 1000;
    if (std::abs(ahead) > kClockToleratedSeconds)
      remarks.push_back(fmt::format("clock {:+.1f} s", ahead));
    std::string text;
    for (const std::string& remark : remarks) text += (text.empty() ? "" : ", ") + remark;
    return text;
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
