#include "server/foreign_ready_lines.h"

#include <gtest/gtest.h>

namespace orrery::server {
namespace {

TEST(ForeignReadyLinesTest, SayWhatIsOpen) {
  Endpoints endpoints;
  endpoints.host = "localhost";
  endpoints.sql = 8081;
  EXPECT_EQ(ForeignReadyLines(endpoints), "Now listening on: http://localhost:8081/\nStarted\r\n");
  endpoints.cassandra = 9042;
  endpoints.mongo = 27017;
  endpoints.table = 8902;
  endpoints.table_storage = 10002;
  EXPECT_EQ(ForeignReadyLines(endpoints),
            "Startup complete\n"
            "Waiting for connections\n"
            "Azurite Table service is successfully listening at http://localhost:10002\n"
            "Now listening on: http://localhost:8081/\n"
            "Started\r\n");
}

}  // namespace
}  // namespace orrery::server
