#include "api/sql/query/position/query_token.h"

#include <utility>

#include "base/bytes.h"
#include "base/murmur3.h"
#include "gateway/account/base64.h"
#include "model/key/key_codec.h"

namespace orrery::sql {
namespace {

constexpr uint8_t kVersion = 1;
enum StateTag : uint8_t { kDocuments = 1, kSorted = 2, kWhole = 3, kAggregate = 4 };

std::unexpected<Error> NoToken() {
  return Fail(Code::kInvalidArgument, "Invalid Continuation Token: it is malformed, or not one of this server");
}

void AppendState(std::string& out, const DocumentState& state) {
  out.push_back(kDocuments);
  AppendLengthPrefixed(out, state.position);
  AppendBigEndian(out, state.key);
  AppendVarint(out, state.rows);
}
void AppendState(std::string& out, const SortState& state) {
  out.push_back(kSorted);
  AppendLengthPrefixed(out, model::EncodeKey(state.values, model::Order::kSql));
  AppendLengthPrefixed(out, state.key);
  AppendVarint(out, state.row);
}
void AppendState(std::string& out, const WholeState& state) {
  out.push_back(kWhole);
  AppendVarint(out, state.rows);
}

void AppendState(std::string& out, const AggregateState& state) {
  out.push_back(kAggregate);
  AppendLengthPrefixed(out, state.position);
  AppendLengthPrefixed(out, state.partials);
}

bool ReadState(ByteReader& reader, QueryToken& token) {
  uint8_t tag = 0;
  std::string_view bytes;
  if (!reader.ReadBigEndian(tag)) return false;
  if (tag == kDocuments) {
    DocumentState state;
    if (!reader.ReadLengthPrefixed(bytes) || !reader.ReadBigEndian(state.key) ||
        !reader.ReadVarint(state.rows))
      return false;
    state.position = bytes;
    token.state = std::move(state);
    return true;
  }
  if (tag == kSorted) {
    SortState state;
    std::string_view key;
    if (!reader.ReadLengthPrefixed(bytes) || !reader.ReadLengthPrefixed(key) ||
        !reader.ReadVarint(state.row))
      return false;
    auto values = model::DecodeKey(bytes);
    if (!values.has_value()) return false;
    state.values = *std::move(values);
    state.key = key;
    token.state = std::move(state);
    return true;
  }
  if (tag == kAggregate) {
    std::string_view partials;
    if (!reader.ReadLengthPrefixed(bytes) || !reader.ReadLengthPrefixed(partials)) return false;
    token.state = AggregateState{std::string(bytes), std::string(partials)};
    return true;
  }
  WholeState state;
  if (tag != kWhole || !reader.ReadVarint(state.rows)) return false;
  token.state = state;
  return true;
}

bool ReadBody(std::string_view body, QueryToken& token) {
  ByteReader reader(body);
  uint8_t version = 0;
  uint8_t has_limit = 0;
  if (!reader.ReadBigEndian(version) || version != kVersion || !reader.ReadBigEndian(token.query) ||
      !reader.ReadVarint(token.offset) || !reader.ReadBigEndian(has_limit) || has_limit > 1)
    return false;
  if (has_limit == 1 && !reader.ReadVarint(token.limit.emplace())) return false;
  return ReadState(reader, token) && reader.empty();
}

}  // namespace

std::string EncodeQueryToken(const QueryToken& token) {
  std::string body;
  body.push_back(kVersion);
  AppendBigEndian(body, token.query);
  AppendVarint(body, token.offset);
  body.push_back(token.limit.has_value() ? 1 : 0);
  if (token.limit.has_value()) AppendVarint(body, *token.limit);
  std::visit([&](const auto& state) { AppendState(body, state); }, token.state);
  AppendBigEndian(body, Murmur3Short(body));
  return gateway::ToBase64Url(body);
}

Result<QueryToken> DecodeQueryToken(std::string_view text, uint64_t query) {
  std::string bytes;
  if (text.size() > kQueryTokenTextMax || !gateway::FromBase64Url(text, bytes)) return NoToken();
  if (bytes.size() < sizeof(uint32_t)) return NoToken();
  const std::string_view body = std::string_view(bytes).substr(0, bytes.size() - sizeof(uint32_t));
  if (LoadBigEndian<uint32_t>(bytes.data() + body.size()) != Murmur3Short(body)) return NoToken();
  QueryToken token;
  if (!ReadBody(body, token)) return NoToken();
  if (token.query != query)
    return Fail(Code::kInvalidArgument, "the continuation token was made for another query");
  return token;
}

}  // namespace orrery::sql
