#include "portal/handler/archive_handler.h"

#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "gateway/archive/archive_batch.h"
#include "gateway/archive/archive_catalog.h"
#include "gateway/archive/archive_digest.h"
#include "gateway/archive/archive_reader.h"
#include "gateway/archive/archive_writer.h"
#include "portal/answer.h"
#include "portal/json/field_reader.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kCatalog = "/_admin/v1/archive/catalog";
constexpr std::string_view kArchivedDatabases = "/_admin/v1/archive/databases";
constexpr std::string_view kArchivedContainers = "/_admin/v1/archive/containers";
constexpr std::string_view kRead =
    "/_admin/v1/databases/{database}/containers/{container}/archive/read";
constexpr std::string_view kWrite =
    "/_admin/v1/databases/{database}/containers/{container}/archive/write";
constexpr std::string_view kDigest =
    "/_admin/v1/databases/{database}/containers/{container}/archive/digest";

net::HttpResponse Bytes(std::string body) {
  net::HttpResponse response;
  response.headers.Add("Content-Type", "application/octet-stream");
  response.body = std::move(body);
  return response;
}

net::HttpResponse CreatedAnswer(bool created) {
  JsonWriter json;
  json.BeginObject().Field("created", created).EndObject();
  return net::HttpResponse::Json(created ? 201 : 200, std::move(json).Finish());
}

class ArchiveRoutes {
 public:
  ArchiveRoutes(gateway::Gateway& gateway, gateway::RowGateway& rows)
      : gateway_(gateway), rows_(rows) {}

  Outcome ReadCatalog(const Call&) const {
    const auto catalog = gateway::ArchiveOf(*gateway_.catalog().snapshot());
    return Bytes(std::string(gateway::ToDocument(catalog).bson()));
  }

  Outcome RestoreDatabase(const Call& call) const {
    ORRERY_ASSIGN(const auto document, model::DocumentView::FromBson(call.request.body));
    ORRERY_ASSIGN(const auto database, gateway::ArchivedDatabaseFrom(document));
    ORRERY_ASSIGN(const bool created, gateway::Restore(gateway_.catalog(), database));
    return CreatedAnswer(created);
  }

  Outcome RestoreContainer(const Call& call) const {
    ORRERY_ASSIGN(const auto document, model::DocumentView::FromBson(call.request.body));
    ORRERY_ASSIGN(const auto container, gateway::ArchivedContainerFrom(document));
    ORRERY_ASSIGN(const bool created, gateway::Restore(gateway_.catalog(), container));
    return CreatedAnswer(created);
  }

  Outcome ReadPage(const Call& call) const {
    ORRERY_ASSIGN(const gateway::ArchivePage page, PageOf(call));
    std::string body;
    AppendLengthPrefixed(body, page.continuation);
    body += gateway::EncodeBatch(page.batch);
    return Bytes(std::move(body));
  }

  Outcome WriteBatch(const Call& call) const {
    ORRERY_ASSIGN(const auto container, ContainerOf(call));
    ORRERY_ASSIGN(auto batch, gateway::DecodeBatch(call.request.body));
    ORRERY_ASSIGN(const auto written,
                  gateway::ArchiveWriter(gateway_, rows_).Write(container, std::move(batch)));
    JsonWriter json;
    json.BeginObject()
        .Field("written", written.items)
        .Field("throttled", written.throttled)
        .EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

  Outcome DigestPage(const Call& call) const {
    ORRERY_ASSIGN(const gateway::ArchivePage page, PageOf(call));
    const gateway::ArchiveDigest digest = gateway::DigestOf(page.batch);
    JsonWriter json;
    json.BeginObject()
        .Field("items", digest.items)
        .Field("mortal", digest.mortal)
        .Field("sum", digest.sum.ToString())
        .Field("continuation", page.continuation)
        .EndObject();
    return net::HttpResponse::Json(200, std::move(json).Finish());
  }

 private:
  Result<gateway::ContainerRef> ContainerOf(const Call& call) const {
    return gateway_.catalog().FindContainer(call.parameters[0], call.parameters[1]);
  }

  Result<gateway::ArchivePage> PageOf(const Call& call) const {
    ORRERY_ASSIGN(const auto container, ContainerOf(call));
    ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
    FieldReader fields(body);
    const std::string continuation = fields.String("continuation").value_or("");
    ORRERY_TRY(fields.Finish());
    return gateway::ArchiveReader(gateway_, rows_).Read(container, continuation);
  }

  gateway::Gateway& gateway_;
  gateway::RowGateway& rows_;
};

}  // namespace

void AddArchiveRoutes(Router& router, gateway::Gateway& gateway, gateway::RowGateway& rows) {
  using Method = Outcome (ArchiveRoutes::*)(const Call&) const;
  const ArchiveRoutes routes(gateway, rows);
  const auto add = [&](std::string_view verb, std::string_view pattern, Method method) {
    router.Add(verb, pattern, Guard::kWrite, [=, &gateway](Call call) {
      AnswerFromPool(gateway.io_pool(), std::move(call),
                     [=](const Call& taken) { return (routes.*method)(taken); });
    });
  };
  add("GET", kCatalog, &ArchiveRoutes::ReadCatalog);
  add("POST", kArchivedDatabases, &ArchiveRoutes::RestoreDatabase);
  add("POST", kArchivedContainers, &ArchiveRoutes::RestoreContainer);
  add("POST", kRead, &ArchiveRoutes::ReadPage);
  add("POST", kWrite, &ArchiveRoutes::WriteBatch);
  add("POST", kDigest, &ArchiveRoutes::DigestPage);
}

}  // namespace orrery::portal
