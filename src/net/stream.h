// One accepted connection as a stream of bytes, plain or TLS, with a deadline.
//
// Protocols are coroutines that read and write a Stream and need not know which of the two it is.
// One read and one write may be under way at the same time; anything else (PeekByte, AcceptTls,
// Close) stands alone. Time-outs, draining and aborting all work the same way: the pending
// operations, or the next ones, fail with kCancelled, and expired() or draining() tells why.
//
// Lives and dies on one event loop; only that loop's thread may touch it.
// Includes Asio: for code under net/ and the .cc files of protocol servers.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "net/client_budget.h"
#include "net/tls/tls_session.h"

namespace orrery::net {

class StreamSet;

class Stream {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  template <typename T>
  using Awaitable = boost::asio::awaitable<T>;

  // The time and the number of bytes for which Close(kLinger) waits for a client that goes on
  // sending.
  static constexpr std::chrono::milliseconds kLingerTimeout{2'000};
  static constexpr size_t kLingerBytesMax = 16 << 20;

  // Without a place its bytes are not counted, and it gives way to nobody.
  Stream(Socket socket, std::shared_ptr<StreamSet> set,
         std::optional<ClientBudget::Place> place = std::nullopt);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  boost::asio::any_io_executor executor() { return socket_.get_executor(); }
  bool tls() const { return tls_ != nullptr; }
  // The negotiated version and cipher: "TLSv1.3", "TLS_AES_256_GCM_SHA384". REQUIRES: tls().
  std::string tls_version() const;
  std::string tls_cipher() const;
  const std::string& peer() const { return peer_; }  // "127.0.0.1:50312"
  // The same, not as text; unspecified if the peer was gone before the stream was made.
  const boost::asio::ip::tcp::endpoint& peer_endpoint() const { return peer_endpoint_; }
  // The address that the peer connected to.
  boost::asio::ip::tcp::endpoint local_endpoint() const;

  // The first byte, which stays in the stream; nothing if the peer closed without sending one.
  Awaitable<Result<std::optional<unsigned char>>> PeekByte();
  // Makes this a TLS stream. REQUIRES: nothing was read but by PeekByte().
  Awaitable<Status> AcceptTls(ssl_ctx_st* context);

  // Waits for some bytes and returns how many; 0 means that the peer sends no more.
  Awaitable<Result<size_t>> ReadSome(std::span<char> space);
  // Writes both pieces. They must stay valid until the operation ends.
  Awaitable<Status> Write(std::string_view first, std::string_view second = {});
  // Writes what goes out without waiting and returns how many bytes it took: 0 when the peer reads
  // too slowly. Over TLS, some of the bytes taken may still wait in the stream: see unsent_bytes().
  //
  // `pieces` are the lengths of the first parts of `bytes`; over TLS each part begins a record of
  // its own, and all of them leave together. What is behind the last is one more part.
  //
  // REQUIRES: no write is under way.
  Result<size_t> TryWrite(std::string_view bytes, std::span<const size_t> pieces = {});
  // The bytes, as ciphertext, that were taken and have not left. The next write sends them first;
  // StartWrite() of no bytes does only that.
  size_t unsent_bytes() const { return tls_ ? sending_.size() + tls_->sealed().size() : 0; }
  // Like Write, for those that must not wait: `done` is called on the loop, never inside this call.
  // The bytes, the pieces and the stream must live until then.
  void StartWrite(std::string_view bytes, std::span<const size_t> pieces,
                  std::move_only_function<void(Status)> done);
  void StartWrite(std::string_view bytes, std::move_only_function<void(Status)> done) {
    StartWrite(bytes, {}, std::move(done));
  }

  // Ends the stream. With unread bytes behind it, closing at once would reset the connection and
  // could take the last response from the client's hands; kLinger reads and drops them first.
  enum class CloseMode { kAtOnce, kLinger };
  Awaitable<void> Close(CloseMode mode);

  // From now on; replaces the deadline before. Forgets that an earlier one expired.
  void ExpireAfter(std::chrono::milliseconds timeout);
  void ExpireAt(std::chrono::steady_clock::time_point deadline);
  void NeverExpire();
  bool expired() const { return expired_; }

  // An idle stream is between two requests: draining ends it at once. New streams are idle.
  void SetIdle(bool idle);
  // The listener is stopping: finish the request at hand, then close.
  bool draining() const { return draining_; }

  // The bytes of all connections of this client's address; null: not counted.
  std::shared_ptr<ByteBudget> client_bytes() const { return place_ ? place_->bytes() : nullptr; }
  // The stream should end with its first answer: it was let in beyond the limit.
  bool is_reserve() const { return place_ && place_->is_reserve(); }

  // The server works on a request of this stream. Others may have to give way to new connections
  // when these are scarce: those without a request so far first, then those whose last is longest
  // ago.
  void SetBusy(bool busy) { busy_ = busy; }
  // A request of this stream was complete just now.
  void CountRequest();
  // A write waits for the peer to read. When bytes are scarce such a stream is soon ended.
  void SetStalled(bool stalled);

  // `hook` is called when the stream is aborted while no operation is pending on it. It must not
  // destroy the stream before it returns.
  void OnAbort(std::function<void()> hook) { on_abort_ = std::move(hook); }

  // `hook` is called once if the peer ends its side of the connection while the stream is not idle,
  // also when nothing reads: noticed within the listener's sweep interval. It must not destroy the
  // stream before it returns.
  void OnHangUp(std::function<void()> hook) { on_hang_up_ = std::move(hook); }

 private:
  friend class StreamSet;
  using Time = std::chrono::steady_clock::time_point;
  // Bytes to write, and the lengths of their pieces.
  class Run;

  void CancelIfDue();

  // Seals and sends of `run` what goes out without waiting.
  Status TryWriteTls(Run& run);
  // Seals and sends all of `run`.
  Awaitable<Status> WriteTls(Run run);
  Status Seal(Run& run);
  // Sends what is sealed, as much as goes out without waiting.
  Status SendSealed();
  // Sends all that is sealed.
  Awaitable<Status> FlushSealed();
  std::unexpected<Error> CutOff() const;

  // Called by the set.
  void Drain();
  void Abort();
  void Sweep(Time now);
  // Returns whether a write waits for the peer too long for times when bytes are scarce.
  bool Stalls(Time now) const;
  // Returns whether it may give way to new connections.
  bool MayGiveWay(Time now) const;
  void GiveWay();

  // Returns whether the peer will send nothing any more, as far as the kernel knows.
  bool PeerHasClosed();

  bool cancelled() const { return expired_ || aborted_ || gave_way_ || (draining_ && idle_); }
  std::unexpected<Error> Failure(std::string_view doing,
                                 const boost::system::error_code& error) const;
  std::unexpected<Error> Failure(std::string_view doing, std::string_view why) const;

  Socket socket_;
  std::unique_ptr<TlsSession> tls_;
  std::string sending_;  // ciphertext that a pending write sends, or a failed one has cut off
  boost::asio::ip::tcp::endpoint peer_endpoint_;
  std::string peer_;
  std::function<void()> on_abort_;
  std::function<void()> on_hang_up_;
  Time deadline_ = Time::max();
  bool expired_ = false;
  bool idle_ = true;
  bool draining_ = false;
  bool aborted_ = false;

  std::optional<ClientBudget::Place> place_;
  bool busy_ = false;
  bool gave_way_ = false;
  bool has_asked_ = false;  // a request was complete
  Time last_request_;       // or when it was accepted
  Time stalled_since_ = Time::max();

  const std::shared_ptr<StreamSet> set_;
  size_t set_index_ = 0;  // the set's own
};

}  // namespace orrery::net
