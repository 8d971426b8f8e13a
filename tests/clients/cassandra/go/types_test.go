package cassandra

import (
	"fmt"
	"math/big"
	"net"
	"reflect"
	"testing"
	"time"

	"github.com/gocql/gocql"
	"gopkg.in/inf.v0"
)

func mustParse(text string) gocql.UUID {
	id, err := gocql.ParseUUID(text)
	if err != nil {
		panic(err)
	}
	return id
}

type phone struct {
	Kind   string `cql:"kind"`
	Number int64  `cql:"number"`
}

type address struct {
	Street string  `cql:"street"`
	Phones []phone `cql:"phones"`
}

func TestEveryType(t *testing.T) {
	session := inKeyspace(t, "every_type")
	run(t, session, "CREATE TYPE phone (kind text, number bigint)")
	run(t, session, "CREATE TYPE address (street text, phones frozen<list<phone>>)")
	home := address{"Main Street", []phone{{"home", 1}, {"mobile", 1 << 40}}}
	huge, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	for i, c := range []struct {
		cql   string
		value interface{}
	}{
		{"ascii", "plain"}, {"bigint", int64(-1 << 63)}, {"blob", []byte{0, 1, 255}}, {"boolean", true},
		{"date", time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)}, {"decimal", *inf.NewDec(-12345, 3)},
		{"double", -0.5}, {"float", float32(1.25)}, {"inet", net.ParseIP("2001:db8::1")}, {"int", -1 << 31},
		{"smallint", int16(-1 << 15)}, {"text", "Ωmega"}, {"time", 23*time.Hour + time.Nanosecond},
		{"timestamp", time.Date(2026, 2, 28, 12, 30, 15, 123e6, time.UTC)},
		{"timeuuid", mustParse("5b6962dd-3f90-11e4-8e5f-0123456789ab")}, {"tinyint", int8(-128)},
		{"uuid", mustParse("f0a5c8d2-6b4e-4c9a-9d3b-7a1e2f3c4d5e")}, {"varchar", "text"}, {"varint", *huge},
		{"duration", gocql.Duration{Months: 14, Days: 3, Nanoseconds: 5e9}},
		{"list<int>", []int{3, 1, 3}}, {"set<text>", []string{"a", "b"}}, {"map<text, int>", map[string]int{"a": 1}},
		{"map<text, frozen<list<int>>>", map[string][]int{"a": {1, 2}, "b": {}}},
		{"frozen<address>", home}, {"address", home}, {"list<frozen<address>>", []address{home, home}},
	} {
		t.Run(c.cql, func(t *testing.T) {
			table := fmt.Sprintf("t%d", i)
			run(t, session, "CREATE TABLE "+table+" (k int PRIMARY KEY, v "+c.cql+")")
			run(t, session, "INSERT INTO "+table+" (k, v) VALUES (1, ?)", c.value)
			got := reflect.New(reflect.TypeOf(c.value))
			if err := session.Query("SELECT v FROM " + table).Scan(got.Interface()); err != nil {
				t.Fatal(err)
			}
			same := reflect.DeepEqual(got.Elem().Interface(), c.value)
			switch value := c.value.(type) {
			case time.Time:
				same = value.Equal(got.Elem().Interface().(time.Time))
			case inf.Dec:
				same = value.Cmp(got.Interface().(*inf.Dec)) == 0
			case big.Int:
				same = value.Cmp(got.Interface().(*big.Int)) == 0
			case net.IP:
				same = value.Equal(got.Elem().Interface().(net.IP))
			}
			if !same {
				t.Errorf("%v came back as %v", c.value, got.Elem().Interface())
			}
		})
	}
}

func TestTuples(t *testing.T) {
	session := inKeyspace(t, "tuples")
	run(t, session, "CREATE TABLE t (k int PRIMARY KEY, v tuple<int, text, boolean>)")
	run(t, session, "INSERT INTO t (k, v) VALUES (?, (?, ?, ?))", 1, 7, "seven", true)
	var number int
	var text string
	var truth bool
	// The driver unpacks a tuple into one variable for each part.
	if err := session.Query("SELECT v FROM t").Scan(&number, &text, &truth); err != nil {
		t.Fatal(err)
	}
	if number != 7 || text != "seven" || !truth {
		t.Errorf("%d %q %v", number, text, truth)
	}
}

func TestNullUnsetAndCounters(t *testing.T) {
	session := inKeyspace(t, "nulls")
	run(t, session, "CREATE TABLE t (k int PRIMARY KEY, a text, b text)")
	run(t, session, "INSERT INTO t (k, a, b) VALUES (?, ?, ?)", 1, "a", "b")
	run(t, session, "INSERT INTO t (k, a, b) VALUES (?, ?, ?)", 1, gocql.UnsetValue, nil)
	var a, b *string
	if err := session.Query("SELECT a, b FROM t").Scan(&a, &b); err != nil {
		t.Fatal(err)
	}
	if a == nil || *a != "a" || b != nil {
		t.Errorf("a %v, b %v", a, b)
	}
	run(t, session, "CREATE TABLE n (k int PRIMARY KEY, n counter)")
	run(t, session, "UPDATE n SET n = n + ? WHERE k = 1", int64(40))
	run(t, session, "UPDATE n SET n = n + ? WHERE k = 1", int64(2))
	var n int64
	if err := session.Query("SELECT n FROM n WHERE k = 1").Scan(&n); err != nil || n != 42 {
		t.Errorf("%d, %v", n, err)
	}
}
