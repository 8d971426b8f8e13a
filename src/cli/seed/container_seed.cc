#include "cli/seed/container_seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "cli/seed/client/http_api_client.h"
#include "cli/seed/item_file.h"
#include "cli/seed/text/yaml_reader.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

using model::Kind;
using model::Value;

Value Text(std::string text) { return Value::String(std::move(text)); }

// Carries out one containers.yaml.
class ContainerSeed {
 public:
  ContainerSeed(const SeedFile& file, const std::string& directory, const SeedEndpoints& endpoints,
                SeedReport& report)
      : file_(file), directory_(directory), endpoints_(endpoints), report_(report) {}

  void Run(const YamlNode& root) {
    if (root.is_null()) return;
    if (root.kind != YamlNode::Kind::kMapping) return Refuse(root, "a mapping is expected");
    for (const auto& [name, section] : root.fields) {
      if (section.is_null()) continue;
      if (section.kind != YamlNode::Kind::kMapping) {
        Refuse(section, fmt::format("'{}' must be a mapping by name", name));
      } else if (name == "databases") {
        ForEach(section, [&](const auto& id, const auto& node) { MakeDatabase(id, node); });
      } else if (name == "collections") {
        ForEach(section, [&](const auto& id, const auto& node) { MakeCollection(id, node); });
      } else if (name == "tables") {
        ForEach(section, [&](const auto& id, const auto& node) { MakeTable(id, node); });
      } else if (name == "graphs") {
        ForEach(section, [&](const auto& id, const auto& node) { MakeGraph(id, node); });
      } else {
        Refuse(section, fmt::format("unknown section '{}'; there are databases, collections, "
                                    "tables and graphs",
                                    name));
      }
    }
    if (report_.goes_on()) report_.Done(file_.shown, made_, "definitions");
  }

 private:
  template <typename Use>
  void ForEach(const YamlNode& section, Use use) {
    for (const auto& [id, node] : section.fields) {
      if (!report_.goes_on()) return;
      if (!node.is_null() && node.kind != YamlNode::Kind::kMapping) {
        Refuse(node, fmt::format("what '{}' is must be a mapping", id));
        continue;
      }
      use(id, node);
    }
  }

  void Refuse(const YamlNode& node, std::string_view what) {
    report_.Add(file_.shown, node.line, what);
  }

  Result<SqlClient*> Sql() {
    if (!sql_.has_value()) {
      ORRERY_ASSIGN(sql_, SqlClient::Create(endpoints_.sql));
    }
    return &*sql_;
  }

  // The headers of throughput, from `throughput` and `autoscale`.
  std::optional<SqlClient::Headers> Throughput(const YamlNode& node) {
    SqlClient::Headers headers;
    for (const std::string_view name : {"throughput", "autoscale"}) {
      const YamlNode* rate = node.Find(name);
      if (rate == nullptr || rate->is_null()) continue;
      const Value value = rate->ToValue();
      if (value.kind() != Kind::kInt32 || value.AsInteger() <= 0) {
        Refuse(*rate, fmt::format("{} must be a whole number of RU/s", name));
        return std::nullopt;
      }
      if (name == "throughput") {
        headers.emplace_back("x-ms-offer-throughput", std::to_string(value.AsInteger()));
      } else {
        headers.emplace_back("x-ms-cosmos-offer-autopilot-settings",
                             fmt::format(R"({{"maxThroughput":{}}})", value.AsInteger()));
      }
    }
    return headers;
  }

  // POST; when it is there already, PUT to `path` and the id, if it `can_change`.
  bool Make(const YamlNode& node, SqlClient::Path path, const std::string& id, const Value& body,
            const SqlClient::Headers& headers, bool can_change) {
    const auto client = Sql();
    if (!client.has_value()) {
      Refuse(node, client.error().message());
      return false;
    }
    const std::string json = model::ToJson(body);
    auto response = (*client)->Send("POST", path, headers, json);
    if (response.has_value() && response->status == 409 && can_change) {
      path.push_back(id);
      response = (*client)->Send("PUT", path, {}, json);
    }
    const bool is_there = response.has_value() && response->status == 409;
    const bool is_made = response.has_value() && response->status < 300;
    if (!is_there && !is_made) {
      Refuse(node, fmt::format("'{}': {}", id,
                               response.has_value() ? ErrorOfSql(*response).message()
                                                    : response.error().message()));
      return false;
    }
    ++made_;
    return true;
  }

  void MakeDatabase(const std::string& id, const YamlNode& node) {
    const auto headers = Throughput(node);
    if (!headers.has_value() || !Known(node, {"throughput", "autoscale", "containers", "users"}))
      return;
    if (!Make(node, {"dbs"}, id, Value::Object({{"id", Text(id)}}), *headers, false)) return;
    if (const YamlNode* containers = node.Find("containers"); containers != nullptr) {
      ForEach(*containers,
              [&](const auto& name, const auto& container) { MakeContainer(id, name, container); });
    }
    if (const YamlNode* users = node.Find("users"); users != nullptr)
      ForEach(*users, [&](const auto& name, const auto& user) { MakeUser(id, name, user); });
  }

