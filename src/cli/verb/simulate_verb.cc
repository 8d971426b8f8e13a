#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <optional>
#include <ostream>
#include <string>

#include "cli/byte_size.h"
#include "cli/duration.h"
#include "cli/simulation/simulation_chart.h"
#include "cli/simulation/simulation_report.h"
#include "cli/verb/verb.h"
#include "cluster/simulation/simulation.h"

namespace orrery::cli {
namespace {

using cluster::KeyDistribution;
using cluster::ScenarioEvent;

constexpr uint64_t kKeysFileBytesMax = uint64_t{256} << 20;
constexpr size_t kRowsMax = 10'000;
constexpr double kUsualDemand = 0.6;  // of the throughput

struct AmountAt {
  int64_t amount = 0;
  Micros at{0};
};

// "10@2h".
Result<AmountAt> ParseAmountAt(std::string_view text) {
  const size_t sign = text.find('@');
  int64_t amount = 0;
  const bool number = sign != std::string_view::npos &&
                      CLI::detail::lexical_cast(std::string(text.substr(0, sign)), amount);
  if (!number || amount < 1)
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is no number at a time: write it like 10@2h", text));
  ORRERY_ASSIGN(const Micros at, ParseDuration(text.substr(sign + 1)));
  return AmountAt{amount, at};
}

Result<uint64_t> ParseSize(const std::string& text) { return ParseByteSize(text); }

// An option whose values `parse` understands and `take` keeps.
template <typename Parse, typename Take>
CLI::Option* AddParsed(CLI::App& app, const char* name, const char* help, const char* type,
                       Parse parse, Take take) {
  const auto callback = [parse, take](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      auto value = parse(text);
      if (!value.has_value()) return false;
      take(*std::move(value));
    }
    return true;
  };
  const auto why_not = [parse](const std::string& text) -> std::string {
    const auto value = parse(text);
    return value.has_value() ? "" : value.error().message();
  };
  return app.add_option(name, callback, help)->type_name(type)->check(why_not);
}

Result<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::string chunk(1 << 16, '\0');
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk, 0, static_cast<size_t>(file.gcount()));
    if (text.size() > kKeysFileBytesMax)
      return Fail(Code::kTooLarge,
                  fmt::format("{} is larger than {}", path, FormatByteSize(kKeysFileBytesMax)));
  }
  if (!file.eof()) return Fail(Code::kNotFound, fmt::format("{} cannot be read", path));
  return text;
}

class SimulateVerb final : public Verb {
 public:
  std::string_view name() const override { return "simulate"; }
  std::string_view summary() const override {
    return "try nodes, keys, load and growth on a virtual clock";
  }
  std::string_view examples() const override {
    return "  orrery simulate --nodes 6 --throughput 60000 --data 200GB --growth 100GB --duration "
           "7d\n"
           "                                  a week of a container that grows\n"
           "  orrery simulate --zipf 1.1 --throughput 100000 --svg hot.svg\n"
           "                                  some keys are wanted much more than others\n"
           "  orrery simulate --keys-file tenants.csv --throughput 40000 --demand 25000\n"
           "                                  your own keys, one 'key,weight[,bytes]' a line\n"
           "  orrery simulate --nodes 20 --containers 50 --throughput 100000 --lose 3@2h --add "
           "5@6h --set 200000@12h\n"
           "                                  crashes, new nodes, and more throughput at noon\n"
           "  orrery simulate --nodes 1000 --containers 1000 --throughput 1000000 --keys 1000000 "
           "--node-lifetime 30d\n"
           "                                  a hundred thousand partitions\n"
           "\n"
           "No server is needed or touched. The planners that decide are those of the server; "
           "docs/operations/simulate.md\n"
           "says what is simulated and how to read the table and the chart. The same flags give "
           "the same outcome.";
  }

  void DefineFlags(CLI::App& app) override {
    DefineTime(app);
    DefineNodes(app);
    DefineContainers(app);
    DefineKeys(app);
    app.add_option("--svg", svg_file_, "draw a chart into this file")->type_name("FILE");
    app.add_option("--rows", rows_, "rows of the table")
        ->type_name("N")
        ->check(CLI::Range(size_t{1}, kRowsMax).description(""))
        ->capture_default_str();
    app.add_option("--seed", scenario_.seed, "decides chance and where keys lie")
        ->type_name("N")
        ->capture_default_str();
  }

  Status Run(Console& console) override {
    ORRERY_TRY(Complete());
    ORRERY_ASSIGN(const cluster::Outcome outcome, cluster::Simulate(scenario_));
    console.out << SimulationTable(outcome, rows_) << "\n" << SimulationSummary(scenario_, outcome);
    for (const std::string& advice : SimulationAdvice(scenario_, outcome))
      console.out << "\nadvice: " << advice << "\n";
    if (!svg_file_) return {};
    std::ofstream file(*svg_file_, std::ios::binary);
    file << DrawSimulation(scenario_, outcome);
    file.close();
    if (!file) return Fail(Code::kUnavailable, fmt::format("{} cannot be written", *svg_file_));
    console.out << fmt::format("\nThe chart is in {}.\n", *svg_file_);
    return {};
  }

 private:
  void DefineTime(CLI::App& app) {
    AddTime(app, "--duration", "how long (default: 1d)", scenario_.duration);
    AddTime(app, "--tick", "length of a step (default: 1m)", scenario_.tick);
  }

