#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/byte_size.h"
#include "cli/connection_flags.h"
#include "cli/json_view.h"
#include "cli/text_table.h"
#include "cli/verb/verb.h"
#include "model/document/json.h"
#include "net/http/url.h"

namespace orrery::cli {
namespace {

constexpr size_t kKeyWidthMax = 72;
constexpr size_t kHashDigitsShown = 8;
constexpr size_t kRangesShown = 3;

std::string Size(JsonView bytes) { return FormatByteSize(static_cast<uint64_t>(bytes.Number())); }

std::string Shortened(std::string text) {
  if (text.size() > kKeyWidthMax) {
    text.resize(kKeyWidthMax);
    text += "...";
  }
  return Printable(text);
}

// "00000000..7FFFFFFF": the first digits of a range's bounds; of a Cassandra table its tokens, too.
std::string Range(JsonView range) {
  const std::string positions =
      fmt::format("{}..{}", range["begin"].Text().substr(0, kHashDigitsShown),
                  range["last"].Text().substr(0, kHashDigitsShown));
  const auto tokens = range["tokens"].Elements();
  if (tokens.size() != 2) return positions;
  return fmt::format("{} (tokens {} to {})", positions, tokens[0].Text(), tokens[1].Text());
}

// "user_id, day = [7,"2026-01-01"]": the key as its API's users wrote it.
std::string KeyText(JsonView key) {
  std::string columns;
  for (const JsonView column : key["columns"].Elements())
    columns += (columns.empty() ? "" : ", ") + column.Text();
  if (columns.empty()) return key["partitionKey"].Text();
  return fmt::format("{} = {}", columns, key["partitionKey"].Text());
}

std::string ContainerOf(JsonView report) {
  return report["database"].Text() + "/" + report["container"].Text();
}

bool IsWholeRing(JsonView range) {
  return range["begin"].Text().find_first_not_of('0') == std::string::npos &&
         range["last"].Text().find_first_not_of('F') == std::string::npos;
}

// A partition of one container shows its range, a shared one what it hosts.
std::string Hosts(JsonView partition) {
  const auto ranges = partition["ranges"].Elements();
  if (ranges.empty()) return "-";
  if (partition["owner"].Text().starts_with("container")) return Range(ranges[0]);
  std::string text;
  for (size_t i = 0; i < std::min(ranges.size(), kRangesShown); ++i) {
    text += (i == 0 ? "" : ", ") + ContainerOf(ranges[i]);
    if (!IsWholeRing(ranges[i])) text += " " + Range(ranges[i]);
  }
  if (ranges.size() > kRangesShown)
    text += fmt::format(" and {} more", ranges.size() - kRangesShown);
  return Printable(text);
}

std::string Rate(JsonView partition) {
  if (!partition["requestUnitsPerSecond"].present()) return "unmetered";
  return GroupDigits(partition["requestUnitsPerSecond"].Number());
}

std::string Used(JsonView partition) {
  const double used = partition["usedLastSecond"].Number();
  if (!partition["requestUnitsPerSecond"].present()) return GroupDigits(used);
  return fmt::format("{} {}", Bar(used / partition["requestUnitsPerSecond"].Number()),
                     GroupDigits(used));
}

std::string List(const std::vector<JsonView>& elements) {
  std::string text;
  for (const JsonView element : elements) text += (text.empty() ? "" : ", ") + element.Text();
  return text.empty() ? "-" : text;
}

// The disks of the store that have a partition.
std::string Copies(JsonView partition) {
  if (!partition["copies"].present()) return "?";
  const std::string disks = List(partition["copies"].Elements());
  return partition["copiesWhole"].Bool() ? disks : disks + " (too few)";
}

std::vector<std::string> Row(JsonView partition, double bytes_max) {
  std::vector<std::string> row = {partition["id"].Text(), Printable(partition["owner"].Text()),
                                  Hosts(partition)};
  if (partition["known"].Bool()) {
    const double full = partition["bytes"].Number() / bytes_max;
    row.insert(row.end(), {fmt::format("{} {}", Bar(full), Size(partition["bytes"])),
                           GroupDigits(partition["items"].Number()), Rate(partition),
                           Used(partition), GroupDigits(partition["throttledTotal"].Number())});
  } else {
    row.push_back(partition["open"].Bool() ? "?" : "not open");
    row.insert(row.end(), 4, "?");
  }
  row.push_back(List(partition["parents"].Elements()));
  return row;
}

class PartitionsVerb final : public Verb {
 public:
  std::string_view name() const override { return "partitions"; }
  std::string_view summary() const override {
    return "show how storage and load are spread over partitions";
  }
  std::string_view examples() const override {
    return "  orrery partitions                                          all physical partitions\n"
           "  orrery partitions --database shop --container orders\n"
           "\n"
           "Below the table: each partition's largest and hottest logical partitions, and advice "
           "on keys that\n"
           "will not scale.";
  }

