// The functions of Apache Cassandra 4.1, and those of 5.0 beside them: one family per source file.
//
// Functions of 4.1 that 5.0 renamed have both names. token is not among them: it depends on the
// table (token_function.h). Casts and operators are not functions here either (types/cast.h,
// types/arithmetic.h), nor are writetime and ttl, which are no functions of values.
#pragma once

#include "api/cassandra/function/function_library.h"

namespace orrery::cassandra {

// All of the below.
FunctionLibrary NativeFunctions();

void AddUuidFunctions(FunctionLibrary& library);        // uuid, now
void AddTimeFunctions(FunctionLibrary& library);        // current_date, to_date, min_timeuuid ...
void AddFloorFunctions(FunctionLibrary& library);       // floor
void AddBlobFunctions(FunctionLibrary& library);        // int_as_blob, blob_as_int ...
void AddJsonFunctions(FunctionLibrary& library);        // to_json, from_json
void AddCollectionFunctions(FunctionLibrary& library);  // map_keys, collection_sum ...
void AddVectorFunctions(FunctionLibrary& library);      // similarity_cosine ...
void AddMathFunctions(FunctionLibrary& library);        // abs, exp, log, log10, round
void AddMaskFunctions(FunctionLibrary& library);        // mask_null, mask_inner ...
void AddAggregates(FunctionLibrary& library);           // count, min, max, sum, avg

}  // namespace orrery::cassandra
