package cassandra

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocql/gocql"
)

const (
	accountKey  = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
	replication = "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
	// Only a hung server ever gets there.
	patience = 60 * time.Second
)

var cqlPorts = regexp.MustCompile(`cassandra +127\.0\.0\.1:(\d+).*\n +127\.0\.0\.1:(\d+)`)

// A built `orrery` with two CQL ports; the second asks everybody for credentials.
type server struct {
	data              string
	port, accountPort int
	process           *exec.Cmd
}

// startServer ends the test when the server does not start. `ports` as in --cassandra-port.
func startServer(tb testing.TB, data, ports string) *server {
	tb.Helper()
	s := &server{data: data}
	s.process = exec.Command(os.Getenv("ORRERY"), "serve", "--data", data, "--sql-port", "0",
		"--cassandra-port", ports, "--durability", "os", "--log-level", "warn")
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "ORRERY_") {
			s.process.Env = append(s.process.Env, variable)
		}
	}
	s.process.Stderr = os.Stderr
	output, err := s.process.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		tb.Fatal(err)
	}
	welcome := ""
	for lines := bufio.NewScanner(output); lines.Scan() && !strings.HasPrefix(lines.Text(), "Ready in"); {
		welcome += lines.Text() + "\n"
	}
	found := cqlPorts.FindStringSubmatch(welcome)
	if found == nil {
		tb.Fatalf("the server did not start: %s", welcome)
	}
	s.port, _ = strconv.Atoi(found[1])
	s.accountPort, _ = strconv.Atoi(found[2])
	return s
}

func (s *server) stop() {
	s.process.Process.Signal(syscall.SIGTERM)
	s.process.Wait()
}

// startAgain runs a new server on the data and ports of this one, which has ended.
func (s *server) startAgain(tb testing.TB) *server {
	tb.Helper()
	return startServer(tb, s.data, fmt.Sprintf("%d,%d", s.port, s.accountPort))
}

func (s *server) certificate() string {
	return filepath.Join(s.data, "tls", "tls-certificate.pem")
}

func (s *server) cluster(keyspace string) *gocql.ClusterConfig {
	config := gocql.NewCluster("127.0.0.1")
	config.Port = s.port
	config.Keyspace = keyspace
	config.ProtoVersion = 4
	config.Timeout = patience
	config.ConnectTimeout = patience
	config.ReconnectInterval = 50 * time.Millisecond
	config.Consistency = gocql.LocalQuorum
	config.Logger = silence{}
	return config
}

// The driver tells the log of every lost connection, and losing them is what some tests do.
type silence struct{}

func (silence) Print(...interface{})          {}
func (silence) Printf(string, ...interface{}) {}
func (silence) Println(...interface{})        {}

// The server that the tests of this package share; those that restart one start their own.
var shared *server

func TestMain(m *testing.M) {
	root, err := os.MkdirTemp("", "orrery_go_")
	if err != nil {
		panic(err)
	}
	shared = startServer(starting{}, filepath.Join(root, "data"), "any,any")
	code := m.Run()
	shared.stop()
	os.RemoveAll(root)
	os.Exit(code)
}

// Before the first test there is none to fail.
type starting struct{ testing.TB }

func (starting) Helper()                              {}
func (starting) Fatal(what ...interface{})            { panic(fmt.Sprint(what...)) }
func (starting) Fatalf(f string, what ...interface{}) { panic(fmt.Sprintf(f, what...)) }

func open(t *testing.T, config *gocql.ClusterConfig) *gocql.Session {
	t.Helper()
	session, err := config.CreateSession()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(session.Close)
	return session
}

// inKeyspace gives a session in a new keyspace of that name.
func inKeyspace(t *testing.T, name string) *gocql.Session {
	t.Helper()
	run(t, open(t, shared.cluster("")), "CREATE KEYSPACE "+name+" "+replication)
	return open(t, shared.cluster(name))
}

func run(t *testing.T, session *gocql.Session, statement string, values ...interface{}) {
	t.Helper()
	if err := session.Query(statement, values...).Exec(); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
