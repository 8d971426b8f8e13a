#include "gateway/remote/remote_scans.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/has_code.h"
#include "gateway/remote/codec/scan_codec.h"
#include "gateway/remote/codec/scan_group_codec.h"

namespace orrery::gateway {

using cluster::PeerMethod;

namespace {

// Bytes that the answer to one call may have, but for the last documents of its pages.
constexpr size_t kAnswerBytesMax = size_t{16} << 20;
constexpr Micros kOldFor = std::chrono::minutes(1);

// Returns how long the owner works at a piece; 0: as long as it takes.
Micros PatienceOf(const ScanSpec& spec, const Clock& clock) {
  if (spec.context.deadline() == RequestContext::kNoDeadline) return Micros(0);
  return std::max(spec.context.deadline() - clock.Monotonic(), Micros(1));
}

}  // namespace

struct RemoteScans::Call {
  NodeId owner;
  std::vector<size_t> questions;  // by number
  size_t bytes = 0;               // that its answer may have
};

// The answers to several calls. Shared with those who bring them.
class RemoteScans::Answers {
 public:
  explicit Answers(size_t calls) : answers_(calls), left_(calls) {}

  void Set(size_t call, Result<std::string> answer) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    answers_[call] = std::move(answer);
    if (--left_ == 0) complete_.NotifyAll();
  }

  // Blocks until all are there.
  std::vector<Result<std::string>> Take() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (left_ > 0) complete_.Wait(mutex_);
    return std::move(answers_);
  }

 private:
  Mutex mutex_;
  CondVar complete_;
  std::vector<Result<std::string>> answers_ GUARDED_BY(mutex_);
  size_t left_ GUARDED_BY(mutex_);
};

std::vector<RemoteScans::Call> RemoteScans::Group(std::span<const PieceQuestion> questions) {
  std::vector<Call> calls;
  for (size_t i = 0; i < questions.size(); ++i) {
    const NodeId owner = questions[i].piece.remote->owner;
    const size_t bytes = std::min(questions[i].room.bytes_max, kAnswerBytesMax);
    const auto has_room = [&](const Call& call) {
      return call.owner == owner && call.questions.size() < kPiecesPerCall &&
             call.bytes + bytes <= kAnswerBytesMax;
    };
    auto call = IsOld(owner) ? calls.end() : std::ranges::find_if(calls, has_room);
    if (call == calls.end()) call = calls.insert(call, {.owner = owner, .questions = {}});
    call->questions.push_back(i);
    call->bytes += bytes;
  }
  return calls;
}

void RemoteScans::Send(const ContainerEntry& container, std::span<const PieceQuestion> questions,
                       const Call& call, std::function<void(Result<std::string>)> done) {
  std::vector<std::string> pieces;
  std::chrono::milliseconds waits{0};
  for (const size_t i : call.questions) {
    const PieceQuestion& question = questions[i];
    const Micros patience = PatienceOf(question.spec, clock_);
    pieces.push_back(EncodeScanPiece(question.piece.range, question.piece.inner, question.spec,
                                     question.target, question.room, patience));
    waits = std::max(waits, patience == Micros(0)
                                ? std::chrono::milliseconds(Forwarder::kPatience)
                                : std::chrono::ceil<std::chrono::milliseconds>(patience));
  }
  const bool is_one = pieces.size() == 1;
  forwarder_.Ask(*questions[call.questions.front()].piece.remote, container,
                 is_one ? PeerMethod::kScanItems : PeerMethod::kScanManyItems,
                 is_one ? pieces.front() : EncodeScanGroup(pieces),
                 std::min(waits, std::chrono::milliseconds(Forwarder::kPatience)), std::move(done),
                 within_);
}

std::vector<Result<ScanPieceAnswer>> RemoteScans::Ask(const ContainerEntry& container,
                                                      std::span<const PieceQuestion> questions,
                                                      const std::function<void()>& meanwhile) {
  std::vector<Result<ScanPieceAnswer>> pages(questions.size());
  std::vector<Call> calls = Group(questions);
  for (bool is_first = true; !calls.empty(); is_first = false) {
    const auto answers = std::make_shared<Answers>(calls.size());
    for (size_t i = 0; i < calls.size(); ++i) {
      Send(container, questions, calls[i],
           [answers, i](Result<std::string> answer) { answers->Set(i, std::move(answer)); });
    }
    if (is_first) meanwhile();
    std::vector<Result<std::string>> bodies = answers->Take();
    std::vector<Call> again;
    for (size_t i = 0; i < calls.size(); ++i) {
      const std::vector<size_t>& asked = calls[i].questions;
      const bool is_one = asked.size() == 1;
      if (!is_one && HasCode(bodies[i], Code::kUnsupported)) {
        NoteOld(calls[i].owner);
        for (const size_t question : asked)
          again.push_back({.owner = calls[i].owner, .questions = {question}});
      } else if (is_one) {
        pages[asked.front()] =
            bodies[i].has_value() ? DecodeScanAnswer(*bodies[i]) : Fail(bodies[i].error());
      } else {
        auto group = bodies[i].has_value() ? DecodeScanGroupAnswer(*bodies[i], asked.size())
                                           : Fail(bodies[i].error());
        for (size_t j = 0; j < asked.size(); ++j)
          pages[asked[j]] = group.has_value() ? std::move((*group)[j]) : Fail(group.error());
      }
    }
    calls = std::move(again);
  }
  return pages;
}

bool RemoteScans::IsOld(NodeId node) {
  if (within_ != nullptr) return true;
  MutexLock lock(mutex_);
  const auto old = old_until_.find(node);
  if (old == old_until_.end()) return false;
  if (clock_.Monotonic() < old->second) return true;
  old_until_.erase(old);
  return false;
}

void RemoteScans::NoteOld(NodeId node) {
  MutexLock lock(mutex_);
  old_until_[node] = clock_.Monotonic() + kOldFor;
}

}  // namespace orrery::gateway
