package cassandra

import (
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
)

// On a cluster (tests/clients/cluster starts it) of which somebody kills the third node.
func TestClusterSessionGoesOnWithoutANode(t *testing.T) {
	addresses := os.Getenv("CLUSTER_ADDRESSES")
	if addresses == "" {
		t.Skip("no cluster")
	}
	config := gocql.NewCluster(strings.Split(addresses, ",")...)
	config.ProtoVersion = 4
	config.Timeout = patience
	config.ConnectTimeout = patience
	config.Consistency = gocql.LocalQuorum
	config.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(gocql.RoundRobinHostPolicy())
	config.RetryPolicy = &gocql.SimpleRetryPolicy{NumRetries: 3}
	config.ReconnectInterval = 200 * time.Millisecond
	// It asks a connection that broke meanwhile until then.
	config.MaxWaitSchemaAgreement = 5 * time.Second
	config.Logger = silence{}
	session := open(t, config)
	run(t, session, "CREATE KEYSPACE go_cluster "+replication)
	run(t, session, "CREATE TABLE go_cluster.t (k int PRIMARY KEY, v text) WITH cosmosdb_provisioned_throughput = 30000")
	written := 0
	writeSome := func() {
		for end := written + 30; written < end; written++ {
			persist(t, func() error {
				return session.Query("INSERT INTO go_cluster.t (k, v) VALUES (?, ?)", written, "v").Idempotent(true).Exec()
			})
		}
	}
	dying := net.JoinHostPort(strings.Split(addresses, ",")[2], "9042")
	for deadline := time.Now().Add(patience); listens(dying) && time.Now().Before(deadline); {
		writeSome()
	}
	writeSome()
	for k := 0; k < written; k++ {
		var v string
		persist(t, func() error {
			return session.Query("SELECT v FROM go_cluster.t WHERE k = ?", k).Idempotent(true).Scan(&v)
		})
		if v != "v" {
			t.Fatalf("row %d was acknowledged and is %q", k, v)
		}
	}
	run(t, session, "ALTER TABLE go_cluster.t ADD w int")
	run(t, session, "UPDATE go_cluster.t SET w = 1 WHERE k = 1")
	columns, err := session.Query("SELECT * FROM go_cluster.t WHERE k = ?", 1).Iter().SliceMap()
	if err != nil || columns[0]["w"] != 1 {
		t.Fatalf("%v, %v", columns, err)
	}
}

func listens(address string) bool {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	connection.Close()
	return true
}

// persist tries again, as applications do, what fails while partitions are between two owners.
func persist(t *testing.T, work func() error) {
	t.Helper()
	const pause = 100 * time.Millisecond
	var err error
	for waited := time.Duration(0); waited < patience; waited += pause {
		if err = work(); err == nil {
			return
		}
		time.Sleep(pause)
	}
	t.Fatal(err)
}
