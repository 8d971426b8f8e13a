#include "net/stream.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <tuple>
#include <utility>

#include "net/as_tuple.h"
#include "net/http/url.h"
#include "net/stream_set.h"

namespace orrery::net {
namespace asio = boost::asio;
namespace {

// The plaintext that is sealed before it is sent.
constexpr size_t kSealBytesMax = 64 << 10;
// The ciphertext that reading may leave unsent, such as answers to requests for new keys from a
// peer that does not read them.
constexpr size_t kUnaskedBytesMax = 64 << 10;
// For how many sweeps a stream may be without a request before it may have to give way to a new
// one, and a write may wait for a peer that does not read when bytes are scarce.
constexpr int kQuietSweeps = 2;
constexpr int kStallSweeps = 4;
// The same for one that has not asked for anything yet: time to send a request, over TLS too.
constexpr std::chrono::milliseconds kFirstRequestMax{250};

asio::ip::tcp::endpoint PeerEndpoint(const Stream::Socket& socket) {
  boost::system::error_code gone;
  const auto endpoint = socket.remote_endpoint(gone);
  return gone ? asio::ip::tcp::endpoint() : endpoint;
}

std::string PeerName(const asio::ip::tcp::endpoint& endpoint) {
  if (endpoint.port() == 0) return "unknown";
  return FormatHostPort({endpoint.address().to_string(), endpoint.port()});
}

}  // namespace

class Stream::Run {
 public:
  Run(std::string_view bytes, std::span<const size_t> pieces) : bytes_(bytes), pieces_(pieces) {}

  bool empty() const { return bytes_.empty(); }
  size_t size() const { return bytes_.size(); }
  // Takes bytes of one piece, at most `bytes_max`.
  std::string_view Take(size_t bytes_max) {
    const size_t piece = pieces_.empty() ? bytes_.size() : pieces_.front() - taken_;
    const std::string_view taken = bytes_.substr(0, std::min(piece, bytes_max));
    bytes_.remove_prefix(taken.size());
    if (pieces_.empty()) return taken;
    taken_ += taken.size();
    if (taken_ == pieces_.front()) {
      pieces_ = pieces_.subspan(1);
      taken_ = 0;
    }
    return taken;
  }

