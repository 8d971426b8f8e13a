// Everyday jobs with MongoDB's C driver, with its default settings, and the errors that programs
// handle.
#include <mongoc/mongoc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mongoc_client_t* client;
static int failures = 0;

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                     \
    }                                                                 \
  } while (0)
#define SUCCEEDS(call, error)                                                        \
  do {                                                                               \
    if (!(call)) {                                                                   \
      fprintf(stderr, "%s:%d: %s: %u %s\n", __FILE__, __LINE__, #call, (error).code, \
              (error).message);                                                      \
      ++failures;                                                                    \
    }                                                                                \
  } while (0)

static bson_t* Parse(const char* json) {
  bson_error_t error;
  bson_t* document = bson_new_from_json((const uint8_t*)json, -1, &error);
  if (document == NULL) {
    fprintf(stderr, "%s: %s\n", json, error.message);
    abort();
  }
  return document;
}

static mongoc_collection_t* Collection(const char* name) {
  mongoc_collection_t* collection = mongoc_client_get_collection(client, "c_driver", name);
  bson_error_t error;
  mongoc_collection_drop(collection, &error);  // it may not be there
  return collection;
}

static void Insert(mongoc_collection_t* collection, const char* json) {
  bson_t* document = Parse(json);
  bson_error_t error;
  SUCCEEDS(mongoc_collection_insert_one(collection, document, NULL, NULL, &error), error);
  bson_destroy(document);
}

// Whether the cursor gives exactly these documents, one text a line. Ends the cursor.
static void Gives(mongoc_cursor_t* cursor, const char* expected) {
  const bson_t* document = NULL;
  char* all = calloc(1, 1);
  while (mongoc_cursor_next(cursor, &document)) {
    char* text = bson_as_relaxed_extended_json(document, NULL);
    all = realloc(all, strlen(all) + strlen(text) + 2);
    strcat(strcat(all, text), "\n");
    bson_free(text);
  }
  bson_error_t error;
  if (mongoc_cursor_error(cursor, &error)) {
    fprintf(stderr, "cursor: %u %s\n", error.code, error.message);
    ++failures;
  } else if (strcmp(all, expected) != 0) {
    fprintf(stderr, "got\n%swant\n%s", all, expected);
    ++failures;
  }
  free(all);
  mongoc_cursor_destroy(cursor);
}

static mongoc_cursor_t* Find(mongoc_collection_t* collection, const char* filter,
                             const char* options) {
  bson_t* parsed = Parse(filter);
  bson_t* opts = Parse(options);
  mongoc_cursor_t* cursor = mongoc_collection_find_with_opts(collection, parsed, opts, NULL);
  bson_destroy(parsed);
  bson_destroy(opts);
  return cursor;
}

static void WritesAndReads(void) {
  mongoc_collection_t* collection = Collection("people");
  Insert(collection, "{\"_id\": 1, \"name\": \"Ada\", \"langs\": [\"en\"]}");
  Insert(collection, "{\"_id\": 2, \"name\": \"Kurt\", \"age\": 30}");
  bson_t* filter = Parse("{\"_id\": 1}");
  bson_t* update = Parse("{\"$set\": {\"age\": 36}, \"$push\": {\"langs\": \"fr\"}}");
  bson_t reply;
  bson_error_t error;
  SUCCEEDS(mongoc_collection_update_one(collection, filter, update, NULL, &reply, &error), error);
  bson_iter_t at;
  CHECK(bson_iter_init_find(&at, &reply, "modifiedCount") && bson_iter_as_int64(&at) == 1);
  bson_destroy(&reply);
  Gives(Find(collection, "{\"age\": {\"$gt\": 30}}", "{}"),
        "{ \"_id\" : 1, \"name\" : \"Ada\", \"langs\" : [ \"en\", \"fr\" ], \"age\" : 36 }\n");
  Gives(Find(collection, "{}", "{\"sort\": {\"_id\": -1}, \"projection\": {\"name\": 1}}"),
        "{ \"_id\" : 2, \"name\" : \"Kurt\" }\n{ \"_id\" : 1, \"name\" : \"Ada\" }\n");
  CHECK(mongoc_collection_count_documents(collection, filter, NULL, NULL, NULL, &error) == 1);
  SUCCEEDS(mongoc_collection_delete_one(collection, filter, NULL, NULL, &error), error);
  Gives(Find(collection, "{}", "{}"), "{ \"_id\" : 2, \"name\" : \"Kurt\", \"age\" : 30 }\n");
  bson_destroy(filter);
  bson_destroy(update);
  mongoc_collection_destroy(collection);
}

