#include "api/cassandra/server/session/response_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/body/body_reader.h"
#include "api/cassandra/protocol/frame/envelope.h"

namespace orrery::cassandra {
namespace {

Outcome OneNumber() {
  RowsOutcome rows;
  WireType type;
  type.id = TypeId::kInt;
  rows.shape = std::make_shared<ColumnShape>(std::vector<ColumnSpec>{{"ks", "t", "n", type}});
  rows.cells = std::string("\0\0\0\4\0\0\0\1", 8);
  rows.rows = 1;
  return {std::move(rows), {}, {}};
}

// v5, of a client that has this description already, or none.
std::string Encoded(const Outcome& outcome, const std::string& known_id) {
  PendingRequest request;
  request.skip_metadata = !known_id.empty();
  request.check_metadata = !known_id.empty();
  std::ranges::copy(known_id, request.client_metadata.begin());
  std::string out;
  EncodeOutcome(out, {}, request, outcome);
  return out;
}

// One outcome of each kind, that cost something.
std::vector<Outcome> EveryKind() {
  std::vector<Outcome> outcomes;
  outcomes.push_back({VoidOutcome{}, {}, {}});
  outcomes.push_back({KeyspaceSet{"ks"}, {}, {}});
  outcomes.push_back(OneNumber());
  outcomes.push_back({SchemaChange{}, {}, {}});
  outcomes.push_back(Outcome::Failed({ErrorCode::kInvalid, "no", {}}));
  for (Outcome& outcome : outcomes) outcome.charge = RequestUnits::FromHundredths(250);
  return outcomes;
}

enum class HeadOrder : uint8_t { kWarningsFirst, kPayloadFirst };

// The fields that a client reads from a response of version 4 or 5: one that has the protocol's
// order, or Java's.
struct ReadHead {
  uint8_t flags = 0;
  bool ok = false;
  std::vector<std::string_view> warnings;
  std::vector<PayloadEntry> payload;
  std::string_view message;
};
ReadHead ReadAs(HeadOrder order, std::string_view response) {
  ReadHead head;
  const auto envelope =
      DecodeEnvelope(response, {.direction = Direction::kResponse, .version = {}});
  EXPECT_TRUE(envelope.has_value() && envelope->has_value());
  head.flags = (*envelope)->header.flags;
  const std::string_view body = (*envelope)->body;
  BodyReader reader(body);
  if ((head.flags & kFlagTracing) != 0) reader.ReadUuid();
  const auto read_warnings = [&] {
    if ((head.flags & kFlagWarnings) != 0) head.warnings = reader.StringList();
  };
  if (order == HeadOrder::kWarningsFirst) read_warnings();
  if ((head.flags & kFlagCustomPayload) != 0) head.payload = reader.BytesMap();
  if (order == HeadOrder::kPayloadFirst) read_warnings();
  head.ok = reader.ok();
  head.message = body.substr(body.size() - reader.remaining());
  return head;
}

// Java's drivers (3.x, 4.x) read the payload before the warnings, the other way round than the
// protocol has it, and close the connection over what they misread.
TEST(ResponseEncoder, WarningsAndThePayloadNeverComeTogether) {
  for (const ProtocolVersion version : {ProtocolVersion::kV4, ProtocolVersion::kV5}) {
    for (const bool traced : {false, true}) {
      PendingRequest request;
      if (traced) request.tracing_id = Uuid{0xAA};
      for (Outcome& outcome : EveryKind()) {
        std::string plain;
        EncodeOutcome(plain, {version}, request, outcome);
        outcome.warnings = {"careful", "very"};
        std::string warned;
        EncodeOutcome(warned, {version}, request, outcome);
        for (const HeadOrder order : {HeadOrder::kWarningsFirst, HeadOrder::kPayloadFirst}) {
          const ReadHead without = ReadAs(order, plain);
          EXPECT_TRUE(without.ok);
          EXPECT_EQ(without.flags, kFlagCustomPayload | (traced ? kFlagTracing : 0));
          ASSERT_EQ(without.payload.size(), 1u);
          EXPECT_EQ(without.payload[0].key, kChargePayloadKey);
          const ReadHead with = ReadAs(order, warned);
          EXPECT_TRUE(with.ok);
          EXPECT_EQ(with.flags, kFlagWarnings | (traced ? kFlagTracing : 0));
          EXPECT_EQ(with.warnings, (std::vector<std::string_view>{"careful", "very"}));
          EXPECT_EQ(with.message, without.message) << outcome.result.index();
        }
      }
    }
  }
}

TEST(ResponseEncoder, VersionThreeHasNeither) {
  for (Outcome& outcome : EveryKind()) {
    outcome.warnings = {"careful"};
    std::string out;
    EncodeOutcome(out, {ProtocolVersion::kV3}, PendingRequest(), outcome);
    EXPECT_EQ(out[1], 0);
  }
}

TEST(ResponseEncoder, DescribesAResultToWhoDoesNotKnowIt) {
  const Outcome outcome = OneNumber();
  const std::string& id = std::get<RowsOutcome>(outcome.result).shape->id();
  const std::string full = Encoded(outcome, {});
  EXPECT_LT(Encoded(outcome, id).size(), full.size());
  EXPECT_EQ(Encoded(outcome, std::string(16, 'x')).size(), full.size() + 2 + 16) << "with its id";
}

TEST(ResponseEncoder, DescribesAlwaysWhatMayBeOtherwiseTheNextTime) {
  Outcome outcome = OneNumber();
  const std::string full = Encoded(outcome, {});
  auto& rows = std::get<RowsOutcome>(outcome.result);
  rows.shape_varies = true;
  EXPECT_EQ(Encoded(outcome, rows.shape->id()), full);
  EXPECT_EQ(Encoded(outcome, std::string(16, 'x')), full);
}

}  // namespace
}  // namespace orrery::cassandra
