#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "cli/advice/item_file.h"
#include "cli/connection_flags.h"
#include "cli/json_view.h"
#include "cli/settings/settings_file.h"
#include "cli/text_table.h"
#include "cli/verb/verb.h"
#include "gateway/advice/key_adviser.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "partition/limits.h"
#include "portal/json/advice_json.h"
#include "portal/json/json_writer.h"

namespace orrery::cli {
namespace {

constexpr std::chrono::milliseconds kAdvicePollPause{100};

// "3.2 %", "19 %"
std::string SharePercent(JsonView share) {
  if (!share.present()) return "-";
  const double percent = share.Number() * 100;
  return percent < 10 ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

// "tenant=90" or "tenant,user=8": requests that name these properties, and their share.
Result<gateway::AdvisedStatements> ParseStatement(const std::string& text) {
  const size_t equals = text.rfind('=');
  gateway::AdvisedStatements statement;
  char* end = nullptr;
  const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
  statement.charge = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !(statement.charge >= 0)) {
    return Fail(Code::kInvalidArgument,
                fmt::format("--requests {}: give paths and their share, as /tenant,/user=8", text));
  }
  std::string_view paths = std::string_view(text).substr(0, equals);
  while (!paths.empty()) {
    const std::string_view path = paths.substr(0, paths.find(','));
    paths.remove_prefix(std::min(paths.size(), path.size() + 1));
    if (!path.empty()) statement.equal_paths.emplace_back(path);
  }
  return statement;
}

class AdviseVerb final : public Verb {
 public:
  std::string_view name() const override { return "advise"; }
  std::string_view summary() const override {
    return "compare partition keys for a container, or for data in a file";
  }
  std::string_view examples() const override {
    return "  orrery advise shop/orders                          from the items that are stored\n"
           "  orrery advise --file orders.csv --rate 4000        before anything is stored\n"
           "  orrery advise shop/orders --requests /customer=90 --requests /orderId=10\n"
           "\n"
           "--requests says which properties requests name by equality, and their share: without "
           "it nothing can be\n"
           "said about requests that would ask every partition. LARGEST is of the 20 GB of a "
           "logical partition, HOTTEST\n"
           "of the rate of a physical one.";
  }

  void DefineFlags(CLI::App& app) override {
    auto* target =
        app.add_option("name", target_, "the container")->type_name("DATABASE/CONTAINER");
    app.add_option("--file", file_, "CSV with names, a JSON array, or JSON objects line by line")
        ->type_name("FILE")
        ->excludes(target);
    app.add_option("--rate", rate_, "RU/s that the data of the file will need")->type_name("RU/S");
    app.add_option("--requests", requests_, "paths that requests name, and their share")
        ->type_name("PATH,..=SHARE");
    app.add_option("--candidate", keys_, "a key to compare: a path, or levels with commas")
        ->type_name("PATH,..");
    app.add_option("--sample", sample_, "items to look at (default 20000)")->type_name("N");
    connection_.Define(app);
  }

  Status Run(Console& console) override {
    if (target_.empty() == !file_.has_value())
      return Fail(Code::kInvalidArgument, "name a container, or a --file");
    ORRERY_ASSIGN(const std::string body, Body());
    ORRERY_ASSIGN(const model::Document result,
                  file_.has_value() ? FromFile(body) : FromServer(console, body));
    if (connection_.json()) {
      console.out << model::ToJson(result) << "\n";
      return {};
    }
    const model::Value value = result.view().ToObject();
    Print(console.out, JsonView(&value));
    return {};
  }

 private:
  // The question as the admin interface takes it.
  Result<std::string> Body() const {
    portal::JsonWriter json;
    json.BeginObject().Field("sampleItems", sample_);
    if (!keys_.empty()) {
      json.Key("candidates").BeginArray();
      for (const std::string& key : keys_) {
        json.BeginArray();
        std::string_view rest = key;
        while (!rest.empty()) {
          const std::string_view path = rest.substr(0, rest.find(','));
          rest.remove_prefix(std::min(rest.size(), path.size() + 1));
          json.String(path);
        }
        json.EndArray();
      }
      json.EndArray();
    }
    json.Key("statements").BeginArray();
    for (const std::string& text : requests_) {
      ORRERY_ASSIGN(const gateway::AdvisedStatements statement, ParseStatement(text));
      json.BeginObject().Key("paths").BeginArray();
      for (const std::string& path : statement.equal_paths) json.String(path);
      json.EndArray().Key("charge").Double(statement.charge).EndObject();
    }
    json.EndArray().EndObject();
    return std::move(json).Finish();
  }

