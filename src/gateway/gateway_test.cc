#include "gateway/gateway.h"

#include <gtest/gtest.h>

#include "gateway/test_server.h"

namespace orrery::gateway {
namespace {

using model::Value;
using partition::ThroughputSettings;

WriteRequest Operation(ContainerRef container, item::OperationKind kind, std::string pk,
                       std::string id) {
  WriteRequest request;
  request.container = std::move(container);
  request.partition_key = KeyValues{Value::String(std::move(pk))};
  request.operations.emplace_back();
  request.operations.back().kind = kind;
  request.operations.back().row_key = Value::String(std::move(id));
  return request;
}

void AddDocument(WriteRequest& request, item::OperationKind kind, std::string_view json) {
  request.operations.emplace_back();
  request.operations.back().kind = kind;
  request.operations.back().document = Json(json);
}

void ExpectRefused(const WriteResponse& response, Code code, std::string_view text) {
  ASSERT_FALSE(response.status.has_value()) << text;
  EXPECT_EQ(response.status.error().code(), code) << response.status.error().ToString();
  EXPECT_NE(response.status.error().message().find(text), std::string::npos)
      << response.status.error().message();
}

TEST(Gateway, WritesAndReads) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c");
  const WriteResponse written = server.Put(container, R"({"id": "1", "pk": "a", "n": 1})");
  ASSERT_TRUE(written.status) << written.status.error().ToString();
  ASSERT_EQ(written.results.size(), 1u);
  EXPECT_EQ(written.results[0].done, item::OperationKind::kCreate);
  EXPECT_GT(written.charge, RequestUnits::Whole(4));
  EXPECT_FALSE(written.session.empty());

  const auto read = server.Get(container, "a", "1", written.session);
  ASSERT_TRUE(read.status.has_value()) << read.status.error().ToString();
  EXPECT_EQ(model::ToJson(read.item.document), R"({"id":"1","pk":"a","n":1})");
  EXPECT_EQ(read.item.lsn, written.results[0].lsn);
  EXPECT_EQ(read.charge, RequestUnits::Whole(1));
  EXPECT_EQ(server.Get(container, "b", "1").status.error().code(), Code::kNotFound);

  ASSERT_TRUE(
      server.gateway->WriteAndWait(Operation(container, item::OperationKind::kDelete, "a", "1"))
          .status);
  EXPECT_EQ(server.Get(container, "a", "1").status.error().code(), Code::kNotFound);
}

TEST(Gateway, AReadOfNothingIsCharged) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c", ThroughputSettings::Manual(400));
  const WriteResponse written = server.Put(container, R"({"id": "1", "pk": "a"})");
  const ReadResponse nothing = server.Get(container, "a", "2");
  EXPECT_EQ(nothing.status.error().code(), Code::kNotFound);
  EXPECT_EQ(nothing.charge, RequestUnits::Whole(1));
  EXPECT_EQ(nothing.session, written.session);

  const ReadResponse refused = server.Get(container, "a", std::string(2049, 'x'));
  EXPECT_EQ(refused.status.error().code(), Code::kTooLarge);
  EXPECT_EQ(refused.charge, RequestUnits());
  EXPECT_TRUE(refused.session.empty());
}

TEST(Gateway, AcknowledgedWritesSurviveARestart) {
  TestServer server;
  ASSERT_TRUE(server.Put(server.MakeContainer("c"), R"({"id": "1", "pk": "a"})").status);
  server.Restart();
  EXPECT_TRUE(server.Get(server.Find("c"), "a", "1").status.has_value());
}

TEST(Gateway, ContainerWithoutKey) {
  TestServer server;
  ASSERT_TRUE(server.catalog->CreateDatabase("db", {}).has_value());
  ContainerSettings settings;
  settings.name = "c";
  const ContainerRef container = *server.catalog->CreateContainer("db", settings);
  ASSERT_TRUE(server.Put(container, R"({"id": "1"})").status);
  EXPECT_TRUE(server.gateway->Read(container, {}, Value::String("1"), storage::ReadMode::kMayBlock)
                  .status.has_value());
}

TEST(Gateway, BatchesAreAllOrNothing) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c");
  WriteRequest batch = TestServer::Upsert(container, R"({"id": "1", "pk": "a"})");
  AddDocument(batch, item::OperationKind::kReplace, R"({"id": "2", "pk": "a"})");
  const WriteResponse response = server.gateway->WriteAndWait(std::move(batch));
  EXPECT_EQ(response.status.error().code(), Code::kNotFound);
  EXPECT_EQ(response.failed_operation, 1u);
  EXPECT_EQ(server.Get(container, "a", "1").status.error().code(), Code::kNotFound);

  WriteRequest mixed = TestServer::Upsert(container, R"({"id": "1", "pk": "a"})");
  AddDocument(mixed, item::OperationKind::kUpsert, R"({"id": "2", "pk": "b"})");
  ExpectRefused(server.gateway->WriteAndWait(std::move(mixed)), Code::kInvalidArgument,
                "operation 1");

  WriteRequest large;
  large.container = container;
  for (int i = 0; i <= 100; ++i) {
    AddDocument(large, item::OperationKind::kUpsert, R"({"id": "1", "pk": "a"})");
  }
  ExpectRefused(server.gateway->WriteAndWait(std::move(large)), Code::kInvalidArgument,
                "the most is 100");
}

