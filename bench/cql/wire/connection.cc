#include "cql/wire/connection.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "api/cassandra/protocol/request/request_writer.h"
#include "api/cassandra/protocol/response/response_reader.h"
#include "base/check.h"
#include "cql/cql_options.h"

namespace orrery::bench {
namespace {

constexpr size_t kReadBytes = 64 << 10;

}  // namespace

using boost::system::error_code;

Connection::Connection(std::unique_ptr<Session> session, size_t in_flight_max, Workload& workload,
                       LoadConnectionUser& user)
    : session_(std::move(session)),
      workload_(workload),
      user_(user),
      pending_(in_flight_max),
      waiting_(in_flight_max, false) {
  ORRERY_CHECK(in_flight_max > 0 && in_flight_max <= kStreamsMax);
  for (size_t i = in_flight_max; i > 0; --i) free_streams_.push_back(static_cast<int16_t>(i - 1));
}

void Connection::StartReading() { Read(); }

void Connection::Send(LoadTime intended) {
  ORRERY_CHECK(has_room());
  const int16_t stream = free_streams_.back();
  free_streams_.pop_back();
  pending_[static_cast<size_t>(stream)] = {workload_.Next(request_), intended};
  waiting_[static_cast<size_t>(stream)] = true;
  cassandra::WriteExecute(envelopes_, {session_->version(), stream}, request_);
}

void Connection::Flush() {
  if (writing_ || lost_ || envelopes_.empty()) return;
  sending_.clear();
  if (session_->version() >= cassandra::ProtocolVersion::kV5) {
    AppendForWire(sending_, envelopes_, session_->version());
    envelopes_.clear();
  } else {
    sending_.swap(envelopes_);
  }
  writing_ = true;
  session_->transport().AsyncWrite(sending_, [this](const error_code& error, size_t) {
    writing_ = false;
    if (error) return Lose(fmt::format("writing: {}", error.message()));
    Flush();
  });
}

void Connection::Read() {
  session_->transport().AsyncRead(session_->input().Prepare(kReadBytes),
                                  [this](const error_code& error, size_t size) {
                                    if (error) {
                                      return Lose(fmt::format("reading: {}", error.message()));
                                    }
                                    session_->input().Commit(size);
                                    HandleInput();
                                    if (!lost_) Read();
                                  });
}

void Connection::HandleInput() {
  const LoadTime now = LoadClock::now();
  net::ReadBuffer& buffer = session_->input();
  std::string_view input = buffer.data();
  while (!lost_) {
    const auto decoded = session_->decoder().Next(input);
    if (!decoded.has_value()) return Lose(decoded.error().error.message);
    if (!decoded->has_value()) break;
    HandleAnswer(**decoded, now);
  }
  buffer.Consume(buffer.data().size() - input.size());
  if (!lost_) user_.OnProgress(*this);
}

void Connection::HandleAnswer(const cassandra::Envelope& answer, LoadTime now) {
  const int16_t stream = answer.header.stream;
  const auto index = static_cast<size_t>(stream);
  if (stream < 0 || index >= pending_.size() || !waiting_[index]) {
    return Lose(fmt::format("an answer came on stream {}, where nothing was asked", stream));
  }
  waiting_[index] = false;
  free_streams_.push_back(stream);
  Judge(pending_[index], answer, now);
}

void Connection::Judge(const PendingOperation& operation, const cassandra::Envelope& answer,
                       LoadTime now) {
  const auto message = cassandra::DecodeResponse(answer);
  Verdict verdict;
  if (!message.has_value()) {
    verdict.problem = message.error().message();
  } else if (workload_.IsGood(operation.kind, message->response)) {
    verdict.good = true;
  } else if (const auto* error = std::get_if<cassandra::ErrorResponse>(&message->response)) {
    verdict.error = static_cast<int32_t>(error->code);
    verdict.problem = error->message;
  } else {
    verdict.problem =
        "an answer was not what was asked for (were the rows loaded, with the same sizes?)";
  }
  user_.OnAnswer(operation, verdict, now);
}

void Connection::Lose(std::string why) {
  if (lost_) return;
  lost_ = true;
  session_->transport().Close();
  user_.OnLost(*this, Error(Code::kUnavailable, std::move(why)));
}

}  // namespace orrery::bench