  Result<model::Document> FromServer(const Console& console, const std::string& body) const {
    ORRERY_ASSIGN(const ContainerName target, ContainerName::Parse(target_));
    if (!target.container)
      return Fail(Code::kInvalidArgument, "name the container: DATABASE/CONTAINER");
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    ORRERY_ASSIGN(model::Document job, client.Call("POST", target.Path() + "/advise", body));
    while (job.view().Get("state").AsString() == "running") {
      std::this_thread::sleep_for(kAdvicePollPause);
      ORRERY_ASSIGN(job, client.Get("jobs/" + job.view().Get("id").AsString()));
    }
    const model::Value result = job.view().Get("result");
    if (result.kind() != model::Kind::kObject) {
      const model::Value error = job.view().Get("error");
      return Fail(Code::kUnavailable, error.kind() == model::Kind::kString
                                          ? error.AsString()
                                          : std::string("the advice was cancelled"));
    }
    return model::ToDocument(result);
  }

  Result<model::Document> FromFile(const std::string& body) const {
    ORRERY_ASSIGN(const model::Document question, model::ParseJson(body));
    ORRERY_ASSIGN(portal::AskedAdvice asked, portal::AskedAdviceFrom(question));
    ORRERY_ASSIGN(const std::string text, ReadSmallFile(*file_, kItemFileBytesMax));
    auto items = ReadItems(text, gateway::kAdvisedSampleMax);
    if (!items.has_value()) return Fail(std::move(items).error().Annotate(*file_));
    gateway::AdviceQuestion& advice = asked.question;
    // The order of the file is that of writing.
    int64_t place = 0;
    for (model::Document& item : *items) {
      advice.bytes_total += item.bson().size();
      advice.sample.push_back({std::move(item), ++place});
    }
    advice.items_total = advice.sample.size();
    advice.rate = rate_;
    const partition::Limits limits;
    advice.logical_partition_bytes_max = limits.logical_partition_bytes_max;
    advice.partition_bytes_max = limits.physical_partition_bytes_max;
    advice.partition_rate_max = static_cast<double>(limits.physical_partition_rate_max);
    ORRERY_ASSIGN(const auto candidates, gateway::AdviseKeys(advice));
    return model::ParseJson(portal::AdviceJson(asked, candidates));
  }

  static void Print(std::ostream& out, JsonView result) {
    TextTable table({{"KEY"},
                     {"FILLED", Align::kRight},
                     {"DISTINCT", Align::kRight},
                     {"LARGEST", Align::kRight},
                     {"HOTTEST", Align::kRight},
                     {"PARTITIONS", Align::kRight},
                     {"ONE-PARTITION", Align::kRight},
                     {"VERDICT"}});
    const auto candidates = result["candidates"].Elements();
    for (const JsonView each : candidates) {
      table.AddRow(
          {Printable(each["key"].Text()) + (each["today"].Bool() ? " (today)" : ""),
           SharePercent(each["filled"]), GroupDigits(each["distinct"].Number()),
           SharePercent(each["largestShare"]), SharePercent(each["hottestShare"]),
           fmt::format("{} / {}", each["partitionsNow"].Text(), each["partitionsThen"].Text()),
           SharePercent(each["onePartition"]), each["verdict"].Text()});
    }
    out << fmt::format("sample of {} of {} items\n\n", GroupDigits(result["sampled"].Number()),
                       GroupDigits(result["items"].Number()))
        << table.Render() << "\n";
    for (const JsonView each : candidates) {
      out << fmt::format("{}: {}: {}\n", Printable(each["key"].Text()), each["verdict"].Text(),
                         Printable(each["reason"].Text()));
    }
  }

  ConnectionFlags connection_;
  std::string target_;
  std::optional<std::string> file_;
  double rate_ = 0;
  std::vector<std::string> requests_;
  std::vector<std::string> keys_;
  int64_t sample_ = 20'000;
};

}  // namespace

std::unique_ptr<Verb> MakeAdviseVerb() { return std::make_unique<AdviseVerb>(); }

}  // namespace orrery::cli
