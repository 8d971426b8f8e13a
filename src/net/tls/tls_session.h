// A TlsSession is the server's side of one TLS connection, apart from its socket: ciphertext that
// was received goes in, plaintext comes out, and the other way around.
//
// Records to send gather until the caller takes them, so several can leave in one write.
// Nothing here waits, and sealing never fails for want of room: whoever calls Seal() bounds how
// much it seals before sending.
//
// Not thread-safe; lives on its connection's loop.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "net/read_buffer.h"

struct ssl_ctx_st;  // OpenSSL's SSL_CTX
struct ssl_st;      // OpenSSL's SSL

namespace orrery::net {

class TlsSession {
 public:
  // The bytes of plaintext that one record may have.
  static constexpr size_t kRecordBytesMax = 16 << 10;

  // `context` must outlive the session. kInternal: OpenSSL has no memory.
  static Result<std::unique_ptr<TlsSession>> Accept(ssl_ctx_st* context);
  ~TlsSession();
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;

  // Received ciphertext: fill the space from its beginning, then say how much of it. The space is
  // valid until the next call of PrepareReceived(), Handshake() or Open().
  std::span<char> PrepareReceived();
  void CommitReceived(size_t size);

  // Goes on with the handshake. Returns whether it is complete; if not, it needs more input once
  // sealed() is sent. After an error, too, sealed() tells the peer why.
  Result<bool> Handshake();

  // Decrypts into `space` what has been received, of as many records as there are and fit. Returns
  // 0 if it needs more input, or if ended(). REQUIRES: the handshake is complete.
  Result<size_t> Open(std::span<char> space);
  // The peer has said that it sends no more.
  bool ended() const { return ended_; }

  // Encrypts `plaintext`, which begins a record of its own. REQUIRES: the handshake is complete.
  Status Seal(std::string_view plaintext);
  // Tells the peer that nothing more is sent.
  void SealGoodbye();

  // The ciphertext to send, in order. Valid until the next call of anything else.
  std::string_view sealed() const { return std::string_view(sealed_).substr(sent_); }
  void ConsumeSealed(size_t size);
  // Moves sealed() into `out`, for a write during which more may be sealed.
  void TakeSealed(std::string& out);

  // The negotiated version and cipher: "TLSv1.3", "TLS_AES_256_GCM_SHA384".
  std::string version() const;
  std::string cipher() const;

 private:
  friend struct TlsSessionBio;
  struct Freer {
    void operator()(ssl_st* session) const;
  };

  TlsSession() = default;
  std::unexpected<Error> Failure(std::string_view doing);

  ReadBuffer received_;
  size_t received_last_ = 0;  // by the last CommitReceived()
  std::string sealed_;
  size_t sent_ = 0;  // of sealed_
  bool ended_ = false;
  std::unique_ptr<ssl_st, Freer> ssl_;  // last: it may write while it is freed
};

}  // namespace orrery::net
