// A blocking client of Direct mode over any socket with Send and ReadSome.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "api/sql/direct/direct_testing.h"
#include "net/raw_socket_for_test.h"

namespace orrery::sql::direct {

template <typename Socket>
class DirectClient {
 public:
  explicit DirectClient(uint16_t port) : socket_(port) {}

  bool Send(const std::string& bytes) { return socket_.Send(bytes); }

  // nullopt when the server has closed the connection.
  std::optional<TestAnswerFrame> Receive(bool is_context = false) {
    while (true) {
      std::string_view input = received_;
      if (auto answer = TakeAnswer(input, is_context)) {
        received_.erase(0, received_.size() - input.size());
        return answer;
      }
      const std::string more = socket_.ReadSome();
      if (more.empty()) return std::nullopt;
      received_ += more;
    }
  }

  std::optional<TestAnswerFrame> ShakeHands() {
    EXPECT_TRUE(Send(TestHandshake()));
    return Receive(/*is_context=*/true);
  }

  Socket& socket() { return socket_; }

 private:
  Socket socket_;
  std::string received_;
};

}  // namespace orrery::sql::direct
