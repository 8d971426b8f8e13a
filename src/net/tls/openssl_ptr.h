// Owning pointers to OpenSSL's objects.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>

namespace orrery::net {

template <auto Free>
struct OpenSslFreer {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};

using BioPtr = std::unique_ptr<BIO, OpenSslFreer<BIO_free>>;
using CertificatePtr = std::unique_ptr<X509, OpenSslFreer<X509_free>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, OpenSslFreer<EVP_PKEY_free>>;

}  // namespace orrery::net
