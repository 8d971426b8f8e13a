#include "api/cassandra/schema/ddl/literal_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/types/cast.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/literal.h"
#include "api/cassandra/types/validate.h"

namespace orrery::cassandra {
namespace {

// Recursion is bounded by the parser's limits on the term and by the depth of types.
class Evaluator {
 public:
  Evaluator(std::string_view receiver, Micros now)
      : receiver_(receiver),
        now_ms_(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) {}

  CqlResult<std::optional<std::string>> Value(const ast::Term& term, const Type& type) const {
    if (term.As<ast::Null>() != nullptr) return std::nullopt;
    if (const auto* constant = term.As<ast::Constant>()) return FromConstantTerm(*constant, type);
    if (const auto* tuple = term.As<ast::TupleLiteral>()) return Tuple(*tuple, term, type);
    if (const auto* list = term.As<ast::ListLiteral>()) return Elements(list->elements, term, type);
    if (const auto* set = term.As<ast::SetLiteral>()) return Set(*set, term, type);
    if (const auto* map = term.As<ast::MapLiteral>()) return Map(*map, term, type);
    if (const auto* udt = term.As<ast::UdtLiteral>()) return Udt(*udt, term, type);
    if (const auto* cast = term.As<ast::Cast>()) return CastOf(*cast, term, type);
    return Unfit(term, type);
  }

 private:
  using Values = std::vector<std::string>;

  std::unexpected<CqlError> Unfit(const ast::Term& term, const Type& type) const {
    return Invalid(fmt::format("Invalid value {} for \"{}\" of type {}", PrintTerm(term), receiver_,
                               type.CqlName()));
  }

  CqlResult<std::optional<std::string>> FromConstantTerm(const ast::Constant& constant,
                                                         const Type& type) const {
    CQL_ASSIGN(std::optional<std::string> value,
               FromConstant(ToConstant(constant), type, receiver_, now_ms_));
    return value;
  }

  CqlResult<std::string> Element(const ast::Term& term, const Type& type) const {
    CQL_ASSIGN(std::optional<std::string> value, Value(term, type));
    if (!value.has_value()) return Invalid("null is not supported inside collections");
    return *std::move(value);
  }

  CqlResult<std::optional<std::string>> Elements(const std::vector<ast::Term>& terms,
                                                 const ast::Term& whole, const Type& type) const {
    const bool vector = type.kind() == TypeKind::kVector;
    if (!vector && type.kind() != TypeKind::kList && type.kind() != TypeKind::kSet)
      return Unfit(whole, type);
    if (vector && terms.size() != type.dimension()) return Unfit(whole, type);
    Values values;
    for (const ast::Term& term : terms) {
      CQL_ASSIGN(std::string value, Element(term, type.element()));
      values.push_back(std::move(value));
    }
    const Views views = AsViews(std::span<const std::string>(values));
    return Checked(vector ? PackVector(type, views) : PackElements(views), type);
  }

  CqlResult<std::optional<std::string>> Set(const ast::SetLiteral& set, const ast::Term& whole,
                                            const Type& type) const {
    if (type.kind() == TypeKind::kMap && set.elements.empty())
      return Checked(PackEntries({}), type);
    if (type.kind() != TypeKind::kSet) return Unfit(whole, type);
    return Elements(set.elements, whole, type);
  }

  CqlResult<std::optional<std::string>> Map(const ast::MapLiteral& map, const ast::Term& whole,
                                            const Type& type) const {
    if (type.kind() != TypeKind::kMap) return Unfit(whole, type);
    std::vector<std::pair<std::string, std::string>> values;
    for (const ast::MapLiteralEntry& entry : map.entries) {
      CQL_ASSIGN(std::string key, Element(entry.key, type.key()));
      CQL_ASSIGN(std::string value, Element(entry.value, type.value()));
      values.emplace_back(std::move(key), std::move(value));
    }
    std::vector<EntryView> views;
    for (const auto& [key, value] : values) views.push_back({key, value});
    return Checked(PackEntries(views), type);
  }

  CqlResult<std::optional<std::string>> Tuple(const ast::TupleLiteral& tuple,
                                              const ast::Term& whole, const Type& type) const {
    if (type.kind() != TypeKind::kTuple) {
      // Parentheses around one term.
      if (tuple.elements.size() == 1) return Value(tuple.elements[0], type);
      return Unfit(whole, type);
    }
    if (tuple.elements.size() > type.parameters().size()) return Unfit(whole, type);
    std::vector<std::optional<std::string>> values;
    for (size_t i = 0; i < tuple.elements.size(); ++i) {
      CQL_ASSIGN(std::optional<std::string> value, Value(tuple.elements[i], *type.parameters()[i]));
      values.push_back(std::move(value));
    }
    return Checked(PackComponents(AsViews(values)), type);
  }

  CqlResult<std::optional<std::string>> Udt(const ast::UdtLiteral& udt, const ast::Term& whole,
                                            const Type& type) const {
    if (type.kind() != TypeKind::kUdt) return Unfit(whole, type);
    const std::vector<std::string>& names = type.udt().field_names;
    std::vector<std::optional<std::string>> values(names.size());
    for (const ast::UdtLiteralField& field : udt.fields) {
      const auto found = std::ranges::find(names, field.name.text);
      if (found == names.end()) {
        return Invalid(fmt::format("Unknown field '{}' in value of user defined type {}",
                                   field.name.text, type.udt().name));
      }
      const auto i = static_cast<size_t>(found - names.begin());
      CQL_ASSIGN(values[i], Value(field.value, *type.parameters()[i]));
    }
    return Checked(PackComponents(AsViews(values)), type);
  }

  // The cast of a constant, or of another cast.
  CqlResult<std::optional<std::string>> CastOf(const ast::Cast& cast, const ast::Term& whole,
                                               const Type& type) const {
    const TypePtr target = Type::NativeNamed(ast::NativeTypeName(cast.type));
    TypePtr source;
    if (const auto* constant = cast.term->As<ast::Constant>()) {
      source = PreferredType(ToConstant(*constant));
    } else if (const auto* inner = cast.term->As<ast::Cast>()) {
      source = Type::NativeNamed(ast::NativeTypeName(inner->type));
    }
    if (*target != type || source == nullptr || !CanCast(*source, *target))
      return Unfit(whole, type);
    CQL_ASSIGN(const std::optional<std::string> value, Value(*cast.term, *source));
    CQL_ASSIGN(std::optional<std::string> result, Cast(*source, *target, value));
    return result;
  }

  static CqlResult<std::optional<std::string>> Checked(const std::string& bytes, const Type& type) {
    CQL_TRY(Validate(type, bytes));
    CQL_ASSIGN(std::string normal, Normalise(type, bytes));
    return normal;
  }

  const std::string_view receiver_;
  const int64_t now_ms_;
};

}  // namespace

CqlResult<std::optional<std::string>> LiteralValue(const ast::Term& term, const Type& type,
                                                   std::string_view receiver, Micros now) {
  return Evaluator(receiver, now).Value(term, type);
}

}  // namespace orrery::cassandra
