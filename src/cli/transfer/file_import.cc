#include "cli/transfer/file_import.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/murmur3.h"
#include "cli/json_view.h"
#include "cli/seed/document_seed.h"
#include "cli/seed/item_file.h"
#include "cli/seed/mongo_seed.h"
#include "cli/seed/seed_files.h"
#include "cli/seed/seed_run.h"
#include "cli/seed/text/extended_json.h"
#include "cli/transfer/account_export.h"
#include "cli/transfer/item_digests.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "net/http/url.h"

namespace orrery::cli {
namespace {

using model::Document;
using model::DocumentBuilder;
using model::Kind;
using model::Value;

constexpr int32_t kComparedBatch = 1'000;

// MongoDB's types survive in extended JSON.
Result<Hash128> DigestOfBson(model::DocumentView document) {
  ORRERY_ASSIGN(const Value value, model::ValueFromJson(ToExtendedJson(document)));
  return DigestOfItem(value);
}

// Calls `use` with each item of a file of text and its place.
template <typename Use>
Status ForEachItem(const SeedFile& file, CsvTypes types, Use use) {
  ORRERY_ASSIGN(const std::string text, ReadSeedFile(file));
  ItemFile items(file.shown, text, types);
  for (size_t place = 0;; ++place) {
    ORRERY_ASSIGN(auto next, items.Next());
    if (!next.has_value()) return {};
    ORRERY_TRY(use(place, *next));
  }
}

class FileComparison {
 public:
  explicit FileComparison(const SeedEndpoints& endpoints) : endpoints_(endpoints) {}

  // Returns the number of items in the file, all of which are on the server.
  Result<uint64_t> Documents(const SeedFile& file) {
    ItemDigests digests;
    uint64_t count = 0;
    ORRERY_TRY(ForEachItem(file, CsvTypes::kInferred, [&](size_t place, ItemText& item) -> Status {
      ORRERY_TRY(CompleteDocument(file, place, item));
      ORRERY_ASSIGN(const Value value, model::ValueFromJson(item.json));
      digests.Add(DigestOfItem(WithoutSystemFields(value)));
      ++count;
      return {};
    }));
    ORRERY_ASSIGN(SqlClient client, SqlClient::Create(endpoints_.sql));
    std::string continuation;
    do {
      ORRERY_ASSIGN(
          const model::Values page,
          ReadAccountPage(client, {"dbs", file.database, "colls", file.container, "docs"},
                          "Documents", continuation));
      for (const Value& document : page) digests.Remove(DigestOfItem(WithoutSystemFields(document)));
    } while (!continuation.empty());
    return Told(file, count, digests);
  }

  Result<uint64_t> Collection(const SeedFile& file) {
    ItemDigests digests;
    uint64_t count = 0;
    const auto add = [&](size_t place, const Document& document) -> Status {
      ORRERY_ASSIGN(const Hash128 digest, DigestOfBson(WithId(file, place, document).view()));
      digests.Add(digest);
      ++count;
      return {};
    };
    if (file.kind == SeedKind::kDump) {
      ORRERY_ASSIGN(const std::string text, ReadSeedFile(file));
      std::string_view rest = text;
      for (size_t place = 1; !rest.empty(); ++place) {
        const uint32_t size = LoadMongoInt(rest);
        if (size < 5 || size > rest.size())
          return Fail(Code::kInvalidArgument, file.shown + " is cut off or no BSON");
        ORRERY_ASSIGN(const Document document,
                      Document::FromBson(std::string(rest.substr(0, size))));
        ORRERY_TRY(add(place, document));
        rest.remove_prefix(size);
      }
    } else {
      ORRERY_TRY(
          ForEachItem(file, CsvTypes::kInferred, [&](size_t place, ItemText& item) -> Status {
            ORRERY_ASSIGN(const Document document, ReadExtendedJson(item.json));
            return add(place, document);
          }));
    }
    ORRERY_TRY(RemoveStored(file, digests));
    return Told(file, count, digests);
  }

  Result<uint64_t> Rows(const SeedFile& file) {
    ItemDigests digests;
    uint64_t count = 0;
    ORRERY_TRY(ForEachItem(file, CsvTypes::kText, [&](size_t, ItemText& item) -> Status {
      ORRERY_ASSIGN(const Value value, model::ValueFromJson(item.json));
      digests.Add(DigestOfItem(value));
      ++count;
      return {};
    }));
    if (!endpoints_.cassandra.has_value())
      return Fail(Code::kUnavailable, "the server has no CQL port (--cassandra-port)");
    ORRERY_ASSIGN(CqlClient client, CqlClient::Connect(*endpoints_.cassandra));
    std::optional<std::string> state;
    do {
      ORRERY_ASSIGN(CqlClient::Rows rows,
                    client.Query(fmt::format(R"(SELECT JSON * FROM "{}"."{}")", file.database,
                                             file.container),
                                 state, kComparedBatch));
      for (const auto& row : rows.rows) {
        ORRERY_ASSIGN(const Value value, model::ValueFromJson(row.front().value_or("{}")));
        digests.Remove(DigestOfItem(value));
      }
      state = std::move(rows.paging_state);
    } while (state.has_value());
    return Told(file, count, digests);
  }

 private:
  static Result<uint64_t> Told(const SeedFile& file, uint64_t count, const ItemDigests& digests) {
    if (digests.left() == 0) return count;
    return Fail(Code::kCorruption,
                fmt::format("{} of the {} items of {} are not on the server as the file has them: "
                            "somebody else writes to it, or the file has a key twice",
                            digests.left(), count, file.shown));
  }

