// Similarity of two vectors of floats, from 0 to 1 (dot products of vectors of length one, too).
#include <fmt/format.h>

#include <cmath>

#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/function/native/native_functions.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra {
namespace {

enum class Similarity : uint8_t { kCosine, kEuclidean, kDotProduct };

// The sums of two vectors from which all similarities follow.
struct Sums {
  double products = 0;
  double first_squares = 0;
  double second_squares = 0;
  double squared_differences = 0;
};

Result<Sums> SumUp(const Type& type, FunctionArguments arguments) {
  ORRERY_ASSIGN(const Views first, UnpackVector(type, *arguments[0]));
  ORRERY_ASSIGN(const Views second, UnpackVector(type, *arguments[1]));
  Sums sums;
  for (size_t i = 0; i < first.size(); ++i) {
    const auto a = static_cast<double>(DecodeFloat(first[i]));
    const auto b = static_cast<double>(DecodeFloat(second[i]));
    sums.products += a * b;
    sums.first_squares += a * a;
    sums.second_squares += b * b;
    sums.squared_differences += (a - b) * (a - b);
  }
  return sums;
}

double Compute(Similarity similarity, const Sums& sums) {
  switch (similarity) {
    case Similarity::kCosine:
      return (1 + sums.products / std::sqrt(sums.first_squares * sums.second_squares)) / 2;
    case Similarity::kEuclidean:
      return 1 / (1 + sums.squared_differences);
    case Similarity::kDotProduct:
      break;
  }
  return (1 + sums.products) / 2;
}

FunctionResult Compare(const FunctionName& name, Similarity similarity, const Type& type,
                       FunctionArguments arguments) {
  if (HasNull(arguments)) return std::nullopt;
  ORRERY_ASSIGN(const Sums sums, SumUp(type, arguments));
  if (similarity == Similarity::kCosine && (sums.first_squares == 0 || sums.second_squares == 0))
    return Fail(Code::kInvalidArgument,
                fmt::format("Function {} doesn't support all-zero vectors.", name.name));
  return EncodeFloat(static_cast<float>(Compute(similarity, sums)));
}

FunctionTemplate SimilarityTemplate(const char* name, Similarity similarity) {
  return {
      name,
      {Parameter::FloatVector().OrTypeOf(1), Parameter::FloatVector().OrTypeOf(0)},
      [similarity](const FunctionName& called, const TypeList& types,
                   const TypePtr&) -> Result<FunctionPtr> {
        if (types[0]->dimension() != types[1]->dimension())
          return Fail(Code::kInvalidArgument, "All arguments must have the same vector dimensions");
        return std::make_shared<NativeScalar>(
            called, types, Type::Native(TypeKind::kFloat),
            [called, similarity, type = types[0]](FunctionContext&, FunctionArguments arguments) {
              return Compare(called, similarity, *type, arguments);
            });
      }};
}

}  // namespace

void AddVectorFunctions(FunctionLibrary& library) {
  library.Add(SimilarityTemplate("similarity_cosine", Similarity::kCosine));
  library.Add(SimilarityTemplate("similarity_euclidean", Similarity::kEuclidean));
  library.Add(SimilarityTemplate("similarity_dot_product", Similarity::kDotProduct));
}

}  // namespace orrery::cassandra
