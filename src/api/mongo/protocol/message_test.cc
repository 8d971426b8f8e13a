#include "api/mongo/protocol/message.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/crc32c.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

template <typename T>
std::string Little(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

std::string Wrap(int32_t opcode, const std::string& body, int32_t request_id = 7) {
  return Little(static_cast<int32_t>(kHeaderBytes + body.size())) + Little(request_id) +
         Little(int32_t{0}) + Little(opcode) + body;
}

model::Document Ping() {
  model::DocumentBuilder builder;
  builder.AppendInt32("ping", 1).AppendString("$db", "admin");
  return std::move(builder).Finish();
}

std::string Section0(const model::Document& body) { return std::string(1, '\0') + body.bson(); }
std::string Section1(const std::string& name, const std::vector<model::Document>& documents) {
  std::string inner = name + '\0';
  for (const model::Document& document : documents) inner += document.bson();
  return std::string(1, '\1') + Little(static_cast<int32_t>(inner.size() + 4)) + inner;
}

std::expected<void, MessageError> Read(const std::string& bytes, Message& message) {
  const auto header = ReadHeader(bytes);
  return ReadMessage(*header, std::string_view(bytes).substr(kHeaderBytes), message);
}

TEST(MessageTest, ReadsABodyAndSequences) {
  Message message;
  const std::string bytes =
      Wrap(2013, Little(kMoreToCome) + Section1("documents", {Ping(), Ping()}) + Section0(Ping()));
  ASSERT_TRUE(Read(bytes, message).has_value());
  EXPECT_EQ(message.request_id, 7);
  EXPECT_FALSE(message.wants_reply());
  EXPECT_EQ(message.body.Find("ping")->AsInteger(), 1);
  ASSERT_EQ(message.sequences.size(), 1u);
  EXPECT_EQ(message.sequences[0].name, "documents");
  EXPECT_EQ(message.sequences[0].documents.size(), 2u);
}

TEST(MessageTest, ChecksumsAreChecked) {
  std::string bytes = Wrap(2013, Little(kChecksumPresent) + Section0(Ping()) + Little(uint32_t{0}));
  const uint32_t sum = Crc32c(0, std::string_view(bytes).substr(0, bytes.size() - 4));
  std::memcpy(bytes.data() + bytes.size() - 4, &sum, 4);
  Message good;
  EXPECT_TRUE(Read(bytes, good).has_value());
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  Message bad;
  EXPECT_FALSE(Read(bytes, bad).has_value());
}

TEST(MessageTest, ReadsOpQuery) {
  Message message;
  const std::string bytes =
      Wrap(2004, Little(int32_t{0}) + std::string("admin.$cmd") + '\0' + Little(int32_t{0}) +
                     Little(int32_t{-1}) + Ping().bson());
  ASSERT_TRUE(Read(bytes, message).has_value());
  EXPECT_EQ(message.opcode, OpCode::kQuery);
  EXPECT_EQ(message.query_namespace, "admin.$cmd");
}

TEST(MessageTest, CompressedMessagesComeBack) {
  model::DocumentBuilder builder;
  builder.AppendString("text", std::string(1'000, 'x'));
  const model::Document body = std::move(builder).Finish();
  for (const Compressor one : {Compressor::kSnappy, Compressor::kZlib, Compressor::kZstd}) {
    std::string bytes;
    AppendMsg(bytes, 3, 0, body, one);
    EXPECT_LT(bytes.size(), 300u);
    Message message;
    ASSERT_TRUE(Read(bytes, message).has_value());
    EXPECT_EQ(message.compressor, one);
    EXPECT_EQ(message.body.bson(), body.bson());
  }
  std::string plain;
  AppendMsg(plain, 3, 0, Ping(), Compressor::kZstd);  // too small to win
  EXPECT_EQ(ReadHeader(plain)->opcode, 2013);
  EXPECT_EQ(ReadHeader(plain)->response_to, 3);
}

TEST(MessageTest, MalformedMessagesAreRefused) {
  const std::string body = Section0(Ping());
  for (const std::string& bad :
       {Wrap(2013, ""), Wrap(2013, Little(uint32_t{0})), Wrap(2013, Little(uint32_t{4}) + body),
        Wrap(2013, Little(uint32_t{0}) + body + body), Wrap(2013, Little(uint32_t{0}) + "\x02"),
        Wrap(2013, Little(uint32_t{0}) + body + std::string(1, '\1') + Little(int32_t{500})),
        Wrap(2013, Little(kChecksumPresent)), Wrap(2004, "x"), Wrap(2012, "x"), Wrap(2002, body),
        Wrap(2012, Little(int32_t{2013}) + Little(int32_t{100}) + "\x09")}) {
    Message message;
    const auto read = Read(bad, message);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().kind, MessageError::Kind::kProtocol);
  }
}

TEST(MessageTest, AMalformedDocumentIsToldApart) {
  std::string bson = Ping().bson();
  bson[4] = 0x42;  // no type
  Message message;
  const auto read = Read(Wrap(2013, Little(uint32_t{0}) + std::string(1, '\0') + bson), message);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().kind, MessageError::Kind::kBson);
  EXPECT_EQ(message.request_id, 7);
}

TEST(MessageTest, OpReplyHasOneDocument) {
  std::string out;
  AppendOpReply(out, 9, Ping());
  EXPECT_EQ(out.size(), kHeaderBytes + 20 + Ping().bson().size());
  EXPECT_EQ(ReadHeader(out)->opcode, 1);
  EXPECT_EQ(ReadHeader(out)->length, static_cast<int32_t>(out.size()));
}

}  // namespace
}  // namespace orrery::mongo
