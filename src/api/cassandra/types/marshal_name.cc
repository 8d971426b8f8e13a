#include "api/cassandra/types/marshal_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kPackage = "org.apache.cassandra.db.marshal.";

struct NativeClass {
  std::string_view name;
  TypeKind kind;
};
// The first name of a kind is the one written.
constexpr auto kNativeClasses = std::to_array<NativeClass>({
    {"AsciiType", TypeKind::kAscii},
    {"LongType", TypeKind::kBigint},
    {"BytesType", TypeKind::kBlob},
    {"BooleanType", TypeKind::kBoolean},
    {"CounterColumnType", TypeKind::kCounter},
    {"SimpleDateType", TypeKind::kDate},
    {"DecimalType", TypeKind::kDecimal},
    {"DoubleType", TypeKind::kDouble},
    {"DurationType", TypeKind::kDuration},
    {"EmptyType", TypeKind::kEmpty},
    {"FloatType", TypeKind::kFloat},
    {"InetAddressType", TypeKind::kInet},
    {"Int32Type", TypeKind::kInt},
    {"ShortType", TypeKind::kSmallint},
    {"UTF8Type", TypeKind::kText},
    {"TimeType", TypeKind::kTime},
    {"TimestampType", TypeKind::kTimestamp},
    {"TimeUUIDType", TypeKind::kTimeuuid},
    {"ByteType", TypeKind::kTinyint},
    {"UUIDType", TypeKind::kUuid},
    {"IntegerType", TypeKind::kVarint},
    {"DateType", TypeKind::kTimestamp},  // its name before timestamps could be negative
});

void AppendName(std::string& out, const Type& type, bool inside_frozen);

void AppendNames(std::string& out, const TypeList& types, bool inside_frozen) {
  out += '(';
  for (size_t i = 0; i < types.size(); ++i) {
    if (i > 0) out += ',';
    AppendName(out, *types[i], inside_frozen);
  }
  out += ')';
}

void AppendUserType(std::string& out, const UserTypeDefinition& udt, bool inside_frozen) {
  out += fmt::format("{}UserType({},{}", kPackage, udt.keyspace, ToHex(udt.name));
  for (size_t i = 0; i < udt.field_names.size(); ++i) {
    out += fmt::format(",{}:", ToHex(udt.field_names[i]));
    AppendName(out, *udt.field_types[i], inside_frozen);
  }
  out += ')';
}

void AppendName(std::string& out, const Type& type, bool inside_frozen) {
  if (type.is_native()) {
    const auto* found = std::ranges::find(kNativeClasses, type.kind(), &NativeClass::kind);
    out.append(kPackage).append(found->name);
    return;
  }
  const bool freezable = type.is_collection() || type.kind() == TypeKind::kUdt;
  const bool freezes = freezable && !type.is_multi_cell();
  const bool wrap = freezes && !inside_frozen;
  if (wrap) out.append(kPackage).append("FrozenType(");
  const bool inside = inside_frozen || freezes;
  switch (type.kind()) {
    case TypeKind::kList:
      out.append(kPackage).append("ListType");
      AppendNames(out, type.parameters(), inside);
      break;
    case TypeKind::kSet:
      out.append(kPackage).append("SetType");
      AppendNames(out, type.parameters(), inside);
      break;
    case TypeKind::kMap:
      out.append(kPackage).append("MapType");
      AppendNames(out, type.parameters(), inside);
      break;
    case TypeKind::kTuple:
      out.append(kPackage).append("TupleType");
      AppendNames(out, type.parameters(), /*inside_frozen=*/true);
      break;
    case TypeKind::kUdt:
      AppendUserType(out, type.udt(), inside);
      break;
    case TypeKind::kVector:
      out.append(kPackage).append("VectorType(");
      AppendName(out, type.element(), /*inside_frozen=*/true);
      out += fmt::format(" , {})", type.dimension());
      break;
    default:
      out += type.class_name();
      break;
  }
  if (wrap) out += ')';
}

class NameParser {
 public:
  explicit NameParser(std::string_view text) : text_(text), rest_(text) {}

  Result<TypePtr> Parse() {
    ORRERY_ASSIGN(TypePtr type, ReadType(/*depth=*/1));
    SkipBlanks();
    if (!rest_.empty()) return Bad("something follows the type");
    return type;
  }

