// One connection that a load thread sends operations over, whatever the protocol: the seam between
// when to send (load_thread.h) and what to send and how to judge the answer (one per protocol).
//
// Lives on its thread's io_context, whose thread alone may touch it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "load/arrival_schedule.h"
#include "load/tally.h"

namespace orrery::bench {

// An operation that was sent and not yet answered.
struct PendingOperation {
  OperationKind kind = OperationKind::kRead;
  LoadTime intended;
};

// The assessment of an answer.
struct Verdict {
  bool good = false;
  std::optional<int32_t> error;  // the code of a refusal; a bad answer without one is wrong
  std::string_view problem;      // of a bad answer, for people; valid during the call only
  double charge = 0;             // in request units, where the server names it
};

class LoadConnection;

// The sender over connections. Called on the loop.
class LoadConnectionUser {
 public:
  virtual ~LoadConnectionUser() = default;
  // `now` is when the bytes came, the same for all answers of one read.
  virtual void OnAnswer(const PendingOperation& operation, const Verdict& verdict,
                        LoadTime now) = 0;
  // All answers of one read were given.
  virtual void OnProgress(LoadConnection& connection) = 0;
  // Nothing more will come; in_flight() operations stay without an answer.
  virtual void OnLost(LoadConnection& connection, const Error& error) = 0;
};

class LoadConnection {
 public:
  LoadConnection() = default;
  virtual ~LoadConnection() = default;
  LoadConnection(const LoadConnection&) = delete;
  LoadConnection& operator=(const LoadConnection&) = delete;

  virtual void StartReading() = 0;
  virtual bool has_room() const = 0;
  virtual size_t in_flight() const = 0;

  // Makes the workload's next operation ready to leave with the next Flush().
  // REQUIRES: has_room().
  virtual void Send(LoadTime intended) = 0;
  // Sends everything so far in one write.
  virtual void Flush() = 0;
  // Takes the workload's next operation without sending it.
  virtual OperationKind Skip() = 0;
};

}  // namespace orrery::bench
