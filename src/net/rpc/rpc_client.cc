#include "net/rpc/rpc_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "net/rpc/frame/rpc_frame.h"
#include "net/rpc/rpc_caller.h"

namespace orrery::net {
namespace {

// Longer patience is as good as this, and deadlines stay within their type.
constexpr std::chrono::milliseconds kPatienceMax = std::chrono::hours(24);

}  // namespace

// Between the threads that call and the loop: counts what is under way, and hands over calls, a
// burst of them by one task.
class RpcClient::Core : public std::enable_shared_from_this<Core> {
 public:
  Core(EventLoops& loops, size_t loop, RpcClientOptions options, const Clock& clock)
      : loops_(loops),
        loop_(loop),
        calls_max_(options.calls_max),
        clock_(clock),
        unsent_(std::make_shared<ByteBudget>(options.unsent_bytes_max)),
        under_way_(std::make_shared<std::atomic<size_t>>(0)),
        caller_(
            std::make_shared<RpcCaller>(loops.context(loop), std::move(options), clock, unsent_)) {}

  void Call(uint16_t method, std::string request, std::chrono::milliseconds patience, RpcDone done)
      EXCLUDES(mutex_) {
    RpcCall call{.method = method,
                 .request = std::move(request),
                 .deadline = clock_.Monotonic() + std::min(patience, kPatienceMax),
                 .done = nullptr,
                 .bytes = ByteShare(unsent_)};
    if (Status admitted = Admit(call); !admitted) return done(Fail(admitted.error()));
    call.done = [counter = under_way_, done = std::move(done)](Result<std::string> answer) mutable {
      counter->fetch_sub(1, std::memory_order_relaxed);
      done(std::move(answer));
    };
    if (!Post(call)) call.done(Fail(Code::kUnavailable, "this node is stopping"));
  }

  void MoveTo(HostPort address) {
    loops_.Post(loop_, [core = shared_from_this(), address = std::move(address)]() mutable {
      core->caller_->MoveTo(std::move(address));
    });
  }

  void Close() EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      if (std::exchange(closed_, true)) return;
    }
    loops_.Post(loop_, [core = shared_from_this()] {
      core->HandOver();
      core->caller_->Stop();
    });
  }

  void WaitForLoop() {
    std::latch reached(1);
    loops_.Post(loop_, [&reached] { reached.count_down(); });
    reached.wait();
  }

 private:
  Status Admit(RpcCall& call) {
    if (call.request.size() > kRpcPayloadBytesMax) {
      return Fail(Code::kTooLarge, fmt::format("a request of {} bytes to another node: at most {}",
                                               call.request.size(), kRpcPayloadBytesMax));
    }
    if (under_way_->fetch_add(1, std::memory_order_relaxed) >= calls_max_) {
      under_way_->fetch_sub(1, std::memory_order_relaxed);
      return Fail(Code::kOverloaded, "too many calls to another node are under way");
    }
    if (!call.bytes.TryHold(call.request.size() + kRpcHeaderBytes)) {
      under_way_->fetch_sub(1, std::memory_order_relaxed);
      return Fail(Code::kOverloaded, "too many bytes wait to be sent to another node");
    }
    return {};
  }

  // False when closed; the call was not taken.
  bool Post(RpcCall& call) EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      if (closed_) return false;
      inbox_.push_back(std::move(call));
      if (inbox_.size() > 1) return true;  // whoever came first has told the loop
    }
    loops_.Post(loop_, [core = shared_from_this()] { core->HandOver(); });
    return true;
  }

  void HandOver() EXCLUDES(mutex_) {
    std::vector<RpcCall> calls;
    {
      MutexLock lock(mutex_);
      calls.swap(inbox_);
    }
    if (!calls.empty()) caller_->Take(std::move(calls));
  }

  EventLoops& loops_;
  const size_t loop_;
  const size_t calls_max_;
  const Clock& clock_;
  const std::shared_ptr<ByteBudget> unsent_;
  const std::shared_ptr<std::atomic<size_t>> under_way_;
  const std::shared_ptr<RpcCaller> caller_;  // the loop's

  Mutex mutex_;
  std::vector<RpcCall> inbox_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
};

RpcClient::RpcClient(EventLoops& loops, size_t loop, RpcClientOptions options, const Clock& clock)
    : core_(std::make_shared<Core>(loops, loop, std::move(options), clock)) {}

RpcClient::~RpcClient() { Close(); }

void RpcClient::Call(uint16_t method, std::string request, std::chrono::milliseconds patience,
                     RpcDone done) {
  core_->Call(method, std::move(request), patience, std::move(done));
}

void RpcClient::MoveTo(HostPort address) { core_->MoveTo(std::move(address)); }

void RpcClient::Close() { core_->Close(); }

void RpcClient::Stop() {
  core_->Close();
  core_->WaitForLoop();
}

}  // namespace orrery::net
