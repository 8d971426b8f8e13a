#include "cli/transfer/transfer_source.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "net/http/url.h"

namespace orrery::cli {
namespace {

Result<SqlAddress> ParseAccount(std::string_view text) {
  SqlAddress address{.url = {}, .key = {}};
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    if (part.substr(0, equals) == "AccountEndpoint") address.url = part.substr(equals + 1);
    if (part.substr(0, equals) == "AccountKey") address.key = part.substr(equals + 1);
  }
  if (address.url.empty() || address.key.empty()) {
    return Fail(Code::kInvalidArgument,
                "a connection string of Cosmos DB has AccountEndpoint=..;AccountKey=..;");
  }
  return address;
}

Result<CqlAddress> ParseCassandra(std::string_view text) {
  CqlAddress address;
  if (const size_t query = text.find('?'); query != std::string_view::npos) {
    if (text.substr(query) != "?tls=true")
      return Fail(Code::kInvalidArgument, "after '?' a cassandra:// address may have tls=true");
    address.socket.tls = true;
    text = text.substr(0, query);
  }
  while (text.ends_with('/')) text.remove_suffix(1);
  if (const size_t at = text.rfind('@'); at != std::string_view::npos) {
    const std::string_view login = text.substr(0, at);
    const size_t colon = login.find(':');
    if (colon == std::string_view::npos)
      return Fail(Code::kInvalidArgument, "a user needs a password: cassandra://USER:PASSWORD@HOST");
    ORRERY_ASSIGN(address.user, net::PercentDecode(login.substr(0, colon)));
    ORRERY_ASSIGN(address.password, net::PercentDecode(login.substr(colon + 1)));
    text = text.substr(at + 1);
  }
  if (const size_t colon = text.rfind(':');
      colon != std::string_view::npos && !text.ends_with(']')) {
    const std::string_view port = text.substr(colon + 1);
    const auto [end, error] =
        std::from_chars(port.data(), port.data() + port.size(), address.socket.port);
    if (error != std::errc() || end != port.data() + port.size())
      return Fail(Code::kInvalidArgument, fmt::format("'{}' is not a port", port));
    text = text.substr(0, colon);
  }
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  if (text.empty()) return Fail(Code::kInvalidArgument, "cassandra:// needs a host");
  address.socket.host = text;
  return address;
}

}  // namespace

Result<TransferSource> ParseTransferSource(std::string_view text) {
  constexpr std::string_view kCassandraScheme = "cassandra://";
  if (text.starts_with("mongodb://")) {
    ORRERY_ASSIGN(MongoAddress address, MongoAddress::Parse(text));
    return TransferSource(std::move(address));
  }
  if (text.starts_with(kCassandraScheme)) {
    ORRERY_ASSIGN(CqlAddress address, ParseCassandra(text.substr(kCassandraScheme.size())));
    return TransferSource(std::move(address));
  }
  if (text.contains("AccountEndpoint=")) {
    ORRERY_ASSIGN(SqlAddress address, ParseAccount(text));
    return TransferSource(std::move(address));
  }
  return Fail(Code::kInvalidArgument,
              "a source is AccountEndpoint=..;AccountKey=.., mongodb://.. or cassandra://..");
}

std::string NameOfSource(const TransferSource& source) {
  if (const auto* sql = std::get_if<SqlAddress>(&source)) return sql->url;
  if (const auto* mongo = std::get_if<MongoAddress>(&source))
    return fmt::format("mongodb://{}:{}", mongo->socket.host, mongo->socket.port);
  const auto& cql = std::get<CqlAddress>(source);
  return fmt::format("cassandra://{}:{}", cql.socket.host, cql.socket.port);
}

}  // namespace orrery::cli
