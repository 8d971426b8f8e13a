#include "cli/seed/client/mongo_client.h"

#include <fmt/format.h>
#include <openssl/sha.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "gateway/account/base64.h"
#include "gateway/account/hmac.h"
#include "model/document/document_builder.h"
#include "net/http/url.h"

namespace orrery::cli {
namespace {

using model::Kind;

constexpr int32_t kOpMsg = 2013;
constexpr size_t kMongoHeaderBytes = 16;
constexpr size_t kReplyBytesMax = size_t{64} << 20;
constexpr uint32_t kIterationsMax = 10'000'000;

void AppendLittle(std::string& out, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift);
}
// PBKDF2 with one block, as RFC 5802's Hi().
std::string SaltedPassword(std::string_view password, std::string_view salt, uint32_t iterations) {
  std::string block = gateway::HmacSha256(password, std::string(salt) + std::string("\0\0\0\1", 4));
  std::string salted = block;
  for (uint32_t i = 1; i < iterations; ++i) {
    block = gateway::HmacSha256(password, block);
    for (size_t at = 0; at < salted.size(); ++at)
      salted[at] = static_cast<char>(salted[at] ^ block[at]);
  }
  return salted;
}

std::string Sha256(std::string_view text) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

// "r=..,s=..,i=.."
std::string PartOf(std::string_view message, char name) {
  while (!message.empty()) {
    const size_t end = std::min(message.find(','), message.size());
    const std::string_view part = message.substr(0, end);
    if (part.size() >= 2 && part[0] == name && part[1] == '=') return std::string(part.substr(2));
    message.remove_prefix(std::min(end + 1, message.size()));
  }
  return {};
}

std::string EscapeName(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == ',') {
      out += "=2C";
    } else if (c == '=') {
      out += "=3D";
    } else {
      out += c;
    }
  }
  return out;
}

std::string PayloadOf(const model::Document& reply) {
  const model::Value payload = reply.view().Get("payload");
  return payload.kind() == Kind::kBinary ? payload.AsBytes() : std::string();
}

Error ErrorOfMongo(int64_t code, const std::string& text) {
  constexpr std::array<int64_t, 4> kThere = {48, 68, 11'000, 11'001};
  constexpr std::array<int64_t, 2> kBusy = {16'500, 50};
  Code status = Code::kInvalidArgument;
  if (std::ranges::find(kThere, code) != kThere.end()) status = Code::kAlreadyExists;
  if (std::ranges::find(kBusy, code) != kBusy.end()) status = Code::kThrottled;
  if (code == 26) status = Code::kNotFound;
  if (code == 18 || code == 13) status = Code::kUnauthorized;
  return Error(status, fmt::format("{} (code {})", text, code));
}

int64_t IntegerOf(const model::Value& value) {
  switch (value.kind()) {
    case Kind::kInt32:
    case Kind::kInt64:
      return value.AsInteger();
    case Kind::kDouble:
      return static_cast<int64_t>(value.AsDouble());
    case Kind::kBool:
      return value.AsBool() ? 1 : 0;
    default:
      return 0;
  }
}

}  // namespace

uint32_t LoadMongoInt(std::string_view bytes) {
  uint32_t value = 0;
  if (bytes.size() < sizeof value) return value;
  for (size_t i = sizeof value; i > 0; --i) value = value << 8 | static_cast<uint8_t>(bytes[i - 1]);
  return value;
}

