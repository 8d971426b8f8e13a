// Copies keyspaces as CQL statements, and tables as JSON rows.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/seed/client/cql_client.h"
#include "cli/transfer/resumable_file.h"
#include "cli/transfer/seed_export.h"

namespace orrery::cli {
namespace {

constexpr int32_t kExportedRowsPerPage = 1'000;

std::string ExportedName(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string ExportedText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

bool IsOfCassandraItself(std::string_view keyspace) {
  return keyspace == "system" || keyspace.starts_with("system_");
}

// The texts of one column of a query.
Result<std::vector<std::string>> OneColumn(CqlClient& client, const std::string& query,
                                           std::string_view column) {
  std::vector<std::string> texts;
  std::optional<std::string> state;
  do {
    ORRERY_ASSIGN(CqlClient::Rows rows, client.Query(query, state, kExportedRowsPerPage));
    const auto found = std::ranges::find(rows.columns, column);
    if (found == rows.columns.end())
      return Fail(Code::kUnavailable, "the source answers, but not as Cassandra does");
    const auto place = static_cast<size_t>(found - rows.columns.begin());
    for (auto& row : rows.rows) texts.push_back(row[place].value_or(""));
    state = std::move(rows.paging_state);
  } while (state.has_value());
  return texts;
}

class CassandraExport {
 public:
  CassandraExport(CqlClient client, const SeedExportOptions& options, SeedExportTotals& totals)
      : client_(std::move(client)), options_(options), totals_(totals) {}

  Status Run() {
    ORRERY_ASSIGN(const auto keyspaces,
                  OneColumn(client_, "SELECT keyspace_name FROM system_schema.keyspaces",
                            "keyspace_name"));
    for (const std::string& keyspace : keyspaces) {
      if (IsOfCassandraItself(keyspace) || !SeedExportTotals::Wants(options_, keyspace)) continue;
      ORRERY_TRY(CheckFileName(keyspace));
      ORRERY_TRY(Definitions(keyspace));
      ORRERY_TRY(Tables(keyspace));
    }
    return {};
  }

 private:
  Status Definitions(const std::string& keyspace) {
    auto statements = OneColumn(client_, "DESCRIBE KEYSPACE " + ExportedName(keyspace),
                                "create_statement");
    if (!statements.has_value()) {
      return Fail(Error(statements.error())
                      .Annotate(fmt::format("describing {} (Cassandra 4.0 or newer is needed)",
                                            keyspace)));
    }
    std::string text;
    for (const std::string& statement : *statements) {
      text += statement;
      text += statement.ends_with(';') ? "\n" : ";\n";
    }
    return WriteWholeFile(fmt::format("{}/{}.cql", options_.directory, keyspace), text);
  }

  Status Tables(const std::string& keyspace) {
    ORRERY_ASSIGN(const auto tables,
                  OneColumn(client_,
                            fmt::format("SELECT table_name FROM system_schema.tables WHERE "
                                        "keyspace_name = {}",
                                        ExportedText(keyspace)),
                            "table_name"));
    for (const std::string& table : tables) {
      ORRERY_TRY(CheckFileName(table));
      ORRERY_ASSIGN(const auto types,
                    OneColumn(client_,
                              fmt::format("SELECT type FROM system_schema.columns WHERE "
                                          "keyspace_name = {} AND table_name = {}",
                                          ExportedText(keyspace), ExportedText(table)),
                              "type"));
      if (std::ranges::find(types, "counter") != types.end()) {
        totals_.left_out.push_back(
            fmt::format("rows of {}.{}: counters cannot be inserted", keyspace, table));
        continue;
      }
      ORRERY_TRY(Rows(keyspace, table));
    }
    return {};
  }

  Status Rows(const std::string& keyspace, const std::string& table) {
    ORRERY_ASSIGN(auto file, ResumableFile::Open(fmt::format("{}/cassandra/{}/{}.ndjson",
                                                             options_.directory, keyspace, table)));
    ++totals_.containers;
    const bool was_finished = file.is_finished();
    if (!was_finished) {
      const std::string query =
          fmt::format("SELECT JSON * FROM {}.{}", ExportedName(keyspace), ExportedName(table));
      std::optional<std::string> state;
      if (!file.position().empty()) state = file.position();
      do {
        ORRERY_ASSIGN(CqlClient::Rows rows, client_.Query(query, state, kExportedRowsPerPage));
        std::string lines;
        for (const auto& row : rows.rows) lines += row.front().value_or("{}") + "\n";
        state = std::move(rows.paging_state);
        ORRERY_TRY(file.Append(lines, rows.rows.size(), state.value_or("")));
      } while (state.has_value());
      ORRERY_TRY(file.Finish());
    }
    totals_.items += file.items();
    if (options_.progress) {
      options_.progress(was_finished
                            ? fmt::format("{}.{}: is there already", keyspace, table)
                            : fmt::format("{}.{}: {} rows", keyspace, table, file.items()));
    }
    return {};
  }

  CqlClient client_;
  const SeedExportOptions& options_;
  SeedExportTotals& totals_;
};

}  // namespace

Status ExportCassandra(const CqlAddress& source, const SeedExportOptions& options,
                       SeedExportTotals& totals) {
  ORRERY_ASSIGN(CqlClient client, CqlClient::Connect(source));
  return CassandraExport(std::move(client), options, totals).Run();
}

}  // namespace orrery::cli
