// The session against OpenSSL's own client, through memory.
#include "net/tls/tls_session.h"

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/ssl.h>

#include <filesystem>
#include <vector>

#include "base/clock.h"
#include "net/tls/tls_identity.h"

namespace orrery::net {
namespace {

// Counts the records in ciphertext that begins and ends with one.
size_t CountRecords(std::string_view ciphertext) {
  size_t count = 0;
  while (ciphertext.size() >= 5) {
    const size_t size = static_cast<unsigned char>(ciphertext[3]) * 256u +
                        static_cast<unsigned char>(ciphertext[4]);
    ciphertext.remove_prefix(std::min(ciphertext.size(), 5 + size));
    ++count;
  }
  return count;
}

class TlsSessionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path directory = ::testing::TempDir() + "tls_session_test";
    auto identity = TlsIdentity::LoadOrCreate(directory, {}, SystemClock());
    ASSERT_TRUE(identity.has_value()) << identity.error().ToString();
    identity_ = std::move(*identity);
    auto session = TlsSession::Accept(identity_->context());
    ASSERT_TRUE(session.has_value());
    session_ = std::move(*session);
    client_context_.reset(SSL_CTX_new(TLS_client_method()));
    client_.reset(SSL_new(client_context_.get()));
    SSL_set_bio(client_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(client_.get());
  }

  // Takes what the client has to send.
  std::string FromClient() {
    std::string bytes(BIO_ctrl_pending(SSL_get_wbio(client_.get())), '\0');
    if (!bytes.empty())
      BIO_read(SSL_get_wbio(client_.get()), bytes.data(), static_cast<int>(bytes.size()));
    return bytes;
  }
  void Receive(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::span<char> space = session_->PrepareReceived();
      const size_t size = std::min(space.size(), bytes.size());
      bytes.copy(space.data(), size);
      session_->CommitReceived(size);
      bytes.remove_prefix(size);
    }
  }
  void SendToClient() {
    const std::string_view sealed = session_->sealed();
    if (sealed.empty()) return;
    BIO_write(SSL_get_rbio(client_.get()), sealed.data(), static_cast<int>(sealed.size()));
    session_->ConsumeSealed(sealed.size());
  }
  // Hands the server `step` bytes at a time.
  void ShakeHands(size_t step) {
    bool complete = false;
    bool connected = false;
    for (int round = 0; round < 10 && !(complete && connected); ++round) {
      connected = SSL_do_handshake(client_.get()) == 1;
      const std::string bytes = FromClient();
      for (size_t i = 0; i < bytes.size(); i += step) {
        Receive(std::string_view(bytes).substr(i, step));
        const Result<bool> done = session_->Handshake();
        ASSERT_TRUE(done.has_value()) << done.error().ToString();
        complete = *done;
      }
      SendToClient();
    }
    ASSERT_TRUE(complete && connected);
  }
  void ClientSays(std::string_view text) {
    ASSERT_EQ(SSL_write(client_.get(), text.data(), static_cast<int>(text.size())),
              static_cast<int>(text.size()));
  }
  std::string ClientHears() {
    std::string text(64 << 10, '\0');
    const int size = SSL_read(client_.get(), text.data(), static_cast<int>(text.size()));
    text.resize(size > 0 ? static_cast<size_t>(size) : 0);
    return text;
  }
  std::string Open(size_t bytes_max = 64 << 10) {
    std::string text(bytes_max, '\0');
    const Result<size_t> size = session_->Open(text);
    EXPECT_TRUE(size.has_value());
    text.resize(size.value_or(0));
    return text;
  }

  struct Freer {
    void operator()(SSL* session) const { SSL_free(session); }
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };
  std::unique_ptr<TlsIdentity> identity_;
  std::unique_ptr<TlsSession> session_;
  std::unique_ptr<SSL_CTX, Freer> client_context_;
  std::unique_ptr<SSL, Freer> client_;
};

TEST_F(TlsSessionTest, ShakesHandsByteByByte) {
  ASSERT_NO_FATAL_FAILURE(ShakeHands(1));
  EXPECT_EQ(session_->version(), "TLSv1.3");
  EXPECT_TRUE(session_->cipher().starts_with("TLS_")) << session_->cipher();
}

TEST_F(TlsSessionTest, SpeaksTheOlderVersionToo) {
  SSL_set_max_proto_version(client_.get(), TLS1_2_VERSION);
  ASSERT_NO_FATAL_FAILURE(ShakeHands(1000));
  EXPECT_EQ(session_->version(), "TLSv1.2");
  ClientSays("hello");
  Receive(FromClient());
  EXPECT_EQ(Open(), "hello");
  ASSERT_TRUE(session_->Seal("welcome").has_value());
  SendToClient();
  EXPECT_EQ(ClientHears(), "welcome");
}

