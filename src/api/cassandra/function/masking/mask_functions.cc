// mask_null, mask_default, mask_replace, mask_inner, mask_outer, mask_hash.
#include <fmt/format.h>

#include "api/cassandra/function/masking/default_mask.h"
#include "api/cassandra/function/masking/digest.h"
#include "api/cassandra/function/masking/partial_mask.h"
#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "base/utf8.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kDefaultPadding = "*";

Result<FunctionPtr> MakeNull(const FunctionName& name, const TypeList& types, const TypePtr&) {
  return std::make_shared<NativeScalar>(
      name, types, types[0],
      [](FunctionContext&, FunctionArguments) -> FunctionResult { return std::nullopt; });
}

Result<FunctionPtr> MakeDefault(const FunctionName& name, const TypeList& types, const TypePtr&) {
  ORRERY_ASSIGN(std::string mask, DefaultMask(*types[0]));
  return std::make_shared<NativeScalar>(
      name, types, types[0],
      [mask = std::move(mask)](FunctionContext&, FunctionArguments) -> FunctionResult {
        return mask;
      });
}

Result<FunctionPtr> MakeReplace(const FunctionName& name, const TypeList& types, const TypePtr&) {
  return std::make_shared<NativeScalar>(
      name, types, types[1], [](FunctionContext&, FunctionArguments arguments) -> FunctionResult {
        if (!arguments[1].has_value()) return std::nullopt;
        return std::string(*arguments[1]);
      });
}

Result<FunctionPtr> MakeHash(const FunctionName& name, const TypeList& types, const TypePtr&) {
  return std::make_shared<NativeScalar>(
      name, types, Type::Native(TypeKind::kBlob),
      [](FunctionContext&, FunctionArguments arguments) -> FunctionResult {
        if (!arguments[0].has_value()) return std::nullopt;
        const bool is_named = arguments.size() > 1 && arguments[1].has_value();
        return Digest(is_named ? *arguments[1] : kDefaultDigest, *arguments[0]);
      });
}

Result<std::string_view> Padding(const FunctionName& name, const Type& type,
                                 FunctionArguments arguments) {
  if (arguments.size() < 4 || !arguments[3].has_value()) return kDefaultPadding;
  const std::string_view padding = *arguments[3];
  if (const size_t count = CharacterCount(padding); count != 1)
    return Fail(Code::kInvalidArgument,
                fmt::format("The padding argument for function {} should be single-character, but "
                            "'{}' has {} characters.",
                            name.Text(), padding, count));
  // A character that no ascii can hold.
  if (type.kind() == TypeKind::kAscii && padding.size() > 1) return "?";
  return padding;
}

int32_t CountOrNone(const std::optional<std::string_view>& value) {
  return IsNothing(value) ? 0 : DecodeInteger<int32_t>(*value);
}

FunctionTemplate::Make MakePartial(MaskedPart part) {
  return [part](const FunctionName& name, const TypeList& types,
                const TypePtr&) -> Result<FunctionPtr> {
    return std::make_shared<NativeScalar>(
        name, types, types[0],
        [name, part, type = types[0]](FunctionContext&,
                                      FunctionArguments arguments) -> FunctionResult {
          if (!arguments[0].has_value()) return std::nullopt;
          ORRERY_ASSIGN(const std::string_view padding, Padding(name, *type, arguments));
          return MaskPart(*arguments[0], part, CountOrNone(arguments[1]), CountOrNone(arguments[2]),
                          padding);
        });
  };
}

std::vector<Parameter> PartialParameters() {
  return {Parameter::OneOf({TypeKind::kText, TypeKind::kAscii}), Parameter::OneOf({TypeKind::kInt}),
          Parameter::OneOf({TypeKind::kInt}), Parameter::OneOf({TypeKind::kText}).Optional()};
}

}  // namespace

void AddMaskFunctions(FunctionLibrary& library) {
  library.Add(FunctionTemplate("mask_null", {Parameter::Any()}, MakeNull));
  library.Add(FunctionTemplate("mask_default", {Parameter::Any()}, MakeDefault));
  library.Add(FunctionTemplate("mask_replace",
                               {Parameter::AnyOrReceiver(), Parameter::AnyOrReceiver().TypeOf(0)},
                               MakeReplace));
  library.Add(FunctionTemplate("mask_inner", PartialParameters(), MakePartial(MaskedPart::kInner)));
  library.Add(FunctionTemplate("mask_outer", PartialParameters(), MakePartial(MaskedPart::kOuter)));
  library.Add(FunctionTemplate(
      "mask_hash", {Parameter::Any(), Parameter::OneOf({TypeKind::kText}).Optional()}, MakeHash));
}

}  // namespace orrery::cassandra
