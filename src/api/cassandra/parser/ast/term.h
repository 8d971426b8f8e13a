// A Term is an expression: a value to store or compare with, or something to select.
//
// One tree serves both. The grammar lets columns, fields, subscripts and cell attributes appear
// only in what is selected or grouped by, and UdtLiterals only in values; everything else is
// common.
//
// Parentheses around one term are a TupleLiteral of one element, because the text cannot tell them
// from a tuple: the type that is wanted decides. "{}" is an empty SetLiteral and may mean a map. In
// a selection "{a: 1}" is a MapLiteral whose key is the ColumnReference a, and may mean a
// user-defined value.
//
// Movable, not copyable. At most ParserLimits::operators_max + nesting_max deep.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "api/cassandra/parser/ast/name.h"
#include "api/cassandra/parser/ast/type.h"

namespace orrery::cassandra::ast {

struct Term;
struct MapLiteralEntry;  // the last two of this file
struct UdtLiteralField;
using TermPtr = std::unique_ptr<Term>;

enum class ConstantKind : uint8_t {
  kString,
  kInteger,
  kFloat,
  kBoolean,
  kUuid,
  kHex,
  kDuration,
  kNan,
  kInfinity,
};

// A literal by its form. A string without quotes and escapes, everything else as it was written.
struct Constant {
  ConstantKind kind = ConstantKind::kString;
  std::string text;
};

struct Null {};

// "?" or ":name". Numbered from 0 in the order of the text; a name used twice has two numbers.
struct BindMarker {
  uint16_t index = 0;
  std::string name;  // empty for "?"
};

struct ListLiteral {  // also a vector's
  std::vector<Term> elements;
};
struct SetLiteral {
  std::vector<Term> elements;
};
struct MapLiteral {
  std::vector<MapLiteralEntry> entries;
};
struct UdtLiteral {
  std::vector<UdtLiteralField> fields;
};
struct TupleLiteral {
  std::vector<Term> elements;
};

// (int) term
struct TypeHint {
  RawType type;
  TermPtr term;
};

// CAST(term AS int)
struct Cast {
  TermPtr term;
  NativeType type = NativeType::kAscii;
};

// token(a, b) is one too.
struct FunctionCall {
  QualifiedName function;
  std::vector<Term> arguments;
};

// count(*)
struct CountRows {};

enum class ArithmeticOperator : uint8_t { kAdd, kSubtract, kMultiply, kDivide, kModulo };

struct Arithmetic {
  ArithmeticOperator op = ArithmeticOperator::kAdd;
  TermPtr left;
  TermPtr right;
};

struct Negation {
  TermPtr term;
};

struct ColumnReference {
  std::string name;
};

// user.street
struct FieldAccess {
  TermPtr value;
  Name field;
};

// m[k]
struct ElementAccess {
  TermPtr collection;
  TermPtr key;
};

// m[a..b]; either end may be missing (null), not both.
struct SliceAccess {
  TermPtr collection;
  TermPtr from;
  TermPtr to;
};

enum class CellAttributeKind : uint8_t { kWritetime, kMaxWritetime, kTtl };

// WRITETIME(c), TTL(c[k]): `cell` is a ColumnReference or an access to one.
struct CellAttribute {
  CellAttributeKind kind = CellAttributeKind::kWritetime;
  TermPtr cell;
};

struct Term {
  using Node =
      std::variant<Null, Constant, BindMarker, ListLiteral, SetLiteral, MapLiteral, UdtLiteral,
                   TupleLiteral, TypeHint, Cast, FunctionCall, CountRows, Arithmetic, Negation,
                   ColumnReference, FieldAccess, ElementAccess, SliceAccess, CellAttribute>;

  TextPosition position;
  Node node;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

struct MapLiteralEntry {
  Term key;
  Term value;
};

struct UdtLiteralField {
  Name name;
  Term value;
};

}  // namespace orrery::cassandra::ast