  Status RemoveStored(const SeedFile& file, ItemDigests& digests) const {
    if (!endpoints_.mongo.has_value())
      return Fail(Code::kUnavailable, "the server has no MongoDB port (--mongo-port)");
    ORRERY_ASSIGN(MongoClient client, MongoClient::Connect(*endpoints_.mongo));
    DocumentBuilder find;
    find.AppendString("find", file.container).AppendInt32("batchSize", kComparedBatch);
    ORRERY_ASSIGN(Document reply, client.Run(file.database, std::move(find).Finish()));
    for (bool first = true;; first = false) {
      const auto cursor = reply.view().Find("cursor");
      if (!cursor.has_value() || cursor->kind() != Kind::kObject)
        return Fail(Code::kUnavailable, "the server answers, but not as MongoDB does");
      const auto batch = cursor->AsDocument().Find(first ? "firstBatch" : "nextBatch");
      const Value id = cursor->AsDocument().Get("id");
      if (batch.has_value() && batch->kind() == Kind::kArray) {
        for (const model::ElementView each : batch->AsDocument()) {
          ORRERY_ASSIGN(const Hash128 digest, DigestOfBson(each.AsDocument()));
          digests.Remove(digest);
        }
      }
      if (id.kind() != Kind::kInt64 || id.AsInteger() == 0) return {};
      DocumentBuilder more;
      more.AppendInt64("getMore", id.AsInteger()).AppendString("collection", file.container);
      more.AppendInt32("batchSize", kComparedBatch);
      ORRERY_ASSIGN(reply, client.Run(file.database, std::move(more).Finish()));
    }
  }

  const SeedEndpoints& endpoints_;
};

std::string StatePath(const FileImportOptions& options) {
  const Hash128 target = Murmur3(options.target);
  return fmt::format("{}/.imported-{:016x}", options.directory, target.high ^ target.low);
}

std::set<std::string> ReadImported(const std::string& path) {
  std::ifstream in(path);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

}  // namespace

Result<FileImportTotals> ImportFiles(const FileImportOptions& options,
                                     const SeedEndpoints& endpoints) {
  const std::string state = StatePath(options);
  std::ofstream noted;
  SeedOptions seed{.directory = options.directory,
                   .progress = options.progress,
                   .loaded = ReadImported(state)};
  // Noting it only saves work: a file that is loaded twice does no harm, but for traversals.
  seed.file_done = [&](const std::string& digest) {
    if (!noted.is_open()) noted.open(state, std::ios::app);
    noted << digest << "\n" << std::flush;
  };
  ORRERY_ASSIGN(const SeedOutcome outcome, RunSeed(seed, endpoints));
  FileImportTotals totals{.files = outcome.files, .items = outcome.items};
  if (!options.verify) return totals;
  ORRERY_ASSIGN(const auto files, FindSeedFiles(options.directory));
  FileComparison comparison(endpoints);
  for (const SeedFile& file : files) {
    Result<uint64_t> found = uint64_t{0};
    switch (file.kind) {
      case SeedKind::kDocuments:
        found = comparison.Documents(file);
        break;
      case SeedKind::kDump:
      case SeedKind::kCollection:
        found = comparison.Collection(file);
        break;
      case SeedKind::kRows:
        if (options.rows_as_read) {
          found = comparison.Rows(file);
          break;
        }
        [[fallthrough]];
      default:
        ++totals.files_left;
        continue;
    }
    if (!found.has_value()) return Fail(std::move(found).error());
    ++totals.files_compared;
    totals.compared += *found;
    if (options.progress)
      options.progress(fmt::format("{}: all {} items are there", file.shown, *found));
  }
  noted.close();
  std::remove(state.c_str());
  return totals;
}

Result<SeedEndpoints> EndpointsOfServer(AdminClient& client) {
  ORRERY_ASSIGN(const Document answer, client.Get("connect?key=true"));
  const Value value = answer.view().ToObject();
  const JsonView report(&value);
  const auto url = net::ParseUrl(client.url());
  if (!url) return Fail(Code::kInvalidArgument, url.error().message());
  const AdminAddress& address = client.address();
  const auto port = [&](std::string_view first, std::string_view second) {
    const JsonView chosen = report["ports"][first].present() ? report["ports"][first]
                                                             : report["ports"][second];
    return static_cast<uint16_t>(chosen.Number());
  };
  const auto socket = [&](uint16_t number) {
    return net::BlockingSocketOptions{.host = url->address.host,
                                      .port = number,
                                      .tls = url->tls,
                                      .verify = !address.ca_file.empty(),
                                      .ca_file = address.ca_file};
  };
  SeedEndpoints endpoints;
  endpoints.account = report["account"].Text();
  const std::string key = report["key"].present() ? report["key"].Text() : address.key;
  endpoints.sql = {.url = client.url(), .key = key, .ca_file = address.ca_file};
  // The ports that take credentials come first: there the account's key is good everywhere.
  if (const uint16_t number = port("cassandraCosmos", "cassandra"); number != 0) {
    endpoints.cassandra =
        CqlAddress{.socket = socket(number), .user = endpoints.account, .password = key};
  }
  if (const uint16_t number = port("mongoCosmos", "mongo"); number != 0) {
    endpoints.mongo =
        MongoAddress{.socket = socket(number), .user = endpoints.account, .password = key};
  }
  const auto http = [&](uint16_t number) {
    return fmt::format("{}://{}/", url->tls ? "https" : "http",
                       net::FormatHostPort({url->address.host, number}));
  };
  if (const uint16_t number = port("table", "tableStorage"); number != 0)
    endpoints.table_url = http(number);
  if (const uint16_t number = port("gremlinCosmos", "gremlin"); number != 0)
    endpoints.gremlin_url = http(number);
  return endpoints;
}

}  // namespace orrery::cli