 private:
  std::unexpected<Error> Bad(std::string_view what) const {
    return Fail(Code::kInvalidArgument, fmt::format("Syntax error parsing '{}' at char {}: {}",
                                                    text_, text_.size() - rest_.size(), what));
  }

  void SkipBlanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\n'))
      rest_.remove_prefix(1);
  }

  bool Take(char c) {
    SkipBlanks();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view Word() {
    SkipBlanks();
    const auto is_word = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             c == '-' || c == '+' || c == '.' || c == '_' || c == '&';
    };
    size_t size = 0;
    while (size < rest_.size() && is_word(rest_[size])) ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

  Result<std::string> HexWord() {
    std::string bytes;
    if (!FromHex(Word(), bytes)) return Bad("expecting hex digits");
    return bytes;
  }

  Result<TypeList> ReadTypes(int depth, size_t count) {
    TypeList types;
    if (!Take('(')) return Bad("expecting '('");
    do {
      ORRERY_ASSIGN(TypePtr type, ReadType(depth + 1));
      types.push_back(std::move(type));
    } while (Take(','));
    if (!Take(')')) return Bad("expecting ')'");
    if (count != 0 && types.size() != count) return Bad("wrong number of type parameters");
    return types;
  }

  Result<TypePtr> ReadType(int depth) {
    if (depth > kNestingMax) return Bad("types are nested too deep");
    const std::string_view full = Word();
    if (full.empty()) return Bad("expecting a class name");
    std::string_view name = full;
    if (name.starts_with(kPackage)) {
      name.remove_prefix(kPackage.size());
    } else if (name.find('.') != std::string_view::npos) {
      return ReadCustom(full, depth);
    }
    const auto* native = std::ranges::find(kNativeClasses, name, &NativeClass::name);
    if (native != kNativeClasses.end()) return Type::Native(native->kind);
    if (name == "FrozenType") return ReadFrozen(depth);
    if (name == "ReversedType") {
      // Outside, the column knows its direction; a composite's components have one each.
      if (in_composite_) return Bad("ReversedType inside a composite is not supported");
      ORRERY_ASSIGN(TypeList types, ReadTypes(depth, 1));
      return types[0];
    }
    if (name == "ListType" || name == "SetType") {
      ORRERY_ASSIGN(TypeList types, ReadTypes(depth, 1));
      return name == "ListType" ? Type::List(types[0], cells_) : Type::Set(types[0], cells_);
    }
    if (name == "MapType") {
      ORRERY_ASSIGN(TypeList types, ReadTypes(depth, 2));
      return Type::Map(types[0], types[1], cells_);
    }
    if (name == "TupleType") return ReadTuple(depth);
    if (name == "UserType") return ReadUserType(depth);
    if (name == "VectorType") return ReadVector(depth);
    if (name == "CompositeType") return ReadComposite(depth);
    if (name == "DynamicCompositeType") return ReadDynamicComposite(depth);
    return ReadCustom(full, depth);
  }

  // Inner types are frozen as they are read: a non-frozen collection of them would be refused.
  template <typename Read>
  auto Frozen(Read read) {
    const Cells outside = std::exchange(cells_, Cells::kFrozen);
    auto result = read();
    cells_ = outside;
    return result;
  }

  template <typename Read>
  auto Inside(Read read) {
    const bool outside = std::exchange(in_composite_, true);
    auto result = read();
    in_composite_ = outside;
    return result;
  }

  Result<TypePtr> ReadComposite(int depth) {
    ORRERY_ASSIGN(TypeList types,
                  Frozen([&] { return Inside([&] { return ReadTypes(depth, 0); }); }));
    return Type::Composite(std::move(types));
  }

  Result<TypePtr> ReadDynamicComposite(int depth) {
    std::string aliases;
    TypeList types;
    if (!Take('(')) return Type::DynamicComposite(std::move(aliases), std::move(types));
    do {
      const std::string_view alias = Word();
      if (alias.size() != 1) return Bad("An alias should be a single character");
      if (aliases.contains(alias[0]))
        return Bad(fmt::format("Invalid alias {}: it is defined twice", alias));
      if (!Take('=') || rest_.empty() || rest_[0] != '>') return Bad("expecting \"=>\" token");
      rest_.remove_prefix(1);
      ORRERY_ASSIGN(TypePtr type,
                    Frozen([&] { return Inside([&] { return ReadType(depth + 1); }); }));
      aliases += alias;
      types.push_back(std::move(type));
    } while (Take(','));
    if (!Take(')')) return Bad("expecting ')'");
    return Type::DynamicComposite(std::move(aliases), std::move(types));
  }

  Result<TypePtr> ReadFrozen(int depth) {
    ORRERY_ASSIGN(TypeList types, Frozen([&] { return ReadTypes(depth, 1); }));
    return Freeze(types[0]);
  }

  Result<TypePtr> ReadTuple(int depth) {
    ORRERY_ASSIGN(TypeList types, Frozen([&] { return ReadTypes(depth, 0); }));
    return Type::Tuple(std::move(types));
  }

  Result<TypePtr> ReadUserType(int depth) {
    UserTypeDefinition udt;
    if (!Take('(')) return Bad("expecting '('");
    udt.keyspace = Word();
    if (!Take(',')) return Bad("expecting ','");
    ORRERY_ASSIGN(udt.name, HexWord());
    while (Take(',')) {
      ORRERY_ASSIGN(std::string field, HexWord());
      if (!Take(':')) return Bad("expecting ':'");
      ORRERY_ASSIGN(TypePtr type, ReadType(depth + 1));
      udt.field_names.push_back(std::move(field));
      udt.field_types.push_back(std::move(type));
    }
    if (!Take(')')) return Bad("expecting ')'");
    return Type::User(std::move(udt), cells_);
  }

  Result<TypePtr> ReadVector(int depth) {
    if (!Take('(')) return Bad("expecting '('");
    ORRERY_ASSIGN(TypePtr element, Frozen([&] { return ReadType(depth + 1); }));
    if (!Take(',')) return Bad("expecting ','");
    const std::string_view digits = Word();
    uint32_t dimension = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), dimension);
    if (error != std::errc() || end != digits.data() + digits.size())
      return Bad("expecting a dimension");
    if (!Take(')')) return Bad("expecting ')'");
    return Type::Vector(std::move(element), dimension);
  }

  // Parameters of an unknown class are part of its name.
  Result<TypePtr> ReadCustom(std::string_view name, int depth) {
    std::string whole(name);
    SkipBlanks();
    if (!rest_.empty() && rest_[0] == '(') {
      const size_t begin = text_.size() - rest_.size();
      int open = 0;
      do {
        if (rest_.empty() || depth + open > kNestingMax) return Bad("expecting ')'");
        if (rest_[0] == '(') ++open;
        if (rest_[0] == ')') --open;
        rest_.remove_prefix(1);
      } while (open > 0);
      whole += text_.substr(begin, text_.size() - rest_.size() - begin);
    }
    return Type::Custom(std::move(whole));
  }

  // FrozenType around each type does not count in a type's own depth.
  static constexpr int kNestingMax = 2 * kTypeDepthMax;

  const std::string_view text_;
  std::string_view rest_;
  Cells cells_ = Cells::kMulti;
  bool in_composite_ = false;
};

}  // namespace

std::string MarshalName(const Type& type) {
  std::string name;
  AppendName(name, type, /*inside_frozen=*/false);
  return name;
}

std::string CompositeName(const TypeList& components) {
  std::string name = std::string(kPackage) + "CompositeType";
  AppendNames(name, components, /*inside_frozen=*/false);
  return name;
}

std::string DynamicCompositeName(std::string_view aliases, const TypeList& types) {
  std::string name = std::string(kPackage) + "DynamicCompositeType";
  if (types.empty()) return name;
  for (size_t i = 0; i < types.size(); ++i) {
    name += i == 0 ? '(' : ',';
    name += aliases[i];
    name += "=>";
    AppendName(name, *types[i], /*inside_frozen=*/false);
  }
  return name + ')';
}

Result<TypePtr> ParseMarshalName(std::string_view text) {
  if (text.size() > kMarshalNameBytesMax)
    return Fail(Code::kInvalidArgument, "the name of the type is too long");
  return NameParser(text).Parse();
}

}  // namespace orrery::cassandra
