#include "net/framed/send_buffer.h"

#include <gmock/gmock.h>

namespace orrery::net {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Brackets final : public SendWrapper {
 public:
  void Wrap(std::string_view messages, std::string& wire) override {
    wire.append("[").append(messages).append("]");
  }
};

TEST(SendBufferTest, WhatIsBeingSentStaysWhereItIs) {
  SendBuffer send_buffer;
  EXPECT_EQ(send_buffer.Wire(), "");
  send_buffer.gather() = "first";
  const std::string_view wire = send_buffer.Wire();
  EXPECT_EQ(wire, "first");
  send_buffer.gather().append("second");
  EXPECT_EQ(send_buffer.Wire().data(), wire.data());
  EXPECT_EQ(send_buffer.Wire(), "first");
  EXPECT_EQ(send_buffer.unsent_bytes(), 11u);
  send_buffer.Consume(3);
  EXPECT_EQ(send_buffer.Wire(), "st");
  send_buffer.Consume(2);
  EXPECT_EQ(send_buffer.Wire(), "second");
  send_buffer.Consume(6);
  EXPECT_EQ(send_buffer.unsent_bytes(), 0u);
}

TEST(SendBufferTest, PiecesKeepTheirLengths) {
  SendBuffer send_buffer;
  for (const char* answer : {"first", "second", "third"}) {
    send_buffer.gather().append(answer);
    send_buffer.EndPiece();
  }
  send_buffer.EndPiece();
  send_buffer.gather().append("rest");
  EXPECT_EQ(send_buffer.Wire(), "firstsecondthirdrest");
  EXPECT_THAT(send_buffer.pieces(), ElementsAre(5, 6, 5)) << "none of them empty";
  send_buffer.Consume(2);
  EXPECT_EQ(send_buffer.Wire(), "rstsecondthirdrest");
  EXPECT_THAT(send_buffer.pieces(), ElementsAre(3, 6, 5));
  send_buffer.gather().append("later");
  send_buffer.EndPiece();
  send_buffer.Consume(5);
  EXPECT_EQ(send_buffer.Wire(), "condthirdrest");
  EXPECT_THAT(send_buffer.pieces(), ElementsAre(4, 5));
  send_buffer.Consume(9);
  EXPECT_EQ(send_buffer.Wire(), "rest");
  EXPECT_THAT(send_buffer.pieces(), IsEmpty());
  send_buffer.Consume(4);
  EXPECT_EQ(send_buffer.Wire(), "later");
  EXPECT_THAT(send_buffer.pieces(), ElementsAre(5));
  send_buffer.Consume(5);
  EXPECT_EQ(send_buffer.Wire(), "");
  EXPECT_THAT(send_buffer.pieces(), IsEmpty());
}

TEST(SendBufferTest, WhatWasGatheredBeforeGoesOutUnwrapped) {
  Brackets brackets;
  SendBuffer send_buffer;
  send_buffer.gather() = "bare";
  send_buffer.WrapFromHere(brackets);
  send_buffer.gather().append("a").append("b");
  EXPECT_EQ(send_buffer.Wire(), "bare[ab]");
  send_buffer.Consume(8);
  send_buffer.gather().append("c");
  EXPECT_EQ(send_buffer.Wire(), "[c]");

  SendBuffer alone;
  alone.gather() = "bare";
  alone.WrapFromHere(brackets);
  EXPECT_EQ(alone.Wire(), "bare") << "no empty frame";
}

TEST(SendBufferTest, AnEmptyOneKeepsNoMemory) {
  constexpr size_t kLittle = 2 << 10;
  Brackets brackets;
  for (const bool wrapped : {false, true}) {
    const auto budget = std::make_shared<ByteBudget>(1);
    SendBuffer send_buffer(budget);
    if (wrapped) send_buffer.WrapFromHere(brackets);
    send_buffer.gather().assign(1 << 20, 'x');
    EXPECT_GE(send_buffer.Wire().size(), 1u << 20);
    EXPECT_GE(budget->bytes(), 1u << 20);
    send_buffer.Consume(send_buffer.Wire().size());
    EXPECT_LE(send_buffer.memory_bytes(), kLittle);
    EXPECT_EQ(budget->bytes(), 0u);
    send_buffer.ExpectBurst();
    EXPECT_GE(send_buffer.memory_bytes(), 1u << 20);
    send_buffer.EndBurst();
    EXPECT_LE(send_buffer.memory_bytes(), kLittle);
  }
}

}  // namespace
}  // namespace orrery::net