Result<MongoAddress> MongoAddress::Parse(std::string_view url) {
  constexpr std::string_view kScheme = "mongodb://";
  const auto refuse = [&](std::string_view why) {
    return Fail(
        Code::kInvalidArgument,
        fmt::format("not an address such as mongodb://user:password@host:27017/ ({})", why));
  };
  if (!url.starts_with(kScheme)) return refuse("it does not begin with mongodb://");
  std::string_view rest = url.substr(kScheme.size());
  MongoAddress address;
  const size_t end = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view authority = rest.substr(0, end);
  rest.remove_prefix(end);
  if (const size_t at = authority.rfind('@'); at != std::string_view::npos) {
    const std::string_view login = authority.substr(0, at);
    const size_t colon = login.find(':');
    if (colon == std::string_view::npos) return refuse("there is a user, but no password");
    ORRERY_ASSIGN(address.user, net::PercentDecode(login.substr(0, colon)));
    ORRERY_ASSIGN(address.password, net::PercentDecode(login.substr(colon + 1)));
    authority.remove_prefix(at + 1);
  }
  authority = authority.substr(0, authority.find(','));
  auto host = net::ParseHostPort(authority, uint16_t{27'017});
  if (!host.has_value()) return refuse(host.error().message());
  address.socket.host = host->host;
  address.socket.port = host->port;
  if (rest.starts_with('/')) rest.remove_prefix(1);
  const size_t question = std::min(rest.find('?'), rest.size());
  if (question > 0) address.auth_database = rest.substr(0, question);
  if (question < rest.size()) {
    ORRERY_ASSIGN(const auto options, net::ParseQuery(rest.substr(question + 1)));
    for (const net::QueryParameter& option : options) {
      if (option.name == "authSource") address.auth_database = option.value;
      if (option.name == "tls" || option.name == "ssl") address.socket.tls = option.value == "true";
      if (option.name == "tlsCAFile") address.socket.ca_file = option.value;
    }
  }
  return address;
}

Result<MongoClient> MongoClient::Connect(const MongoAddress& address) {
  ORRERY_ASSIGN(net::BlockingSocket socket, net::BlockingSocket::Connect(address.socket));
  MongoClient client(std::move(socket));
  if (!address.user.empty()) ORRERY_TRY(client.LogIn(address));
  return client;
}

Result<model::Document> MongoClient::Run(std::string_view database, model::DocumentView command,
                                         std::string_view sequence,
                                         const std::vector<std::string_view>& documents) {
  model::DocumentBuilder builder;
  for (const model::ElementView field : command) builder.Append(field.name(), field);
  builder.AppendString("$db", database);
  const model::Document body = std::move(builder).Finish();

  std::string message;
  AppendLittle(message, 0);
  AppendLittle(message, static_cast<uint32_t>(++request_id_));
  AppendLittle(message, 0);
  AppendLittle(message, kOpMsg);
  AppendLittle(message, 0);  // flags
  message += '\0';
  message += body.bson();
  if (!documents.empty()) {
    size_t size = 4 + sequence.size() + 1;
    for (const std::string_view document : documents) size += document.size();
    message += '\1';
    AppendLittle(message, static_cast<uint32_t>(size));
    message.append(sequence).append(1, '\0');
    for (const std::string_view document : documents) message += document;
  }
  std::string length;
  AppendLittle(length, static_cast<uint32_t>(message.size()));
  message.replace(0, 4, length);
  ORRERY_TRY(socket_.Send(message));

  std::string reply;
  ORRERY_TRY(socket_.ReceiveUntil(reply, kMongoHeaderBytes));
  const size_t size = LoadMongoInt(reply);
  if (size < kMongoHeaderBytes + 5 || size > kReplyBytesMax ||
      LoadMongoInt(reply.substr(12)) != static_cast<uint32_t>(kOpMsg))
    return Fail(Code::kUnavailable, "the answer is not one of MongoDB's");
  ORRERY_TRY(socket_.ReceiveUntil(reply, size));
  if (reply[kMongoHeaderBytes + 4] != '\0')
    return Fail(Code::kUnavailable, "the answer is not one of MongoDB's");
  std::string bson = reply.substr(kMongoHeaderBytes + 5, size - kMongoHeaderBytes - 5);
  if (bson.size() < 5 || LoadMongoInt(bson) > bson.size())
    return Fail(Code::kUnavailable, "the answer is not one of MongoDB's");
  bson.resize(LoadMongoInt(bson));  // a checksum may follow
  ORRERY_ASSIGN(model::Document answer, model::Document::FromBson(std::move(bson)));
  if (IntegerOf(answer.view().Get("ok")) == 1) return answer;
  const model::Value text = answer.view().Get("errmsg");
  return Fail(ErrorOfMongo(IntegerOf(answer.view().Get("code")),
                           text.kind() == Kind::kString ? text.AsString() : "the command failed"));
}

Status MongoClient::LogIn(const MongoAddress& address) {
  std::string random(18, '\0');
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    return Fail(Code::kInternal, "the system gives no random numbers");
  const std::string nonce = gateway::ToBase64(random);
  const std::string bare = fmt::format("n={},r={}", EscapeName(address.user), nonce);
  const auto binary = [](const std::string& text) { return model::Value::Binary(text); };
  model::DocumentBuilder start;
  start.AppendInt32("saslStart", 1).AppendString("mechanism", "SCRAM-SHA-256");
  start.Append("payload", binary("n,," + bare)).AppendInt32("autoAuthorize", 1);
  ORRERY_ASSIGN(const model::Document first, Run(address.auth_database, std::move(start).Finish()));
  const std::string challenge = PayloadOf(first);
  const std::string both = PartOf(challenge, 'r');
  const std::string count = PartOf(challenge, 'i');
  std::string salt;
  uint32_t iterations = 0;
  std::from_chars(count.data(), count.data() + count.size(), iterations);
  if (!both.starts_with(nonce) || !gateway::FromBase64(PartOf(challenge, 's'), salt) ||
      iterations == 0 || iterations > kIterationsMax)
    return Fail(Code::kUnavailable, "the server's login is not SCRAM-SHA-256");

  const std::string salted = SaltedPassword(address.password, salt, iterations);
  const std::string client_key = gateway::HmacSha256(salted, "Client Key");
  const std::string last = "c=biws,r=" + both;
  const std::string text = bare + "," + challenge + "," + last;
  std::string proof = gateway::HmacSha256(Sha256(client_key), text);
  for (size_t i = 0; i < proof.size(); ++i) proof[i] = static_cast<char>(proof[i] ^ client_key[i]);
  model::DocumentBuilder next;
  next.AppendInt32("saslContinue", 1).Append("conversationId", first.view().Get("conversationId"));
  next.Append("payload", binary(last + ",p=" + gateway::ToBase64(proof)));
  ORRERY_ASSIGN(model::Document answer, Run(address.auth_database, std::move(next).Finish()));
  const std::string signature =
      gateway::HmacSha256(gateway::HmacSha256(salted, "Server Key"), text);
  if (PartOf(PayloadOf(answer), 'v') != gateway::ToBase64(signature))
    return Fail(Code::kUnauthorized, "the server does not know the password either");
  if (answer.view().Get("done").kind() == Kind::kBool && answer.view().Get("done").AsBool())
    return {};
  model::DocumentBuilder end;
  end.AppendInt32("saslContinue", 1).Append("conversationId", first.view().Get("conversationId"));
  end.Append("payload", binary(""));
  ORRERY_ASSIGN(answer, Run(address.auth_database, std::move(end).Finish()));
  return {};
}

}  // namespace orrery::cli
