// A TlsIdentity is the server's certificate with its private key, ready to be presented to TLS
// clients.
//
// Immutable after construction, so thread-safe. Must outlive the listeners that use it. TLS 1.2 and
// later only.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"

struct ssl_ctx_st;  // OpenSSL's SSL_CTX

namespace orrery::net {

class TlsIdentity {
 public:
  // A self-made certificate is good for as long as clients accept one, and replaced well before.
  static constexpr std::chrono::days kLifetime{825};
  static constexpr std::chrono::days kRenewalMargin{30};
  static constexpr size_t kPemBytesMax = 1 << 20;

  // Reads PEM files: the certificate (with its chain behind it) and its key.
  // kInvalidArgument tells which file cannot be used and why.
  static Result<std::unique_ptr<TlsIdentity>> Load(const std::filesystem::path& certificate,
                                                   const std::filesystem::path& private_key);

  // Takes the certificate kept in `directory`, or makes and keeps one: there is none yet, it
  // expires within kRenewalMargin, it lacks one of the names, or it does not fit its key. It names
  // localhost, *.localhost, 127.0.0.1, ::1 and `extra_names`. The key's file has mode 0600; both
  // are replaced atomically, so a crash leaves a pair that loads or is made anew.
  static Result<std::unique_ptr<TlsIdentity>> LoadOrCreate(
      const std::filesystem::path& directory, const std::vector<std::string>& extra_names,
      const Clock& clock);

  ~TlsIdentity();

  // The certificate that a client needs in order to trust this server.
  const std::string& certificate_pem() const { return certificate_pem_; }
  ssl_ctx_st* context() const { return context_.get(); }

 private:
  struct ContextFreer {
    void operator()(ssl_ctx_st* context) const;
  };

  // Builds the context from PEM text.
  static Result<std::unique_ptr<TlsIdentity>> Make(std::string certificate_pem,
                                                   const std::string& key_pem);
  TlsIdentity() = default;

  std::string certificate_pem_;
  std::unique_ptr<ssl_ctx_st, ContextFreer> context_;
};

}  // namespace orrery::net
