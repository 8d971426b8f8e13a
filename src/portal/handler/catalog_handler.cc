#include "portal/handler/catalog_handler.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "gateway/catalog/settings_codec.h"
#include "model/document/document_builder.h"
#include "portal/answer.h"
#include "portal/json/catalog_json.h"
#include "portal/json/field_reader.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kDatabases = "/_admin/v1/databases";
constexpr std::string_view kDatabase = "/_admin/v1/databases/{database}";
constexpr std::string_view kDatabaseThroughput = "/_admin/v1/databases/{database}/throughput";
constexpr std::string_view kContainers = "/_admin/v1/databases/{database}/containers";
constexpr std::string_view kContainer = "/_admin/v1/databases/{database}/containers/{container}";
constexpr std::string_view kContainerThroughput =
    "/_admin/v1/databases/{database}/containers/{container}/throughput";

net::HttpResponse NoContent() {
  net::HttpResponse response;
  response.status = 204;
  return response;
}

// The handlers of one router, each given the gateway by reference.
class CatalogRoutes {
 public:
  explicit CatalogRoutes(gateway::Gateway& gateway) : gateway_(gateway) {}

  Outcome ListDatabases(const Call&) const {
    const auto snapshot = catalog().snapshot();
    JsonWriter json;
    json.BeginObject().Key("databases").BeginArray();
    for (const gateway::DatabaseRef& database : snapshot->ListDatabases()) {
      WriteDatabase(json, *database, snapshot->ListContainers(database->id).size());
    }
    json.EndArray().EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome CreateDatabase(const Call& call) const {
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    FieldReader fields(body);
    std::string name = fields.RequiredString("id");
    const auto throughput_document = fields.Object("throughput");
    ORRERY_TRY(fields.Finish());
    partition::ThroughputSettings throughput;
    if (throughput_document) {
      ORRERY_ASSIGN(throughput, gateway::ThroughputFrom(*throughput_document));
    }
    ORRERY_ASSIGN(const auto database, catalog().CreateDatabase(std::move(name), throughput));
    JsonWriter json;
    WriteDatabase(json, database, 0);
    return net::HttpResponse::Json(201, std::move(json).Finish());
  }

  Outcome GetDatabase(const Call& call) const {
    ORRERY_ASSIGN(const auto database, catalog().FindDatabase(call.parameters[0]));
    JsonWriter json;
    WriteDatabase(json, database, catalog().snapshot()->ListContainers(database.id).size());
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome DropDatabase(const Call& call) const {
    ORRERY_TRY(catalog().DropDatabase(call.parameters[0]));
    return NoContent();
  }

  Outcome ListContainers(const Call& call) const {
    ORRERY_ASSIGN(const auto database, catalog().FindDatabase(call.parameters[0]));
    JsonWriter json;
    json.BeginObject().Key("containers").BeginArray();
    for (const gateway::ContainerRef& container :
         catalog().snapshot()->ListContainers(database.id)) {
      WriteContainer(json, *container, IndexProgress(*container));
    }
    json.EndArray().EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome CreateContainer(const Call& call) const {
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    ORRERY_ASSIGN(auto settings, gateway::ContainerSettingsFrom(body));
    ORRERY_ASSIGN(const auto container,
                  catalog().CreateContainer(call.parameters[0], std::move(settings)));
    return ContainerResponse(201, *container);
  }

  Outcome GetContainer(const Call& call) const {
    ORRERY_ASSIGN(const auto container,
                  catalog().FindContainer(call.parameters[0], call.parameters[1]));
    return ContainerResponse(200, *container);
  }

  Outcome UpdateContainer(const Call& call) const {
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    ORRERY_ASSIGN(const auto settings, gateway::ContainerSettingsFrom(body));
    if (settings.name != call.parameters[1]) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("the settings are named '{}', the address says '{}'; a container "
                              "cannot be renamed",
                              settings.name, call.parameters[1]));
    }
    ORRERY_ASSIGN(const auto container, catalog().UpdateContainer(call.parameters[0], settings));
    return ContainerResponse(200, *container);
  }

  Outcome DropContainer(const Call& call) const {
    ORRERY_TRY(catalog().DropContainer(call.parameters[0], call.parameters[1]));
    return NoContent();
  }

  Outcome GetThroughput(const Call& call) const {
    partition::ThroughputSettings throughput;
    if (call.parameters.size() == 1) {
      ORRERY_ASSIGN(const auto database, catalog().FindDatabase(call.parameters[0]));
      throughput = database.throughput;
    } else {
      ORRERY_ASSIGN(const auto container,
                    catalog().FindContainer(call.parameters[0], call.parameters[1]));
      throughput = container->settings.throughput;
    }
    ORRERY_ASSIGN(const int64_t minimum,
                  catalog().MinimumThroughput(call.parameters[0], ContainerParameter(call)));
    JsonWriter json;
    json.BeginObject().Key("throughput");
    WriteThroughput(json, throughput);
    if (throughput.kind != partition::ThroughputKind::kNone) json.Field("minimum", minimum);
    json.EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome SetThroughput(const Call& call) const {
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    ORRERY_ASSIGN(const auto throughput, gateway::ThroughputFrom(body));
    ORRERY_TRY(catalog().SetThroughput(call.parameters[0], ContainerParameter(call), throughput));
    return GetThroughput(call);
  }

 private:
  gateway::Catalog& catalog() const { return gateway_.catalog(); }

  // Databases and containers share the throughput calls: one has a container's name, one has none.
  static std::optional<std::string_view> ContainerParameter(const Call& call) {
    if (call.parameters.size() < 2) return std::nullopt;
    return call.parameters[1];
  }

  int IndexProgress(const gateway::ContainerEntry& container) const {
    return catalog().IndexProgress(container.id).value_or(100);
  }

  net::HttpResponse ContainerResponse(int status, const gateway::ContainerEntry& container) const {
    JsonWriter json;
    WriteContainer(json, container, IndexProgress(container));
    return net::HttpResponse::Json(status, std::move(json).Finish());
  }

  gateway::Gateway& gateway_;
};

}  // namespace

void AddCatalogRoutes(Router& router, gateway::Gateway& gateway) {
  using Method = Outcome (CatalogRoutes::*)(const Call&) const;
  const CatalogRoutes routes(gateway);
  // Reads look at a snapshot and are answered on the event loop.
  const auto read = [&](std::string_view pattern, Method method) {
    router.Add("GET", pattern, Guard::kRead,
               [=](Call call) { Answer(call.responder, (routes.*method)(call)); });
  };
  // Other nodes may have to be asked.
  const auto ask = [&](std::string_view pattern, Method method) {
    router.Add("GET", pattern, Guard::kRead, [=, &gateway](Call call) {
      AnswerFromPool(gateway.io_pool(), std::move(call),
                     [=](const Call& taken) { return (routes.*method)(taken); });
    });
  };
  // Changes are committed to disk.
  const auto change = [&](std::string_view verb, std::string_view pattern, Method method) {
    router.Add(verb, pattern, Guard::kWrite, [=, &gateway](Call call) {
      AnswerFromPool(gateway.io_pool(), std::move(call),
                     [=](const Call& taken) { return (routes.*method)(taken); });
    });
  };
  read(kDatabases, &CatalogRoutes::ListDatabases);
  change("POST", kDatabases, &CatalogRoutes::CreateDatabase);
  read(kDatabase, &CatalogRoutes::GetDatabase);
  change("DELETE", kDatabase, &CatalogRoutes::DropDatabase);
  ask(kDatabaseThroughput, &CatalogRoutes::GetThroughput);
  change("PUT", kDatabaseThroughput, &CatalogRoutes::SetThroughput);
  read(kContainers, &CatalogRoutes::ListContainers);
  change("POST", kContainers, &CatalogRoutes::CreateContainer);
  read(kContainer, &CatalogRoutes::GetContainer);
  change("PUT", kContainer, &CatalogRoutes::UpdateContainer);
  change("DELETE", kContainer, &CatalogRoutes::DropContainer);
  ask(kContainerThroughput, &CatalogRoutes::GetThroughput);
  change("PUT", kContainerThroughput, &CatalogRoutes::SetThroughput);
}

}  // namespace orrery::portal