  void DefineFlags(CLI::App& app) override {
    auto* database = app.add_option("--database", database_, "only partitions of this database")
                         ->type_name("NAME");
    app.add_option("--container", container_, "only partitions of this container")
        ->type_name("NAME")
        ->needs(database);
    app.add_option("--keys", keys_shown_, "largest and hottest logical partitions to show, each")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    connection_.Define(app);
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    std::string path = "partitions";
    if (database_) path += "?database=" + net::PercentEncode(*database_);
    if (container_) path += "&container=" + net::PercentEncode(*container_);
    ORRERY_ASSIGN(const model::Document answer, client.Get(path));
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
      return {};
    }
    const model::Value value = answer.view().ToObject();
    Print(console.out, JsonView(&value));
    return {};
  }

 private:
  void Print(std::ostream& out, JsonView answer) const {
    const auto partitions = answer["partitions"].Elements();
    if (partitions.empty()) {
      out << "no partitions: nothing was created yet\n";
      return;
    }
    const bool cluster = std::ranges::any_of(
        partitions, [](JsonView partition) { return partition["node"].present(); });
    std::vector<TextTable::Column> columns = {{"ID", Align::kRight},
                                              {"OWNER"},
                                              {"HOSTS"},
                                              {"SIZE"},
                                              {"ITEMS", Align::kRight},
                                              {"RU/S", Align::kRight},
                                              {"USED"},
                                              {"THROTTLED", Align::kRight},
                                              {"PARENTS"}};
    if (cluster) columns.insert(columns.begin() + 1, {{"NODE", Align::kRight}, {"COPIES"}});
    TextTable table(columns);
    for (const JsonView partition : partitions) {
      std::vector<std::string> row = Row(partition, answer["bytesMax"].Number());
      if (cluster) {
        const JsonView node = partition["node"];
        row.insert(row.begin() + 1, {node.present() ? node.Text() : "none", Copies(partition)});
      }
      table.AddRow(row);
    }
    out << table.Render();
    PrintKeys(out, partitions);
    for (const JsonView advice : answer["advice"].Elements()) {
      out << fmt::format("\nadvice: {}\n", Printable(advice.Text()));
    }
  }

  void PrintKeys(std::ostream& out, const std::vector<JsonView>& partitions) const {
    TextTable table(
        {{"PARTITION", Align::kRight}, {""}, {"LOGICAL PARTITION"}, {"", Align::kRight}});
    bool any = false;
    for (const JsonView partition : partitions) {
      const auto add = [&](JsonView key, const char* what, const std::string& amount) {
        table.AddRow({partition["id"].Text(), what,
                      Shortened(fmt::format("{} {}", ContainerOf(key), KeyText(key))), amount});
        any = true;
      };
      for (const JsonView key : First(partition["largest"]))
        add(key, "largest", Size(key["bytes"]));
      for (const JsonView key : First(partition["hottest"])) {
        add(key, "hottest", fmt::format("{:.1f} RU/s", key["requestUnitsPerSecond"].Number()));
      }
    }
    if (any) out << "\n" << table.Render();
  }

  std::vector<JsonView> First(JsonView keys) const {
    std::vector<JsonView> elements = keys.Elements();
    if (elements.size() > keys_shown_)
      elements.erase(elements.begin() + static_cast<ptrdiff_t>(keys_shown_), elements.end());
    return elements;
  }

  ConnectionFlags connection_;
  std::optional<std::string> database_;
  std::optional<std::string> container_;
  size_t keys_shown_ = 3;
};

}  // namespace

std::unique_ptr<Verb> MakePartitionsVerb() { return std::make_unique<PartitionsVerb>(); }

}  // namespace orrery::cli
