// Functions that look into one collection: its size, its keys, the sum of its elements ...
#include "api/cassandra/function/aggregate/accumulators.h"
#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra {
namespace {

Result<size_t> SizeOf(const Type& type, std::string_view bytes) {
  if (type.kind() == TypeKind::kMap) {
    ORRERY_ASSIGN(const auto entries, UnpackEntries(bytes));
    return entries.size();
  }
  ORRERY_ASSIGN(const Views elements, UnpackElements(type, bytes));
  return elements.size();
}

Result<FunctionPtr> MakeCount(const FunctionName& name, const TypeList& types, const TypePtr&) {
  return std::make_shared<NativeScalar>(
      name, types, Type::Native(TypeKind::kInt),
      [type = types[0]](FunctionContext&, FunctionArguments arguments) -> FunctionResult {
        if (HasNull(arguments)) return std::nullopt;
        ORRERY_ASSIGN(const size_t size, SizeOf(*type, *arguments[0]));
        return EncodeInteger(static_cast<int32_t>(size));
      });
}

// A map's keys are in the order of a set already.
Result<FunctionPtr> MakeMapKeys(const FunctionName& name, const TypeList& types, const TypePtr&) {
  ORRERY_ASSIGN(TypePtr keys, Type::Set(types[0]->parameters()[0], Cells::kFrozen));
  return std::make_shared<NativeScalar>(
      name, types, std::move(keys),
      [](FunctionContext&, FunctionArguments arguments) -> FunctionResult {
        if (HasNull(arguments)) return std::nullopt;
        ORRERY_ASSIGN(const auto entries, UnpackEntries(*arguments[0]));
        Views views;
        for (const EntryView& entry : entries) views.push_back(entry.key);
        return PackElements(views);
      });
}

Result<FunctionPtr> MakeMapValues(const FunctionName& name, const TypeList& types, const TypePtr&) {
  ORRERY_ASSIGN(TypePtr values, Type::List(types[0]->parameters()[1], Cells::kFrozen));
  return std::make_shared<NativeScalar>(
      name, types, std::move(values),
      [](FunctionContext&, FunctionArguments arguments) -> FunctionResult {
        if (HasNull(arguments)) return std::nullopt;
        ORRERY_ASSIGN(const auto entries, UnpackEntries(*arguments[0]));
        Views views;
        for (const EntryView& entry : entries) views.push_back(entry.value);
        return PackElements(views);
      });
}

using StartForElement = std::unique_ptr<Accumulator> (*)(const TypePtr& element);

FunctionResult Aggregate(const Type& type, std::string_view bytes, Accumulator& accumulator) {
  ORRERY_ASSIGN(const Views elements, UnpackElements(type, bytes));
  for (const std::string_view element : elements) {
    const std::optional<std::string_view> argument(element);
    ORRERY_TRY(accumulator.Add({&argument, 1}));
  }
  return accumulator.Finish();
}

// Makes a function over elements from an aggregate over rows.
FunctionTemplate AggregateTemplate(const char* name, Parameter parameter, StartForElement start) {
  return {name,
          {std::move(parameter)},
          [start](const FunctionName& called, const TypeList& types,
                  const TypePtr&) -> Result<FunctionPtr> {
            return std::make_shared<NativeScalar>(
                called, types, types[0]->parameters()[0],
                [start, type = types[0]](FunctionContext&,
                                         FunctionArguments arguments) -> FunctionResult {
                  if (HasNull(arguments)) return std::nullopt;
                  const auto accumulator = start(type->parameters()[0]);
                  return Aggregate(*type, *arguments[0], *accumulator);
                });
          }};
}

}  // namespace

void AddCollectionFunctions(FunctionLibrary& library) {
  library.Add(FunctionTemplate("collection_count", {Parameter::Collection()}, MakeCount));
  library.Add(FunctionTemplate("map_keys", {Parameter::Map()}, MakeMapKeys));
  library.Add(FunctionTemplate("map_values", {Parameter::Map()}, MakeMapValues));
  library.Add(AggregateTemplate(
      "collection_min", Parameter::SetOrList(),
      [](const TypePtr& element) { return StartExtreme(element, Extreme::kMin); }));
  library.Add(AggregateTemplate(
      "collection_max", Parameter::SetOrList(),
      [](const TypePtr& element) { return StartExtreme(element, Extreme::kMax); }));
  library.Add(AggregateTemplate("collection_sum", Parameter::NumericSetOrList(),
                                [](const TypePtr& element) { return StartSum(element->kind()); }));
  library.Add(
      AggregateTemplate("collection_avg", Parameter::NumericSetOrList(),
                        [](const TypePtr& element) { return StartAverage(element->kind()); }));
}

}  // namespace orrery::cassandra
