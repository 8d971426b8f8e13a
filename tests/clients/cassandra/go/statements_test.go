package cassandra

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/gocql/gocql"
)

func TestPaging(t *testing.T) {
	session := inKeyspace(t, "paging")
	run(t, session, "CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))")
	batch := session.NewBatch(gocql.UnloggedBatch)
	for c := 0; c < 100; c++ {
		batch.Query("INSERT INTO t (p, c) VALUES (?, ?)", c%3, c)
	}
	if err := session.ExecuteBatch(batch); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	var c int
	for rows := session.Query("SELECT c FROM t").PageSize(7).Iter(); rows.Scan(&c); {
		seen[c] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d rows by pages of the driver", len(seen))
	}
	seen = map[int]bool{}
	var state []byte
	for {
		rows := session.Query("SELECT c FROM t").PageSize(7).PageState(state).Iter()
		state = rows.PageState()
		for rows.Scan(&c) {
			seen[c] = true
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if len(state) == 0 {
			break
		}
	}
	if len(seen) != 100 {
		t.Errorf("%d rows by pages of ours", len(seen))
	}
}

func TestBatches(t *testing.T) {
	session := inKeyspace(t, "batches")
	run(t, session, "CREATE TABLE t (k int PRIMARY KEY, v int)")
	run(t, session, "CREATE TABLE n (k int PRIMARY KEY, n counter)")
	for kind, statement := range map[gocql.BatchType]string{
		gocql.LoggedBatch: "INSERT INTO t (k, v) VALUES (?, ?)", gocql.UnloggedBatch: "UPDATE t SET v = ? WHERE k = ?",
		gocql.CounterBatch: "UPDATE n SET n = n + ? WHERE k = ?"} {
		batch := session.NewBatch(kind)
		batch.Query(statement, 1, 1)
		batch.Query(statement, 2, 2)
		if err := session.ExecuteBatch(batch); err != nil {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

func TestConditions(t *testing.T) {
	session := inKeyspace(t, "conditions")
	run(t, session, "CREATE TABLE t (k int PRIMARY KEY, v text)")
	insert := session.Query("INSERT INTO t (k, v) VALUES (?, ?) IF NOT EXISTS", 1, "first")
	insert.SerialConsistency(gocql.LocalSerial)
	if applied, err := insert.MapScanCAS(map[string]interface{}{}); err != nil || !applied {
		t.Fatal(applied, err)
	}
	there := map[string]interface{}{}
	if applied, err := insert.MapScanCAS(there); err != nil || applied || there["v"] != "first" {
		t.Fatal(applied, err, there)
	}
	batch := session.NewBatch(gocql.LoggedBatch)
	batch.Query("UPDATE t SET v = 'second' WHERE k = 1 IF v = 'first'")
	if applied, rows, err := session.ExecuteBatchCAS(batch); err != nil || !applied {
		t.Fatal(applied, err)
	} else {
		rows.Close()
	}
}

func TestTokenAwareRouting(t *testing.T) {
	inKeyspace(t, "routing")
	config := shared.cluster("routing")
	config.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(gocql.DCAwareRoundRobinPolicy("datacenter1"))
	session := open(t, config)
	run(t, session, "CREATE TABLE t (a text, b int, c int, PRIMARY KEY ((a, b), c))")
	for c := 0; c < 20; c++ {
		query := session.Query("INSERT INTO t (a, b, c) VALUES (?, ?, ?)", "x", c, c)
		if key, err := query.GetRoutingKey(); err != nil || len(key) == 0 {
			t.Fatalf("routing key %v, %v", key, err)
		}
		if err := query.Exec(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	session := inKeyspace(t, "many")
	run(t, session, "CREATE TABLE t (k int PRIMARY KEY, v int)")
	var workers sync.WaitGroup
	for w := 0; w < 50; w++ {
		workers.Add(1)
		go func(w int) {
			defer workers.Done()
			for i := 0; i < 20; i++ {
				k, v := w*20+i, -1
				if err := session.Query("INSERT INTO t (k, v) VALUES (?, ?)", k, k).Exec(); err != nil {
					t.Error(err)
				}
				err := session.Query("SELECT v FROM t WHERE k = ?", k).Scan(&v)
				if err != nil || v != k {
					t.Errorf("wrote %d, read %d, %v", k, v, err)
				}
			}
		}(w)
	}
	workers.Wait()
}

func TestChargeWarningsAndTrace(t *testing.T) {
	session := inKeyspace(t, "answers")
	run(t, session, "CREATE TABLE t (k int PRIMARY KEY)")
	rows := session.Query("SELECT * FROM t").Iter()
	payload := rows.GetCustomPayload()
	rows.Close()
	if charge := math.Float64frombits(binary.BigEndian.Uint64(payload["RequestCharge"])); !(charge > 0) {
		t.Errorf("charge %v", charge)
	}
	// An answer with warnings has no payload: Java's drivers cannot read both.
	rows = session.Query("SELECT count(*) FROM t").Iter()
	payload, warnings := rows.GetCustomPayload(), rows.Warnings()
	rows.Close()
	if len(warnings) != 1 || warnings[0] != "Aggregation query used without partition key" || len(payload) != 0 {
		t.Errorf("warnings %q, payload %v", warnings, payload)
	}
	var trace bytes.Buffer
	err := session.Query("SELECT * FROM t WHERE k = 1").Trace(gocql.NewTraceWriter(session, &trace)).Exec()
	if err != nil || !strings.Contains(trace.String(), "Tracing session") {
		t.Errorf("trace %q, %v", trace.String(), err)
	}
}

func TestErrors(t *testing.T) {
	session := inKeyspace(t, "errors")
	run(t, session, "CREATE TABLE t (k int PRIMARY KEY, v int)")
	for statement, code := range map[string]int{
		"SELEC": gocql.ErrCodeSyntax, "SELECT nothing FROM t": gocql.ErrCodeInvalid,
		"CREATE TABLE t (k int PRIMARY KEY)":                        gocql.ErrCodeAlreadyExists,
		"CREATE KEYSPACE x WITH replication = {'class': 'Nothing'}": gocql.ErrCodeConfig} {
		var refused gocql.RequestError
		if err := session.Query(statement).Exec(); !errors.As(err, &refused) || refused.Code() != code {
			t.Errorf("%s: %v, want code %#x", statement, err, code)
		}
	}
	if err := session.Query("SELECT v FROM t WHERE k = 1").Scan(new(int)); err != gocql.ErrNotFound {
		t.Errorf("no row: %v", err)
	}
}

func TestThrottling(t *testing.T) {
	session := inKeyspace(t, "throttling")
	run(t, session, "CREATE TABLE t (k int PRIMARY KEY, v text) WITH cosmosdb_provisioned_throughput = 400")
	text := regexp.MustCompile(`TooManyRequests \(429\)`)
	wait := regexp.MustCompile(`, RetryAfterMs=[1-9]\d*,`)
	large := strings.Repeat("x", 100_000) // costs about a second's budget
	for k := 0; k < 1000; k++ {
		err := session.Query("INSERT INTO t (k, v) VALUES (?, ?)", k, large).Exec()
		if err == nil {
			continue
		}
		var refused gocql.RequestError
		if !errors.As(err, &refused) || refused.Code() != gocql.ErrCodeOverloaded ||
			!text.MatchString(refused.Message()) || !wait.MatchString(refused.Message()) {
			t.Fatalf("refused with %v", err)
		}
		return
	}
	t.Fatal("nothing was refused")
}

func TestMetadata(t *testing.T) {
	session := inKeyspace(t, "metadata")
	run(t, session, "CREATE TABLE t (a int, b text, c timestamp, v map<text, int>, PRIMARY KEY ((a, b), c)) "+
		"WITH CLUSTERING ORDER BY (c DESC)")
	if err := session.AwaitSchemaAgreement(context.Background()); err != nil {
		t.Fatal(err)
	}
	keyspace, err := session.KeyspaceMetadata("metadata")
	if err != nil {
		t.Fatal(err)
	}
	table := keyspace.Tables["t"]
	if len(table.PartitionKey) != 2 || len(table.ClusteringColumns) != 1 || len(table.Columns) != 4 {
		t.Errorf("%+v", table)
	}
	if order := table.ClusteringColumns[0].Order; order != gocql.DESC {
		t.Errorf("order %v", order)
	}
}
