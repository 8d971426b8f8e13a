#include "cli/archive/server_choice.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <system_error>
#include <utility>

namespace orrery::cli {

void ServerChoice::Define(CLI::App& app) {
  connection_.Define(app);
  app.add_option("--data", data_, "a data directory that no server has open, instead of --url")
      ->type_name("DIR");
}

Result<AdminClient> ServerChoice::ConnectToServer(const Console& console) {
  if (data_.has_value()) {
    return Fail(Code::kUnsupported,
                "files are loaded by a running server: start one with `orrery serve --seed`, or "
                "name one by --url");
  }
  ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
  name_ = client.url();
  return client;
}

Result<ArchiveClient> ServerChoice::Connect(const Console& console, bool must_exist) {
  if (!data_.has_value()) {
    ORRERY_ASSIGN(AdminClient client, connection_.Connect(console));
    name_ = client.url();
    return ArchiveClient(std::move(client));
  }
  std::error_code error;
  if (must_exist && !std::filesystem::exists(*data_ + "/FORMAT", error)) {
    return Fail(Code::kNotFound, fmt::format("{} is not a data directory of Orrery", *data_));
  }
  ORRERY_ASSIGN(server_, open_(*data_));
  name_ = std::filesystem::absolute(*data_, error).string();
  ORRERY_ASSIGN(AdminClient client, AdminClient::Create(server_->address()));
  return ArchiveClient(std::move(client));
}

}  // namespace orrery::cli
