#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/connection_flags.h"
#include "cli/json_view.h"
#include "cli/text_table.h"
#include "cli/verb/verb.h"
#include "model/document/json.h"
#include "portal/json/json_writer.h"

namespace orrery::cli {
namespace {

constexpr std::chrono::milliseconds kMovePollPause{200};
constexpr std::chrono::seconds kMoveTellPause{2};

class MoveVerb final : public Verb {
 public:
  std::string_view name() const override { return "move"; }
  std::string_view summary() const override {
    return "give a container another partition key or throughput, while it is written to";
  }
  std::string_view examples() const override {
    return "  orrery move shop/orders --partition-key /customer --throughput 10000\n"
           "  orrery move shop/orders --partition-key /tenant,/user       a key of two levels\n"
           "  orrery move shop/orders --throughput 20000                  the same key\n"
           "  orrery move                                                 list of moves\n"
           "  orrery move --cancel 3\n"
           "\n"
           "The items are copied into a new container, followed by what is written meanwhile, "
           "compared, and the new\n"
           "one takes the name in one step. A server that was stopped goes on after its next "
           "start. Both containers\n"
           "need the throughput for it. With another key, clients must name that one from then "
           "on.";
  }

  void DefineFlags(CLI::App& app) override {
    auto* target =
        app.add_option("name", target_, "the container")->type_name("DATABASE/CONTAINER");
    app.add_option("--partition-key", key_, "the new key: a path, or levels with commas")
        ->type_name("PATH,..");
    app.add_option("--throughput", throughput_, "RU/s of the new container")
        ->type_name("RU/S")
        ->check(CLI::TypeValidator<int64_t>(""));
    app.add_flag("--no-wait", no_wait_, "return when it has begun");
    app.add_option("--cancel", cancel_, "give a move up, or forget one that is over")
        ->type_name("ID")
        ->excludes(target);
    connection_.Define(app);
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    if (cancel_.has_value()) {
      ORRERY_TRY(client.Call("DELETE", fmt::format("moves/{}", *cancel_), ""));
      return {};
    }
    if (target_.empty()) return List(console, client);
    ORRERY_ASSIGN(const ContainerName target, ContainerName::Parse(target_));
    if (!target.container)
      return Fail(Code::kInvalidArgument, "name the container: DATABASE/CONTAINER");
    ORRERY_ASSIGN(model::Document move, client.Call("POST", target.Path() + "/move", Body()));
    if (!no_wait_) {
      ORRERY_ASSIGN(move, Await(console, client, std::move(move)));
    }
    if (connection_.json()) {
      console.out << model::ToJson(move) << "\n";
    } else {
      const model::Value value = move.view().ToObject();
      Print(console.out, JsonView(&value));
    }
    const std::string state(move.view().Get("state").AsString());
    if (state != "failed" && state != "cancelled") return {};
    const model::Value error = move.view().Get("error");
    return Fail(Code::kPreconditionFailed,
                error.kind() == model::Kind::kString
                    ? std::string(error.AsString())
                    : std::string("the move was cancelled; nothing was changed"));
  }

 private:
  std::string Body() const {
    portal::JsonWriter json;
    json.BeginObject();
    if (!key_.empty()) {
      std::vector<std::string_view> paths;
      for (std::string_view rest = key_; !rest.empty();) {
        const std::string_view path = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), path.size() + 1));
        paths.push_back(path);
      }
      json.Key("partitionKey").BeginObject().Key("paths").BeginArray();
      for (const std::string_view path : paths) json.String(path);
      json.EndArray().Field("kind", paths.size() > 1 ? "MultiHash" : "Hash").EndObject();
    }
    if (throughput_.has_value())
      json.Key("throughput").BeginObject().Field("manual", *throughput_).EndObject();
    json.EndObject();
    return std::move(json).Finish();
  }

  Result<model::Document> Await(const Console& console, AdminClient& client,
                                model::Document move) const {
    auto told = std::chrono::steady_clock::now();
    const std::string path = fmt::format("moves/{}", move.view().Get("id").AsString());
    while (move.view().Get("ended").is_null()) {
      std::this_thread::sleep_for(kMovePollPause);
      ORRERY_ASSIGN(move, client.Get(path));
      if (connection_.json() || std::chrono::steady_clock::now() < told + kMoveTellPause) continue;
      told = std::chrono::steady_clock::now();
      const model::Value value = move.view().ToObject();
      Print(console.out, JsonView(&value));
    }
    return move;
  }

  Status List(const Console& console, AdminClient& client) const {
    ORRERY_ASSIGN(const model::Document answer, client.Get("moves"));
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
      return {};
    }
    const model::Value value = answer.view().ToObject();
    TextTable table({{"ID", Align::kRight},
                     {"CONTAINER"},
                     {"STATE"},
                     {"COPIED", Align::kRight},
                     {"OF", Align::kRight},
                     {"FOLLOWED", Align::kRight},
                     {"PAUSE", Align::kRight},
                     {"ERROR"}});
    for (const JsonView move : JsonView(&value)["moves"].Elements()) {
      table.AddRow(
          {move["id"].Text(),
           Printable(move["database"].Text()) + "/" + Printable(move["container"].Text()),
           move["state"].Text(), GroupDigits(move["copied"].Number()),
           GroupDigits(move["total"].Number()), GroupDigits(move["changes"].Number()),
           move["pauseMs"].present() ? fmt::format("{:.1f} ms", move["pauseMs"].Number()) : "-",
           move["error"].present() ? Printable(move["error"].Text()) : "-"});
    }
    console.out << table.Render();
    return {};
  }

  static void Print(std::ostream& out, JsonView move) {
    out << fmt::format("{}: {} of {} items copied, {} changes followed", move["state"].Text(),
                       GroupDigits(move["copied"].Number()), GroupDigits(move["total"].Number()),
                       GroupDigits(move["changes"].Number()));
    if (move["digest"].present())
      out << fmt::format(", {} compared", GroupDigits(move["verified"].Number()));
    if (move["pauseMs"].present())
      out << fmt::format("; writers waited {:.1f} ms", move["pauseMs"].Number());
    out << "\n" << std::flush;
  }

  ConnectionFlags connection_;
  std::string target_;
  std::string key_;
  std::optional<int64_t> throughput_;
  std::optional<uint64_t> cancel_;
  bool no_wait_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeMoveVerb() { return std::make_unique<MoveVerb>(); }

}  // namespace orrery::cli
