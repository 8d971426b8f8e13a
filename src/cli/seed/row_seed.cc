#include "cli/seed/row_seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/seed/item_file.h"
#include "cli/seed/text/statement_splitter.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

constexpr size_t kRowsPerRound = 5'000;

Result<CqlClient> ConnectToCql(const SeedEndpoints& endpoints) {
  if (!endpoints.cassandra.has_value())
    return Fail(Code::kUnavailable, "the server has no CQL port (--cassandra-port)");
  return CqlClient::Connect(*endpoints.cassandra);
}

std::string QuotedName(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    out += c;
    if (c == '"') out += c;
  }
  return out + '"';
}
std::string QuotedText(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c;
    if (c == '\'') out += c;
  }
  return out + '\'';
}

// A column as far as CSV needs to know it: its name, and whether a field's text is JSON.
struct SeedColumn {
  bool is_json = false;
};
using SeedColumns = std::map<std::string, SeedColumn>;

// User types are JSON too, and have any name.
bool IsJsonType(std::string_view type) {
  constexpr std::array<std::string_view, 21> kScalars = {
      "ascii",  "bigint",    "blob",     "boolean", "counter", "date",     "decimal",
      "double", "duration",  "float",    "inet",    "int",     "smallint", "text",
      "time",   "timestamp", "timeuuid", "tinyint", "uuid",    "varchar",  "varint"};
  return std::ranges::find(kScalars, type) == kScalars.end();
}

Result<SeedColumns> ColumnsOf(CqlClient& client, const SeedFile& file) {
  ORRERY_ASSIGN(
      const CqlClient::Rows found,
      client.Query(fmt::format("SELECT column_name, type FROM system_schema.columns WHERE "
                               "keyspace_name = {} AND table_name = {}",
                               QuotedText(file.database), QuotedText(file.container))));
  SeedColumns columns;
  for (const auto& row : found.rows) {
    const std::string type = row[1].value_or("");
    columns[row[0].value_or("")].is_json = IsJsonType(type);
  }
  if (columns.empty()) {
    return Fail(Code::kNotFound, fmt::format("there is no table {}.{}; create it in a .cql file",
                                             file.database, file.container));
  }
  return columns;
}

// A row as INSERT .. JSON reads it. Names there are case-sensitive only in quotes of their own.
Result<std::string> RowText(const ItemText& item, const SeedColumns& columns, bool is_csv) {
  ORRERY_ASSIGN(const model::Document row, model::ParseJson(item.json));
  std::string out = "{";
  for (const model::ElementView field : row.view()) {
    const auto column = columns.find(std::string(field.name()));
    if (column == columns.end()) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("the table has no column '{}'", field.name()));
    }
    if (out.size() > 1) out += ',';
    model::AppendJsonString(out, QuotedName(field.name()));
    out += ':';
    if (is_csv && column->second.is_json && field.kind() == model::Kind::kString) {
      if (const auto parsed = model::ValueFromJson(field.AsString()); !parsed.has_value()) {
        return Fail(Code::kInvalidArgument,
                    fmt::format("'{}' is a collection; its text must be JSON: {}", field.name(),
                                parsed.error().message()));
      }
      out += field.AsString();
    } else {
      model::AppendJson(out, field.ToValue());
    }
  }
  return out + '}';
}

}  // namespace

void RunCqlFile(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report) {
  const auto text = ReadSeedFile(file);
  if (!text.has_value()) return report.Add(file.shown, 0, text.error().message());
  const auto statements = SplitCql(*text);
  if (!statements.has_value()) {
    std::string message = statements.error().message();
    const size_t line = TakeLine(message);
    return report.Add(file.shown, line, message);
  }
  auto client = ConnectToCql(endpoints);
  if (!client.has_value()) return report.Add(file.shown, 0, client.error().message());
  uint64_t count = 0;
  for (const SourcedStatement& statement : *statements) {
    if (!report.goes_on()) return;
    const auto done = client->Query(statement.text);
    if (done.has_value() || done.error().code() == Code::kAlreadyExists) {
      ++count;
    } else {
      report.Add(file.shown, statement.line, done.error().message());
    }
  }
  if (report.goes_on()) report.Done(file.shown, count, "statements");
}

void LoadRows(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report) {
  const auto text = ReadSeedFile(file);
  if (!text.has_value()) return report.Add(file.shown, 0, text.error().message());
  auto client = ConnectToCql(endpoints);
  if (!client.has_value()) return report.Add(file.shown, 0, client.error().message());
  const auto columns = ColumnsOf(*client, file);
  if (!columns.has_value()) return report.Add(file.shown, 0, columns.error().message());
  const auto insert = client->Prepare(fmt::format(
      "INSERT INTO {}.{} JSON ?", QuotedName(file.database), QuotedName(file.container)));
  if (!insert.has_value()) return report.Add(file.shown, 0, insert.error().message());

  const bool is_csv = file.shown.ends_with(".csv");
  uint64_t written = 0;
  std::vector<std::string> rows;
  std::vector<size_t> lines;
  const auto flush = [&] {
    size_t failed = 0;
    const Status status = client->ExecuteAll(*insert, rows, [&](size_t index, const Error& why) {
      report.Add(file.shown, lines[index], why.message());
      ++failed;
    });
    if (!status.has_value()) report.Add(file.shown, lines.front(), status.error().message());
    written += rows.size() - failed;
    rows.clear();
    lines.clear();
  };
  ItemFile items(file.shown, *text, CsvTypes::kText);
  while (report.goes_on()) {
    auto next = items.Next();
    if (!next.has_value()) {
      std::string message = next.error().message();
      const size_t line = TakeLine(message);
      report.Add(file.shown, line, message);
      if (!is_csv) break;
      continue;
    }
    if (!next->has_value()) break;
    auto row = RowText(**next, *columns, is_csv);
    if (!row.has_value()) {
      report.Add(file.shown, (*next)->line, row.error().message());
      continue;
    }
    rows.push_back(*std::move(row));
    lines.push_back((*next)->line);
    if (rows.size() == kRowsPerRound) flush();
  }
  if (!rows.empty() && report.goes_on()) flush();
  if (report.goes_on()) report.Done(file.shown, written, "rows");
}

}  // namespace orrery::cli
