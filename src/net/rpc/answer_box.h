// An AnswerBox collects the answers to one connection's requests, from any threads, until the
// connection's loop sends them. However many come in one burst, the loop is woken once.
//
// Put() from any thread, also after Close() and when the loops are gone; the rest on the loop.
// Holds at most as many answers as the connection has requests under way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"

namespace orrery::net {

class LoopSignal;

struct RpcTicket {
  uint64_t id = 0;
  uint16_t method = 0;
  size_t request_bytes = 0;
};

class AnswerBox {
 public:
  struct Entry {
    RpcTicket ticket;
    Result<std::string> answer;
  };

  // `signal` is raised when there is something to take.
  explicit AnswerBox(std::shared_ptr<LoopSignal> signal) : signal_(std::move(signal)) {}

  void Put(RpcTicket ticket, Result<std::string> answer) EXCLUDES(mutex_);
  std::vector<Entry> TakeAll() EXCLUDES(mutex_);
  // From now on answers are dropped: nobody is there to send them to.
  void Close() EXCLUDES(mutex_);

 private:
  const std::shared_ptr<LoopSignal> signal_;

  Mutex mutex_;
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
};

// An RpcAnswerer is what a handler answers with. Dropped without a call it answers with an error:
// no caller waits because of a bug.
class RpcAnswerer {
 public:
  RpcAnswerer(std::shared_ptr<AnswerBox> box, RpcTicket ticket)
      : box_(std::move(box)), ticket_(ticket) {}
  RpcAnswerer(RpcAnswerer&&) noexcept = default;
  RpcAnswerer& operator=(RpcAnswerer&&) = delete;
  ~RpcAnswerer();

  // Once only.
  void operator()(Result<std::string> answer);

 private:
  std::shared_ptr<AnswerBox> box_;
  RpcTicket ticket_;
};

}  // namespace orrery::net
