// Access to the service: signatures, shared access signatures, and nobody else.
#include <gtest/gtest.h>

#include "api/table/service/service_testing.h"

namespace orrery::table {
namespace {

class TableAccessTest : public TableServiceTest {
 protected:
  TableAccessTest() { MakeTable("People"); }

  static constexpr std::string_view kEntity = R"({"PartitionKey":"a","RowKey":"b","n":1})";

  int StatusOf(const std::string& target, std::string_view method = "GET", std::string body = {}) {
    return SendAs(Request(method, target, {{"accept", "application/json"}, {"if-match", "*"}},
                          std::move(body)))
        .status();
  }

  // A table SAS of version 2019-02-02.
  std::string TableSas(const std::string& permissions, const std::string& expiry,
                       const std::string& more = {}, const std::string& keys = "\n\n\n") {
    const std::string text =
        permissions + "\n\n" + expiry + "\n/table/localhost/people\n\n\n\n2019-02-02\n" + keys;
    return "sv=2019-02-02&tn=People&sp=" + permissions + "&se=" + net::PercentEncode(expiry) +
           more + "&sig=" + net::PercentEncode(Signature(text));
  }
};

constexpr std::string_view kLater = "2099-01-01T00:00:00Z";

TEST_F(TableAccessTest, NobodyWithoutCredentials) {
  const TestResponse refused =
      SendAs(Request("GET", "/Tables", {{"accept", "application/json"}}, ""));
  EXPECT_EQ(refused.status(), 401);
  EXPECT_EQ(refused.header("x-ms-error-code"), "NoAuthenticationInformation");
}

TEST_F(TableAccessTest, AWrongSignatureOrDateIsRefused) {
  const std::string date = net::FormatHttpDate(server_.clock.Now());
  const auto send = [&](const std::string& when, const std::string& authorization) {
    return SendAs(Request("GET", "/Tables", {{"x-ms-date", when}, {"authorization", authorization}},
                          ""))
        .status();
  };
  const std::string good = Signature(date + "\n/localhost/Tables");
  EXPECT_EQ(send(date, "SharedKeyLite localhost:" + good), 200);
  EXPECT_EQ(send(date, "SharedKeyLite other:" + good), 403);
  EXPECT_EQ(send(date, "SharedKey localhost:" + good), 403);
  EXPECT_EQ(send(date, "SharedKeyLite localhost:" + Signature(date + "\n/localhost/People")), 403);
  EXPECT_EQ(send(date, "SharedKeyLite localhost:AAAA"), 403);
  EXPECT_EQ(send(date, "garbage"), 403);
  const std::string late = net::FormatHttpDate(server_.clock.Now() - std::chrono::minutes(16));
  EXPECT_EQ(send(late, "SharedKeyLite localhost:" + Signature(late + "\n/localhost/Tables")), 403);
  EXPECT_EQ(send(date, "Bearer " + std::string(gateway::kWellKnownKey)), 200);
  EXPECT_EQ(send(date, "Bearer wrong"), 403);
}

TEST_F(TableAccessTest, SharedKeySignsVerbAndType) {
  const std::string date = net::FormatHttpDate(server_.clock.Now());
  const std::string text =
      "POST\n\napplication/json\n" + date + "\n/devstoreaccount1/devstoreaccount1/People";
  EXPECT_EQ(SendAs(Request("POST", "/devstoreaccount1/People",
                           {{"x-ms-date", date},
                            {"content-type", "application/json"},
                            {"authorization",
                             "SharedKey devstoreaccount1:" + Signature(text, kStorageEmulatorKey)}},
                           std::string(kEntity)),
                   Dialect::kStorage)
                .status(),
            201);
}

TEST_F(TableAccessTest, ATableSasAllowsWhatItSays) {
  const std::string sas = TableSas("r", std::string(kLater));
  EXPECT_EQ(StatusOf("/People()?" + sas), 200);
  EXPECT_EQ(StatusOf("/Tables?" + sas), 403);
  EXPECT_EQ(StatusOf("/People?" + sas, "POST", std::string(kEntity)), 403);
  EXPECT_EQ(StatusOf("/People?" + TableSas("a", std::string(kLater)), "POST", std::string(kEntity)),
            201);
  // Signed for less than it is used for.
  std::string forged = sas;
  forged.replace(forged.find("sp=r"), 4, "sp=raud");
  EXPECT_EQ(StatusOf("/People()?" + forged), 403);
  EXPECT_EQ(StatusOf("/People()?" + TableSas("r", "2001-01-01T00:00:00Z")), 403);
}

TEST_F(TableAccessTest, ATableSasIsForItsKeys) {
  const std::string sas = TableSas("raud", std::string(kLater), "&spk=b&epk=c", "b\n\nc\n");
  const auto put = [&](const std::string& pk) {
    return StatusOf("/People?" + sas, "POST", R"({"PartitionKey":")" + pk + R"(","RowKey":"x"})");
  };
  EXPECT_EQ(put("b"), 201);
  EXPECT_EQ(put("c"), 201);
  EXPECT_EQ(put("a"), 403);
  EXPECT_EQ(put("d"), 403);
  Send("POST", "/People", {}, std::string(kEntity));
  const TestResponse seen = SendAs(
      Request("GET", "/People()?" + sas, {{"accept", "application/json;odata=nometadata"}}, ""));
  EXPECT_EQ(seen.body().find("\"a\""), std::string::npos) << seen.body();
  EXPECT_NE(seen.body().find("\"b\""), std::string::npos) << seen.body();
  EXPECT_EQ(StatusOf("/People(PartitionKey='a',RowKey='b')?" + sas), 403);
}

TEST_F(TableAccessTest, ATableSasIsForAddressesProtocolsAndTimes) {
  const auto status = [&](const std::string& start, const std::string& ip,
                          const std::string& protocol, bool tls = false) {
    const std::string later(kLater);
    const std::string text = "r\n" + start + "\n" + later + "\n/table/localhost/people\n\n" + ip +
                             "\n" + protocol + "\n2019-02-02\n\n\n\n";
    net::HttpRequest request = Request(
        "GET",
        "/People()?sv=2019-02-02&tn=People&sp=r&st=" + net::PercentEncode(start) +
            "&se=" + net::PercentEncode(later) + "&sip=" + ip +
            "&spr=" + net::PercentEncode(protocol) + "&sig=" + net::PercentEncode(Signature(text)),
        {{"accept", "application/json"}}, "");
    request.tls = tls;
    return SendAs(std::move(request)).status();
  };
  EXPECT_EQ(status("", "127.0.0.1", ""), 200);
  EXPECT_EQ(status("", "127.0.0.0-127.0.0.9", ""), 200);
  EXPECT_EQ(status("", "10.0.0.1", ""), 403);
  EXPECT_EQ(status("", "10.0.0.0-10.0.0.9", ""), 403);
  EXPECT_EQ(status("", "nonsense", ""), 403);
  EXPECT_EQ(status("", "", "https"), 403);
  EXPECT_EQ(status("", "", "https", true), 200);
  EXPECT_EQ(status("", "", "https,http"), 200);
  EXPECT_EQ(status("2001-01-01T00:00:00Z", "", ""), 200);
  EXPECT_EQ(status("2098-01-01T00:00:00Z", "", ""), 403);
  EXPECT_EQ(status("nonsense", "", ""), 403);
}

TEST_F(TableAccessTest, OldVersionsSignWithoutAddresses) {
  for (const std::string version : {"2012-02-12", "2013-08-15", "2014-02-14"}) {
    const std::string text =
        "r\n\n" + std::string(kLater) + "\n/localhost/people\n\n" + version + "\n\n\n\n";
    EXPECT_EQ(StatusOf("/People()?sv=" + version + "&tn=People&sp=r&se=" +
                       net::PercentEncode(kLater) + "&sig=" + net::PercentEncode(Signature(text))),
              200)
        << version;
  }
}

TEST_F(TableAccessTest, ABatchIsForWhatTheSasAllowsOnly) {
  EXPECT_EQ(Send("POST", "/People", {}, std::string(kEntity)).status(), 201);
  const auto batch = [&](const std::string& permissions) {
    const std::string body =
        "--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
        "--c\r\nContent-Type: application/http\r\n\r\n"
        "POST /People HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"
        R"({"PartitionKey":"a","RowKey":"new"})"
        "\r\n--c\r\nContent-Type: application/http\r\n\r\n"
        "DELETE /People(PartitionKey='a',RowKey='b') HTTP/1.1\r\nIf-Match: *\r\n\r\n"
        "\r\n--c--\r\n--b--\r\n";
    return SendAs(Request("POST", "/$batch?" + TableSas(permissions, std::string(kLater)),
                          {{"content-type", "multipart/mixed; boundary=b"}}, body));
  };
  const TestResponse refused = batch("ra");
  EXPECT_NE((std::to_string(refused.status()) + refused.body()).find("403"), std::string::npos)
      << refused.body();
  EXPECT_EQ(Send("GET", "/People(PartitionKey='a',RowKey='new')").status(), 404);
  EXPECT_EQ(Send("GET", "/People(PartitionKey='a',RowKey='b')").status(), 200);
  EXPECT_EQ(batch("rad").status(), 202);
  EXPECT_EQ(Send("GET", "/People(PartitionKey='a',RowKey='new')").status(), 200);
  EXPECT_EQ(Send("GET", "/People(PartitionKey='a',RowKey='b')").status(), 404);
}

TEST_F(TableAccessTest, StoredPoliciesCanBeWithdrawn) {
  const auto set = [&](const std::string& xml) {
    return Send("PUT", "/People?comp=acl", {}, xml).status();
  };
  const std::string policy =
      "<SignedIdentifiers><SignedIdentifier><Id>p</Id><AccessPolicy><Expiry>2099-01-01T00:00:00Z</"
      "Expiry>"
      "<Permission>r</Permission></AccessPolicy></SignedIdentifier></SignedIdentifiers>";
  EXPECT_EQ(set(policy), 204);
  const std::string text = "\n\n\n/table/localhost/people\np\n\n\n2019-02-02\n\n\n\n";
  const std::string sas = "sv=2019-02-02&tn=People&si=p&sig=" + net::PercentEncode(Signature(text));
  EXPECT_EQ(StatusOf("/People()?" + sas), 200);
  EXPECT_NE(
      Send("GET", "/People?comp=acl").body().find("<Expiry>2099-01-01T00:00:00.0000000Z</Expiry>"),
      std::string::npos);
  EXPECT_EQ(set("<SignedIdentifiers />"), 204);
  EXPECT_EQ(StatusOf("/People()?" + sas), 403);
  EXPECT_EQ(
      set("<SignedIdentifiers><SignedIdentifier><Id>x</Id></SignedIdentifier></SignedIdentifiers>"),
      204);
  EXPECT_EQ(set("<Wrong />"), 400);
}

TEST_F(TableAccessTest, AnAccountSasIsForServicesAndResources) {
  const auto sas = [&](const std::string& services, const std::string& types,
                       const std::string& permissions, const std::string& version,
                       const std::string& extra) {
    const std::string text = "localhost\n" + permissions + "\n" + services + "\n" + types + "\n\n" +
                             std::string(kLater) + "\n\n\n" + version + "\n" + extra;
    return "sv=" + version + "&ss=" + services + "&srt=" + types + "&sp=" + permissions +
           "&se=" + net::PercentEncode(kLater) + "&sig=" + net::PercentEncode(Signature(text));
  };
  EXPECT_EQ(StatusOf("/Tables?" + sas("t", "sco", "rl", "2019-02-02", "")), 200);
  EXPECT_EQ(StatusOf("/Tables?" + sas("t", "sco", "rl", "2020-12-06", "\n")), 200);
  EXPECT_EQ(StatusOf("/Tables?" + sas("b", "sco", "rl", "2019-02-02", "")), 403);
  EXPECT_EQ(StatusOf("/Tables?" + sas("t", "o", "rl", "2019-02-02", "")), 403);
  EXPECT_EQ(StatusOf("/Tables('People')?" + sas("t", "sco", "r", "2019-02-02", ""), "DELETE"), 403);
}

TEST_F(TableAccessTest, TheSecondaryTakesNoWrites) {
  const std::string date = net::FormatHttpDate(server_.clock.Now());
  const auto send = [&](std::string_view method, const std::string& target,
                        const std::string& path) {
    const std::string text = date + "\n/localhost" + path;
    return SendAs(Request(method, target,
                          {{"x-ms-date", date},
                           {"authorization", "SharedKeyLite localhost:" + Signature(text)}},
                          ""))
        .status();
  };
  EXPECT_EQ(send("GET", "/localhost-secondary/Tables", "/localhost-secondary/Tables"), 200);
  EXPECT_EQ(send("DELETE", "/localhost-secondary/Tables('People')",
                 "/localhost-secondary/Tables('People')"),
            403);
}

}  // namespace
}  // namespace orrery::table