 private:
  std::string_view bytes_;
  std::span<const size_t> pieces_;
  size_t taken_ = 0;  // of the first piece
};

Stream::Stream(Socket socket, std::shared_ptr<StreamSet> set,
               std::optional<ClientBudget::Place> place)
    : socket_(std::move(socket)),
      peer_endpoint_(PeerEndpoint(socket_)),
      peer_(PeerName(peer_endpoint_)),
      place_(std::move(place)),
      set_(std::move(set)) {
  boost::system::error_code ignored;
  // Asio would do so at the first asynchronous operation; TryWrite may come before it.
  socket_.non_blocking(true, ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  set_->Add(*this);
  last_request_ = set_->now();
}

asio::ip::tcp::endpoint Stream::local_endpoint() const {
  boost::system::error_code gone;
  const auto endpoint = socket_.local_endpoint(gone);
  return gone ? asio::ip::tcp::endpoint() : endpoint;
}

Stream::~Stream() { set_->Remove(*this); }

Stream::Awaitable<Result<std::optional<unsigned char>>> Stream::PeekByte() {
  if (cancelled()) co_return Failure("waiting for", asio::error::operation_aborted);
  unsigned char byte = 0;
  const auto [error, size] =
      co_await socket_.async_receive(asio::buffer(&byte, 1), Socket::message_peek, kAsTuple);
  if (error == asio::error::eof) co_return std::nullopt;
  if (error) co_return Failure("waiting for", error);
  co_return byte;
}

std::string Stream::tls_version() const { return tls_->version(); }
std::string Stream::tls_cipher() const { return tls_->cipher(); }

Stream::Awaitable<Status> Stream::AcceptTls(ssl_ctx_st* context) {
  constexpr std::string_view kDoing = "TLS handshake with";
  if (cancelled()) co_return Failure(kDoing, asio::error::operation_aborted);
  auto session = TlsSession::Accept(context);
  if (!session) co_return Fail(session.error());
  tls_ = std::move(*session);
  while (true) {
    const Result<bool> done = tls_->Handshake();
    const Status sent = co_await FlushSealed();
    if (!done) co_return Failure(kDoing, done.error().message());
    if (!sent) co_return sent;
    if (*done) co_return Status();
    if (cancelled()) co_return Failure(kDoing, asio::error::operation_aborted);
    const auto space = tls_->PrepareReceived();
    const auto [error, size] =
        co_await socket_.async_read_some(asio::buffer(space.data(), space.size()), kAsTuple);
    if (error) co_return Failure(kDoing, error);
    tls_->CommitReceived(size);
  }
}

Stream::Awaitable<Result<size_t>> Stream::ReadSome(std::span<char> space) {
  constexpr std::string_view kDoing = "reading from";
  while (true) {
    if (cancelled()) co_return Failure(kDoing, asio::error::operation_aborted);
    std::span<char> target = space;
    if (tls_) {
      const Result<size_t> opened = tls_->Open(space);
      // Reading may have something to say, too; what a write has sealed is the write's to send.
      if (sending_.empty()) std::ignore = SendSealed();
      if (!opened) co_return Failure(kDoing, opened.error().message());
      if (*opened > 0 || tls_->ended()) co_return *opened;
      if (tls_->sealed().size() > kUnaskedBytesMax)
        co_return Failure(kDoing, "the client makes the server write and does not read");
      target = tls_->PrepareReceived();
    }
    const auto [error, size] =
        co_await socket_.async_read_some(asio::buffer(target.data(), target.size()), kAsTuple);
    // Most HTTP clients end TLS so, too, without the goodbye that TLS asks for.
    if (error == asio::error::eof) co_return size_t{0};
    if (error) co_return Failure(kDoing, error);
    if (!tls_) co_return size;
    tls_->CommitReceived(size);
  }
}

Stream::Awaitable<Status> Stream::Write(std::string_view first, std::string_view second) {
  if (cancelled()) co_return Failure("writing to", asio::error::operation_aborted);
  if (tls_) {
    std::string joined;
    if (!second.empty() && first.size() + second.size() <= TlsSession::kRecordBytesMax) {
      // One record costs less than two.
      joined.reserve(first.size() + second.size());
      joined.append(first).append(second);
      first = joined;
      second = {};
    }
    for (const std::string_view part : {first, second}) {
      Run run(part, {});
      Status written = TryWriteTls(run);
      if (written && (!run.empty() || unsent_bytes() > 0)) written = co_await WriteTls(run);
      if (!written) co_return written;
    }
    co_return Status();
  }
  // Mostly the kernel takes all at once; the way over the loop is for what it does not take.
  std::array<asio::const_buffer, 2> buffers = {asio::buffer(first), asio::buffer(second)};
  boost::system::error_code error;
  size_t size = socket_.write_some(buffers, error);
  if (error && error != asio::error::would_block) co_return Failure("writing to", error);
  if (size == first.size() + second.size()) co_return Status();
  for (asio::const_buffer& buffer : buffers) {
    const size_t sent = std::min(size, buffer.size());
    buffer += sent;
    size -= sent;
  }
  const auto [failed, rest] = co_await asio::async_write(socket_, buffers, kAsTuple);
  if (failed) co_return Failure("writing to", failed);
  co_return Status();
}

Result<size_t> Stream::TryWrite(std::string_view bytes, std::span<const size_t> pieces) {
  if (cancelled()) return Failure("writing to", asio::error::operation_aborted);
  if (tls_) {
    Run run(bytes, pieces);
    ORRERY_TRY(TryWriteTls(run));
    return bytes.size() - run.size();
  }
  boost::system::error_code error;
  const size_t size = socket_.write_some(asio::buffer(bytes), error);
  if (error == asio::error::would_block) return size_t{0};
  if (error) return Failure("writing to", error);
  return size;
}

void Stream::StartWrite(std::string_view bytes, std::span<const size_t> pieces,
                        std::move_only_function<void(Status)> done) {
  const auto post = [&](Status status) {
    asio::post(executor(), [done = std::move(done), status = std::move(status)]() mutable {
      done(std::move(status));
    });
  };
  if (cancelled()) {
    post(Failure("writing to", asio::error::operation_aborted));
  } else if (tls_) {
    Run run(bytes, pieces);
    Status sent = TryWriteTls(run);
    if (!sent || (run.empty() && unsent_bytes() == 0)) return post(std::move(sent));
    asio::co_spawn(
        executor(), WriteTls(run),
        [done = std::move(done)](const std::exception_ptr& thrown, Status status) mutable {
          if (thrown) std::rethrow_exception(thrown);
          done(std::move(status));
        });
  } else {
    asio::async_write(
        socket_, asio::buffer(bytes),
        [this, done = std::move(done)](const boost::system::error_code& error, size_t) mutable {
          done(error ? Status(Failure("writing to", error)) : Status());
        });
  }
}

Status Stream::Seal(Run& run) {
  for (size_t sealed = 0; !run.empty() && sealed < kSealBytesMax;) {
    const std::string_view taken = run.Take(kSealBytesMax - sealed);
    const Status done = tls_->Seal(taken);
    if (!done) return Failure("writing to", done.error().message());
    sealed += taken.size();
  }
  return {};
}

Status Stream::TryWriteTls(Run& run) {
  if (!sending_.empty()) return CutOff();
  while (true) {
    ORRERY_TRY(SendSealed());
    if (run.empty() || !tls_->sealed().empty()) return {};
    ORRERY_TRY(Seal(run));
  }
}

Stream::Awaitable<Status> Stream::WriteTls(Run run) {
  while (true) {
    const Status flushed = co_await FlushSealed();
    if (!flushed || run.empty()) co_return flushed;
    if (cancelled()) co_return Failure("writing to", asio::error::operation_aborted);
    const Status sealed = Seal(run);
    if (!sealed) co_return sealed;
  }
}

std::unexpected<Error> Stream::CutOff() const {
  return Failure("writing to", "an earlier write ended within a TLS record");
}

Status Stream::SendSealed() {
  while (!tls_->sealed().empty()) {
    boost::system::error_code error;
    const size_t size = socket_.write_some(asio::buffer(tls_->sealed()), error);
    if (error == asio::error::would_block) return {};
    if (error) return Failure("writing to", error);
    tls_->ConsumeSealed(size);
  }
  return {};
}

Stream::Awaitable<Status> Stream::FlushSealed() {
  if (!sending_.empty()) co_return CutOff();
  if (const Status sent = SendSealed(); !sent) co_return sent;
  while (!tls_->sealed().empty()) {
    if (cancelled()) co_return Failure("writing to", asio::error::operation_aborted);
    tls_->TakeSealed(sending_);
    const auto [error, size] =
        co_await asio::async_write(socket_, asio::buffer(sending_), kAsTuple);
    if (error) co_return Failure("writing to", error);
    std::string().swap(sending_);
  }
  co_return Status();
}

Stream::Awaitable<void> Stream::Close(CloseMode mode) {
  if (aborted_) co_return;
  ExpireAfter(kLingerTimeout);
  boost::system::error_code ignored;
  if (tls_) {
    tls_->SealGoodbye();
    std::ignore = co_await FlushSealed();
  }
  socket_.shutdown(Socket::shutdown_send, ignored);
  if (mode == CloseMode::kLinger) {
    SetIdle(true);
    std::array<char, 4096> dropped;
    for (size_t total = 0; total < kLingerBytesMax && !cancelled();) {
      const auto [error, size] = co_await socket_.async_read_some(asio::buffer(dropped), kAsTuple);
      if (error) break;
      total += size;
    }
  }
  socket_.close(ignored);
}

void Stream::ExpireAfter(std::chrono::milliseconds timeout) {
  expired_ = false;
  deadline_ = std::chrono::steady_clock::now() + timeout;
}

void Stream::ExpireAt(Time deadline) {
  expired_ = false;
  deadline_ = deadline;
}

void Stream::NeverExpire() {
  expired_ = false;
  deadline_ = Time::max();
}

void Stream::SetIdle(bool idle) {
  idle_ = idle;
  // A read may be pending, as it is on a stream that reads and writes at once.
  if (idle && draining_) CancelIfDue();
}

void Stream::CountRequest() {
  has_asked_ = true;
  last_request_ = set_->now();
}

void Stream::SetStalled(bool stalled) { stalled_since_ = stalled ? set_->now() : Time::max(); }

bool Stream::Stalls(Time now) const {
  return stalled_since_ != Time::max() &&
         now - stalled_since_ >= kStallSweeps * set_->sweep_interval();
}

bool Stream::MayGiveWay(Time now) const {
  const std::chrono::milliseconds quiet_max = kQuietSweeps * set_->sweep_interval();
  return place_ && !gave_way_ && (!busy_ || Stalls(now)) &&
         now - last_request_ >= (has_asked_ ? quiet_max : std::min(quiet_max, kFirstRequestMax));
}

void Stream::GiveWay() {
  gave_way_ = true;
  place_->GiveBack();
  CancelIfDue();
}

void Stream::CancelIfDue() {
  boost::system::error_code ignored;
  if (cancelled()) socket_.cancel(ignored);
}

void Stream::Sweep(Time now) {
  if (now >= deadline_) expired_ = true;
  // The socket of an aborted stream is closed: there is no peer left to ask about.
  if (!idle_ && !aborted_ && on_hang_up_ && PeerHasClosed()) std::exchange(on_hang_up_, nullptr)();
  if (place_ && !gave_way_ && Stalls(now) && place_->bytes()->tight()) set_->MakeGiveWay(*this);
  // Again at each sweep, not once: a write, or anything over TLS, is a chain of operations on the
  // socket, and cancelling between two of them finds nothing to cancel.
  CancelIfDue();
}

bool Stream::PeerHasClosed() {
  // Asked of the kernel, not by reading: the bytes before the end belong to whoever reads next, and
  // with TLS they would be a record.
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return true;
  return info.tcpi_state == TCP_CLOSE_WAIT || info.tcpi_state == TCP_CLOSE ||
         info.tcpi_state == TCP_LAST_ACK || info.tcpi_state == TCP_CLOSING;
}

void Stream::Drain() {
  draining_ = true;
  CancelIfDue();
}

void Stream::Abort() {
  aborted_ = true;
  boost::system::error_code ignored;
  socket_.close(ignored);
  if (on_abort_) on_abort_();
}

std::unexpected<Error> Stream::Failure(std::string_view doing,
                                       const boost::system::error_code& error) const {
  return Failure(doing, error.message());
}

std::unexpected<Error> Stream::Failure(std::string_view doing, std::string_view why) const {
  if (cancelled()) {
    const std::string_view reason = expired_    ? "timed out"
                                    : gave_way_ ? "it gave way to other clients"
                                                : "the server is stopping";
    return Fail(Code::kCancelled, fmt::format("{} {}: {}", doing, peer_, reason));
  }
  return Fail(Code::kUnavailable, fmt::format("{} {}: {}", doing, peer_, why));
}

}  // namespace orrery::net
