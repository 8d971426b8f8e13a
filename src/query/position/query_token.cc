#include "query/position/query_token.h"

#include <utility>

#include "base/bytes.h"
#include "base/murmur3.h"
#include "gateway/account/base64.h"
#include "model/key/key_codec.h"

namespace orrery::query {
namespace {

constexpr uint8_t kVersion = 2;
constexpr uint8_t kVersionWithRun = 3;
constexpr uint8_t kVersionWithScope = 4;
constexpr uint8_t kVersionOfSql = 1;  // had no API
enum StateTag : uint8_t { kDocuments = 1, kSorted = 2, kWhole = 3, kAggregate = 4 };

std::unexpected<Error> NoToken() {
  return Fail(Code::kInvalidArgument,
              "Invalid Continuation Token: it is malformed, or not one of this server");
}

void AppendState(std::string& out, const DocumentState& state, model::Order) {
  out.push_back(kDocuments);
  AppendLengthPrefixed(out, state.position);
  AppendBigEndian(out, state.key);
  AppendVarint(out, state.rows);
}
void AppendState(std::string& out, const SortState& state, model::Order order) {
  out.push_back(kSorted);
  AppendLengthPrefixed(out, model::EncodeKey(state.values, order));
  AppendLengthPrefixed(out, state.key);
  AppendVarint(out, state.row);
}
void AppendState(std::string& out, const WholeState& state, model::Order) {
  out.push_back(kWhole);
  AppendVarint(out, state.rows);
}

void AppendState(std::string& out, const AggregateState& state, model::Order) {
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

void AppendScope(std::string& out, const TokenScope& scope) {
  out.push_back(scope.is_merged ? 1 : 0);
  scope.range.begin().AppendTo(out);
  scope.range.last().AppendTo(out);
}

bool ReadScope(ByteReader& reader, TokenScope& scope) {
  uint8_t is_merged = 0;
  std::string_view begin;
  std::string_view last;
  if (!reader.ReadBigEndian(is_merged) || is_merged > 1 ||
      !reader.ReadBytes(Hash128::kBytes, begin) || !reader.ReadBytes(Hash128::kBytes, last))
    return false;
  const Hash128 from = Hash128::Load(begin.data());
  const Hash128 to = Hash128::Load(last.data());
  if (to < from) return false;
  scope = {.range = partition::HashRange::Inclusive(from, to), .is_merged = is_merged == 1};
  return true;
}

bool ReadBody(std::string_view body, QueryToken& token) {
  ByteReader reader(body);
  uint8_t version = 0;
  uint8_t api = static_cast<uint8_t>(Api::kSql);
  uint8_t has_limit = 0;
  int64_t run = 0;
  if (!reader.ReadBigEndian(version) || version < kVersionOfSql || version > kVersionWithScope ||
      (version != kVersionOfSql && !reader.ReadBigEndian(api)) ||
      !reader.ReadBigEndian(token.query) ||
      (version >= kVersionWithRun && !reader.ReadBigEndian(run)) ||
      (version >= kVersionWithScope && !ReadScope(reader, token.scope.emplace())))
    return false;
  token.api = static_cast<Api>(api);
  token.run = CursorId(run);
  if (!reader.ReadVarint(token.offset) || !reader.ReadBigEndian(has_limit) || has_limit > 1)
    return false;
  if (has_limit == 1 && !reader.ReadVarint(token.limit.emplace())) return false;
  return ReadState(reader, token) && reader.empty();
}

}  // namespace

std::string EncodeQueryToken(const QueryToken& token, model::Order order) {
  std::string body;
  const uint8_t version = token.scope.has_value()   ? kVersionWithScope
                          : token.run != CursorId() ? kVersionWithRun
                                                    : kVersion;
  body.push_back(static_cast<char>(version));
  body.push_back(static_cast<char>(token.api));
  AppendBigEndian(body, token.query);
  if (version >= kVersionWithRun) AppendBigEndian(body, token.run.value());
  if (token.scope.has_value()) AppendScope(body, *token.scope);
  AppendVarint(body, token.offset);
  body.push_back(token.limit.has_value() ? 1 : 0);
  if (token.limit.has_value()) AppendVarint(body, *token.limit);
  std::visit([&](const auto& state) { AppendState(body, state, order); }, token.state);
  AppendBigEndian(body, Murmur3Short(body));
  return gateway::ToBase64Url(body);
}

std::unexpected<Error> TokenOfAnotherQuery() {
  return Fail(Code::kInvalidArgument,
              "the continuation token was made for another query or another partition key");
}

Result<QueryToken> DecodeQueryToken(std::string_view text, Api api) {
  std::string bytes;
  if (text.size() > kQueryTokenTextMax || !gateway::FromBase64Url(text, bytes)) return NoToken();
  if (bytes.size() < sizeof(uint32_t)) return NoToken();
  const std::string_view body = std::string_view(bytes).substr(0, bytes.size() - sizeof(uint32_t));
  if (LoadBigEndian<uint32_t>(bytes.data() + body.size()) != Murmur3Short(body)) return NoToken();
  QueryToken token;
  if (!ReadBody(body, token)) return NoToken();
  if (token.api != api) return TokenOfAnotherQuery();
  return token;
}

Result<QueryToken> DecodeQueryToken(std::string_view text, Api api, uint64_t query) {
  ORRERY_ASSIGN(QueryToken token, DecodeQueryToken(text, api));
  if (token.query != query) return TokenOfAnotherQuery();
  return token;
}

}  // namespace orrery::query
