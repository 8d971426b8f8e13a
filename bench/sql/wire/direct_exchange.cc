#include "sql/wire/direct_exchange.h"

#include <fmt/format.h>

#include <cstring>

#include "api/sql/direct/protocol/ids.h"
#include "api/sql/direct/protocol/token.h"

namespace orrery::bench {
namespace {

using sql::direct::AnswerToken;
using sql::direct::ContextToken;
using sql::direct::LoadUInt32;

constexpr size_t kDirectReadBytes = 64 << 10;
constexpr size_t kAnswerHeadBytes = 24;
// Of the value of the first token of a request.
constexpr size_t kIdOffset = 24 + 3;

}  // namespace

Status DirectExchange::ShakeHands(Transport& transport) {
  std::string hello;
  sql::direct::AppendUInt32(hello, 0);
  sql::direct::AppendUInt32(hello, 0);  // resource and operation
  hello.append(16, '.');
  sql::direct::AppendUInt32Token(hello, static_cast<uint16_t>(ContextToken::kProtocolVersion), 1);
  sql::direct::AppendSmallTextToken(hello, static_cast<uint16_t>(ContextToken::kClientVersion),
                                    RequestMaker::kVersion);
  sql::direct::AppendSmallTextToken(hello, static_cast<uint16_t>(ContextToken::kAgent),
                                    "orrery-bench");
  const auto size = static_cast<uint32_t>(hello.size());
  std::memcpy(hello.data(), &size, sizeof(size));
  ORRERY_TRY(transport.Write(hello));
  std::string answer;
  while (answer.size() < kAnswerHeadBytes || answer.size() < LoadUInt32(answer.data())) {
    std::string some(kDirectReadBytes, '\0');
    ORRERY_ASSIGN(const size_t read, transport.Read(some));
    answer.append(some, 0, read);
  }
  const uint32_t status = LoadUInt32(answer.data() + 4);
  if (status == 200) return {};
  return Fail(Code::kUnavailable, fmt::format("the server answers {} to the handshake", status));
}

OperationKind DirectExchange::Next(uint32_t id, std::string& out) {
  const size_t begin = out.size();
  const OperationKind kind = workload_.Next(out);
  std::memcpy(out.data() + begin + kIdOffset, &id, sizeof(id));
  return kind;
}

std::optional<FramedAnswer> DirectExchange::Take(std::string_view input) const {
  if (input.size() < kAnswerHeadBytes || input.size() < LoadUInt32(input.data()))
    return std::nullopt;
  const size_t head = LoadUInt32(input.data());
  HttpAnswer answer{
      .status = static_cast<int>(LoadUInt32(input.data() + 4)), .body = {}, .bytes = head};
  FramedAnswer taken;
  bool has_body = false;
  sql::direct::TokenReader reader(input.substr(kAnswerHeadBytes, head - kAnswerHeadBytes));
  while (const auto token = reader.Next()) {
    switch (static_cast<AnswerToken>(token->id)) {
      case AnswerToken::kTransportRequestId:
        taken.id = static_cast<uint32_t>(token->AsInteger().value_or(0));
        break;
      case AnswerToken::kPayloadPresent:
        has_body = token->AsInteger() == 1;
        break;
      case AnswerToken::kRequestCharge:
        if (token->value.size() == sizeof(double))
          std::memcpy(&answer.charge, token->value.data(), sizeof(double));
        break;
      default:
        break;
    }
  }
  if (has_body) {
    if (input.size() < head + 4) return std::nullopt;
    const size_t body = LoadUInt32(input.data() + head);
    if (input.size() < head + 4 + body) return std::nullopt;
    answer.body = input.substr(head + 4, body);
    answer.bytes = head + 4 + body;
  }
  taken.bytes = answer.bytes;
  taken.verdict.good = !reader.malformed() && workload_.IsGood(answer);
  taken.verdict.charge = answer.charge;
  if (!taken.verdict.good) {
    if (answer.status >= 400) taken.verdict.error = answer.status;
    taken.verdict.problem = answer.body;
  }
  return taken;
}

}  // namespace orrery::bench