TEST_F(TlsSessionTest, OpensAllRecordsThatHaveCome) {
  ASSERT_NO_FATAL_FAILURE(ShakeHands(1000));
  for (const char* text : {"one", "two", "three"}) ClientSays(text);
  const std::string all = FromClient();
  Receive(std::string_view(all).substr(0, all.size() - 1));
  EXPECT_EQ(Open(), "onetwo");
  EXPECT_EQ(Open(), "");
  Receive(std::string_view(all).substr(all.size() - 1));
  EXPECT_EQ(Open(2), "th");
  EXPECT_EQ(Open(2), "re");
  EXPECT_EQ(Open(2), "e");
  EXPECT_FALSE(session_->ended());
  const std::string large(100'000, 'x');
  ClientSays(large);
  Receive(FromClient());
  std::string seen;
  for (std::string more = "-"; !more.empty();) seen += more = Open(30'000);
  EXPECT_EQ(seen, large);
}

TEST_F(TlsSessionTest, SealedRecordsGather) {
  ASSERT_NO_FATAL_FAILURE(ShakeHands(1000));
  for (const char* text : {"one", "two", "", "three"})
    ASSERT_TRUE(session_->Seal(text).has_value());
  EXPECT_EQ(CountRecords(session_->sealed()), 3u);
  std::string out;
  session_->TakeSealed(out);
  EXPECT_TRUE(session_->sealed().empty());
  ASSERT_TRUE(session_->Seal(std::string(40'000, 'x')).has_value());
  EXPECT_EQ(CountRecords(session_->sealed()), 3u);
  out.append(session_->sealed());
  BIO_write(SSL_get_rbio(client_.get()), out.data(), static_cast<int>(out.size()));
  for (const char* text : {"one", "two", "three"}) EXPECT_EQ(ClientHears(), text);
  EXPECT_EQ(ClientHears(), std::string(TlsSession::kRecordBytesMax, 'x'));
}

TEST_F(TlsSessionTest, WhatIsSentInPartGoesOn) {
  ASSERT_NO_FATAL_FAILURE(ShakeHands(1000));
  ASSERT_TRUE(session_->Seal("one").has_value());
  std::string all(session_->sealed());
  session_->ConsumeSealed(5);
  ASSERT_TRUE(session_->Seal("two").has_value());
  EXPECT_TRUE(session_->sealed().starts_with(std::string_view(all).substr(5)));
  std::string rest;
  session_->TakeSealed(rest);
  EXPECT_TRUE(session_->sealed().empty());
  all = all.substr(0, 5) + rest;
  BIO_write(SSL_get_rbio(client_.get()), all.data(), static_cast<int>(all.size()));
  EXPECT_EQ(ClientHears(), "one");
  EXPECT_EQ(ClientHears(), "two");
}

TEST_F(TlsSessionTest, BothSidesSayGoodbye) {
  ASSERT_NO_FATAL_FAILURE(ShakeHands(1000));
  ClientSays("last");
  SSL_shutdown(client_.get());
  Receive(FromClient());
  EXPECT_EQ(Open(), "last");
  EXPECT_EQ(Open(), "");
  EXPECT_TRUE(session_->ended());
  session_->SealGoodbye();
  SendToClient();
  EXPECT_EQ(ClientHears(), "");
  EXPECT_EQ(SSL_get_shutdown(client_.get()) & SSL_RECEIVED_SHUTDOWN, SSL_RECEIVED_SHUTDOWN);
}

TEST_F(TlsSessionTest, MalformedBytesAreAnErrorAndToldThePeer) {
  Receive(std::string_view("\x16\x03\x01\x00\x05hello", 10));
  EXPECT_FALSE(session_->Handshake().has_value());
  EXPECT_EQ(CountRecords(session_->sealed()), 1u) << "an alert";
  session_->SealGoodbye();  // harmless
}

TEST_F(TlsSessionTest, AForgedRecordIsAnErrorBehindWhatCameBefore) {
  ASSERT_NO_FATAL_FAILURE(ShakeHands(1000));
  ClientSays("good");
  ClientSays("forged");
  std::string bytes = FromClient();
  bytes.back() ^= 1;
  Receive(bytes);
  EXPECT_EQ(Open(), "good");
  std::string space(10, '\0');
  EXPECT_FALSE(session_->Open(space).has_value());
  EXPECT_FALSE(session_->sealed().empty());
}

}  // namespace
}  // namespace orrery::net
