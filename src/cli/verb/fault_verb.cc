#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <ostream>
#include <string>

#include "cli/connection_flags.h"
#include "cli/duration.h"
#include "cli/json_view.h"
#include "cli/text_table.h"
#include "cli/verb/verb.h"
#include "model/document/json.h"
#include "net/http/url.h"

namespace orrery::cli {
namespace {

class FaultVerb final : public Verb {
 public:
  std::string_view name() const override { return "fault"; }
  std::string_view summary() const override {
    return "have requests to a test server fail, wait or lose their connection (--allow-faults)";
  }
  std::string_view examples() const override {
    return "  orrery fault add 429 --api sql --count 3               the next three requests\n"
           "  orrery fault add 503 --container orders --share 0.1    one in ten, about 'orders'\n"
           "  orrery fault add cut --api mongo --operation insert --after --count 1\n"
           "  orrery fault add delay --time 200ms --operation query\n"
           "  orrery fault add slow --partition 3 --time 50ms        all work of a partition\n"
           "  orrery fault list\n"
           "  orrery fault remove 2\n"
           "  orrery fault clear\n"
           "\n"
           "Faults are 429, 408, 410, 449, 503, delay, cut and slow; each API answers them in its\n"
           "own form. The first fault that fits a request counts. The server must have been started\n"
           "with --allow-faults.";
  }
  void DefineFlags(CLI::App& app) override {
    app.add_option("action", action_, "add, list, remove or clear")
        ->required()
        ->check(CLI::IsMember({"add", "list", "remove", "clear"}));
    app.add_option("what", what_, "(add) the fault, (remove) its number")->type_name("FAULT");
    app.add_option("--api", api_, "sql, cassandra, table, mongo or gremlin; none: all")
        ->type_name("API");
    app.add_option("--database", database_, "database or keyspace; none: all")->type_name("NAME");
    app.add_option("--container", container_, "container, table, collection or graph; none: all")
        ->type_name("NAME");
    app.add_option("--operation", operation_,
                   "read, query, write, batch, script, metadata, the API's own name of one, or "
                   "any; none: all but metadata")
        ->type_name("NAME");
    app.add_option("--share", share_, "the part of the requests, at random (default 1)")
        ->type_name("0..1");
    app.add_option("--count", count_, "after so many faults no more")->type_name("N");
    app.add_option("--skip", skip_, "so many requests go well first")->type_name("N");
    app.add_option("--seed", seed_, "chooses other requests of the same share")->type_name("N");
    app.add_option("--retry-after", retry_after_, "(429) what clients are told (default 10ms)")
        ->type_name("TIME");
    app.add_option("--time", time_, "(delay, slow) how much longer it takes")->type_name("TIME");
    app.add_option("--code", code_, "the SQL API's substatus, or MongoDB's code")->type_name("N");
    app.add_option("--partition", partition_, "(slow) the physical partition")->type_name("N");
    app.add_flag("--after", after_, "carry the request out first, and lose its answer");
    connection_.Define(app);
  }
  Status Run(Console& console) override {
    if (action_ == "add") return Add(console);
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    if (action_ == "list") return List(client, console);
    if (action_ == "clear") {
      ORRERY_TRY(client.Call("DELETE", "faults", ""));
      if (!connection_.json()) console.out << "all faults are removed\n";
      return {};
    }
    if (what_.empty())
      return Fail(Code::kInvalidArgument, "which fault? `orrery fault list` has their numbers");
    ORRERY_TRY(client.Call("DELETE", "faults/" + net::PercentEncode(what_), ""));
    if (!connection_.json()) console.out << fmt::format("removed {}\n", Printable(what_));
    return {};
  }

 private:
  Status Add(Console& console) {
    if (what_.empty()) {
      return Fail(Code::kInvalidArgument,
                  "which fault? 429, 408, 410, 449, 503, delay, cut or slow");
    }
    std::string body = "{\"fault\":";
    model::AppendJsonString(body, what_);
    const auto text = [&](std::string_view field, const std::string& value) {
      if (value.empty()) return;
      body += fmt::format(",\"{}\":", field);
      model::AppendJsonString(body, value);
    };
    const auto number = [&](std::string_view field, const auto& value) {
      if (value.has_value()) body += fmt::format(",\"{}\":{}", field, *value);
    };
    text("api", api_);
    text("database", database_);
    text("container", container_);
    text("operation", operation_);
    number("share", share_);
    number("count", count_);
    number("skip", skip_);
    number("seed", seed_);
    number("code", code_);
    number("partition", partition_);
    ORRERY_ASSIGN(const auto retry_after, Milliseconds(retry_after_));
    ORRERY_ASSIGN(const auto time, Milliseconds(time_));
    number("retryAfterMs", retry_after);
    number("delayMs", time);
    if (after_) body += ",\"after\":true";
    body += "}";
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    ORRERY_ASSIGN(const model::Document answer, client.Call("POST", "faults", body));
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
      return {};
    }
    const model::Value value = answer.view().ToObject();
    console.out << fmt::format("fault {} is on\n", JsonView(&value)["id"].Text());
    return {};
  }

  static Result<std::optional<int64_t>> Milliseconds(const std::string& text) {
    if (text.empty()) return std::optional<int64_t>();
    ORRERY_ASSIGN(const Micros time, ParseDuration(text));
    return std::optional(std::chrono::ceil<std::chrono::milliseconds>(time).count());
  }

  Status List(AdminClient& client, Console& console) const {
    ORRERY_ASSIGN(const model::Document answer, client.Get("faults"));
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
      return {};
    }
    const model::Value value = answer.view().ToObject();
    for (const JsonView fault : JsonView(&value)["faults"].Elements()) {
      std::string line = fmt::format("{:>3}  {:<5}", fault["id"].Text(), fault["fault"].Text());
      for (const std::string_view field :
           {"api", "database", "container", "operation", "skip", "share", "count", "seed", "after",
            "retryAfterMs", "delayMs", "code", "partition"}) {
        if (fault[field].present())
          line += fmt::format("  {} {}", field, Printable(fault[field].Text()));
      }
      console.out << fmt::format("{}  ({} of {} requests)\n", line, fault["made"].Text(),
                                 fault["matched"].Text());
    }
    return {};
  }

  ConnectionFlags connection_;
  std::string action_;
  std::string what_;
  std::string api_;
  std::string database_;
  std::string container_;
  std::string operation_;
  std::optional<double> share_;
  std::optional<uint64_t> count_;
  std::optional<uint64_t> skip_;
  std::optional<uint64_t> seed_;
  std::optional<int32_t> code_;
  std::optional<uint64_t> partition_;
  std::string retry_after_;
  std::string time_;
  bool after_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeFaultVerb() { return std::make_unique<FaultVerb>(); }

}  // namespace orrery::cli
