// A Client is what the server remembers of one connection between its commands.
//
// A connection has one command under way at a time; whoever runs it may use the client. Not
// thread-safe beyond that.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/mongo/access/principal.h"
#include "api/mongo/access/scram.h"
#include "api/mongo/protocol/compressor.h"
#include "base/clock.h"
#include "base/request_units.h"
#include "model/document/document.h"

namespace orrery::mongo {

// A login that is under way.
struct Login {
  int32_t number = 1;  // conversationId
  std::string user;
  std::string database;
  ScramConversation conversation;
  bool skips_empty_exchange = false;
  std::optional<Principal> proven = {};  // after the client's proof
};

struct Client {
  int32_t id = 0;
  std::string remote;  // "127.0.0.1:50312"
  std::string local;   // where it connected to: "127.0.0.1:27017"
  bool tls = false;
  bool is_trusted = false;  // needs no login

  std::optional<model::Document> metadata = {};  // of the first hello
  std::vector<Compressor> compressors = {};      // agreed on
  std::optional<Login> login = {};
  std::vector<Principal> principals = {};

  // Of the last command, for getLastRequestStatistics.
  struct Statistics {
    std::string command;
    RequestUnits charge;
    Micros duration{0};
  };
  Statistics last = {};

  bool is_let_in() const { return is_trusted || !principals.empty(); }
  // Returns the owner of the cursors that the connection opens: any connection of the same user may
  // go on.
  std::string owner() const {
    return principals.empty() ? std::string()
                              : principals.front().user + '@' + principals.front().database;
  }
};

}  // namespace orrery::mongo
