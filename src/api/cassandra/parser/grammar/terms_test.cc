#include "api/cassandra/parser/grammar/terms.h"

#include <gtest/gtest.h>

#include <string>

#include "api/cassandra/parser/parser.h"
#include "api/cassandra/parser/print/print.h"

namespace orrery::cassandra {
namespace {

using ast::Term;
using query::TextPosition;

Term Value(std::string_view text) {
  auto term = cassandra::ParseTerm(text);
  EXPECT_TRUE(term.has_value()) << text << "\n" << term.error().message;
  return term ? std::move(*term) : Term{};
}

Term Selection(std::string_view text) {
  auto term = ParseSelection(text);
  EXPECT_TRUE(term.has_value()) << text << "\n" << term.error().message;
  return term ? std::move(*term) : Term{};
}

// The shape of sums and products with every operator's operands in brackets.
std::string Shape(const Term& term) {
  if (const auto* arithmetic = term.As<ast::Arithmetic>()) {
    constexpr char kSigns[] = {'+', '-', '*', '/', '%'};
    return "<" + Shape(*arithmetic->left) + kSigns[static_cast<size_t>(arithmetic->op)] +
           Shape(*arithmetic->right) + ">";
  }
  if (const auto* negation = term.As<ast::Negation>()) return "<-" + Shape(*negation->term) + ">";
  return PrintTerm(term);
}

TEST(Terms, ConstantsKeepTheirFormAndText) {
  const struct {
    std::string_view text;
    ast::ConstantKind kind;
    std::string_view kept;
  } cases[] = {
      {"'it''s'", ast::ConstantKind::kString, "it's"},
      {"''", ast::ConstantKind::kString, ""},
      {"$$a''b$$", ast::ConstantKind::kString, "a''b"},
      {"-007", ast::ConstantKind::kInteger, "-007"},
      {"1.5E3", ast::ConstantKind::kFloat, "1.5E3"},
      {"TRUE", ast::ConstantKind::kBoolean, "TRUE"},
      {"550E8400-e29b-41d4-a716-446655440000", ast::ConstantKind::kUuid,
       "550E8400-e29b-41d4-a716-446655440000"},
      {"0xCaFe", ast::ConstantKind::kHex, "0xCaFe"},
      {"-1h30m", ast::ConstantKind::kDuration, "-1h30m"},
      {"nan", ast::ConstantKind::kNan, "nan"},
      {"-Infinity", ast::ConstantKind::kInfinity, "-Infinity"},
  };
  for (const auto& [text, kind, kept] : cases) {
    const Term term = Value(text);
    const auto* constant = term.As<ast::Constant>();
    ASSERT_NE(constant, nullptr) << text;
    EXPECT_EQ(constant->kind, kind) << text;
    EXPECT_EQ(constant->text, kept) << text;
  }
  EXPECT_NE(Value("NULL").As<ast::Null>(), nullptr);
}

TEST(Terms, ProductsBindTighterThanSums) {
  EXPECT_EQ(Shape(Value("1 + 2 * 3")), "<1+<2*3>>");
  EXPECT_EQ(Shape(Value("1 * 2 + 3")), "<<1*2>+3>");
  EXPECT_EQ(Shape(Value("1 - 2 - 3")), "<<1-2>-3>");
  EXPECT_EQ(Shape(Value("1 / 2 % 3 * 4")), "<<<1/2>%3>*4>");
  EXPECT_EQ(Shape(Selection("-a * b")), "<<-a>*b>");
  EXPECT_EQ(Shape(Selection("- - a + b")), "<<-<-a>>+b>");
}

TEST(Terms, ParenthesesAreTuples) {
  const Term one = Value("(1)");
  ASSERT_NE(one.As<ast::TupleLiteral>(), nullptr);
  EXPECT_EQ(one.As<ast::TupleLiteral>()->elements.size(), 1u);
  EXPECT_EQ(Value("(1, (2, 3))").As<ast::TupleLiteral>()->elements.size(), 2u);
}

TEST(Terms, BracesAreSetsMapsOrUserTypes) {
  EXPECT_NE(Value("{}").As<ast::SetLiteral>(), nullptr);
  EXPECT_NE(Value("{1, 2}").As<ast::SetLiteral>(), nullptr);
  EXPECT_NE(Value("{f()}").As<ast::SetLiteral>(), nullptr);
  EXPECT_NE(Value("{1: 2}").As<ast::MapLiteral>(), nullptr);
  EXPECT_NE(Value("{:a: :b}").As<ast::MapLiteral>(), nullptr);
  EXPECT_NE(Value("{f(): 2}").As<ast::MapLiteral>(), nullptr);
  EXPECT_NE(Value("{a: 2}").As<ast::UdtLiteral>(), nullptr);
  EXPECT_NE(Value("{key: 2, text: 3}").As<ast::UdtLiteral>(), nullptr);
  EXPECT_NE(Selection("{a: 2}").As<ast::MapLiteral>(), nullptr);
}

TEST(Terms, TypeHintsAndTuplesAreToldApart) {
  EXPECT_NE(Value("(int) 1").As<ast::TypeHint>(), nullptr);
  EXPECT_NE(Value("(ks.t) {a: 1}").As<ast::TypeHint>(), nullptr);
  EXPECT_NE(Value("(map<int, list<int>>) {}").As<ast::TypeHint>(), nullptr);
  EXPECT_NE(Value("('org.x.Y') 1").As<ast::TypeHint>(), nullptr);
  EXPECT_NE(Value("(int) (text) 1").As<ast::TypeHint>(), nullptr);
  EXPECT_NE(Value("(int) -1").As<ast::TypeHint>(), nullptr);
  EXPECT_NE(Value("('x')").As<ast::TupleLiteral>(), nullptr);
  EXPECT_NE(Value("(f())").As<ast::TupleLiteral>(), nullptr);
  EXPECT_NE(Selection("(a)").As<ast::TupleLiteral>(), nullptr);
  EXPECT_NE(Selection("(a, b)").As<ast::TupleLiteral>(), nullptr);
  EXPECT_NE(Selection("(a) - b").As<ast::Arithmetic>(), nullptr);
  EXPECT_NE(Selection("(a).f").As<ast::FieldAccess>(), nullptr);
  EXPECT_NE(Selection("(text) a").As<ast::TypeHint>(), nullptr);
}

TEST(Terms, Calls) {
  const Term call = Value("Ks.\"F\"(1, ?)");
  const auto* function = call.As<ast::FunctionCall>();
  ASSERT_NE(function, nullptr);
  EXPECT_EQ(function->function.keyspace, "ks");
  EXPECT_EQ(function->function.name.text, "F");
  EXPECT_EQ(function->arguments.size(), 2u);

  EXPECT_NE(Selection("count(*)").As<ast::CountRows>(), nullptr);
  EXPECT_NE(Selection("count(1)").As<ast::FunctionCall>(), nullptr);
  EXPECT_EQ(Selection("CAST(a AS int)").As<ast::Cast>()->type, ast::NativeType::kInt);
  EXPECT_EQ(Selection("maxwritetime(a)").As<ast::CellAttribute>()->kind,
            ast::CellAttributeKind::kMaxWritetime);
}

TEST(Terms, ASelectedNameIsAColumnAFieldOrAFunction) {
  EXPECT_EQ(Selection("A").As<ast::ColumnReference>()->name, "a");
  EXPECT_EQ(Selection("\"A\"").As<ast::ColumnReference>()->name, "A");
  EXPECT_EQ(Selection("a.b").As<ast::FieldAccess>()->field.text, "b");
  EXPECT_NE(Selection("a.b(c)").As<ast::FunctionCall>(), nullptr);
  EXPECT_NE(Selection("a.b[1]").As<ast::ElementAccess>(), nullptr);
  EXPECT_NE(Selection("ttl").As<ast::ColumnReference>(), nullptr);
}

TEST(Terms, Slices) {
  const auto ends = [](std::string_view text) {
    const Term term = Selection(text);
    const auto* slice = term.As<ast::SliceAccess>();
    return std::pair(slice->from != nullptr, slice->to != nullptr);
  };
  EXPECT_EQ(ends("l[1..2]"), std::pair(true, true));
  EXPECT_EQ(ends("l[1..]"), std::pair(true, false));
  EXPECT_EQ(ends("l[..2]"), std::pair(false, true));
}

TEST(Terms, KnowWhereTheyStand) {
  const Term list = Value("\n [1, f(\n'x')]");
  EXPECT_EQ(list.position, (TextPosition{.line = 2, .column = 1}));
  const Term& call = list.As<ast::ListLiteral>()->elements[1];
  EXPECT_EQ(call.position, (TextPosition{.line = 2, .column = 5}));
  EXPECT_EQ(call.As<ast::FunctionCall>()->arguments[0].position,
            (TextPosition{.line = 3, .column = 0}));
}

}  // namespace
}  // namespace orrery::cassandra
