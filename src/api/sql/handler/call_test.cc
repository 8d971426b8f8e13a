#include "api/sql/handler/call.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace orrery::sql {
namespace {

RequestHeaders OfRangeId() {
  RequestHeaders headers;
  headers.range_id = "11";
  return headers;
}

RequestHeaders OfEpkRange() {
  RequestHeaders headers;
  headers.epk_range.emplace();
  return headers;
}

// Returns the session token of the answer to a call with these headers.
std::string SessionAnswered(RequestHeaders headers, SqlResult<Reply> answer) {
  std::string session;
  Call call;
  call.headers = std::move(headers);
  call.respond = [&](SqlResult<Reply> sent, const AnswerFacts&) {
    session = sent.has_value() ? sent->session : sent.error().session;
  };
  Answer(call, std::move(answer));
  return session;
}

TEST(Call, RequestsForOneRangeGetOnePosition) {
  const Reply reply{.session = "11:-1#1454,12:-1#1460"};
  EXPECT_EQ(SessionAnswered({}, reply), "11:-1#1454,12:-1#1460");
  EXPECT_EQ(SessionAnswered(OfRangeId(), reply), "11:-1#1454");
  EXPECT_EQ(SessionAnswered(OfEpkRange(), reply), "11:-1#1454");
  EXPECT_EQ(SessionAnswered(OfRangeId(), Reply{.session = "3:-1#12"}), "3:-1#12");
  EXPECT_EQ(SessionAnswered(OfRangeId(), Reply{}), "");

  ErrorResponse throttled(Error(Code::kThrottled, "slow down"));
  throttled.session = "11:-1#1454,12:-1#1460";
  EXPECT_EQ(SessionAnswered(OfRangeId(), std::unexpected(throttled)), "11:-1#1454");
}

}  // namespace
}  // namespace orrery::sql
