// Everyday jobs with MongoDB's Go driver, with its default settings, and the errors that programs handle.
package mongo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

var client *mongo.Client

func start(data string) (*exec.Cmd, string, error) {
	command := exec.Command(os.Getenv("ORRERY"), "serve", "--data", data, "--sql-port", "0", "--sql-direct-port", "0",
		"--cassandra-port", "0", "--table-port", "0", "--mongo-port", "any", "--durability", "os", "--log-level", "warn")
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err = command.Start(); err != nil {
		return nil, "", err
	}
	welcome := ""
	for lines := bufio.NewScanner(output); lines.Scan(); {
		welcome += lines.Text() + "\n"
		if strings.HasPrefix(lines.Text(), "Ready in") {
			break
		}
	}
	return command, welcome, nil
}

func TestMain(m *testing.M) {
	root, err := os.MkdirTemp("", "orrery_mongo_")
	if err != nil {
		panic(err)
	}
	command, welcome, err := start(filepath.Join(root, "data"))
	if err != nil {
		panic(err)
	}
	uri := regexp.MustCompile(`mongodb://127\.0\.0\.1:\d+/`).FindString(welcome)
	if uri == "" {
		panic("no such port in: " + welcome)
	}
	if client, err = mongo.Connect(options.Client().ApplyURI(uri)); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = client.Disconnect(context.Background())
	_ = command.Process.Signal(syscall.SIGTERM)
	_ = command.Wait()
	_ = os.RemoveAll(root)
	os.Exit(code)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func hasCode(t *testing.T, err error, code int) {
	t.Helper()
	var server mongo.ServerError
	if !errors.As(err, &server) || !server.HasErrorCode(code) {
		t.Fatalf("got %v, want code %d", err, code)
	}
}

type item struct {
	ID   int       `bson:"_id"`
	Name string    `bson:"name"`
	Tags []string  `bson:"tags,omitempty"`
	Made time.Time `bson:"made"`
	N    int64     `bson:"n"`
}

func TestDocuments(t *testing.T) {
	ctx := context.Background()
	items := client.Database("documents").Collection("items")
	made := time.UnixMilli(1700000000123).UTC()
	var many []item
	for i := range 500 {
		many = append(many, item{ID: i, Name: fmt.Sprint("n", i%7), Tags: []string{"x"}, Made: made, N: int64(i)})
	}
	_, err := items.InsertMany(ctx, many)
	must(t, err)
	var found item
	must(t, items.FindOne(ctx, bson.D{{Key: "_id", Value: 42}}).Decode(&found))
	same(t, found, many[42])
	if err = items.FindOne(ctx, bson.D{{Key: "_id", Value: -1}}).Err(); !errors.Is(err, mongo.ErrNoDocuments) {
		t.Fatal(err)
	}
	cursor, err := items.Find(ctx, bson.M{"name": "n3"}, options.Find().SetSort(bson.D{{Key: "_id", Value: -1}}).SetLimit(5).SetBatchSize(2))
	must(t, err)
	var last []item
	must(t, cursor.All(ctx, &last))
	same(t, []int{last[0].ID, last[4].ID, len(last)}, []int{493, 465, 5})
	count, err := items.CountDocuments(ctx, bson.M{"n": bson.M{"$gte": 490}})
	must(t, err)
	same(t, count, int64(10))
}

func TestUpdates(t *testing.T) {
	ctx := context.Background()
	items := client.Database("updates").Collection("items")
	_, err := items.InsertOne(ctx, bson.M{"_id": 1, "l": bson.A{1, 5}})
	must(t, err)
	result, err := items.UpdateOne(ctx, bson.M{"_id": 1, "l": 5}, bson.M{"$set": bson.M{"l.$": 6}, "$inc": bson.M{"n": 2}})
	must(t, err)
	same(t, []int64{result.MatchedCount, result.ModifiedCount}, []int64{1, 1})
	result, err = items.UpdateOne(ctx, bson.M{"_id": 2}, bson.M{"$set": bson.M{"a": 1}}, options.UpdateOne().SetUpsert(true))
	must(t, err)
	same(t, result.UpsertedID, any(int32(2)))
	var after bson.M
	must(t, items.FindOneAndUpdate(ctx, bson.M{"_id": 1}, bson.M{"$push": bson.M{"l": 7}}, options.FindOneAndUpdate().SetReturnDocument(options.After)).Decode(&after))
	same(t, after["l"], any(bson.A{int32(1), int32(6), int32(7)}))
	bulk, err := items.BulkWrite(ctx, []mongo.WriteModel{mongo.NewInsertOneModel().SetDocument(bson.M{"_id": 3}),
		mongo.NewUpdateManyModel().SetFilter(bson.M{}).SetUpdate(bson.M{"$set": bson.M{"seen": true}}), mongo.NewDeleteOneModel().SetFilter(bson.M{"_id": 2})})
	must(t, err)
	same(t, []int64{bulk.InsertedCount, bulk.ModifiedCount, bulk.DeletedCount}, []int64{1, 3, 1})
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	items := client.Database("errors").Collection("items")
	_, err := items.InsertOne(ctx, bson.M{"_id": 1, "s": "x"})
	must(t, err)
	if _, err = items.InsertOne(ctx, bson.M{"_id": 1}); !mongo.IsDuplicateKeyError(err) {
		t.Fatal(err)
	}
	_, err = items.Find(ctx, bson.M{"a": bson.M{"$nope": 1}})
	hasCode(t, err, 2)
	_, err = items.UpdateOne(ctx, bson.M{"_id": 1}, bson.M{"$inc": bson.M{"s": 1}})
	hasCode(t, err, 14)
	_, err = items.Aggregate(ctx, mongo.Pipeline{{{Key: "$nope", Value: 1}}})
	hasCode(t, err, 40324)
	hasCode(t, client.Database("errors").RunCommand(ctx, bson.D{{Key: "nope", Value: 1}}).Err(), 59)
}

func TestAggregationAndIndexes(t *testing.T) {
	ctx := context.Background()
	items := client.Database("aggregation").Collection("items")
	for i := range 30 {
		_, err := items.InsertOne(ctx, bson.M{"_id": i, "k": i % 3, "v": i})
		must(t, err)
	}
	cursor, err := items.Aggregate(ctx, mongo.Pipeline{{{Key: "$match", Value: bson.M{"v": bson.M{"$lt": 15}}}},
		{{Key: "$group", Value: bson.M{"_id": "$k", "sum": bson.M{"$sum": "$v"}}}}, {{Key: "$sort", Value: bson.M{"_id": 1}}}})
	must(t, err)
	var rows []bson.M
	must(t, cursor.All(ctx, &rows))
	same(t, rows, []bson.M{{"_id": int32(0), "sum": int32(30)}, {"_id": int32(1), "sum": int32(35)}, {"_id": int32(2), "sum": int32(40)}})
	name, err := items.Indexes().CreateOne(ctx, mongo.IndexModel{Keys: bson.D{{Key: "k", Value: 1}, {Key: "v", Value: -1}}})
	must(t, err)
	same(t, name, "k_1_v_-1")
	var distinct []int32
	must(t, items.Distinct(ctx, "k", bson.M{}).Decode(&distinct))
	same(t, distinct, []int32{0, 1, 2})
	must(t, items.Drop(ctx))
}

func TestTransactions(t *testing.T) {
	ctx := context.Background()
	accounts := client.Database("transactions").Collection("accounts")
	journal := client.Database("transactions").Collection("journal")
	_, err := accounts.InsertMany(ctx, []any{bson.M{"_id": "a", "n": 100}, bson.M{"_id": "b", "n": 0}})
	must(t, err)
	session, err := client.StartSession()
	must(t, err)
	defer session.EndSession(ctx)
	_, err = session.WithTransaction(ctx, func(ctx context.Context) (any, error) {
		for id, change := range map[string]int{"a": -30, "b": 30} {
			if _, err := accounts.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"n": change}}); err != nil {
				return nil, err
			}
		}
		return journal.InsertOne(ctx, bson.M{"amount": 30})
	})
	must(t, err)
	_, err = session.WithTransaction(ctx, func(ctx context.Context) (any, error) {
		if _, err := journal.InsertOne(ctx, bson.M{"amount": 1}); err != nil {
			return nil, err
		}
		return nil, errors.New("changed my mind")
	})
	if err == nil || err.Error() != "changed my mind" {
		t.Fatal(err)
	}
	var account bson.M
	must(t, accounts.FindOne(ctx, bson.M{"_id": "b"}).Decode(&account))
	same(t, account, bson.M{"_id": "b", "n": int32(30)})
	count, err := journal.CountDocuments(ctx, bson.M{})
	must(t, err)
	same(t, count, int64(1))
	must(t, accounts.Drop(ctx))
	must(t, journal.Drop(ctx))
}
