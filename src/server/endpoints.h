// An Endpoints says where the ports of a running server are and how clients reach them: as the
// lines of the ready file (--ready-file) and as the environment variables that applications and
// their tests usually read (`orrery run`).
//
// Plain data, made once a server has started.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "cli/settings/server_settings.h"
#include "server/server.h"

namespace orrery::server {

struct Endpoints {
  std::string host;       // that clients on this machine use, without brackets
  bool only_tls = false;  // plain connections are refused
  bool has_tls = false;
  bool trusts_local = false;  // MongoDB, Gremlin and CQL clients need no credentials
  std::string account;
  std::string key;
  std::string datacenter;
  std::string data_directory;

  // 0: closed.
  uint16_t sql = 0;
  uint16_t sql_direct = 0;
  uint16_t cassandra = 0;
  uint16_t cassandra_cosmos = 0;
  uint16_t table = 0;
  uint16_t table_storage = 0;
  uint16_t mongo = 0;
  uint16_t mongo_cosmos = 0;
  uint16_t gremlin = 0;
  uint16_t gremlin_cosmos = 0;
  uint16_t health = 0;

  // Return the addresses that clients connect by, with credentials where they are required.
  std::string SqlUrl() const;
  std::string SqlConnectionString() const;
  // REQUIRES: the port is open (its own, or the one that requires credentials).
  std::string TableConnectionString() const;
  std::string MongoUrl() const;
  std::string GremlinUrl() const;

  bool has_cassandra() const { return cassandra != 0 || cassandra_cosmos != 0; }
  bool has_table() const { return table != 0 || table_storage != 0; }
  bool has_mongo() const { return mongo != 0 || mongo_cosmos != 0; }
  bool has_gremlin() const { return gremlin != 0 || gremlin_cosmos != 0; }
};

Endpoints EndpointsOf(const cli::ServerSettings& settings, const Server& server);

// Returns the variables for a process that is to use the server, by name.
std::vector<std::pair<std::string, std::string>> VariablesFor(const Endpoints& endpoints);

// Returns the ready file's text: one JSON object, with the key.
std::string ReadyFileText(const Endpoints& endpoints);

// Puts the ready file into place at once, readable by its owner alone, so that whoever waits for it
// never reads a part of it. The error names the file.
Status WriteReadyFile(const std::string& path, const Endpoints& endpoints);

}  // namespace orrery::server
