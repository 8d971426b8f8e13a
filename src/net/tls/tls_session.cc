#include "net/tls/tls_session.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "net/tls/self_signed_certificate.h"

namespace orrery::net {
namespace {

// A connection that waits for its next request keeps room for the smaller; one whose reads come
// full is given a whole record's.
constexpr size_t kReceiveBytes = 4 << 10;
constexpr size_t kBusyReceiveBytes = 17 << 10;
// The capacity that an empty buffer of ciphertext keeps.
constexpr size_t kKeptSealedBytes = 16 << 10;

}  // namespace

// OpenSSL's way to the session's two buffers.
struct TlsSessionBio {
  static TlsSession& Of(BIO* bio) { return *static_cast<TlsSession*>(BIO_get_data(bio)); }

  static int Write(BIO* bio, const char* bytes, int size) {
    BIO_clear_retry_flags(bio);
    Of(bio).sealed_.append(bytes, static_cast<size_t>(size));
    return size;
  }

  static int Read(BIO* bio, char* space, int size) {
    BIO_clear_retry_flags(bio);
    ReadBuffer& received = Of(bio).received_;
    const size_t taken = std::min(static_cast<size_t>(size), received.data().size());
    if (taken == 0) {
      BIO_set_retry_read(bio);
      return -1;
    }
    std::memcpy(space, received.data().data(), taken);
    received.Consume(taken);
    return static_cast<int>(taken);
  }

  static long Control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

  static const BIO_METHOD* Method() {
    static const BIO_METHOD* const method = [] {
      BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "orrery");
      ORRERY_CHECK(made != nullptr);
      BIO_meth_set_write(made, Write);
      BIO_meth_set_read(made, Read);
      BIO_meth_set_ctrl(made, Control);
      return made;
    }();
    return method;
  }
};

void TlsSession::Freer::operator()(ssl_st* session) const { SSL_free(session); }

TlsSession::~TlsSession() = default;

Result<std::unique_ptr<TlsSession>> TlsSession::Accept(ssl_ctx_st* context) {
  std::unique_ptr<TlsSession> session(new TlsSession());
  session->ssl_.reset(SSL_new(context));
  BIO* bio = session->ssl_ ? BIO_new(TlsSessionBio::Method()) : nullptr;
  if (bio == nullptr) return session->Failure("opening a TLS session");
  BIO_set_data(bio, session.get());
  BIO_set_init(bio, 1);
  SSL* ssl = session->ssl_.get();
  SSL_set_bio(ssl, bio, bio);
  // OpenSSL's own buffers of 17 KB each way are for the time that a record takes.
  SSL_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS);
  SSL_set_accept_state(ssl);
  return session;
}

std::span<char> TlsSession::PrepareReceived() {
  const bool busy = received_last_ >= kReceiveBytes;
  if (!busy) received_.Shrink(kReceiveBytes);
  return received_.Prepare(busy ? kBusyReceiveBytes : kReceiveBytes);
}

void TlsSession::CommitReceived(size_t size) {
  received_last_ = size;
  received_.Commit(size);
}

Result<bool> TlsSession::Handshake() {
  ERR_clear_error();
  const int done = SSL_do_handshake(ssl_.get());
  if (done == 1) return true;
  if (SSL_get_error(ssl_.get(), done) == SSL_ERROR_WANT_READ) return false;
  return Failure("TLS handshake");
}

Result<size_t> TlsSession::Open(std::span<char> space) {
  size_t opened = 0;
  while (opened < space.size() && !ended_) {
    ERR_clear_error();
    size_t size = 0;
    const int done = SSL_read_ex(ssl_.get(), space.data() + opened, space.size() - opened, &size);
    if (done == 1) {
      opened += size;
      // Asked once more, OpenSSL would only say that it needs input.
      if (received_.empty() && SSL_pending(ssl_.get()) == 0) break;
      continue;
    }
    const int error = SSL_get_error(ssl_.get(), done);
    if (error == SSL_ERROR_WANT_READ) break;
    if (error == SSL_ERROR_ZERO_RETURN) {
      ended_ = true;
      break;
    }
    // What came before the malformed record is the peer's all right: the error shows next time.
    if (opened > 0) break;
    return Failure("reading a TLS record");
  }
  return opened;
}

Status TlsSession::Seal(std::string_view plaintext) {
  if (plaintext.empty()) return {};
  ERR_clear_error();
  size_t size = 0;
  if (SSL_write_ex(ssl_.get(), plaintext.data(), plaintext.size(), &size) != 1)
    return Failure("writing a TLS record");
  ORRERY_CHECK(size == plaintext.size());
  return {};
}

void TlsSession::SealGoodbye() {
  // As if the peer had said goodbye already: send ours, do not wait for its.
  SSL_set_shutdown(ssl_.get(), SSL_RECEIVED_SHUTDOWN);
  SSL_shutdown(ssl_.get());
  ERR_clear_error();  // before the end of the handshake there is nobody to say goodbye to
}

void TlsSession::ConsumeSealed(size_t size) {
  ORRERY_CHECK(size <= sealed_.size() - sent_);
  sent_ += size;
  if (sent_ < sealed_.size()) return;
  sent_ = 0;
  sealed_.clear();
  if (sealed_.capacity() > kKeptSealedBytes) std::string().swap(sealed_);
}

void TlsSession::TakeSealed(std::string& out) {
  out.clear();
  if (sent_ == 0) {
    out.swap(sealed_);
    return;
  }
  out.assign(sealed());
  ConsumeSealed(out.size());
}

std::string TlsSession::version() const { return SSL_get_version(ssl_.get()); }
std::string TlsSession::cipher() const { return SSL_get_cipher_name(ssl_.get()); }

std::unexpected<Error> TlsSession::Failure(std::string_view doing) {
  return Fail(ssl_ ? Code::kUnavailable : Code::kInternal,
              fmt::format("{}: {}", doing, TakeOpenSslError()));
}

}  // namespace orrery::net