TEST(Gateway, ScriptsMayWriteMoreAtOnceAndCheckWhatTheyRead) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c");
  ASSERT_TRUE(server.Put(container, R"({"id": "read", "pk": "a"})").status.has_value());
  const Lsn read = server.Get(container, "a", "read").item.lsn;
  const auto make = [&](Lsn expected) {
    WriteRequest request;
    request.container = container;
    request.partition_key = KeyValues{model::Value::String("a")};
    request.size = WriteSize::kScript;
    WriteOperation& check = request.operations.emplace_back();
    check.kind = item::OperationKind::kCheck;
    check.row_key = model::Value::String("read");
    check.if_match = expected;
    for (int i = 0; i < 300; ++i) {
      AddDocument(request, item::OperationKind::kUpsert,
                  R"({"id": ")" + std::to_string(i) + R"(", "pk": "a"})");
    }
    return request;
  };
  const WriteResponse refused = server.gateway->WriteAndWait(make(Lsn(read.value() + 1)));
  ExpectRefused(refused, Code::kPreconditionFailed, "changed");
  EXPECT_EQ(refused.failed_operation, 0u);
  EXPECT_FALSE(server.Get(container, "a", "299").status.has_value());
  EXPECT_TRUE(server.gateway->WriteAndWait(make(read)).status.has_value());
  EXPECT_TRUE(server.Get(container, "a", "299").status.has_value());
}

TEST(Gateway, WritesOfScriptsGoIntoDebt) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c", ThroughputSettings::Manual(400));
  int written = 0;
  while (server.Put(container, R"({"id": "1", "pk": "a"})").status.has_value()) ++written;
  EXPECT_GT(written, 0);
  WriteRequest request = TestServer::Upsert(container, R"({"id": "2", "pk": "a"})");
  request.size = WriteSize::kScript;
  EXPECT_TRUE(server.gateway->WriteAndWait(std::move(request)).status.has_value());
}

TEST(Gateway, BadInputChangesNothing) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c");
  ExpectRefused(server.Put(container, R"({"pk": "a"})"), Code::kInvalidArgument,
                "'/id' is missing");
  ExpectRefused(server.Put(container, R"({"id": 5, "pk": "a"})"), Code::kInvalidArgument,
                "must be a string");
  ExpectRefused(server.Put(container, R"({"id": ")" + std::string(2049, 'x') + R"(", "pk": "a"})"),
                Code::kTooLarge, "2049 bytes, the most is 2048");
  ExpectRefused(server.Put(container, R"({"id": "1", "pk": ")" + std::string(2049, 'x') + R"("})"),
                Code::kTooLarge, "the most is 2048");
  ExpectRefused(server.Put(container, R"({"id": "1", "pk": "a", "x": ")" +
                                          std::string(2 << 20, 'x') + R"("})"),
                Code::kTooLarge, "the most is 2097152");

  WriteRequest wrong_key = TestServer::Upsert(container, R"({"id": "1", "pk": "a"})");
  wrong_key.partition_key = KeyValues{Value::String("b")};
  ExpectRefused(server.gateway->WriteAndWait(std::move(wrong_key)), Code::kInvalidArgument,
                "partition key");
  WriteRequest wrong_id = TestServer::Upsert(container, R"({"id": "1", "pk": "a"})");
  wrong_id.operations[0].row_key = Value::String("2");
  ExpectRefused(server.gateway->WriteAndWait(std::move(wrong_id)), Code::kInvalidArgument,
                "row key");
  WriteRequest nothing;
  nothing.container = container;
  ExpectRefused(server.gateway->WriteAndWait(std::move(nothing)), Code::kInvalidArgument,
                "no operations");

  WriteRequest patch = Operation(container, item::OperationKind::kPatch, "a", "1");
  patch.operations[0].patch = {
      {model::PatchType::kSet, *model::Path::Parse("/pk"), Value::String("b"), {}}};
  ExpectRefused(server.gateway->WriteAndWait(std::move(patch)), Code::kInvalidArgument, "'/pk'");
  EXPECT_TRUE(server.gateway->Scan(container, {}, "")->items.empty());
}

