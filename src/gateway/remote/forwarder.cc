#include "gateway/remote/forwarder.h"

#include <fmt/format.h>

#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "gateway/remote/codec/transaction_codec.h"
#include "gateway/remote/envelope.h"

namespace orrery::gateway {
namespace {

Error NoOwner() {
  return Error(Code::kUnavailable,
               "the partition has no owner that can be reached: it is between two, or its node is "
               "down; nothing was changed; retry");
}

Error ServerStopping() {
  return Error(Code::kUnavailable, "the server is stopping; nothing was changed; retry elsewhere");
}

Error Lost(const Error& why) {
  return Error(Code::kUnavailable, fmt::format("the partition's owner did not answer, so that it "
                                               "is unknown whether the write was made: {}",
                                               why.message()));
}

RequestHead HeadOf(const ContainerEntry& container) { return {container.id, container.version}; }

// The method and the bytes of a request as they go out: within its transaction, if it has one.
struct Outgoing {
  cluster::PeerMethod method;
  std::string request;
};

Outgoing MakeOutgoing(const ContainerEntry& container, cluster::PeerMethod method,
                      std::string_view body, const TransactionLink* within) {
  if (within == nullptr) return {method, WrapRequest(HeadOf(container), body)};
  return {cluster::PeerMethod::kWithinTransaction,
          WrapRequest(HeadOf(container), EncodeWithin(within->id(), method, body))};
}

// Returns the body of an answer, and notes what the branch has become.
Result<std::string> OpenAnswerOf(std::string_view answer, TransactionLink* within) {
  ORRERY_ASSIGN(std::string body, OpenAnswer(answer));
  if (within == nullptr) return body;
  ORRERY_ASSIGN(const WithinAnswer inner, DecodeWithinAnswer(body));
  if (inner.failure != TransactionFailure::kNone) within->NoteFailure(inner.failure);
  return OpenAnswer(inner.wrapped);
}

// Of one try: what was lost can be asked for again.
Result<std::string> BodyOfTry(Result<std::string> answer, TransactionLink* within) {
  if (answer.has_value()) return OpenAnswerOf(*answer, within);
  if (answer.error().code() == Code::kUnavailable)
    return Fail(Code::kMoved, std::move(answer).error().message());
  return answer;
}

}  // namespace

// One forwarded request from its first try to its end. Owned by whatever it waits for.
class Forwarder::Flight : public std::enable_shared_from_this<Flight> {
 public:
  Flight(Forwarder& forwarder, ForwardedRequest request, Done done)
      : forwarder_(forwarder),
        request_(std::move(request)),
        done_(std::move(done)),
        budget_(forwarder.parts_.clock) {}

  void Try() {
    const Parts& parts = forwarder_.parts_;
    const ContainerRef container = parts.catalog.snapshot()->Newest(*request_.container);
    if (container == nullptr) {
      return Finish(Fail(Code::kNotFound, fmt::format("container '{}' was dropped",
                                                      request_.container->settings.name)));
    }
    const Destination to = DestinationOf(*container);
    if (to.damage.has_value()) return Finish(Fail(*to.damage));
    if (!to.here && to.owner == NodeId()) return TryLater();
    Outgoing out = MakeOutgoing(*container, request_.method, request_.body, request_.within.get());
    if (request_.within != nullptr && !request_.repeatable && !to.here)
      request_.within->NoteWriter(to.owner, {container->id, request_.hash});
    auto answered = [self = shared_from_this()](Result<std::string> answer) {
      self->Take(std::move(answer));
    };
    if (to.here) {
      forwarder_.here_->Serve(NodeId(), out.method, std::move(out.request), std::move(answered));
    } else {
      parts.peers.Call(to.owner, out.method, std::move(out.request), kPatience,
                       std::move(answered));
    }
  }

