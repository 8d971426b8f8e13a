#include "cql/wire/connection.h"

#include <fmt/format.h>

#include <utility>

#include "api/cassandra/protocol/request/request_writer.h"
#include "base/check.h"

namespace orrery::bench {
namespace {

constexpr size_t kReadBytes = 64 << 10;
constexpr size_t kStreamsMax = 32'768;

}  // namespace

using boost::system::error_code;

Connection::Connection(std::unique_ptr<Session> session, size_t in_flight_max, ConnectionUser& user)
    : session_(std::move(session)),
      user_(user),
      pending_(in_flight_max),
      waiting_(in_flight_max, false) {
  ORRERY_CHECK(in_flight_max > 0 && in_flight_max <= kStreamsMax);
  for (size_t i = in_flight_max; i > 0; --i) free_streams_.push_back(static_cast<int16_t>(i - 1));
}

void Connection::StartReading() { Read(); }

void Connection::Send(const cassandra::ExecuteRequest& request, const PendingOperation& operation) {
  ORRERY_CHECK(has_room());
  const int16_t stream = free_streams_.back();
  free_streams_.pop_back();
  pending_[static_cast<size_t>(stream)] = operation;
  waiting_[static_cast<size_t>(stream)] = true;
  cassandra::WriteExecute(envelopes_, {session_->version(), stream}, request);
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
  user_.OnAnswer(pending_[index], answer, now);
}

void Connection::Lose(std::string why) {
  if (lost_) return;
  Close();
  user_.OnLost(*this, Error(Code::kUnavailable, std::move(why)));
}

void Connection::Close() {
  lost_ = true;
  session_->transport().Close();
}

}  // namespace orrery::bench
