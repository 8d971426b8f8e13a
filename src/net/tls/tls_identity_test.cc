#include "net/tls/tls_identity.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <stdlib.h>

#include <fstream>
#include <sstream>

#include "net/tls/self_signed_certificate.h"

namespace orrery::net {
namespace {

namespace fs = std::filesystem;

class TlsIdentityTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "orrery-tls-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string Create(const std::vector<std::string>& extra_names = {}) {
    auto identity = TlsIdentity::LoadOrCreate(directory_, extra_names, clock_);
    EXPECT_TRUE(identity.has_value()) << identity.error().ToString();
    return identity ? (*identity)->certificate_pem() : "";
  }
  static std::string Read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static void Write(const fs::path& path, std::string_view text) { std::ofstream(path) << text; }

  fs::path certificate() const { return directory_ / "tls-certificate.pem"; }
  fs::path key() const { return directory_ / "tls-key.pem"; }

  fs::path directory_;
  ManualClock clock_;
};

TEST_F(TlsIdentityTest, IsMadeOnceAndKept) {
  const std::string first = Create();
  EXPECT_EQ(first, Create());
  EXPECT_EQ(first, Read(certificate()));
  EXPECT_EQ(fs::status(key()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(TlsIdentity::Load(certificate(), key()).has_value());
}

TEST_F(TlsIdentityTest, ServesLoopbackAndTheGivenNames) {
  const std::string pem = Create({"db.example", "10.1.2.3"});
  const auto serves = [&](std::string name) {
    return CertificateServes(pem, {std::move(name)}, clock_.Now(), {});
  };
  for (const char* name :
       {"localhost", "*.localhost", "127.0.0.1", "::1", "db.example", "10.1.2.3"}) {
    EXPECT_TRUE(serves(name)) << name;
  }
  EXPECT_FALSE(serves("other.example"));
  EXPECT_FALSE(serves("10.1.2.4"));
}

TEST_F(TlsIdentityTest, IsRenewedBeforeItExpires) {
  const std::string first = Create();
  clock_.Advance(TlsIdentity::kLifetime - TlsIdentity::kRenewalMargin - std::chrono::hours(1));
  EXPECT_EQ(Create(), first);
  clock_.Advance(std::chrono::hours(2));
  EXPECT_NE(Create(), first);
}

TEST_F(TlsIdentityTest, IsMadeAnewForNewNamesOrWhenDamaged) {
  const std::string first = Create();
  const std::string named = Create({"db.example"});
  EXPECT_NE(named, first);
  EXPECT_EQ(Create({"db.example"}), named);
  Write(certificate(), "not a certificate");
  const std::string third = Create();
  Write(key(), MakeSelfSignedCertificate({"localhost"}, clock_.Now(), std::chrono::days(1))
                   .value()
                   .private_key);
  EXPECT_NE(Create(), third) << "the key does not fit, as after a crash between the two files";
  fs::remove(key());
  EXPECT_FALSE(Create().empty());
}

TEST_F(TlsIdentityTest, SpeaksNothingOlderThanTls12) {
  Create();
  const auto identity = TlsIdentity::Load(certificate(), key()).value();
  EXPECT_EQ(SSL_CTX_get_min_proto_version(identity->context()), TLS1_2_VERSION);
}

TEST_F(TlsIdentityTest, OffersAuthenticatedSuitesWithForwardSecrecyOnly) {
  Create();
  const auto identity = TlsIdentity::Load(certificate(), key()).value();
  const STACK_OF(SSL_CIPHER)* const suites = SSL_CTX_get_ciphers(identity->context());
  ASSERT_GT(sk_SSL_CIPHER_num(suites), 0);
  int of_tls12 = 0;
  for (int i = 0; i < sk_SSL_CIPHER_num(suites); ++i) {
    const SSL_CIPHER* const suite = sk_SSL_CIPHER_value(suites, i);
    const std::string name = SSL_CIPHER_get_name(suite);
    EXPECT_EQ(SSL_CIPHER_is_aead(suite), 1) << name;
    if (name.starts_with("TLS_")) continue;
    EXPECT_TRUE(name.starts_with("ECDHE-")) << name;
    ++of_tls12;
  }
  EXPECT_GT(of_tls12, 0) << "clients without TLS 1.3 must still connect";
}

TEST_F(TlsIdentityTest, RefusesFilesItCannotUse) {
  Create();
  const auto code = [](const auto& result) {
    return result.has_value() ? Code::kInternal : result.error().code();
  };
  EXPECT_EQ(code(TlsIdentity::Load(directory_ / "none.pem", key())), Code::kNotFound);
  EXPECT_EQ(code(TlsIdentity::Load(key(), key())), Code::kInvalidArgument);
  EXPECT_EQ(code(TlsIdentity::Load(certificate(), certificate())), Code::kInvalidArgument);
  Write(directory_ / "other.pem",
        MakeSelfSignedCertificate({"a"}, clock_.Now(), std::chrono::days(1)).value().private_key);
  EXPECT_EQ(code(TlsIdentity::Load(certificate(), directory_ / "other.pem")),
            Code::kInvalidArgument);
}

TEST_F(TlsIdentityTest, RefusesNamesThatAreNone) {
  for (const char* name : {"", "a b", "a,DNS:evil", "a:1", "*", "*.*.a", "[::1]"}) {
    const auto made = MakeSelfSignedCertificate({name}, clock_.Now(), std::chrono::days(1));
    ASSERT_FALSE(made.has_value()) << name;
    EXPECT_EQ(made.error().code(), Code::kInvalidArgument);
  }
}

}  // namespace
}  // namespace orrery::net
