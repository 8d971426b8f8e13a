#include "cli/transfer/account_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "cli/transfer/resumable_file.h"
#include "cli/transfer/seed_export.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

using model::Fields;
using model::Kind;
using model::Value;
using model::Values;

constexpr std::string_view kDocumentsPerPage = "1000";
constexpr std::array<std::string_view, 5> kSystemFields = {"_rid", "_self", "_etag", "_ts",
                                                           "_attachments"};
// Of containers beside these, and their id.
constexpr std::array<std::string_view, 6> kContainerFields = {"id",        "_docs", "_sprocs",
                                                              "_triggers", "_udfs", "_conflicts"};

std::string TextOf(const Value& value, std::string_view field) {
  const Value* found = value.Find(field);
  return found != nullptr && found->kind() == Kind::kString ? found->AsString() : std::string();
}

// Throughput by the resource that has it, as containers.yaml has it.
using Offers = std::map<std::string, model::Field>;

Result<Offers> ReadOffers(SqlClient& client) {
  ORRERY_ASSIGN(const Values list, ReadAccountList(client, {"offers"}, "Offers"));
  Offers offers;
  for (const Value& offer : list) {
    const Value* content = offer.Find("content");
    if (content == nullptr) continue;
    const Value* autopilot = content->Find("offerAutopilotSettings");
    const Value* most =
        autopilot != nullptr && autopilot->kind() == Kind::kObject ? autopilot->Find("maxThroughput")
                                                                   : nullptr;
    const Value* rate = content->Find("offerThroughput");
    if (most != nullptr) {
      offers.emplace(TextOf(offer, "offerResourceId"), model::Field{"autoscale", *most});
    } else if (rate != nullptr) {
      offers.emplace(TextOf(offer, "offerResourceId"), model::Field{"throughput", *rate});
    }
  }
  return offers;
}

void AddThroughput(const Offers& offers, const Value& resource, Fields& fields) {
  const auto found = offers.find(TextOf(resource, "_rid"));
  if (found != offers.end()) fields.push_back(found->second);
}

class AccountExport {
 public:
  AccountExport(SqlClient client, const SeedExportOptions& options, SeedExportTotals& totals)
      : client_(std::move(client)), options_(options), totals_(totals) {}

  Status Run() {
    ORRERY_ASSIGN(offers_, ReadOffers(client_));
    ORRERY_ASSIGN(const Values databases, ReadAccountList(client_, {"dbs"}, "Databases"));
    Fields definitions;
    std::vector<std::pair<std::string, std::string>> containers;
    for (const Value& database : databases) {
      const std::string id = TextOf(database, "id");
      if (!SeedExportTotals::Wants(options_, id)) continue;
      ORRERY_TRY(CheckFileName(id));
      Fields fields;
      AddThroughput(offers_, database, fields);
      ORRERY_ASSIGN(Value made, Containers(id, containers));
      fields.push_back({"containers", std::move(made)});
      ORRERY_ASSIGN(Value users, Users(id));
      if (!users.AsFields().empty()) fields.push_back({"users", std::move(users)});
      definitions.push_back({id, Value::Object(std::move(fields))});
    }
    // JSON is YAML.
    ORRERY_TRY(WriteWholeFile(
        options_.directory + "/containers.yaml",
        model::ToJson(Value::Object({{"databases", Value::Object(std::move(definitions))}})) +
            "\n"));
    for (const auto& [database, container] : containers)
      ORRERY_TRY(Documents(database, container));
    return {};
  }

 private:
  Result<Value> Containers(const std::string& database,
                           std::vector<std::pair<std::string, std::string>>& containers) {
    ORRERY_ASSIGN(const Values list,
                  ReadAccountList(client_, {"dbs", database, "colls"}, "DocumentCollections"));
    Fields made;
    for (const Value& container : list) {
      const std::string id = TextOf(container, "id");
      ORRERY_TRY(CheckFileName(id));
      Fields fields;
      AddThroughput(offers_, container, fields);
      const Value own = WithoutSystemFields(container);
      for (const model::Field& field : own.AsFields()) {
        if (std::ranges::find(kContainerFields, field.name) == kContainerFields.end())
          fields.push_back(field);
      }
      const SqlClient::Path path = {"dbs", database, "colls", id};
      ORRERY_TRY(Scripts(path, "sprocs", "StoredProcedures", "storedProcedures", fields));
      ORRERY_TRY(
          Scripts(path, "udfs", "UserDefinedFunctions", "userDefinedFunctions", fields));
      ORRERY_TRY(Scripts(path, "triggers", "Triggers", "triggers", fields));
      made.push_back({id, Value::Object(std::move(fields))});
      containers.emplace_back(database, id);
    }
    return Value::Object(std::move(made));
  }

