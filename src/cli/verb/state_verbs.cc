#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <ctime>
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

class ResetVerb final : public Verb {
 public:
  std::string_view name() const override { return "reset"; }
  std::string_view summary() const override {
    return "remove all databases and data of a test server at once (--allow-reset)";
  }
  std::string_view examples() const override {
    return "  orrery reset --yes\n"
           "\n"
           "The server must have been started with --allow-reset. Clients stay connected.";
  }
  void DefineFlags(CLI::App& app) override {
    app.add_flag("--yes", yes_, "really remove everything");
    connection_.Define(app);
  }
  Status Run(Console& console) override {
    if (!yes_) return Fail(Code::kInvalidArgument, "say --yes to remove all databases and data");
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    ORRERY_TRY(client.Call("POST", "reset", ""));
    if (!connection_.json()) console.out << "everything is removed\n";
    return {};
  }

 private:
  ConnectionFlags connection_;
  bool yes_ = false;
};

class SnapshotVerb final : public Verb {
 public:
  std::string_view name() const override { return "snapshot"; }
  std::string_view summary() const override {
    return "keep the state of a test server, and go back to it (--allow-reset)";
  }
  std::string_view examples() const override {
    return "  orrery snapshot create seeded\n"
           "  orrery snapshot create seeded --replace\n"
           "  orrery snapshot restore seeded       all databases and data as they were\n"
           "  orrery snapshot list\n"
           "  orrery snapshot drop seeded\n"
           "\n"
           "The server must have been started with --allow-reset. Clients stay connected. A\n"
           "snapshot shares its files with the data, and survives restarts.";
  }
  void DefineFlags(CLI::App& app) override {
    app.add_option("action", action_, "create, restore, list or drop")
        ->required()
        ->check(CLI::IsMember({"create", "restore", "list", "drop"}));
    app.add_option("name", name_, "of the snapshot")->type_name("NAME");
    app.add_flag("--replace", replace_, "(create) a snapshot of that name goes");
    connection_.Define(app);
  }
  Status Run(Console& console) override {
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    if (action_ == "list") return List(client, console);
    if (name_.empty()) return Fail(Code::kInvalidArgument, "which snapshot? Give its name");
    const std::string path = "snapshots/" + net::PercentEncode(name_);
    if (action_ == "create") {
      ORRERY_TRY(client.Call("PUT", path + (replace_ ? "?replace=true" : ""), ""));
    } else if (action_ == "restore") {
      ORRERY_TRY(client.Call("POST", path + "/restore", ""));
    } else {
      ORRERY_TRY(client.Call("DELETE", path, ""));
    }
    if (!connection_.json()) {
      const std::string_view done = action_ == "create"    ? "created"
                                    : action_ == "restore" ? "restored"
                                                           : "dropped";
      console.out << fmt::format("{} {}\n", done, Printable(name_));
    }
    return {};
  }

 private:
  Status List(AdminClient& client, Console& console) const {
    ORRERY_ASSIGN(const model::Document answer, client.Get("snapshots"));
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
      return {};
    }
    const model::Value value = answer.view().ToObject();
    for (const JsonView snapshot : JsonView(&value)["snapshots"].Elements()) {
      const auto seconds = static_cast<std::time_t>(snapshot["takenAtMicros"].Number() / 1e6);
      std::tm time{};
      gmtime_r(&seconds, &time);
      console.out << fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC  {}\n",
                                 time.tm_year + 1'900, time.tm_mon + 1, time.tm_mday, time.tm_hour,
                                 time.tm_min, time.tm_sec, Printable(snapshot["name"].Text()));
    }
    return {};
  }

  ConnectionFlags connection_;
  std::string action_;
  std::string name_;
  bool replace_ = false;
};

class ClockVerb final : public Verb {
 public:
  std::string_view name() const override { return "clock"; }
  std::string_view summary() const override {
    return "show or advance the time of a test server (--allow-reset)";
  }
  std::string_view examples() const override {
    return "  orrery clock                     how far the server's time is ahead\n"
           "  orrery clock --advance 90s       what expires within 90 seconds expires now\n"
           "  orrery clock --advance 30d\n"
           "\n"
           "The server must have been started with --allow-reset. The time goes forward only, and\n"
           "is the machine's again after a restart.";
  }
  void DefineFlags(CLI::App& app) override {
    app.add_option("--advance", advance_, "by so much: 90s, 15m, 2h, 30d")->type_name("TIME");
    connection_.Define(app);
  }
  Status Run(Console& console) override {
    std::string body;
    if (!advance_.empty()) {
      ORRERY_ASSIGN(const Micros by, ParseDuration(advance_));
      body = fmt::format(R"({{"seconds":{}}})", static_cast<double>(by.count()) / 1e6);
    }
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    ORRERY_ASSIGN(const model::Document answer,
                  body.empty() ? client.Get("clock") : client.Call("POST", "clock/advance", body));
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
      return {};
    }
    const model::Value value = answer.view().ToObject();
    const double ahead = JsonView(&value)["aheadSeconds"].Number();
    console.out << fmt::format("{} ahead of the machine's time\n",
                               FormatDuration(Micros(static_cast<int64_t>(ahead * 1e6))));
    return {};
  }

 private:
  ConnectionFlags connection_;
  std::string advance_;
};

}  // namespace

std::unique_ptr<Verb> MakeResetVerb() { return std::make_unique<ResetVerb>(); }
std::unique_ptr<Verb> MakeSnapshotVerb() { return std::make_unique<SnapshotVerb>(); }
std::unique_ptr<Verb> MakeClockVerb() { return std::make_unique<ClockVerb>(); }

}  // namespace orrery::cli