static void RefusesTheSameIdTwice(void) {
  mongoc_collection_t* collection = Collection("twice");
  Insert(collection, "{\"_id\": \"a\"}");
  bson_t* document = Parse("{\"_id\": \"a\"}");
  bson_error_t error;
  CHECK(!mongoc_collection_insert_one(collection, document, NULL, NULL, &error));
  CHECK(error.code == 11000);
  bson_destroy(document);
  mongoc_collection_destroy(collection);
}

static void ReadsManyInBatchesAndGroups(void) {
  mongoc_collection_t* collection = Collection("many");
  mongoc_bulk_operation_t* bulk =
      mongoc_collection_create_bulk_operation_with_opts(collection, NULL);
  for (int i = 0; i < 1000; ++i) {
    bson_t* document =
        BCON_NEW("_id", BCON_INT32(i), "team", BCON_INT32(i % 3), "n", BCON_INT32(i));
    mongoc_bulk_operation_insert(bulk, document);
    bson_destroy(document);
  }
  bson_t reply;
  bson_error_t error;
  SUCCEEDS(mongoc_bulk_operation_execute(bulk, &reply, &error) != 0, error);
  bson_destroy(&reply);
  mongoc_bulk_operation_destroy(bulk);

  mongoc_cursor_t* cursor = Find(collection, "{\"_id\": {\"$gte\": 100}}", "{\"batchSize\": 70}");
  const bson_t* document = NULL;
  int count = 0;
  while (mongoc_cursor_next(cursor, &document)) ++count;
  CHECK(!mongoc_cursor_error(cursor, &error));
  CHECK(count == 900);
  mongoc_cursor_destroy(cursor);

  bson_t* pipeline = Parse(
      "{\"pipeline\": [{\"$match\": {\"_id\": {\"$lt\": 9}}}, {\"$group\": {\"_id\": \"$team\", "
      "\"sum\": {\"$sum\": \"$n\"}, "
      "\"most\": {\"$max\": \"$n\"}}}, {\"$sort\": {\"_id\": 1}}]}");
  Gives(mongoc_collection_aggregate(collection, MONGOC_QUERY_NONE, pipeline, NULL, NULL),
        "{ \"_id\" : 0, \"sum\" : 9, \"most\" : 6 }\n{ \"_id\" : 1, \"sum\" : 12, \"most\" : 7 }\n"
        "{ \"_id\" : 2, \"sum\" : 15, \"most\" : 8 }\n");
  bson_destroy(pipeline);
  mongoc_collection_destroy(collection);
}

static void FindsAndModifiesAndSaysWhatIsWrong(void) {
  mongoc_collection_t* collection = Collection("counters");
  Insert(collection, "{\"_id\": \"hits\", \"n\": 41}");
  bson_t* filter = Parse("{\"_id\": \"hits\"}");
  bson_t* update = Parse("{\"$inc\": {\"n\": 1}}");
  mongoc_find_and_modify_opts_t* options = mongoc_find_and_modify_opts_new();
  mongoc_find_and_modify_opts_set_update(options, update);
  mongoc_find_and_modify_opts_set_flags(options, MONGOC_FIND_AND_MODIFY_RETURN_NEW);
  bson_t reply;
  bson_error_t error;
  SUCCEEDS(mongoc_collection_find_and_modify_with_opts(collection, filter, options, &reply, &error),
           error);
  bson_iter_t at, n;
  CHECK(bson_iter_init(&at, &reply) && bson_iter_find_descendant(&at, "value.n", &n) &&
        bson_iter_as_int64(&n) == 42);
  bson_destroy(&reply);
  mongoc_find_and_modify_opts_destroy(options);
  bson_destroy(update);

  update = Parse("{\"$push\": {\"n\": 1}}");
  CHECK(!mongoc_collection_update_one(collection, filter, update, NULL, NULL, &error));
  CHECK(error.code == 2);
  bson_destroy(update);
  bson_destroy(filter);
  bson_t* command = Parse("{\"noSuchCommand\": 1}");
  CHECK(!mongoc_client_command_simple(client, "c_driver", command, NULL, NULL, &error));
  CHECK(error.code == 59);
  bson_destroy(command);
  mongoc_collection_destroy(collection);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  mongoc_init();
  client = mongoc_client_new(argv[1]);
  if (client == NULL) return 2;
  mongoc_client_set_error_api(client, MONGOC_ERROR_API_VERSION_2);
  WritesAndReads();
  RefusesTheSameIdTwice();
  ReadsManyInBatchesAndGroups();
  FindsAndModifiesAndSaysWhatIsWrong();
  mongoc_client_destroy(client);
  mongoc_cleanup();
  if (failures == 0) printf("4 tests passed\n");
  return failures == 0 ? 0 : 1;
}
