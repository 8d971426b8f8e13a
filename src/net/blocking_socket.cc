#include "net/blocking_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "net/http/url.h"

namespace orrery::net {
namespace {

constexpr size_t kReceiveBytes = size_t{64} << 10;

struct FreeAddresses {
  void operator()(addrinfo* addresses) const { freeaddrinfo(addresses); }
};
struct FreeTls {
  void operator()(SSL* tls) const { SSL_free(tls); }
};
struct FreeTlsContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};

// Returns a connected socket, or -1 with errno.
int ConnectTo(const addrinfo& address, std::chrono::milliseconds timeout) {
  const int file =
      socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC, address.ai_protocol);
  if (file < 0) return -1;
  // The send timeout bounds connect() too.
  const timeval limit{.tv_sec = timeout.count() / 1'000,
                      .tv_usec = (timeout.count() % 1'000) * 1'000};
  const int yes = 1;
  setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  if (connect(file, address.ai_addr, address.ai_addrlen) == 0) return file;
  const int error = errno == EINPROGRESS ? ETIMEDOUT : errno;
  close(file);
  errno = error;
  return -1;
}

std::string TlsReason() {
  std::array<char, 256> text{};
  const unsigned long code = ERR_get_error();
  if (code == 0) return "the connection was closed";
  ERR_error_string_n(code, text.data(), text.size());
  return text.data();
}

}  // namespace

struct BlockingSocket::Impl {
  ~Impl() {
    tls.reset();
    if (file >= 0) close(file);
  }

  std::unexpected<Error> Failure(std::string_view doing, std::string_view why) const {
    return Fail(Code::kUnavailable, fmt::format("{} {}: {}", doing, server, why));
  }
  std::unexpected<Error> ErrnoFailure(std::string_view doing, int error) const {
    const bool late = error == EAGAIN || error == EWOULDBLOCK;
    return Failure(doing, late ? "timed out" : std::strerror(error));
  }
  Status StartTls(const BlockingSocketOptions& options);

  std::string server;
  int file = -1;
  std::unique_ptr<SSL_CTX, FreeTlsContext> context;
  std::unique_ptr<SSL, FreeTls> tls;  // null: plain
};

Status BlockingSocket::Impl::StartTls(const BlockingSocketOptions& options) {
  context.reset(SSL_CTX_new(TLS_client_method()));
  if (options.verify || !options.ca_file.empty()) {
    const int loaded =
        options.ca_file.empty()
            ? SSL_CTX_set_default_verify_paths(context.get())
            : SSL_CTX_load_verify_locations(context.get(), options.ca_file.c_str(), nullptr);
    if (loaded != 1) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("the CA file {} cannot be used: {}", options.ca_file, TlsReason()));
    }
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  }
  tls.reset(SSL_new(context.get()));
  in6_addr ignored{};
  const bool is_address = inet_pton(AF_INET, options.host.c_str(), &ignored) == 1 ||
                          inet_pton(AF_INET6, options.host.c_str(), &ignored) == 1;
  if (!is_address) SSL_set_tlsext_host_name(tls.get(), options.host.c_str());
  if (is_address) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls.get()), options.host.c_str());
  } else {
    SSL_set1_host(tls.get(), options.host.c_str());
  }
  SSL_set_fd(tls.get(), file);
  ERR_clear_error();
  if (SSL_connect(tls.get()) != 1) return Failure("TLS handshake with", TlsReason());
  return {};
}

BlockingSocket::BlockingSocket(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BlockingSocket::~BlockingSocket() = default;
BlockingSocket::BlockingSocket(BlockingSocket&&) noexcept = default;
BlockingSocket& BlockingSocket::operator=(BlockingSocket&&) noexcept = default;

Result<BlockingSocket> BlockingSocket::Connect(const BlockingSocketOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->server = FormatHostPort({options.host, options.port});
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failure =
      getaddrinfo(options.host.c_str(), std::to_string(options.port).c_str(), &hints, &found);
  if (failure != 0) return impl->Failure("finding", gai_strerror(failure));
  const std::unique_ptr<addrinfo, FreeAddresses> addresses(found);
  int error = 0;
  for (const addrinfo* each = found; each != nullptr && impl->file < 0; each = each->ai_next) {
    impl->file = ConnectTo(*each, options.timeout);
    error = errno;
  }
  if (impl->file < 0) return impl->ErrnoFailure("connecting to", error);
  if (options.tls) ORRERY_TRY(impl->StartTls(options));
  return BlockingSocket(std::move(impl));
}

Status BlockingSocket::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t sent = 0;
    if (impl_->tls == nullptr) {
      sent = send(impl_->file, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return impl_->ErrnoFailure("sending to", errno);
    } else {
      ERR_clear_error();
      const size_t piece = std::min(bytes.size(), kReceiveBytes);
      sent = SSL_write(impl_->tls.get(), bytes.data(), static_cast<int>(piece));
      if (sent <= 0) return impl_->Failure("sending to", TlsReason());
    }
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return {};
}

Status BlockingSocket::Receive(std::string& out) {
  std::array<char, kReceiveBytes> buffer;  // NOLINT: filled by what is received
  for (;;) {
    ssize_t size = 0;
    if (impl_->tls == nullptr) {
      size = recv(impl_->file, buffer.data(), buffer.size(), 0);
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return impl_->ErrnoFailure("receiving from", errno);
      if (size == 0) return impl_->Failure("receiving from", "the server closed the connection");
    } else {
      ERR_clear_error();
      size = SSL_read(impl_->tls.get(), buffer.data(), static_cast<int>(buffer.size()));
      if (size <= 0) return impl_->Failure("receiving from", TlsReason());
    }
    out.append(buffer.data(), static_cast<size_t>(size));
    return {};
  }
}

Status BlockingSocket::ReceiveUntil(std::string& out, size_t size) {
  while (out.size() < size) ORRERY_TRY(Receive(out));
  return {};
}

}  // namespace orrery::net