  bool Known(const YamlNode& node, std::initializer_list<std::string_view> names) {
    for (const auto& [name, value] : node.fields) {
      if (std::ranges::find(names, name) != names.end()) continue;
      Refuse(value, fmt::format("unknown setting '{}'", name));
      return false;
    }
    return true;
  }

  static Value PartitionKey(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::kMapping) return node.ToValue();
    model::Values paths;
    if (node.kind == YamlNode::Kind::kScalar) {
      paths.push_back(Text(node.text));
    } else {
      for (const YamlNode& path : node.elements) paths.push_back(Text(path.text));
    }
    const bool is_hierarchical = paths.size() > 1;
    return Value::Object({{"paths", Value::Array(std::move(paths))},
                          {"kind", Text(is_hierarchical ? "MultiHash" : "Hash")},
                          {"version", Value::Int32(2)}});
  }

  static Value UniqueKeys(const YamlNode& node) {
    model::Values keys;
    for (const YamlNode& key : node.elements) {
      model::Values paths;
      if (key.kind == YamlNode::Kind::kScalar) paths.push_back(Text(key.text));
      for (const YamlNode& path : key.elements) paths.push_back(Text(path.text));
      keys.push_back(Value::Object({{"paths", Value::Array(std::move(paths))}}));
    }
    return Value::Object({{"uniqueKeys", Value::Array(std::move(keys))}});
  }

  void MakeContainer(const std::string& database, const std::string& id, const YamlNode& node) {
    const auto headers = Throughput(node);
    if (!headers.has_value()) return;
    model::Fields body = {{"id", Text(id)}};
    for (const auto& [name, value] : node.fields) {
      if (name == "throughput" || name == "autoscale" || name == "storedProcedures" ||
          name == "triggers" || name == "userDefinedFunctions")
        continue;
      if (name == "partitionKey") {
        body.push_back({name, PartitionKey(value)});
      } else if (name == "uniqueKeys") {
        body.push_back({"uniqueKeyPolicy", UniqueKeys(value)});
      } else {
        body.push_back({name, value.ToValue()});
      }
    }
    if (!Make(node, {"dbs", database, "colls"}, id, Value::Object(std::move(body)), *headers, true))
      return;
    const SqlClient::Path container = {"dbs", database, "colls", id};
    MakeScripts(container, "sprocs", node.Find("storedProcedures"));
    MakeScripts(container, "udfs", node.Find("userDefinedFunctions"));
    MakeScripts(container, "triggers", node.Find("triggers"));
  }

  void MakeScripts(const SqlClient::Path& container, const std::string& type,
                   const YamlNode* scripts) {
    if (scripts == nullptr || !report_.goes_on()) return;
    for (const auto& [id, script] : scripts->fields) {
      model::Fields body = {{"id", Text(id)}};
      const YamlNode* code = &script;
      if (type == "triggers") {
        const YamlNode* kind = script.Find("type");
        const YamlNode* operation = script.Find("operation");
        code = script.Find("body");
        if (kind == nullptr || code == nullptr) {
          Refuse(script, fmt::format("trigger '{}' needs a type (Pre or Post) and a body", id));
          continue;
        }
        body.push_back({"triggerType", Text(kind->text)});
        body.push_back({"triggerOperation", Text(operation == nullptr ? "All" : operation->text)});
      }
      const auto text = CodeOf(*code);
      if (!text.has_value()) {
        Refuse(*code, text.error().message());
        continue;
      }
      body.push_back({"body", Text(*text)});
      SqlClient::Path path = container;
      path.push_back(type);
      Make(script, path, id, Value::Object(std::move(body)), {}, true);
    }
  }

  // The text itself, or what is in the file that it names.
  Result<std::string> CodeOf(const YamlNode& node) const {
    if (!node.text.ends_with(".js") || node.text.contains('\n')) return node.text;
    const std::filesystem::path below = std::filesystem::path(node.text).lexically_normal();
    if (below.is_absolute() || below.string().starts_with(".."))
      return Fail(Code::kInvalidArgument,
                  fmt::format("'{}' is outside of the directory", node.text));
    return ReadSeedFile({.kind = SeedKind::kContainers,
                         .path = directory_ + "/" + below.string(),
                         .shown = below.string(),
                         .database = {},
                         .container = {}});
  }

  void MakeUser(const std::string& database, const std::string& id, const YamlNode& node) {
    if (!Make(node, {"dbs", database, "users"}, id, Value::Object({{"id", Text(id)}}), {}, false))
      return;
    for (const auto& [name, permission] : node.fields) {
      const YamlNode* container = permission.Find("container");
      const YamlNode* mode = permission.Find("mode");
      if (container == nullptr) {
        Refuse(permission, fmt::format("permission '{}' needs a container", name));
        continue;
      }
      Make(permission, {"dbs", database, "users", id, "permissions"}, name,
           Value::Object(
               {{"id", Text(name)},
                {"permissionMode", Text(mode == nullptr ? "Read" : mode->text)},
                {"resource", Text(fmt::format("dbs/{}/colls/{}", database, container->text))}}),
           {}, true);
    }
  }

  void MakeGraph(const std::string& id, const YamlNode& node) {
    const size_t slash = id.find_first_of("/.");
    if (slash == std::string::npos || slash == 0 || slash + 1 == id.size())
      return Refuse(node, fmt::format("'{}' is not DATABASE/GRAPH", id));
    const std::string database = id.substr(0, slash);
    if (Make(node, {"dbs"}, database, Value::Object({{"id", Text(database)}}), {}, false))
      MakeContainer(database, id.substr(slash + 1), node);
  }

  void MakeTable(const std::string& id, const YamlNode& node) {
    if (!Known(node, {"throughput"})) return;
    if (!endpoints_.table_url.has_value())
      return Refuse(node, "the server has no port for tables (--table-port)");
    const YamlNode* rate = node.Find("throughput");
    const Value throughput = rate == nullptr ? Value::Int32(0) : rate->ToValue();
    if (throughput.kind() != Kind::kInt32)
      return Refuse(*rate, "throughput must be a whole number of RU/s");
    auto client = TableClient::Create(*endpoints_.table_url, endpoints_.sql.key);
    const Status made = client.has_value() ? client->CreateTable(id, throughput.AsInteger())
                                           : Status(Fail(client.error()));
    if (!made.has_value() && made.error().code() != Code::kAlreadyExists)
      return Refuse(node, fmt::format("'{}': {}", id, made.error().message()));
    ++made_;
  }

  void MakeCollection(const std::string& id, const YamlNode& node) {
    const size_t dot = id.find_first_of("./");
    if (dot == std::string::npos || dot == 0 || dot + 1 == id.size())
      return Refuse(node, fmt::format("'{}' is not DATABASE.COLLECTION", id));
    if (!endpoints_.mongo.has_value())
      return Refuse(node, "the server has no MongoDB port (--mongo-port)");
    auto client = MongoClient::Connect(*endpoints_.mongo);
    const Status made = client.has_value()
                            ? MakeCollection(*client, id.substr(0, dot), id.substr(dot + 1), node)
                            : Status(Fail(client.error()));
    if (!made.has_value()) return Refuse(node, fmt::format("'{}': {}", id, made.error().message()));
    ++made_;
  }

  static Status MakeCollection(MongoClient& client, const std::string& database,
                               const std::string& collection, const YamlNode& node) {
    model::Fields create = {{"customAction", Text("CreateCollection")},
                            {"collection", Text(collection)}};
    for (const auto& [name, value] : node.fields) {
      if (name == "throughput") {
        create.push_back({"offerThroughput", value.ToValue()});
      } else if (name == "autoscale") {
        create.push_back(
            {"autoScaleSettings", Value::Object({{"maxThroughput", value.ToValue()}})});
      } else if (name == "shardKey") {
        create.push_back({name, value.ToValue()});
      } else if (name != "indexes") {
        return Fail(Code::kInvalidArgument, fmt::format("unknown setting '{}'", name));
      }
    }
    const auto made = client.Run(database, model::ToDocument(Value::Object(std::move(create))));
    if (!made.has_value() && made.error().code() != Code::kAlreadyExists) return Fail(made.error());
    const YamlNode* indexes = node.Find("indexes");
    if (indexes == nullptr || indexes->elements.empty()) return {};
    model::Values list;
    for (const YamlNode& index : indexes->elements) {
      Value value = index.ToValue();
      if (value.kind() != Kind::kObject || value.Find("key") == nullptr)
        return Fail(Code::kInvalidArgument, "an index needs a key, such as {key: {at: 1}}");
      if (value.Find("name") == nullptr) {
        std::string name;
        for (const auto& [field, direction] : index.Find("key")->fields)
          name += fmt::format("{}{}_{}", name.empty() ? "" : "_", field, direction.text);
        value.MutableFields().push_back({"name", Text(std::move(name))});
      }
      list.push_back(std::move(value));
    }
    ORRERY_TRY(client.Run(
        database, model::ToDocument(Value::Object({{"createIndexes", Text(collection)},
                                                   {"indexes", Value::Array(std::move(list))}}))));
    return {};
  }

  const SeedFile& file_;
  const std::string& directory_;
  const SeedEndpoints& endpoints_;
  SeedReport& report_;
  std::optional<SqlClient> sql_;
  uint64_t made_ = 0;
};

}  // namespace

void MakeContainers(const SeedFile& file, const std::string& directory,
                    const SeedEndpoints& endpoints, SeedReport& report) {
  const auto text = ReadSeedFile(file);
  if (!text.has_value()) return report.Add(file.shown, 0, text.error().message());
  const auto root = ReadYaml(*text);
  if (!root.has_value()) {
    std::string message = root.error().message();
    const size_t line = TakeLine(message);
    return report.Add(file.shown, line, message);
  }
  ContainerSeed(file, directory, endpoints, report).Run(*root);
}

}  // namespace orrery::cli
