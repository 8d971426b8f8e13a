#include "net/tls/tls_identity.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

#include "base/log.h"
#include "net/tls/openssl_ptr.h"
#include "net/tls/self_signed_certificate.h"

namespace orrery::net {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCertificateFile = "tls-certificate.pem";
constexpr std::string_view kKeyFile = "tls-key.pem";
constexpr size_t kChainMax = 16;
// The suites of TLS 1.2: forward secrecy and authenticated encryption only. Every client of the
// last ten years has one of them. Those of TLS 1.3 all are so.
constexpr const char* kTls12Suites = "ECDHE+AESGCM:ECDHE+CHACHA20";

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int number() const { return number_; }

 private:
  const int number_;
};

std::unexpected<Error> SystemFailure(std::string_view verb, const fs::path& path, int error) {
  const Code code = error == ENOENT   ? Code::kNotFound
                    : error == ENOSPC ? Code::kResourceExhausted
                                      : Code::kUnavailable;
  return Fail(code, fmt::format("cannot {} {}: {}", verb, path.string(), std::strerror(error)));
}

Result<std::string> ReadFile(const fs::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return SystemFailure("read", path, errno);
  std::string text;
  while (text.size() <= TlsIdentity::kPemBytesMax) {
    char buffer[4096];
    const ssize_t size = ::read(file.number(), buffer, sizeof buffer);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return SystemFailure("read", path, errno);
    if (size == 0) return text;
    text.append(buffer, static_cast<size_t>(size));
  }
  return Fail(Code::kInvalidArgument,
              fmt::format("{} is too large to be a PEM file", path.string()));
}

Status WriteAndSync(int file, const fs::path& path, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(file, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return SystemFailure("write", path, errno);
    text.remove_prefix(static_cast<size_t>(size));
  }
  if (::fsync(file) != 0) return SystemFailure("write", path, errno);
  return {};
}

// The new content is complete under another name before it takes the old one's place.
Status ReplaceFile(const fs::path& path, std::string_view text, mode_t mode) {
  fs::path draft = path;
  draft += ".new";
  ::unlink(draft.c_str());
  {
    const FileDescriptor file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (file.number() < 0) return SystemFailure("create", draft, errno);
    ORRERY_TRY(WriteAndSync(file.number(), draft, text));
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) return SystemFailure("replace", path, errno);
  const FileDescriptor directory(
      ::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.number() < 0 || ::fsync(directory.number()) != 0)
    return SystemFailure("write", path, errno);
  return {};
}

BioPtr OpenText(std::string_view text) {
  return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// An encrypted key would make OpenSSL ask on the terminal: answer that there is no password.
int NoPassword(char*, int, int, void*) { return -1; }

Status UseCertificate(SSL_CTX* context, std::string_view pem) {
  const BioPtr bio = OpenText(pem);
  const CertificatePtr leaf(PEM_read_bio_X509(bio.get(), nullptr, NoPassword, nullptr));
  if (!leaf || SSL_CTX_use_certificate(context, leaf.get()) != 1) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the TLS certificate cannot be used: {}", TakeOpenSslError()));
  }
  for (size_t i = 0; i < kChainMax; ++i) {
    const CertificatePtr link(PEM_read_bio_X509(bio.get(), nullptr, NoPassword, nullptr));
    if (!link) break;
    if (SSL_CTX_add1_chain_cert(context, link.get()) != 1) {
      return Fail(
          Code::kInvalidArgument,
          fmt::format("the TLS certificate's chain cannot be used: {}", TakeOpenSslError()));
    }
  }
  ERR_clear_error();  // reading past the last certificate leaves "no start line" behind
  return {};
}

Status UsePrivateKey(SSL_CTX* context, std::string_view pem) {
  const BioPtr bio = OpenText(pem);
  const KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, NoPassword, nullptr));
  if (!key) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the TLS key cannot be used (it must be PEM without a password): {}",
                            TakeOpenSslError()));
  }
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1) {
    return Fail(Code::kInvalidArgument,
                fmt::format("the TLS key does not fit the certificate: {}", TakeOpenSslError()));
  }
  return {};
}

}  // namespace

TlsIdentity::~TlsIdentity() = default;

void TlsIdentity::ContextFreer::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

Result<std::unique_ptr<TlsIdentity>> TlsIdentity::Make(std::string certificate_pem,
                                                       const std::string& key_pem) {
  std::unique_ptr<TlsIdentity> identity(new TlsIdentity());
  identity->context_.reset(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* context = identity->context_.get();
  if (context == nullptr || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
      SSL_CTX_set_cipher_list(context, kTls12Suites) != 1) {
    return Fail(Code::kInternal, fmt::format("setting up TLS: {}", TakeOpenSslError()));
  }
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  ORRERY_TRY(UseCertificate(context, certificate_pem));
  ORRERY_TRY(UsePrivateKey(context, key_pem));
  identity->certificate_pem_ = std::move(certificate_pem);
  return identity;
}

Result<std::unique_ptr<TlsIdentity>> TlsIdentity::Load(const fs::path& certificate,
                                                       const fs::path& private_key) {
  ORRERY_ASSIGN(std::string certificate_pem, ReadFile(certificate));
  ORRERY_ASSIGN(const std::string key_pem, ReadFile(private_key));
  auto identity = Make(std::move(certificate_pem), key_pem);
  if (!identity) {
    return Fail(std::move(identity).error().Annotate(
        fmt::format("{} and {}", certificate.string(), private_key.string())));
  }
  return identity;
}

Result<std::unique_ptr<TlsIdentity>> TlsIdentity::LoadOrCreate(
    const fs::path& directory, const std::vector<std::string>& extra_names, const Clock& clock) {
  std::vector<std::string> names = {"localhost", "*.localhost", "127.0.0.1", "::1"};
  names.insert(names.end(), extra_names.begin(), extra_names.end());

  const fs::path certificate_path = directory / kCertificateFile;
  const fs::path key_path = directory / kKeyFile;
  auto certificate = ReadFile(certificate_path);
  auto key = ReadFile(key_path);
  for (const auto* file : {&certificate, &key}) {
    if (!*file && file->error().code() != Code::kNotFound) return Fail(file->error());
  }
  if (certificate && key) {
    if (CertificateServes(*certificate, names, clock.Now(), kRenewalMargin)) {
      if (auto identity = Make(*certificate, *key)) return identity;
    }
    LogInfo("replacing the TLS certificate {}: it is expiring, damaged or made for other names",
            certificate_path.string());
  }

  ORRERY_ASSIGN(PemPair made, MakeSelfSignedCertificate(names, clock.Now(), kLifetime));
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return SystemFailure("create", directory, error.value());
  ORRERY_TRY(ReplaceFile(key_path, made.private_key, 0600));
  ORRERY_TRY(ReplaceFile(certificate_path, made.certificate, 0644));
  return Make(std::move(made.certificate), made.private_key);
}

}  // namespace orrery::net
