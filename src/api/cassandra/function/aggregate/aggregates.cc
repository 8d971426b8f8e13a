#include "api/cassandra/function/aggregate/accumulators.h"
#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/function/native/native_functions.h"

namespace orrery::cassandra {
namespace {

// COUNT(*) and COUNT(1), whose column is called just "count".
class CountRows final : public AggregateFunction {
 public:
  explicit CountRows(std::string name)
      : AggregateFunction(NativeName(std::move(name)), {}, Type::Native(TypeKind::kBigint)) {}

  std::string ColumnName(std::span<const std::string>) const override { return "count"; }
  std::unique_ptr<Accumulator> Start() const override { return StartRowCount(); }
};

FunctionTemplate ExtremeTemplate(std::string name, Extreme extreme) {
  return {std::move(name),
          {Parameter::AnyOrReceiver()},
          [extreme](const FunctionName& called, const TypeList& types,
                    const TypePtr&) -> Result<FunctionPtr> {
            const TypePtr& type = types[0];
            return std::make_shared<NativeAggregate>(
                called, types, type, [type, extreme] { return StartExtreme(type, extreme); });
          }};
}

}  // namespace

void AddAggregates(FunctionLibrary& library) {
  using enum TypeKind;
  for (const char* name : {"countRows", "count_rows"})
    library.Add(std::make_shared<CountRows>(name));
  // Any type that is not native can be taken as a blob.
  for (const TypeKind kind :
       {kAscii,  kBigint,    kBlob,     kBoolean, kCounter, kDate,     kDecimal,
        kDouble, kDuration,  kFloat,    kInet,    kInt,     kSmallint, kText,
        kTime,   kTimestamp, kTimeuuid, kTinyint, kUuid,    kVarint}) {
    library.Add(std::make_shared<NativeAggregate>(NativeName("count"), TypeList{Type::Native(kind)},
                                                  Type::Native(kBigint), StartCount));
  }
  library.Add(ExtremeTemplate("min", Extreme::kMin));
  library.Add(ExtremeTemplate("max", Extreme::kMax));
  for (const TypeKind kind :
       {kTinyint, kSmallint, kInt, kBigint, kFloat, kDouble, kDecimal, kVarint, kCounter}) {
    const TypePtr& type = Type::Native(kind);
    library.Add(std::make_shared<NativeAggregate>(NativeName("sum"), TypeList{type}, type,
                                                  [kind] { return StartSum(kind); }));
    library.Add(std::make_shared<NativeAggregate>(NativeName("avg"), TypeList{type}, type,
                                                  [kind] { return StartAverage(kind); }));
  }
}

}  // namespace orrery::cassandra
