// A blocking TLS client over a RawSocket, which trusts everybody.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>

#include "net/raw_socket_for_test.h"

namespace orrery::net {

class TlsSocket {
 public:
  // Connects to 127.0.0.1 and shakes hands. connected() tells whether that worked.
  explicit TlsSocket(uint16_t port)
      : socket_(port),
        context_(SSL_CTX_new(TLS_client_method())),
        session_(SSL_new(context_.get())) {
    SSL_set_fd(session_.get(), socket_.descriptor());
    connected_ = socket_.connected() && SSL_connect(session_.get()) == 1;
  }

  bool connected() const { return connected_; }

  bool Send(std::string_view bytes) {
    return SSL_write(session_.get(), bytes.data(), static_cast<int>(bytes.size())) ==
           static_cast<int>(bytes.size());
  }
  // Sends bytes beside the session.
  bool SendRaw(std::string_view bytes) { return socket_.Send(bytes); }
  // Changes the keys, and asks the server to do so. False below TLS 1.3.
  bool RequestNewKeys() { return SSL_key_update(session_.get(), SSL_KEY_UPDATE_REQUESTED) == 1; }
  // Tells the server that nothing more comes.
  void SayGoodbye() { SSL_shutdown(session_.get()); }
  // Returns the next bytes, at least one and of one record; empty when the peer has closed.
  std::string ReadSome() {
    std::string seen(64 << 10, '\0');
    const int size = SSL_read(session_.get(), seen.data(), static_cast<int>(seen.size()));
    seen.resize(size > 0 ? static_cast<size_t>(size) : 0);
    return seen;
  }
  std::string ReadExactly(size_t size) {
    std::string seen;
    for (std::string more = "-"; seen.size() < size && !more.empty();) seen += more = ReadSome();
    return seen;
  }

 private:
  struct Freer {
    void operator()(SSL* session) const { SSL_free(session); }
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };

  RawSocket socket_;
  std::unique_ptr<SSL_CTX, Freer> context_;
  std::unique_ptr<SSL, Freer> session_;
  bool connected_ = false;
};

}  // namespace orrery::net
