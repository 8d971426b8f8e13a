// A MongoClient is one connection to a MongoDB server, this one's or any other: commands as OP_MSG,
// and a login by SCRAM-SHA-256.
//
// Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/document/document.h"
#include "net/blocking_socket.h"

namespace orrery::cli {

// The little-endian number at the front of `bytes`; 0 if they are fewer than four.
uint32_t LoadMongoInt(std::string_view bytes);

struct MongoAddress {
  net::BlockingSocketOptions socket{.port = 27'017};
  std::string user{};  // empty: no login
  std::string password{};
  std::string auth_database = "admin";

  // "mongodb://[user:password@]host[:port][/database][?authSource=..&tls=true]"; of several hosts
  // the first. kInvalidArgument for anything else.
  static Result<MongoAddress> Parse(std::string_view url);
};

class MongoClient {
 public:
  static Result<MongoClient> Connect(const MongoAddress& address);

  // Runs a command. The error of a reply that is not ok has its text; kAlreadyExists for names and
  // keys that are taken, kNotFound for a namespace that is not there. `documents` travel beside the
  // command, under `sequence`.
  Result<model::Document> Run(std::string_view database, model::DocumentView command,
                              std::string_view sequence = {},
                              const std::vector<std::string_view>& documents = {});

 private:
  explicit MongoClient(net::BlockingSocket socket) : socket_(std::move(socket)) {}

  Status LogIn(const MongoAddress& address);

  net::BlockingSocket socket_;
  int32_t request_id_ = 0;
};

}  // namespace orrery::cli