  Status Scripts(SqlClient::Path path, const std::string& type, std::string_view field,
                 std::string name, Fields& out) {
    path.push_back(type);
    ORRERY_ASSIGN(const Values list, ReadAccountList(client_, path, field));
    if (list.empty()) return {};
    Fields scripts;
    for (const Value& script : list) {
      const std::string body = TextOf(script, "body");
      Value value = Value::String(body);
      if (type == "triggers") {
        value = Value::Object({{"type", Value::String(TextOf(script, "triggerType"))},
                               {"operation", Value::String(TextOf(script, "triggerOperation"))},
                               {"body", Value::String(body)}});
      }
      scripts.push_back({TextOf(script, "id"), std::move(value)});
    }
    out.push_back({std::move(name), Value::Object(std::move(scripts))});
    return {};
  }

  Result<Value> Users(const std::string& database) {
    ORRERY_ASSIGN(const Values list, ReadAccountList(client_, {"dbs", database, "users"}, "Users"));
    Fields users;
    for (const Value& user : list) {
      const std::string id = TextOf(user, "id");
      ORRERY_ASSIGN(const Values permissions,
                    ReadAccountList(client_, {"dbs", database, "users", id, "permissions"},
                                    "Permissions"));
      Fields made;
      for (const Value& permission : permissions) {
        const std::string resource = TextOf(permission, "resource");
        const std::string prefix = fmt::format("dbs/{}/colls/", database);
        const bool is_of_container = resource.starts_with(prefix) &&
                                     !resource.substr(prefix.size()).contains('/');
        if (!is_of_container) {
          totals_.left_out.push_back(fmt::format(
              "permission {} of user {}/{}: it is for {}, not for a container by its name",
              TextOf(permission, "id"), database, id, resource));
          continue;
        }
        made.push_back({TextOf(permission, "id"),
                        Value::Object({{"container", Value::String(resource.substr(prefix.size()))},
                                       {"mode", Value::String(TextOf(permission,
                                                                     "permissionMode"))}})});
      }
      users.push_back({id, Value::Object(std::move(made))});
    }
    return Value::Object(std::move(users));
  }

  Status Documents(const std::string& database, const std::string& container) {
    ORRERY_ASSIGN(auto file, ResumableFile::Open(fmt::format("{}/sql/{}/{}.ndjson",
                                                             options_.directory, database,
                                                             container)));
    ++totals_.containers;
    const bool was_finished = file.is_finished();
    if (!was_finished) {
      std::string position = file.position();
      do {
        ORRERY_ASSIGN(const Values page,
                      ReadAccountPage(client_, {"dbs", database, "colls", container, "docs"},
                                      "Documents", position));
        std::string lines;
        for (const Value& document : page) {
          model::AppendJson(lines, WithoutSystemFields(document));
          lines += '\n';
        }
        ORRERY_TRY(file.Append(lines, page.size(), position));
      } while (!position.empty());
      ORRERY_TRY(file.Finish());
    }
    totals_.items += file.items();
    if (options_.progress) {
      options_.progress(was_finished
                            ? fmt::format("{}/{}: is there already", database, container)
                            : fmt::format("{}/{}: {} documents", database, container,
                                          file.items()));
    }
    return {};
  }

  SqlClient client_;
  const SeedExportOptions& options_;
  SeedExportTotals& totals_;
  Offers offers_;
};

}  // namespace

Result<Values> ReadAccountPage(SqlClient& client, const SqlClient::Path& path,
                               std::string_view field, std::string& continuation) {
  SqlClient::Headers headers = {{"x-ms-max-item-count", std::string(kDocumentsPerPage)}};
  if (!continuation.empty()) headers.emplace_back("x-ms-continuation", continuation);
  ORRERY_ASSIGN(const net::HttpResponse response, client.Send("GET", path, headers, ""));
  if (response.status != 200) {
    return Fail(ErrorOfSql(response).code(),
                fmt::format("reading {}: {}", fmt::format("{}", path.back()),
                            ErrorOfSql(response).message()));
  }
  continuation = response.headers.Find("x-ms-continuation").value_or("");
  ORRERY_ASSIGN(Value body, model::ValueFromJson(response.body));
  const Value* list = body.Find(field);
  if (list == nullptr || list->kind() != Kind::kArray)
    return Fail(Code::kUnavailable, "the source answers, but not as the SQL API does");
  return list->AsValues();
}

Result<Values> ReadAccountList(SqlClient& client, const SqlClient::Path& path,
                               std::string_view field) {
  Values all;
  std::string continuation;
  do {
    ORRERY_ASSIGN(Values page, ReadAccountPage(client, path, field, continuation));
    std::ranges::move(page, std::back_inserter(all));
  } while (!continuation.empty());
  return all;
}

Value WithoutSystemFields(const Value& resource) {
  if (resource.kind() != Kind::kObject) return resource;
  Fields fields;
  for (const model::Field& field : resource.AsFields()) {
    if (std::ranges::find(kSystemFields, field.name) == kSystemFields.end())
      fields.push_back(field);
  }
  return Value::Object(std::move(fields));
}

Status ExportAccount(const SqlAddress& source, const SeedExportOptions& options,
                     SeedExportTotals& totals) {
  ORRERY_ASSIGN(SqlClient client, SqlClient::Create(source));
  return AccountExport(std::move(client), options, totals).Run();
}

}  // namespace orrery::cli
