#include "net/tls/self_signed_certificate.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <memory>

#include "net/tls/openssl_ptr.h"

namespace orrery::net {
namespace {

constexpr size_t kNamesMax = 100;
constexpr size_t kNameBytesMax = 253;

using NamesPtr = std::unique_ptr<GENERAL_NAMES, OpenSslFreer<GENERAL_NAMES_free>>;
using ExtensionPtr = std::unique_ptr<X509_EXTENSION, OpenSslFreer<X509_EXTENSION_free>>;

std::unexpected<Error> OpenSslFailure(std::string_view what) {
  return Fail(Code::kInternal, fmt::format("{}: {}", what, TakeOpenSslError()));
}

bool IsIpAddress(const std::string& name) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(AF_INET, name.c_str(), bytes) == 1 ||
         inet_pton(AF_INET6, name.c_str(), bytes) == 1;
}

// The text becomes part of an OpenSSL configuration value, where commas and colons mean something.
bool IsDnsName(std::string_view name) {
  if (name.starts_with("*.")) name.remove_prefix(2);
  return !name.empty() && name.size() <= kNameBytesMax && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_';
  });
}

Result<std::string> SubjectAlternativeNames(const std::vector<std::string>& names) {
  if (names.empty() || names.size() > kNamesMax) {
    return Fail(Code::kInvalidArgument,
                fmt::format("a certificate needs 1 to {} names", kNamesMax));
  }
  std::string list;
  for (const std::string& name : names) {
    const bool is_address = IsIpAddress(name);
    if (!is_address && !IsDnsName(name)) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("'{}' is neither a host name nor an IP address", name));
    }
    list += fmt::format("{}{}:{}", list.empty() ? "" : ",", is_address ? "IP" : "DNS", name);
  }
  return list;
}

bool AddExtension(X509* certificate, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const ExtensionPtr extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool SetSerialNumber(X509* certificate) {
  uint64_t serial = 0;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) != 1) return false;
  // Serial numbers are positive.
  return ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1) == 1;
}

bool SetSubjectAndIssuer(X509* certificate, const std::string& common_name) {
  X509_NAME* subject = X509_get_subject_name(certificate);
  const auto* text = reinterpret_cast<const unsigned char*>(common_name.c_str());
  return X509_NAME_add_entry_by_txt(subject, "O", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>("Orrery"), -1, -1,
                                    0) == 1 &&
         X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, text, -1, -1, 0) == 1 &&
         X509_set_issuer_name(certificate, subject) == 1;
}

bool SetValidity(X509* certificate, Micros from, Micros to) {
  const auto seconds = [](Micros time) {
    return static_cast<time_t>(std::chrono::floor<std::chrono::seconds>(time).count());
  };
  return ASN1_TIME_set(X509_getm_notBefore(certificate), seconds(from)) != nullptr &&
         ASN1_TIME_set(X509_getm_notAfter(certificate), seconds(to)) != nullptr;
}

// Looks at the text of the entries: asked about names, OpenSSL matches no wildcard directly below a
// top-level domain, which *.localhost is.
bool HasDnsEntry(X509* certificate, std::string_view wanted) {
  const NamesPtr names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type != GEN_DNS) continue;
    const auto* text = reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName));
    if (std::string_view(text, static_cast<size_t>(ASN1_STRING_length(name->d.dNSName))) == wanted)
      return true;
  }
  return false;
}

std::string ReadAll(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return size > 0 ? std::string(data, static_cast<size_t>(size)) : std::string();
}

}  // namespace

std::string TakeOpenSslError() {
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  if (code == 0) return "unknown error";
  const char* reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : fmt::format("error {:x}", code);
}

Result<PemPair> MakeSelfSignedCertificate(const std::vector<std::string>& names, Micros now,
                                          std::chrono::days lifetime) {
  ORRERY_ASSIGN(const std::string alternatives, SubjectAlternativeNames(names));
  const KeyPtr key(EVP_EC_gen("P-256"));
  const CertificatePtr certificate(X509_new());
  if (!key || !certificate) return OpenSslFailure("making a TLS key");

  const bool filled =
      X509_set_version(certificate.get(), X509_VERSION_3) == 1 &&
      SetSerialNumber(certificate.get()) &&
      SetSubjectAndIssuer(certificate.get(), names.front().substr(0, ub_common_name)) &&
      SetValidity(certificate.get(), now - std::chrono::days(1), now + lifetime) &&
      X509_set_pubkey(certificate.get(), key.get()) == 1 &&
      AddExtension(certificate.get(), NID_basic_constraints, "critical,CA:FALSE") &&
      AddExtension(certificate.get(), NID_key_usage, "critical,digitalSignature") &&
      AddExtension(certificate.get(), NID_ext_key_usage, "serverAuth") &&
      AddExtension(certificate.get(), NID_subject_key_identifier, "hash") &&
      AddExtension(certificate.get(), NID_subject_alt_name, alternatives);
  if (!filled) return OpenSslFailure("making a TLS certificate");
  if (X509_sign(certificate.get(), key.get(), EVP_sha256()) == 0)
    return OpenSslFailure("signing a TLS certificate");

  const BioPtr certificate_pem(BIO_new(BIO_s_mem()));
  const BioPtr key_pem(BIO_new(BIO_s_mem()));
  if (!certificate_pem || !key_pem ||
      PEM_write_bio_X509(certificate_pem.get(), certificate.get()) != 1 ||
      PEM_write_bio_PrivateKey(key_pem.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
          1) {
    return OpenSslFailure("writing a TLS certificate");
  }
  return PemPair{ReadAll(certificate_pem.get()), ReadAll(key_pem.get())};
}

bool CertificateServes(std::string_view certificate_pem, const std::vector<std::string>& names,
                       Micros now, std::chrono::days margin) {
  const BioPtr bio(
      BIO_new_mem_buf(certificate_pem.data(), static_cast<int>(certificate_pem.size())));
  const CertificatePtr certificate(bio ? PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)
                                       : nullptr);
  if (!certificate) {
    ERR_clear_error();
    return false;
  }
  time_t begin = std::chrono::floor<std::chrono::seconds>(now).count();
  time_t end = std::chrono::floor<std::chrono::seconds>(now + margin).count();
  if (X509_cmp_time(X509_get0_notBefore(certificate.get()), &begin) > 0) return false;
  if (X509_cmp_time(X509_get0_notAfter(certificate.get()), &end) <= 0) return false;
  return std::ranges::all_of(names, [&](const std::string& name) {
    if (IsIpAddress(name)) return X509_check_ip_asc(certificate.get(), name.c_str(), 0) == 1;
    if (name.starts_with("*.")) return HasDnsEntry(certificate.get(), name);
    return X509_check_host(certificate.get(), name.c_str(), name.size(), 0, nullptr) == 1;
  });
}

}  // namespace orrery::net
