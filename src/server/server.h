// A Server is the whole of Orrery in one process: the only place that builds the object graph.
//
// Start() returns when requests are answered. Stop() drains: nothing new is accepted, requests in
// flight are answered, then everything is closed in the reverse order of its creation. All that was
// acknowledged is already on disk, so there is nothing to flush.
//
// Start and Stop from one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "cli/settings/server_settings.h"
#include "script/engine.h"

namespace orrery::server {

struct ServerParts;

class Server {
 public:
  // The error says what to change. `machine_clock` must outlive the server. A process has one
  // script engine in all its life; without one the server starts it.
  static Result<std::unique_ptr<Server>> Start(const cli::ServerSettings& settings,
                                               const Clock& machine_clock,
                                               std::shared_ptr<script::Engine> scripts = nullptr);
  ~Server();  // calls Stop()

  // The real port, also when the settings left it to the system.
  uint16_t port() const;
  // Of the SQL API's Direct mode; 0: closed.
  uint16_t sql_direct_port() const;
  // Of the Cassandra API; 0: closed.
  uint16_t cassandra_port() const;
  uint16_t cassandra_cosmos_port() const;
  // Of the Table API; 0: closed.
  uint16_t table_port() const;
  uint16_t table_storage_port() const;
  // Of the MongoDB API; 0: closed.
  uint16_t mongo_port() const;
  uint16_t mongo_cosmos_port() const;
  // Of the Gremlin API; 0: closed.
  uint16_t gremlin_port() const;
  uint16_t gremlin_cosmos_port() const;
  // Of health checks alone; 0: closed.
  uint16_t health_port() const;
  const std::string& data_directory() const;
  bool tls() const;

  void Stop();
  // Returns whether scripts that did not end are still running, after Stop(). Destroying the server
  // would wait for them: end the process instead.
  bool has_lost_scripts() const;

 private:
  explicit Server(std::unique_ptr<ServerParts> parts);

  std::unique_ptr<ServerParts> parts_;
};

}  // namespace orrery::server
