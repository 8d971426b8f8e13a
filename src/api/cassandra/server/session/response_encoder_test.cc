#include "api/cassandra/server/session/response_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>

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
