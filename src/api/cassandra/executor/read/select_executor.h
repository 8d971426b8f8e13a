// Runs planned SELECTs: the entry point of this module.
//
// Thread-safe. What it is made of must outlive every call of `done`.
#pragma once

#include "api/cassandra/executor/read/select_run.h"

namespace orrery::cassandra {

class SelectExecutor {
 public:
  explicit SelectExecutor(SelectRun::Parts parts) : parts_(std::move(parts)) {}

  // `done` is called once: within the call when all was in memory or the statement is refused,
  // else later from a thread of the I/O pool. It must not block.
  void Run(const SelectRequest& request, SelectRun::Done done) const;

 private:
  void RunPoint(const SelectRequest& request, SelectRun::Done done) const;

  const SelectRun::Parts parts_;
};

}  // namespace orrery::cassandra