  void DefineNodes(CLI::App& app) {
    app.add_option("--nodes", scenario_.nodes, "nodes at the start")
        ->type_name("N")
        ->capture_default_str();
    AddEvent(app, "--lose", "this many nodes crash at this time; may be repeated", "N@TIME",
             ScenarioEvent::Kind::kLoseNodes);
    AddEvent(app, "--add", "this many nodes join at this time; may be repeated", "N@TIME",
             ScenarioEvent::Kind::kAddNodes);
    AddTime(app, "--node-lifetime", "mean time to the crash of a node (default: none crash)",
            scenario_.node_lifetime);
    AddTime(app, "--node-absence", "how long such a node is away (default: 1h)",
            scenario_.node_absence);
    AddTime(app, "--take-over", "from a crash to the opening of its partitions (default: 6.5s)",
            scenario_.take_over);
    AddTime(app, "--balance-every", "how often planned moves are decided (default: 5m)",
            scenario_.balance_every);
    app.add_option("--moves", scenario_.placement.moves_max, "planned moves each time, at most")
        ->type_name("N")
        ->capture_default_str();
  }

  void DefineContainers(CLI::App& app) {
    app.add_option("--containers", scenario_.containers, "how many, all alike")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--throughput", scenario_.throughput, "RU/s of each container")
        ->type_name("RU")
        ->capture_default_str();
    AddEvent(app, "--set", "sets that at this time; may be repeated", "RU@TIME",
             ScenarioEvent::Kind::kSetThroughput);
    app.add_option("--demand", demand_,
                   "RU/s that clients want of each (default: 60 % of its throughput)")
        ->type_name("RU")
        ->check(CLI::Range(0.0, 1e15).description(""));
    app.add_option("--swing", scenario_.daily_swing,
                   "daily rise and fall: 0.5 is half as much at midnight, half more at noon")
        ->type_name("0..1")
        ->check(CLI::Range(0.0, 1.0).description(""))
        ->capture_default_str();
    AddSize(app, "--data", "what each holds at the start (default: 100GB)",
            [this](uint64_t bytes) { bytes_ = bytes; });
    AddSize(app, "--growth", "what each grows by in a day (default: 0)",
            [this](uint64_t bytes) { scenario_.bytes_per_day = bytes; });
    AddSize(app, "--limit-physical-partition", "size at which a partition splits (default: 30GB)",
            [this](uint64_t bytes) { scenario_.limits.physical_partition_bytes_max = bytes; });
  }

  void DefineKeys(CLI::App& app) {
    auto* keys = app.add_option("--keys", scenario_.keys, "values of each partition key")
                     ->type_name("N")
                     ->check(CLI::Range(uint64_t{1}, uint64_t{1} << 60).description(""))
                     ->capture_default_str();
    auto* zipf = app.add_option("--zipf", zipf_exponent_,
                                "the n-th key is wanted n^-S times as much as the first "
                                "(default: all alike)")
                     ->type_name("S")
                     ->check(CLI::Range(0.0, 10.0).description(""));
    app.add_option("--keys-file", keys_file_, "take them from a CSV file: key,weight[,bytes]")
        ->type_name("FILE")
        ->excludes(keys)
        ->excludes(zipf);
  }

  static void AddTime(CLI::App& app, const char* name, const char* help, Micros& target) {
    AddParsed(app, name, help, "TIME", ParseDuration, [&target](Micros time) { target = time; });
  }

  template <typename Take>
  static void AddSize(CLI::App& app, const char* name, const char* help, Take take) {
    AddParsed(app, name, help, "SIZE", ParseSize, take);
  }

  void AddEvent(CLI::App& app, const char* name, const char* help, const char* type,
                ScenarioEvent::Kind kind) {
    AddParsed(app, name, help, type, ParseAmountAt, [this, kind](AmountAt event) {
      scenario_.events.push_back({event.at, kind, event.amount});
    })->take_all();
  }

  // Sets what depends on several flags, or on a file.
  Status Complete() {
    scenario_.demand = demand_.value_or(kUsualDemand * static_cast<double>(scenario_.throughput));
    if (zipf_exponent_) {
      scenario_.distribution = KeyDistribution::kZipf;
      scenario_.zipf_exponent = *zipf_exponent_;
    }
    if (keys_file_) {
      ORRERY_ASSIGN(const std::string text, ReadFile(*keys_file_));
      auto listed = cluster::ParseKeyList(text);
      if (!listed.has_value()) return Fail(std::move(listed).error().Annotate(*keys_file_));
      scenario_.distribution = KeyDistribution::kListed;
      scenario_.listed = *std::move(listed);
      double bytes = 0;
      for (const cluster::ListedKey& key : scenario_.listed) bytes += key.bytes;
      if (bytes > 0) scenario_.bytes = static_cast<uint64_t>(std::min(bytes, 0x1p62));
    }
    if (bytes_) scenario_.bytes = *bytes_;
    return {};
  }

  cluster::Scenario scenario_;
  std::optional<double> demand_;
  std::optional<uint64_t> bytes_;
  std::optional<double> zipf_exponent_;
  std::optional<std::string> keys_file_;
  std::optional<std::string> svg_file_;
  size_t rows_ = 24;
};

}  // namespace

std::unique_ptr<Verb> MakeSimulateVerb() { return std::make_unique<SimulateVerb>(); }

}  // namespace orrery::cli
