#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ostream>
#include <string>

#include "cli/connection_flags.h"
#include "cli/sample/sample_graph.h"
#include "cli/text_table.h"
#include "cli/verb/verb.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

// The default graph of the Gremlin API, and the partition key of graphs without one of their own.
constexpr const char* kDefaultGraphName = "graphs/g";
constexpr std::string_view kGraphKey = "_pk";

class SampleVerb final : public Verb {
 public:
  std::string_view name() const override { return "sample"; }
  std::string_view summary() const override {
    return "load a sample graph of Apache TinkerPop: modern, classic or crew";
  }
  std::string_view examples() const override {
    return "  orrery sample modern                    into the graph that Gremlin consoles see as "
           "g\n"
           "  orrery sample crew social/crew          into a graph of its own, made if need be\n"
           "\n"
           "Loading a graph again puts its vertices and edges back as they were; others stay.";
  }

  void DefineFlags(CLI::App& app) override {
    app.add_option("sample", sample_, "modern, classic or crew")->type_name("SAMPLE")->required();
    app.add_option("graph", target_, "where to (default graphs/g)")->type_name("DATABASE/GRAPH");
    connection_.Define(app);
  }

  Status Run(Console& console) override {
    ORRERY_TRY(MakeSampleGraph(sample_, kGraphKey));  // before anything is made
    ORRERY_ASSIGN(const ContainerName target, ContainerName::Parse(target_));
    if (!target.container) return Fail(Code::kInvalidArgument, "name the graph DATABASE/GRAPH");
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    ORRERY_ASSIGN(const std::string key, KeyOfGraph(client, target));
    ORRERY_ASSIGN(const SampleGraph graph, MakeSampleGraph(sample_, key));
    const std::string path = target.Path() + "/items?upsert=true";
    for (const model::Document& vertex : graph.vertices)
      ORRERY_TRY(client.Call("POST", path, model::ToJson(vertex)));
    for (const model::Document& edge : graph.edges)
      ORRERY_TRY(client.Call("POST", path, model::ToJson(edge)));
    if (connection_.json()) {
      console.out << fmt::format(R"({{"vertices":{},"edges":{}}})", graph.vertices.size(),
                                 graph.edges.size())
                  << "\n";
    } else {
      console.out << fmt::format("loaded {} into {}: {} vertices, {} edges\n", sample_,
                                 Printable(target.ToString()), graph.vertices.size(),
                                 graph.edges.size());
    }
    return {};
  }

 private:
  // The property that is the graph's partition key. Makes the graph if there is none.
  static Result<std::string> KeyOfGraph(AdminClient& client, const ContainerName& target) {
    auto found = client.Get(target.Path());
    if (!found.has_value()) {
      if (found.error().code() != Code::kNotFound) return Fail(found.error());
      ORRERY_TRY(MakeGraph(client, target));
      return std::string(kGraphKey);
    }
    const model::Value settings = model::DocumentView(*found).Get("settings");
    const model::Value* key = settings.Find("partitionKey");
    const model::Value* paths = key == nullptr ? nullptr : key->Find("paths");
    const bool is_one = paths != nullptr && paths->kind() == model::Kind::kArray &&
                        paths->AsValues().size() == 1 &&
                        paths->AsValues().front().kind() == model::Kind::kString;
    const std::string path = is_one ? std::string(paths->AsValues().front().AsString()) : "";
    const bool is_property = path.size() > 1 && path.find('/', 1) == std::string::npos;
    if (!is_property || path == "/id" || path == "/label") {
      return Fail(Code::kInvalidArgument,
                  fmt::format("{} cannot be a graph: its partition key must be one property, such "
                              "as /pk, and neither /id nor /label",
                              target.ToString()));
    }
    return path.substr(1);
  }

  static Status MakeGraph(AdminClient& client, const ContainerName& target) {
    model::DocumentBuilder database;
    database.AppendString("id", target.database);
    const auto made = client.Call("POST", "databases", model::ToJson(std::move(database).Finish()));
    if (!made.has_value() && made.error().code() != Code::kAlreadyExists) return Fail(made.error());
    model::DocumentBuilder container;
    container.AppendString("id", *target.container);
    container.OpenObject("partitionKey")
        .Append("paths", model::Value::Array({model::Value::String("/" + std::string(kGraphKey))}));
    container.Close();
    container.AppendInt32("defaultTtl", -1);
    const ContainerName parent{target.database, std::nullopt};
    ORRERY_TRY(client.Call("POST", parent.Path() + "/containers",
                           model::ToJson(std::move(container).Finish())));
    return {};
  }

  ConnectionFlags connection_;
  std::string sample_;
  std::string target_ = kDefaultGraphName;
};

}  // namespace

std::unique_ptr<Verb> MakeSampleVerb() { return std::make_unique<SampleVerb>(); }

}  // namespace orrery::cli