TEST(Gateway, UndefinedPartitionKeyIsAKey) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c");
  ASSERT_TRUE(server.Put(container, R"({"id": "1"})").status);
  ASSERT_TRUE(server.Put(container, R"({"id": "2", "pk": {"a": 1}})").status);
  ASSERT_TRUE(server.Put(container, R"({"id": "3", "pk": ["a"]})").status);
  for (const char* id : {"1", "2", "3"}) {
    EXPECT_TRUE(
        server.gateway
            ->Read(container, {Value::Undefined()}, Value::String(id), storage::ReadMode::kMayBlock)
            .status.has_value())
        << id;
  }
}

TEST(Gateway, DroppedContainerIsNotFound) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c", ThroughputSettings::Manual(1000));
  ASSERT_TRUE(server.Put(container, R"({"id": "1", "pk": "a"})").status);
  ASSERT_TRUE(server.catalog->DropContainer("db", "c").has_value());
  ExpectRefused(server.Put(container, R"({"id": "1", "pk": "a"})"), Code::kNotFound,
                "'c' was dropped");
  EXPECT_EQ(server.Get(container, "a", "1").status.error().code(), Code::kNotFound);
  EXPECT_EQ(server.gateway->Scan(container, {}, "").error().code(), Code::kNotFound);
}

TEST(Gateway, ThrottlesAboveTheRate) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c", ThroughputSettings::Manual(400));
  RequestUnits spent;
  std::optional<Error> refusal;
  for (int i = 0; i < 200 && !refusal.has_value(); ++i) {
    const WriteResponse response = server.Put(container, R"({"id": "1", "pk": "a"})");
    spent += response.charge;
    if (!response.status.has_value()) refusal = response.status.error();
  }
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->code(), Code::kThrottled);
  EXPECT_EQ(refusal->message().substr(0, 22), "Request rate is large.");
  EXPECT_GT(refusal->retry_after_ms(), 0u);
  EXPECT_GE(spent, RequestUnits::Whole(400));
  EXPECT_EQ(server.Get(container, "a", "1").status.error().code(), Code::kThrottled);
  EXPECT_EQ(server.gateway->Scan(container, {}, "").error().code(), Code::kThrottled);

  server.clock.Advance(std::chrono::milliseconds(refusal->retry_after_ms()));
  EXPECT_TRUE(server.Put(container, R"({"id": "1", "pk": "a"})").status);
  EXPECT_NE(server.metrics.Render().find("orrery_throttled_total 3"), std::string::npos);
}

TEST(Gateway, TenantsDoNotDisturbEachOther) {
  TestServer server;
  const ContainerRef busy = server.MakeContainer("busy", ThroughputSettings::Manual(400));
  const ContainerRef quiet = server.MakeContainer("quiet", ThroughputSettings::Manual(400));
  while (server.Put(busy, R"({"id": "1", "pk": "a"})").status.has_value()) {
  }
  EXPECT_TRUE(server.Put(quiet, R"({"id": "1", "pk": "a"})").status);
}

TEST(Gateway, SessionAheadOfThePartition) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c");
  const WriteResponse written = server.Put(container, R"({"id": "1", "pk": "a"})");
  const std::string partition = written.session.substr(0, written.session.find(':'));
  const auto ahead = server.Get(container, "a", "1", partition + ":-1#999");
  ASSERT_FALSE(ahead.status.has_value());
  EXPECT_EQ(ahead.status.error().code(), Code::kUnavailable);
  EXPECT_EQ(server.Get(container, "a", "1", "nonsense").status.error().code(),
            Code::kInvalidArgument);
  EXPECT_TRUE(server.Get(container, "a", "1", "77777:-1#999").status.has_value());
}

TEST(Gateway, CachedReadsDoNotBlock) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c");
  ASSERT_TRUE(server.Put(container, R"({"id": "1", "pk": "a"})").status);
  EXPECT_TRUE(server.gateway
                  ->Read(container, {Value::String("a")}, Value::String("1"),
                         storage::ReadMode::kCachedOnly)
                  .status.has_value());
}

TEST(Gateway, ReadsByAnEncodedKey) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c");
  ASSERT_TRUE(server.Put(container, R"({"id": "1", "pk": "a", "n": 7})").status);
  const RoutedKey routed =
      server.gateway->RoutePartitionKey(*container, {Value::String("a")}).value();
  const auto read = [&](std::string_view id) {
    const item::ItemKey key{
        routed.hash, routed.encoded,
        server.gateway->EncodeRowKey(*container, Value::String(std::string(id))).value()};
    return server.gateway->Read(container, key, storage::ReadMode::kMayBlock);
  };
  const ReadResponse found = read("1");
  ASSERT_TRUE(found.status.has_value());
  EXPECT_EQ(found.item.document.Find("n")->ToValue(), Value::Int32(7));
  EXPECT_EQ(read("2").status.error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace orrery::gateway
