#include "api/cassandra/function/native/native_functions.h"

namespace orrery::cassandra {

FunctionLibrary NativeFunctions() {
  FunctionLibrary library;
  AddUuidFunctions(library);
  AddTimeFunctions(library);
  AddFloorFunctions(library);
  AddBlobFunctions(library);
  AddJsonFunctions(library);
  AddCollectionFunctions(library);
  AddVectorFunctions(library);
  AddMathFunctions(library);
  AddMaskFunctions(library);
  AddAggregates(library);
  return library;
}

}  // namespace orrery::cassandra
