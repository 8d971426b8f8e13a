#include "load/framed/framed_connection.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"

namespace orrery::bench {
namespace {

constexpr size_t kFramedReadBytes = 64 << 10;

}  // namespace

using boost::system::error_code;

FramedConnection::FramedConnection(std::unique_ptr<Transport> transport, size_t in_flight_max,
                                   FramedExchange& exchange, LoadConnectionUser& user)
    : transport_(std::move(transport)),
      in_flight_max_(in_flight_max),
      exchange_(exchange),
      user_(user) {
  ORRERY_CHECK(in_flight_max > 0);
}

void FramedConnection::Send(LoadTime intended) {
  ORRERY_CHECK(has_room());
  const uint32_t id = ++last_id_;
  const OperationKind kind = exchange_.Next(id, requests_);
  pending_.emplace(id, PendingOperation{kind, intended});
}

OperationKind FramedConnection::Skip() {
  std::string unsent;
  return exchange_.Next(0, unsent);
}

void FramedConnection::Flush() {
  if (writing_ || lost_ || requests_.empty()) return;
  sending_.clear();
  sending_.swap(requests_);
  writing_ = true;
  transport_->AsyncWrite(sending_, [this](const error_code& error, size_t) {
    writing_ = false;
    if (error) return Lose(fmt::format("writing: {}", error.message()));
    Flush();
  });
}

void FramedConnection::Read() {
  transport_->AsyncRead(input_.Prepare(kFramedReadBytes),
                        [this](const error_code& error, size_t size) {
                          if (error) return Lose(fmt::format("reading: {}", error.message()));
                          input_.Commit(size);
                          HandleInput();
                          if (!lost_) Read();
                        });
}

void FramedConnection::HandleInput() {
  const LoadTime now = LoadClock::now();
  while (!input_.empty()) {
    const std::optional<FramedAnswer> answer = exchange_.Take(input_.data());
    if (!answer.has_value()) break;
    const auto found = pending_.find(answer->id);
    if (found == pending_.end()) return Lose("an answer came although nothing was asked");
    const PendingOperation operation = found->second;
    pending_.erase(found);
    user_.OnAnswer(operation, answer->verdict, now);
    input_.Consume(answer->bytes);
  }
  user_.OnProgress(*this);
}

void FramedConnection::Lose(std::string why) {
  if (lost_) return;
  lost_ = true;
  transport_->Close();
  user_.OnLost(*this, Error(Code::kUnavailable, std::move(why)));
}

}  // namespace orrery::bench
