#include "cli/connection_flags.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

#include "gateway/account/accounts.h"
#include "net/http/url.h"

namespace orrery::cli {

Result<ContainerName> ContainerName::Parse(std::string_view text) {
  const size_t slash = text.find('/');
  ContainerName name{std::string(text.substr(0, slash)), std::nullopt};
  if (slash != std::string_view::npos) name.container = text.substr(slash + 1);
  if (name.database.empty() ||
      (name.container && (name.container->empty() || name.container->contains('/')))) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is not DATABASE or DATABASE/CONTAINER", text));
  }
  return name;
}

std::string ContainerName::Path() const {
  std::string path = "databases/" + net::PercentEncode(database);
  if (container) path += "/containers/" + net::PercentEncode(*container);
  return path;
}

std::string ContainerName::ToString() const {
  return container ? database + "/" + *container : database;
}

void ConnectionFlags::Define(CLI::App& app) {
  constexpr const char* kGroup = "Server";
  app.add_option("--url", url_,
                 "server to talk to; also ORRERY_URL (default http://127.0.0.1:8081)")
      ->type_name("URL")
      ->group(kGroup);
  app.add_option("--key", key_, "account key; also ORRERY_KEY (default: the well-known one)")
      ->type_name("KEY")
      ->group(kGroup);
  app.add_option("--ca", ca_file_,
                 "PEM file of the CA (or self-signed) certificate to verify an https server by; "
                 "also ORRERY_CA")
      ->type_name("FILE")
      ->group(kGroup);
  app.add_flag("--json", json_, "print the server's JSON answer")->group(kGroup);
}

Result<AdminClient> ConnectionFlags::Connect(const Console& console) const {
  const auto choose = [&](const std::optional<std::string>& flag, std::string_view variable,
                          std::string_view fallback) {
    if (flag) return *flag;
    const auto found = std::ranges::find(console.variables, variable, &NamedText::first);
    return found == console.variables.end() ? std::string(fallback) : found->second;
  };
  return AdminClient::Create({.url = choose(url_, "ORRERY_URL", "http://127.0.0.1:8081"),
                              .key = choose(key_, "ORRERY_KEY", gateway::kWellKnownKey),
                              .ca_file = choose(ca_file_, "ORRERY_CA", "")});
}

}  // namespace orrery::cli