 private:
  struct Destination {
    bool here = false;
    NodeId owner{};                 // else; none: nobody has the partition now
    std::optional<Error> damage{};  // why nobody will
  };
  // Lets go of the topology: whoever waits for the end of all flights may then destroy the node,
  // while the call that answers is still on its way back.
  Destination DestinationOf(const ContainerEntry& container) const {
    const auto topology = forwarder_.parts_.node.topology();
    const cluster::Topology::Place place = topology->Locate(container.id, request_.hash);
    if (place.hosted != nullptr) return {.here = true};
    if (place.remote == nullptr) return {};
    Destination to{.owner = place.remote->owner};
    if (to.owner == NodeId() && place.remote->damage != nullptr)
      to.damage = place.remote->WhyNotHere();
    return to;
  }

  void Take(Result<std::string> answer) {
    if (!answer.has_value()) {
      if (answer.error().code() == Code::kMoved) return TryLater();  // it was not sent
      if (answer.error().code() != Code::kUnavailable) return Finish(std::move(answer));
      if (request_.repeatable) return TryLater();
      // It is not known whether the transaction has that write.
      if (request_.within != nullptr)
        request_.within->NoteFailure(TransactionFailure::kUnavailable);
      return Finish(Fail(Lost(answer.error())));
    }
    Result<std::string> body = OpenAnswerOf(*answer, request_.within.get());
    if (!body.has_value() && body.error().code() == Code::kMoved) return TryLater();
    Finish(std::move(body));
  }

  void TryLater() {
    const auto pause = budget_.NextPause();
    if (!pause.has_value()) return Finish(Fail(NoOwner()));
    if (!forwarder_.RunLater(*pause, [self = shared_from_this()] { self->Try(); }))
      Finish(Fail(ServerStopping()));
  }

  void Finish(Result<std::string> result) {
    Done done = std::move(done_);
    done(std::move(result));
    forwarder_.End();
  }

  Forwarder& forwarder_;
  const ForwardedRequest request_;
  Done done_;
  RetryBudget budget_;
};

void Forwarder::Send(ForwardedRequest request, Done done) {
  {
    MutexLock lock(mutex_);
    ++flights_;
  }
  std::make_shared<Flight>(*this, std::move(request), std::move(done))->Try();
}

Result<std::string> Forwarder::SendAndWait(ForwardedRequest request) {
  std::promise<Result<std::string>> promise;
  std::future<Result<std::string>> answer = promise.get_future();
  Send(std::move(request),
       [&promise](Result<std::string> result) { promise.set_value(std::move(result)); });
  return answer.get();
}

Result<std::string> Forwarder::Ask(const cluster::RemotePartition& partition,
                                   const ContainerEntry& container, cluster::PeerMethod method,
                                   std::string_view body, std::chrono::milliseconds patience,
                                   const std::shared_ptr<TransactionLink>& within) {
  if (partition.owner == NodeId()) return Fail(partition.WhyNotHere());
  Outgoing out = MakeOutgoing(container, method, body, within.get());
  return BodyOfTry(
      parts_.peers.CallAndWait(partition.owner, out.method, std::move(out.request), patience),
      within.get());
}

void Forwarder::Ask(const cluster::RemotePartition& partition, const ContainerEntry& container,
                    cluster::PeerMethod method, std::string_view body,
                    std::chrono::milliseconds patience, Done done,
                    const std::shared_ptr<TransactionLink>& within) {
  if (partition.owner == NodeId()) return done(Fail(partition.WhyNotHere()));
  Outgoing out = MakeOutgoing(container, method, body, within.get());
  parts_.peers.Call(partition.owner, out.method, std::move(out.request), patience,
                    [within, done = std::move(done)](Result<std::string> answer) mutable {
                      done(BodyOfTry(std::move(answer), within.get()));
                    });
}

Status Forwarder::Pause(RetryBudget& budget) {
  const auto pause = budget.NextPause();
  if (!pause.has_value()) return Fail(NoOwner());
  std::promise<void> over;
  if (!RunLater(*pause, [&over] { over.set_value(); })) return Fail(ServerStopping());
  over.get_future().wait();
  return {};
}

void Forwarder::End() {
  MutexLock lock(mutex_);
  if (--flights_ == 0) idle_.NotifyAll();
}

void Forwarder::WaitUntilIdle() {
  MutexLock lock(mutex_);
  while (flights_ > 0) idle_.Wait(mutex_);
}

}  // namespace orrery::gateway
