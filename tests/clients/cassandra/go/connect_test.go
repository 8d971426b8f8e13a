package cassandra

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocql/gocql"
)

func letIn(t *testing.T, config *gocql.ClusterConfig) {
	t.Helper()
	var key string
	if err := open(t, config).Query("SELECT key FROM system.local").Scan(&key); err != nil || key != "local" {
		t.Fatalf("%q, %v", key, err)
	}
}

func TestVersionsAndCompression(t *testing.T) {
	for _, version := range []int{0, 3, 4} { // 0: the driver asks
		for _, compressor := range []gocql.Compressor{nil, gocql.SnappyCompressor{}} {
			config := shared.cluster("")
			config.ProtoVersion = version
			config.Compressor = compressor
			letIn(t, config)
		}
	}
}

func TestTLS(t *testing.T) {
	trusting := &gocql.SslOptions{CaPath: shared.certificate(), EnableHostVerification: true}
	config := shared.cluster("")
	config.SslOpts = trusting
	letIn(t, config)
	config = shared.cluster("")
	config.SslOpts = trusting
	config.Port = shared.accountPort
	config.Authenticator = gocql.PasswordAuthenticator{Username: "localhost", Password: accountKey}
	letIn(t, config)

	config = shared.cluster("")
	config.SslOpts = &gocql.SslOptions{EnableHostVerification: true}
	if _, err := config.CreateSession(); err == nil {
		t.Fatal("a client that does not trust the certificate came in")
	}
}

func TestCredentials(t *testing.T) {
	for _, c := range []struct {
		user, password string
		good           bool
	}{{"localhost", accountKey, true}, {"cassandra", "cassandra", true}, {"localhost", "wrong", false},
		{"nobody", accountKey, false}} {
		config := shared.cluster("")
		config.Port = shared.accountPort
		config.Authenticator = gocql.PasswordAuthenticator{Username: c.user, Password: c.password}
		if c.good {
			letIn(t, config)
		} else if _, err := config.CreateSession(); err == nil || !strings.Contains(err.Error(), "ncorrect") {
			t.Errorf("%s with a wrong password: %v", c.user, err)
		}
	}
	config := shared.cluster("")
	config.Port = shared.accountPort
	if _, err := config.CreateSession(); err == nil {
		t.Error("nobody came in")
	}
}

func TestSessionGoesOnAfterRestart(t *testing.T) {
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "any,any")
	defer func() { s.stop() }()
	session := open(t, s.cluster(""))
	run(t, session, "CREATE KEYSPACE kept "+replication)
	run(t, session, "CREATE TABLE kept.t (k int PRIMARY KEY, v text)")
	run(t, session, "INSERT INTO kept.t (k, v) VALUES (?, ?)", 1, "before")
	s.stop()
	const pause = 10 * time.Millisecond
	if err := session.Query("SELECT v FROM kept.t WHERE k = ?", 1).Exec(); err == nil {
		t.Fatal("an answer although nobody listens")
	}
	s = s.startAgain(t)
	var v string
	var err error
	for waited := time.Duration(0); waited < patience; waited += pause {
		if err = session.Query("SELECT v FROM kept.t WHERE k = ?", 1).Scan(&v); err == nil {
			break
		}
		time.Sleep(pause) // the driver tells nobody when it is connected again
	}
	if v != "before" {
		t.Fatalf("read %q, %v", v, err)
	}
	run(t, session, "INSERT INTO kept.t (k, v) VALUES (?, ?)", 2, "after")
}
