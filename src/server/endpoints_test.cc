#include "server/endpoints.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "model/document/json.h"

namespace orrery::server {
namespace {

Endpoints Local() {
  Endpoints endpoints;
  endpoints.host = "127.0.0.1";
  endpoints.has_tls = true;
  endpoints.trusts_local = true;
  endpoints.account = "localhost";
  endpoints.key = "a+b/c==";
  endpoints.datacenter = "datacenter1";
  endpoints.sql = 8081;
  endpoints.cassandra = 9042;
  endpoints.table = 8902;
  endpoints.mongo = 27017;
  endpoints.mongo_cosmos = 10255;
  endpoints.gremlin = 8182;
  return endpoints;
}

std::string Variable(const Endpoints& endpoints, std::string_view name) {
  for (const auto& [key, value] : VariablesFor(endpoints)) {
    if (key == name) return value;
  }
  return "(none)";
}

TEST(EndpointsTest, VariablesAreWhatClientsTake) {
  const Endpoints local = Local();
  EXPECT_EQ(Variable(local, "COSMOS_ENDPOINT"), "http://127.0.0.1:8081/");
  EXPECT_EQ(Variable(local, "COSMOS_CONNECTION_STRING"),
            "AccountEndpoint=http://127.0.0.1:8081/;AccountKey=a+b/c==;");
  EXPECT_EQ(Variable(local, "CASSANDRA_HOST"), "127.0.0.1");
  EXPECT_EQ(Variable(local, "CASSANDRA_PORT"), "9042");
  EXPECT_EQ(Variable(local, "MONGODB_URI"), "mongodb://127.0.0.1:27017/?replicaSet=globaldb");
  EXPECT_EQ(Variable(local, "AZURE_STORAGE_CONNECTION_STRING"),
            "DefaultEndpointsProtocol=http;AccountName=localhost;AccountKey=a+b/c==;"
            "TableEndpoint=http://127.0.0.1:8902/;");
  EXPECT_EQ(Variable(local, "GREMLIN_URL"), "ws://127.0.0.1:8182/gremlin");
}

TEST(EndpointsTest, ClosedPortsHaveNoVariables) {
  Endpoints endpoints = Local();
  endpoints.cassandra = endpoints.table = endpoints.mongo = endpoints.mongo_cosmos = 0;
  endpoints.gremlin = 0;
  for (const char* const name :
       {"CASSANDRA_HOST", "MONGODB_URI", "AZURE_STORAGE_CONNECTION_STRING", "GREMLIN_URL"})
    EXPECT_EQ(Variable(endpoints, name), "(none)") << name;
}

TEST(EndpointsTest, CredentialsStandWhereTheyAreRequired) {
  Endpoints endpoints = Local();
  endpoints.trusts_local = false;
  endpoints.only_tls = true;
  endpoints.host = "::1";
  EXPECT_EQ(Variable(endpoints, "MONGODB_URI"),
            "mongodb://localhost:a%2Bb%2Fc%3D%3D@[::1]:27017/?replicaSet=globaldb&tls=true");
  EXPECT_EQ(Variable(endpoints, "COSMOS_ENDPOINT"), "https://[::1]:8081/");
  endpoints.trusts_local = true;
  endpoints.mongo = 0;  // the other port asks everybody
  EXPECT_EQ(Variable(endpoints, "MONGODB_URI"),
            "mongodb://localhost:a%2Bb%2Fc%3D%3D@[::1]:10255/?replicaSet=globaldb&tls=true");
}

TEST(EndpointsTest, TheReadyFileIsPrivateJson) {
  const std::string path =
      testing::TempDir() + "/endpoints_test_" + std::to_string(getpid()) + ".json";
  ASSERT_TRUE(WriteReadyFile(path, Local()).has_value());
  struct stat info{};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  unlink(path.c_str());
  const auto json = model::ParseJson(text.str());
  ASSERT_TRUE(json.has_value());
  const model::Value ports = json->view().Get("ports");
  ASSERT_NE(ports.Find("mongo"), nullptr);
  EXPECT_EQ(ports.Find("mongo")->AsInteger(), 27017);
  EXPECT_EQ(ports.Find("sqlDirect"), nullptr);  // closed
}

TEST(EndpointsTest, AReadyFileThatCannotBeWrittenIsNamed) {
  const Status status = WriteReadyFile("/nonexistent/ready.json", Local());
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().message().find("'/nonexistent/ready.json'"), std::string::npos);
}

}  // namespace
}  // namespace orrery::server
