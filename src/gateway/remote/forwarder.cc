#include "gateway/remote/forwarder.h"

#include <fmt/format.h>

#include <future>
#include <memory>
#include <optional>
#include <utility>

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

// Of one try: what was lost can be asked for again.
Result<std::string> BodyOfTry(Result<std::string> answer) {
  if (answer.has_value()) return OpenAnswer(*answer);
  if (answer.error().code() == Code::kUnavailable)
    return Fail(Code::kMoved, std::move(answer).error().message());
  return answer;
}

RequestHead HeadOf(const ContainerEntry& container) { return {container.id, container.version}; }

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
    std::string request = WrapRequest(HeadOf(*container), request_.body);
    auto answered = [self = shared_from_this()](Result<std::string> answer) {
      self->Take(std::move(answer));
    };
    if (to.here) {
      forwarder_.here_->Serve(NodeId(), request_.method, std::move(request), std::move(answered));
    } else {
      parts.peers.Call(to.owner, request_.method, std::move(request), kPatience,
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
      return Finish(Fail(Lost(answer.error())));
    }
    Result<std::string> body = OpenAnswer(*answer);
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
                                   std::string_view body, std::chrono::milliseconds patience) {
  if (partition.owner == NodeId()) return Fail(partition.WhyNotHere());
  return BodyOfTry(parts_.peers.CallAndWait(partition.owner, method,
                                            WrapRequest(HeadOf(container), body), patience));
}

void Forwarder::Ask(const cluster::RemotePartition& partition, const ContainerEntry& container,
                    cluster::PeerMethod method, std::string_view body,
                    std::chrono::milliseconds patience, Done done) {
  if (partition.owner == NodeId()) return done(Fail(partition.WhyNotHere()));
  parts_.peers.Call(partition.owner, method, WrapRequest(HeadOf(container), body), patience,
                    [done = std::move(done)](Result<std::string> answer) mutable {
                      done(BodyOfTry(std::move(answer)));
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
