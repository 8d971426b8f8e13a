#include "load/http/http_connection.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/check.h"

namespace orrery::bench {
namespace {

constexpr size_t kReadBytes = 64 << 10;

}  // namespace

using boost::system::error_code;

HttpConnection::HttpConnection(std::unique_ptr<Transport> transport, size_t in_flight_max,
                               HttpWorkload& workload, LoadConnectionUser& user)
    : transport_(std::move(transport)),
      in_flight_max_(in_flight_max),
      workload_(workload),
      user_(user) {
  ORRERY_CHECK(in_flight_max > 0);
}

void HttpConnection::Send(LoadTime intended) {
  ORRERY_CHECK(has_room());
  pending_.push_back({workload_.Next(requests_), intended});
}

OperationKind HttpConnection::Skip() {
  std::string unsent;
  return workload_.Next(unsent);
}

void HttpConnection::Flush() {
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

void HttpConnection::Read() {
  transport_->AsyncRead(input_.Prepare(kReadBytes), [this](const error_code& error, size_t size) {
    if (error) return Lose(fmt::format("reading: {}", error.message()));
    input_.Commit(size);
    HandleInput();
    if (!lost_) Read();
  });
}

void HttpConnection::HandleInput() {
  const LoadTime now = LoadClock::now();
  while (!lost_ && !input_.empty()) {
    const auto answer = ParseAnswer(input_.data(), joined_);
    if (!answer.has_value()) return Lose(answer.error().message());
    if (!answer->has_value()) break;
    HandleAnswer(**answer, now);
    input_.Consume((*answer)->bytes);
  }
  if (!lost_) user_.OnProgress(*this);
}

void HttpConnection::HandleAnswer(const HttpAnswer& answer, LoadTime now) {
  if (pending_.empty()) return Lose("an answer came although nothing was asked");
  const PendingOperation operation = pending_.front();
  pending_.pop_front();
  Verdict verdict;
  verdict.good = workload_.IsGood(answer);
  verdict.charge = answer.charge;
  if (!verdict.good) {
    if (answer.status >= 400) verdict.error = answer.status;
    verdict.problem = answer.body;
  }
  user_.OnAnswer(operation, verdict, now);
}

void HttpConnection::Lose(std::string why) {
  if (lost_) return;
  lost_ = true;
  transport_->Close();
  user_.OnLost(*this, Error(Code::kUnavailable, std::move(why)));
}

}  // namespace orrery::bench
