#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include "cli/connection_flags.h"
#include "cli/text_table.h"
#include "cli/verb/verb.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

class CreateVerb final : public Verb {
 public:
  std::string_view name() const override { return "create"; }
  std::string_view summary() const override { return "make a database or a container"; }
  std::string_view examples() const override {
    return "  orrery create shop                                           a database\n"
           "  orrery create shop --throughput 4000                         whose containers share "
           "4,000 RU/s\n"
           "  orrery create shop/orders --partition-key /customer          a container, unmetered\n"
           "  orrery create shop/events --partition-key /device --throughput 20000\n"
           "  orrery create shop/visits --partition-key /tenant --partition-key /user --ttl 3600\n"
           "  orrery create shop/config                                    no key: fixed, at most "
           "10 GB\n"
           "\n"
           "A container's database is made when it does not exist.";
  }

  void DefineFlags(CLI::App& app) override {
    app.add_option("name", target_, "what to make")->type_name("DATABASE[/CONTAINER]")->required();
    app.add_option("--partition-key", key_paths_,
                   "path whose value decides where an item lives; up to three")
        ->type_name("/PATH")
        ->allow_extra_args(false);
    // Checked as text, too: an empty one would otherwise count as not given.
    const CLI::TypeValidator<int64_t> number("");
    auto* manual =
        app.add_option("--throughput", manual_, "provision RU/s (default: none, unmetered)")
            ->type_name("RU")
            ->check(number);
    app.add_option("--autoscale-max", autoscale_max_, "scale between a tenth of this and this")
        ->type_name("RU")
        ->check(number)
        ->excludes(manual);
    app.add_option("--ttl", ttl_,
                   "seconds after which items expire; -1: only those with a ttl of their own")
        ->type_name("SECONDS")
        ->check(number);
    app.add_option("--feed-retention", feed_retention_,
                   "keep all versions and deletes in the change feed this long")
        ->type_name("MINUTES")
        ->check(number);
    connection_.Define(app);
  }

  Status Run(Console& console) override {
    ORRERY_ASSIGN(const ContainerName target, ContainerName::Parse(target_));
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    if (!target.container) {
      if (!key_paths_.empty() || ttl_ || feed_retention_) {
        return Fail(Code::kInvalidArgument,
                    "a database has neither a partition key nor a ttl; name DATABASE/CONTAINER");
      }
      ORRERY_ASSIGN(const auto answer,
                    CreateDatabase(client, target.database, /*with_throughput=*/true));
      return Report(console, target, answer);
    }
    auto made = CreateDatabase(client, target.database, /*with_throughput=*/false);
    if (!made && made.error().code() != Code::kAlreadyExists) return Fail(made.error());
    const ContainerName database{target.database, std::nullopt};
    ORRERY_ASSIGN(const auto answer, client.Call("POST", database.Path() + "/containers",
                                                 ContainerBody(*target.container)));
    return Report(console, target, answer);
  }

 private:
  Result<model::Document> CreateDatabase(AdminClient& client, const std::string& database,
                                         bool with_throughput) const {
    model::DocumentBuilder body;
    body.AppendString("id", database);
    if (with_throughput) AppendThroughput(body);
    return client.Call("POST", "databases", model::ToJson(std::move(body).Finish()));
  }

  std::string ContainerBody(const std::string& container) const {
    model::DocumentBuilder body;
    body.AppendString("id", container);
    if (!key_paths_.empty()) {
      model::Values paths;
      for (const std::string& path : key_paths_) paths.push_back(model::Value::String(path));
      body.OpenObject("partitionKey").Append("paths", model::Value::Array(std::move(paths)));
      if (key_paths_.size() > 1) body.AppendString("kind", "MultiHash");
      body.Close();
    }
    AppendThroughput(body);
    if (ttl_) body.AppendInt32("defaultTtl", *ttl_);
    if (feed_retention_) body.AppendInt32("feedRetentionMinutes", *feed_retention_);
    return model::ToJson(std::move(body).Finish());
  }

  void AppendThroughput(model::DocumentBuilder& body) const {
    if (!manual_ && !autoscale_max_) return;
    body.OpenObject("throughput");
    body.AppendInt64(manual_ ? "manual" : "autoscaleMax", manual_ ? *manual_ : *autoscale_max_);
    body.Close();
  }

  Status Report(Console& console, const ContainerName& target,
                const model::Document& answer) const {
    if (connection_.json()) {
      console.out << model::ToJson(answer) << "\n";
    } else {
      console.out << fmt::format("created {}\n", Printable(target.ToString()));
    }
    return {};
  }

  ConnectionFlags connection_;
  std::string target_;
  std::vector<std::string> key_paths_;
  std::optional<int64_t> manual_;
  std::optional<int64_t> autoscale_max_;
  std::optional<int32_t> ttl_;
  std::optional<int32_t> feed_retention_;
};

}  // namespace

std::unique_ptr<Verb> MakeCreateVerb() { return std::make_unique<CreateVerb>(); }

}  // namespace orrery::cli
