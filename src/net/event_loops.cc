#include "net/event_loops.h"

#include <pthread.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <string>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "base/turn_end.h"

namespace orrery::net {
namespace asio = boost::asio;

struct EventLoops::Loop : TurnEnd {
  Loop() : context(/*concurrency_hint=*/1), work(context.get_executor()) {}

  // A posted task runs after the handlers that are ready.
  void Add(Task task) override {
    put_off.push_back(std::move(task));
    if (put_off.size() == 1) asio::post(context, [this] { EndTurn(); });
  }
  void EndTurn() {
    std::vector<Task> tasks;
    tasks.swap(put_off);
    for (Task& task : tasks) task();
  }

  void Run() {
    SetForThisThread(this);
    while (true) {
      try {
        context.run();
        return;
      } catch (const std::exception& e) {
        LogError("a task on an event loop threw: {}", e.what());
      } catch (...) {
        LogError("a task on an event loop threw something that is no std::exception");
      }
    }
  }

  asio::io_context context;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  std::vector<Task> put_off;  // to the end of the turn
  std::thread thread;
};

EventLoops::EventLoops(size_t count) {
  ORRERY_CHECK(count > 0 && count <= kLoopsMax);
  for (size_t i = 0; i < count; ++i) loops_.push_back(std::make_unique<Loop>());
  for (size_t i = 0; i < count; ++i) {
    loops_[i]->thread = std::thread([loop = loops_[i].get(), name = "net-" + std::to_string(i)] {
      pthread_setname_np(pthread_self(), name.c_str());
      loop->Run();
    });
  }
}

EventLoops::~EventLoops() { Stop(); }

asio::io_context& EventLoops::context(size_t index) {
  ORRERY_CHECK(index < loops_.size());
  return loops_[index]->context;
}

void EventLoops::Post(size_t index, Task task) { asio::post(context(index), std::move(task)); }

void EventLoops::Stop() {
  for (const auto& loop : loops_) loop->context.stop();
  for (const auto& loop : loops_) {
    if (loop->thread.joinable()) loop->thread.join();
  }
}

}  // namespace orrery::net
