// One pipelined connection on an event loop: requests go out on free streams, answers come back in
// any order and are matched by stream.
//
// Requests that are sent before a Flush() leave in one write. Lives on its session's io_context,
// whose thread alone may touch it. Includes Asio: for the .cc files of the load generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/cassandra/protocol/frame/envelope.h"
#include "api/cassandra/protocol/request/request.h"
#include "base/status.h"
#include "cql/load/arrival_schedule.h"
#include "cql/load/tally.h"
#include "cql/wire/session.h"

namespace orrery::bench {

// An operation that was sent and not yet answered.
struct PendingOperation {
  OperationKind kind = OperationKind::kRead;
  LoadTime intended;
};

class Connection;

// Who sends over connections. Called on the loop.
class ConnectionUser {
 public:
  virtual ~ConnectionUser() = default;
  // `now` is when the bytes came, the same for all answers of one read.
  virtual void OnAnswer(const PendingOperation& operation, const cassandra::Envelope& answer,
                        LoadTime now) = 0;
  // All answers of one read were given.
  virtual void OnProgress(Connection& connection) = 0;
  // Nothing more will come; in_flight() operations stay without an answer.
  virtual void OnLost(Connection& connection, const Error& error) = 0;
};

class Connection {
 public:
  // `user` must outlive the event loop's run. REQUIRES: 0 < in_flight_max <= 32,768.
  Connection(std::unique_ptr<Session> session, size_t in_flight_max, ConnectionUser& user);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void StartReading();

  bool has_room() const { return !lost_ && !free_streams_.empty(); }
  bool lost() const { return lost_; }
  size_t in_flight() const { return pending_.size() - free_streams_.size(); }

  // REQUIRES: has_room().
  void Send(const cassandra::ExecuteRequest& request, const PendingOperation& operation);
  void Flush();
  void Close();

 private:
  void Read();
  void HandleInput();
  void HandleAnswer(const cassandra::Envelope& answer, LoadTime now);
  void Lose(std::string why);

  const std::unique_ptr<Session> session_;
  ConnectionUser& user_;
  std::vector<PendingOperation> pending_;  // by stream
  std::vector<bool> waiting_;              // by stream: whether an answer is awaited
  std::vector<int16_t> free_streams_;
  std::string envelopes_;  // not yet given to the transport
  std::string sending_;
  bool writing_ = false;
  bool lost_ = false;
};

}  // namespace orrery::bench
