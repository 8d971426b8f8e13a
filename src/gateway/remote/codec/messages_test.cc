// Properties of all codecs of messages between gateways, and what each must carry.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gateway/remote/codec/expression_codec.h"
#include "gateway/remote/codec/recode_testing.h"
#include "gateway/row/row_testing.h"
#include "model/document/json.h"
#include "model/expression/expression_json.h"

namespace orrery::gateway {
namespace {

using model::Expression;
using model::Operator;
using model::Value;

const Hash128 kHash{7, 9};
const auto kRange = partition::HashRange::Inclusive({1, 2}, {3, 4});

Expression Condition() {
  return *Expression::Apply(
      Operator::kAnd,
      {*Expression::Apply(Operator::kLess, {Expression::Reference(model::Path({"a", "0"})),
                                            Expression::Literal(Value::Double(1.5))}),
       *Expression::Apply(Operator::kEqual,
                          {*Expression::Object({{"x", Expression::Literal(Value::Null())}}),
                           Expression::Literal(Value::Undefined())})});
}

std::string Key(std::string text) {
  std::string key;
  model::AppendKey(key, Value::String(std::move(text)), model::Order::kSql);
  return key;
}

item::TransactionRequest Transaction() {
  item::TransactionRequest transaction;
  transaction.hash = kHash;
  transaction.partition_key = Key("pk");
  item::Operation& create = transaction.operations.emplace_back();
  create.kind = item::OperationKind::kCreate;
  create.row_key = Key("a");
  create.document = Json(R"({"id":"a","n":[1,2.5,{"x":null}]})");
  create.if_absent = true;
  create.written_at = Micros(1'700'000'000'000'000);
  item::Operation& patch = transaction.operations.emplace_back();
  patch.kind = item::OperationKind::kPatch;
  patch.row_key = Key("b");
  patch.patch.push_back({model::PatchType::kMove, model::Path({"x"}), {}, model::Path({"y", "z"})});
  patch.condition = Condition();
  patch.if_match = Lsn(77);
  return transaction;
}

item::RowChanges Changes() {
  item::RowChanges changes;
  changes.rows.push_back(Insert(Clustering(1), 5, "name"));
  changes.range_tombstones.push_back({"a", "b", {9, 1}});
  changes.derived_writes.push_back({ContainerId(3), "key", {}});
  changes.derived_writes[0].changes.rows.push_back(DeleteRow(Clustering(2), 6));
  return changes;
}

RowsSeen Seen() {
  RowsSeen seen;
  seen.now = Micros(123'456);
  seen.rows.push_back({"a", Insert("a", 1, "before").row, Insert("a", 2, "after").row});
  seen.rows.push_back({"b", std::nullopt, std::nullopt});
  seen.looked.emplace_back("c", Insert("c", 3, "looked").row);
  return seen;
}

Guard SomeGuard() {
  Guard guard;
  guard.step = Guard::Step::kCommit;
  guard.follows = true;
  guard.reads = {"a", "b"};
  guard.ranges = {{"c", std::nullopt}, {"d", "e"}};
  guard.expected = kHash;
  guard.decided = Changes();
  return guard;
}

// One of each, by its place in kRecoders.
std::vector<std::string> Samples() {
  std::vector<std::string> samples;
  samples.push_back(WrapRequest({ContainerId(5), 9}, "body"));
  samples.push_back(WrapAnswer(Fail(Error::Throttled("slow down", 250))));
  samples.push_back(EncodeItemWrite(Transaction(), WriteSize::kScript));

  WriteResponse written;
  written.status = Fail(Code::kPreconditionFailed, "no");
  written.failed_operation = 1;
  written.charge = RequestUnits::FromHundredths(-5);
  written.session = "1:-1#2";
  item::OperationResult& result = written.results.emplace_back();
  result.done = item::OperationKind::kReplace;
  result.lsn = Lsn(4);
  result.document = Json(R"({"id":"a"})");
  samples.push_back(EncodeWriteResponse(written));

  samples.push_back(EncodeItemRead({kHash, "pk", "rk"}, "1:-1#2"));
  ReadResponse read;
  const model::Document document = Json(R"({"id":"a"})");
  read.item.document = document;
  read.item.lsn = Lsn(9);
  read.item.expiry = Micros(8);
  samples.push_back(EncodeReadResponse(read));

  ScanSpec spec;
  spec.index = item::IndexRange{.index = item::IndexId(6),
                                .lower = item::ValueBound{"low", false},
                                .descending = true,
                                .further = {{item::ValueBound{"more", true}, std::nullopt}}};
  spec.filter = std::make_shared<Expression>(Condition());
  spec.goes_on = true;
  ScanTarget target;
  target.range = kRange;
  target.request.partition_key = "pk";
  target.request.row_key_lower = "rk";
  target.key = "pk";
  target.by_prefix = true;
  spec.projection = std::make_shared<const model::Projection>(
      std::vector<model::Path>{model::Path({"a"}), model::Path({"b", "c"})});
  spec.grouping = std::make_shared<const model::Grouping>(
      model::Grouping{.keys = {Condition(), Expression::Field(model::Path({"g"}))},
                      .aggregates = {{.op = model::AggregateOperator::kSqlMax,
                                      .argument = Expression::Field(model::Path({"a", "b"}))}}});
  spec.entry_path = model::Path({"e", "f"});
  samples.push_back(EncodeScanPiece(kRange, "inner", spec, target, {.items_max = 3}, Micros(5)));
  ScanPieceAnswer scanned;
  scanned.next = "next";
  scanned.page.items_rejected = 4;
  scanned.page.bytes_rejected = 1'000;
  scanned.page.items_grouped = 7;
  scanned.page.bytes_grouped = 2'000;
  scanned.page.last = {.key = {kHash, "pk", "rk"}, .value = "value"};
  scanned.page.items.push_back(
      {{kHash, "pk", "rk"}, Lsn(3), Micros(4), Json(R"({"id":"a"})"), "value"});
  samples.push_back(EncodeScanAnswer(scanned));

  const FeedPlace place{.range = kRange,
                        .start = FeedSpec::Start::kTime,
                        .start_time = Micros(-5),
                        .after = Lsn(6),
                        .tells_position = true,
                        .limits = {}};
  samples.push_back(EncodeFeedPiece({.place = place,
                                     .mode = item::FeedMode::kAllVersions,
                                     .key = "pk",
                                     .filter = std::make_shared<model::Expression>(Condition())}));
  FeedPieceAnswer feed;
  item::FeedEntry& entry = feed.page.entries.emplace_back();
  entry.kind = item::ChangeKind::kDelete;
  entry.by_expiry = true;
  entry.document = Json("{}");
  samples.push_back(EncodeFeedAnswer(feed));

  const Guard guard = SomeGuard();
  samples.push_back(EncodeRowWrite("key", Changes(), WriteDebt::kOwed, &guard));
  samples.push_back(EncodeRowWriteAnswer(
      {.status = Fail(Code::kPreconditionFailed, "no"), .charge = {}, .seen = Seen()}));
  samples.push_back(EncodeRowRead("key", "clustering", true));
  RowReadResponse row;
  row.row.row_visible = true;
  row.row.row_pin.Assign(Insert("a", 1, "name").row);
  row.row.covering_deletion = {5, 6};
  samples.push_back(EncodeRowReadResponse(row));

  RowScanPiece piece{
      .range = kRange, .inner = "inner", .fan_out = true, .request = {}, .limits = {}};
  piece.request.index = {item::IndexId(8), "value"};
  piece.request.upper = "up";
  samples.push_back(EncodeRowScanPiece(piece));
  RowPieceAnswer rows;
  item::ScannedPartition& partition = rows.page.partitions.emplace_back();
  partition.ends = true;
  partition.rows.push_back({"a", "row", {1, 2}});
  samples.push_back(EncodeRowScanAnswer(rows));

  samples.push_back(EncodeRowFeedPiece({.place = place, .key = "key"}));
  RowFeedPieceAnswer row_feed;
  row_feed.page.entries.emplace_back().kind = item::RowChangeKind::kRangeDeleted;
  samples.push_back(EncodeRowFeedAnswer(row_feed));
  samples.push_back(EncodeEstimates({{kRange, 5, 6}}));
  samples.push_back(EncodeIndexPiece({kRange, "inner", {1, 2}}));
  samples.push_back(EncodeIndexBatch({.items = 64, .next = "next"}));
  samples.push_back(EncodeIndexDrop({kRange, item::IndexId(5)}));

  item::NearestSearch nearest;
  nearest.index = item::IndexId(7);
  nearest.target = {1, -0.5};
  nearest.measure = model::VectorMeasure::kEuclidean;
  nearest.among = {*spec.index};
  nearest.after = {.rank = 0.5, .key = {kHash, "pk", "rk"}, .with_item = true};
  spec.index.reset();
  spec.nearest = std::make_shared<const item::NearestSearch>(nearest);
  samples.push_back(
      EncodeScanPiece(kRange, std::nullopt, spec, target, {.items_max = 3}, Micros(0)));
  samples.push_back(EncodeHolderQuestion({kHash, "claim"}));
  samples.push_back(EncodeHolder("row key"));
  samples.push_back(EncodeProgramCall({{kHash, Key("pk")}, "kind", "data"}));
  written.outcome = "outcome";
  samples.push_back(EncodeProgramAnswer(written));
  const std::vector<std::string> scans = {samples[6], samples[22]};
  samples.push_back(EncodeScanGroup(scans));
  std::vector<Result<ScanPieceAnswer>> answers(2);
  answers[0] = std::move(scanned);
  answers[1] = Fail(Error::Throttled("slow down", 250));
  samples.push_back(EncodeScanGroupAnswer(answers));
  return samples;
}

TEST(Messages, SurviveBeingReadAndWrittenAgain) {
  const std::vector<std::string> samples = Samples();
  ASSERT_EQ(samples.size(), kRecoders.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    const auto again = kRecoders[i](samples[i]);
    ASSERT_TRUE(again.has_value()) << i << ": " << again.error().ToString();
    EXPECT_EQ(*again, samples[i]) << i;
  }
}

TEST(Messages, CutAnywhereAreRefused) {
  const std::vector<std::string> samples = Samples();
  // The last part of an envelope is the body, of any length.
  for (size_t i = 2; i < samples.size(); ++i) {
    for (size_t size = 0; size < samples[i].size(); ++size)
      EXPECT_FALSE(kRecoders[i](samples[i].substr(0, size)).has_value()) << i << " at " << size;
    EXPECT_FALSE(kRecoders[i](samples[i] + "x").has_value()) << i;
  }
}

TEST(Messages, OfDamagedBytesNothingBadComes) {
  constexpr unsigned kSeed = 20'261;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const std::vector<std::string> samples = Samples();
  for (size_t i = 0; i < samples.size(); ++i) {
    for (int round = 0; round < 300; ++round) {
      std::string damaged = samples[i];
      damaged[random() % damaged.size()] = static_cast<char>(random());
      const auto once = kRecoders[i](damaged);
      if (!once.has_value()) continue;
      const auto twice = kRecoders[i](*once);
      ASSERT_TRUE(twice.has_value()) << i;
      EXPECT_EQ(*twice, *once) << i;
    }
  }
}

TEST(Messages, AnErrorKeepsItsCodeTextAndPause) {
  const auto error = OpenAnswer(WrapAnswer(Fail(Error::Throttled("slow down", 250))));
  ASSERT_FALSE(error.has_value());
  EXPECT_EQ(error.error().code(), Code::kThrottled);
  EXPECT_EQ(error.error().message(), "slow down");
  EXPECT_EQ(error.error().retry_after_ms(), 250u);
  for (int code = 0; code <= static_cast<int>(Code::kInternal); ++code) {
    const auto back = OpenAnswer(WrapAnswer(Fail(static_cast<Code>(code), "")));
    EXPECT_EQ(back.error().code(), static_cast<Code>(code));
  }
  EXPECT_EQ(*OpenAnswer(WrapAnswer(std::string("body"))), "body");
}

// The examples of docs/format/peer-messages.md.
TEST(Messages, AreWrittenAsDocumented) {
  EXPECT_EQ(ToHex(WrapRequest({ContainerId(7), 3}, EncodeRowRead("k", "", true))),
            "020703016b0001");
  RowReadResponse nothing;
  nothing.charge = RequestUnits::Whole(1);
  EXPECT_EQ(ToHex(WrapAnswer(EncodeRowReadResponse(nothing))),
            "0200c801ffffffffffffffffff01000000");
  EXPECT_EQ(ToHex(WrapAnswer(Fail(Code::kMoved, "gone"))), "0201090004676f6e65");
}

TEST(Messages, AGroupOfScansHasAnAnswerForEach) {
  std::vector<Result<ScanPieceAnswer>> answers(2);
  answers[0]->page.examined = 3;
  answers[1] = Fail(Code::kMoved, "gone");
  const std::string bytes = EncodeScanGroupAnswer(answers);
  const auto read = DecodeScanGroupAnswer(bytes, 2);
  ASSERT_TRUE(read.has_value());
  ASSERT_TRUE((*read)[0].has_value());
  EXPECT_EQ((*read)[0]->page.examined, 3u);
  EXPECT_EQ((*read)[1].error().code(), Code::kMoved);
  EXPECT_FALSE(DecodeScanGroupAnswer(bytes, 1).has_value()) << "one that was not asked for";
  EXPECT_FALSE(DecodeScanGroupAnswer(bytes, 3).has_value()) << "one is missing";
}

TEST(Messages, OfAnotherVersionAreNotGuessedAt) {
  std::string request = WrapRequest({ContainerId(5), 9}, "body");
  request[0] = 1;
  EXPECT_EQ(OpenRequest(request).error().code(), Code::kUnsupported);
}

TEST(Messages, AWriteCarriesAllOfItsOperations) {
  const auto write = DecodeItemWrite(EncodeItemWrite(Transaction(), WriteSize::kScript));
  ASSERT_TRUE(write.has_value());
  EXPECT_EQ(write->size, WriteSize::kScript);
  ASSERT_EQ(write->transaction.operations.size(), 2u);
  const item::Operation& patch = write->transaction.operations[1];
  EXPECT_EQ(patch.if_match, Lsn(77));
  EXPECT_EQ(patch.patch[0].from, model::Path({"y", "z"}));
  ASSERT_TRUE(patch.condition.has_value());
  EXPECT_FALSE(model::Matches(*patch.condition, Json(R"({"a":[1]})")));
  EXPECT_TRUE(write->transaction.operations[0].if_absent);
  EXPECT_EQ(write->transaction.operations[0].written_at, Micros(1'700'000'000'000'000));
}

TEST(Messages, TheDigestIsOfRowsAsTheyWere) {
  RowsSeen other = Seen();
  other.now = Micros(1);
  other.rows[0].after.reset();
  other.looked.clear();
  EXPECT_EQ(DigestOf(other), DigestOf(Seen()));
  other.rows[1].before = other.rows[0].before;
  EXPECT_NE(DigestOf(other), DigestOf(Seen()));
}

TEST(Messages, AnExpressionTooDeepIsRefused) {
  MessageWriter out;
  for (int i = 0; i < model::kExpressionDepthMax + 1; ++i) {
    out.Number(static_cast<uint64_t>(Operator::kNot));
    out.Number(1);
  }
  out.Number(static_cast<uint64_t>(Operator::kLiteral));
  AppendValue(out, Value::Bool(true));
  const std::string bytes = std::move(out).Take();
  MessageReader in(bytes);
  (void)ReadExpression(in);
  EXPECT_FALSE(in.ok());
}

TEST(Messages, AnExpressionTooLargeIsRefused) {
  const auto read = [](size_t literals) {
    MessageWriter out;
    out.Number(static_cast<uint64_t>(Operator::kArray));
    out.Number(literals);
    for (size_t i = 0; i < literals; ++i) {
      out.Number(static_cast<uint64_t>(Operator::kLiteral));
      AppendValue(out, Value::Null());
    }
    const std::string bytes = std::move(out).Take();
    MessageReader in(bytes);
    (void)ReadExpression(in);
    return in.ok();
  };
  EXPECT_TRUE(read(model::kExpressionNodesMax - 1));
  EXPECT_FALSE(read(model::kExpressionNodesMax));
}

TEST(Messages, EveryOperatorOfAFilterIsReadBack) {
  const Expression path = Expression::Reference(model::Path({"a", "b"}));
  const Expression one = Expression::Literal(Value::Int32(1));
  for (const model::OperatorInfo& info : model::Operators()) {
    std::vector<Expression> operands = {path};
    while (operands.size() < info.operands_min) operands.push_back(one);
    operands.resize(std::min(operands.size(), info.operands_max), one);
    const auto filter = Expression::Apply(info.op, operands);
    ASSERT_TRUE(filter.has_value()) << info.name;
    MessageWriter out;
    AppendExpression(out, *filter);
    AppendExpression(out, Expression::Field(model::Path({"c"})));
    const std::string bytes = std::move(out).Take();
    MessageReader in(bytes);
    EXPECT_EQ(ToJson(ExpressionToJson(ReadExpression(in))), ToJson(ExpressionToJson(*filter)));
    EXPECT_EQ(ReadExpression(in).op(), Operator::kField);
    EXPECT_TRUE(in.End().has_value()) << info.name;
  }
}

}  // namespace
}  // namespace orrery::gateway
