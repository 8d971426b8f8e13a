// Everyday traversals with TinkerPop's Go driver: bytecode and text in GraphBinary, the only form that it speaks.
package gremlin

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strings"
	"syscall"
	"testing"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"
)

const accountKey = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="

var (
	g           *gremlingo.GraphTraversalSource
	client      *gremlingo.Client
	accountPort string
	__          = gremlingo.T__
	P           = gremlingo.P
	T           = gremlingo.T
)

var modern = []string{
	"g.addV('person').property(T.id, 1).property('name', 'marko').property('age', 29)",
	"g.addV('person').property(T.id, 2).property('name', 'vadas').property('age', 27)",
	"g.addV('software').property(T.id, 3).property('name', 'lop').property('lang', 'java')",
	"g.addV('person').property(T.id, 4).property('name', 'josh').property('age', 32)",
	"g.addE('knows').from(V(1)).to(V(2)).property(T.id, 7).property('weight', 0.5d)",
	"g.addE('knows').from(V(1)).to(V(4)).property(T.id, 8).property('weight', 1.0d)",
	"g.addE('created').from(V(1)).to(V(3)).property(T.id, 9).property('weight', 0.4d)",
}

func start(data string) (*exec.Cmd, string, error) {
	command := exec.Command(os.Getenv("ORRERY"), "serve", "--data", data, "--sql-port", "0", "--sql-direct-port", "0",
		"--cassandra-port", "0", "--table-port", "0", "--mongo-port", "0", "--gremlin-port", "any,any", "--durability", "os", "--log-level", "warn")
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
	root, err := os.MkdirTemp("", "orrery_gremlin_")
	if err != nil {
		panic(err)
	}
	command, welcome, err := start(filepath.Join(root, "data"))
	if err != nil {
		panic(err)
	}
	url := regexp.MustCompile(`ws://127\.0\.0\.1:\d+/gremlin`).FindString(welcome)
	account := regexp.MustCompile(`127\.0\.0\.1:(\d+) +\(with credentials: user /dbs`).FindStringSubmatch(welcome)
	if url == "" || account == nil {
		panic("no such ports in: " + welcome)
	}
	accountPort = account[1]
	connection, err := gremlingo.NewDriverRemoteConnection(url)
	if err != nil {
		panic(err)
	}
	g = gremlingo.Traversal_().WithRemote(connection)
	if client, err = gremlingo.NewClient(url); err != nil {
		panic(err)
	}
	for _, line := range modern {
		if _, err := submit(client, line); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	client.Close()
	connection.Close()
	_ = command.Process.Signal(syscall.SIGTERM)
	_ = command.Wait()
	_ = os.RemoveAll(root)
	os.Exit(code)
}

func submit(client *gremlingo.Client, script string) ([]*gremlingo.Result, error) {
	results, err := client.Submit(script)
	if err != nil {
		return nil, err
	}
	return results.All()
}

func texts(t *testing.T, results []*gremlingo.Result, err error) []string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	found := []string{}
	for _, each := range results {
		found = append(found, fmt.Sprint(each.GetInterface()))
	}
	sort.Strings(found)
	return found
}

func expect(t *testing.T, got []string, wanted ...string) {
	t.Helper()
	if len(got)+len(wanted) > 0 && !reflect.DeepEqual(got, wanted) {
		t.Fatalf("got %v, wanted %v", got, wanted)
	}
}

func TestBytecodeReads(t *testing.T) {
	results, err := g.V().Count().ToList()
	expect(t, texts(t, results, err), "4")
	results, err = g.V(1).Out("knows").Values("name").ToList()
	expect(t, texts(t, results, err), "josh", "vadas")
	results, err = g.V().Has("age", P.Gt(28)).Values("name").ToList()
	expect(t, texts(t, results, err), "josh", "marko")
	results, err = g.V(1).Repeat(__.Out()).Times(1).Values("name").ToList()
	expect(t, texts(t, results, err), "josh", "lop", "vadas")
	results, err = g.V().GroupCount().By(T.Label).Unfold().Select(gremlingo.Column.Values).ToList()
	expect(t, texts(t, results, err), "1", "3")
	results, err = g.V().Match(__.As("a").Out("knows").As("b"), __.As("b").Has("age", P.Lt(30))).Select("b").By("name").ToList()
	expect(t, texts(t, results, err), "vadas")
}

func TestElementsArriveWhole(t *testing.T) {
	results, err := g.V(1).ToList()
	if err != nil || len(results) != 1 {
		t.Fatal(err, results)
	}
	vertex, err := results[0].GetVertex()
	if err != nil || vertex.Label != "person" || fmt.Sprint(vertex.Id) != "1" {
		t.Fatal(err, vertex)
	}
	results, err = g.E(7).ToList()
	if err != nil || len(results) != 1 {
		t.Fatal(err, results)
	}
	edge, err := results[0].GetEdge()
	if err != nil || edge.Label != "knows" || fmt.Sprint(edge.InV.Id) != "2" {
		t.Fatal(err, edge)
	}
	results, err = g.V(1).Out("created").Path().By("name").ToList()
	if err != nil || len(results) != 1 {
		t.Fatal(err, results)
	}
	path, err := results[0].GetPath()
	if err != nil || fmt.Sprint(path.Objects) != "[marko lop]" {
		t.Fatal(err, path)
	}
}

func TestBytecodeWrites(t *testing.T) {
	if err := <-g.AddV("city").Property(T.Id, "bonn").Property("name", "Bonn").Iterate(); err != nil {
		t.Fatal(err)
	}
	if err := <-g.V("bonn").Property("size", int64(5_000_000_000)).Iterate(); err != nil {
		t.Fatal(err)
	}
	results, err := g.V("bonn").Values("size").ToList()
	expect(t, texts(t, results, err), "5000000000")
	if err := <-g.V("bonn").Drop().Iterate(); err != nil {
		t.Fatal(err)
	}
	results, err = g.V("bonn").ToList()
	expect(t, texts(t, results, err))
}

func TestText(t *testing.T) {
	results, err := submit(client, "g.V(1).out('knows').order().by('name').values('name')")
	expect(t, texts(t, results, err), "josh", "vadas")
	bound, err := client.SubmitWithOptions("g.V().has('age', gt(x)).values('name')",
		new(gremlingo.RequestOptionsBuilder).AddBinding("x", 30).Create())
	if err != nil {
		t.Fatal(err)
	}
	results, err = bound.All()
	expect(t, texts(t, results, err), "josh")
	results, err = submit(client, "g.inject(0).repeat(union(identity(), identity())).times(8)")
	if err != nil || len(results) != 256 {
		t.Fatal(err, len(results))
	}
	if _, err = submit(client, "g.V().ouut()"); err == nil || !strings.Contains(err.Error(), "did you mean 'out'") {
		t.Fatal(err)
	}
}

func TestTransactionsAreRefusedWithTheReason(t *testing.T) {
	transaction := g.Tx()
	source, err := transaction.Begin()
	if err != nil {
		return
	}
	if err = <-source.AddV("x").Iterate(); err == nil || !strings.Contains(err.Error(), "sessions are not supported") {
		t.Fatal(err)
	}
}

func TestTheSecondPortAsksForCredentials(t *testing.T) {
	login := func(key string) (*gremlingo.Client, error) {
		return gremlingo.NewClient("ws://127.0.0.1:"+accountPort+"/gremlin", func(settings *gremlingo.ClientSettings) {
			settings.AuthInfo = gremlingo.BasicAuthInfo("localhost", key)
			settings.TlsConfig = &tls.Config{}
		})
	}
	known, err := login(accountKey)
	if err != nil {
		t.Fatal(err)
	}
	defer known.Close()
	results, err := submit(known, "g.V(1).values('name')")
	expect(t, texts(t, results, err), "marko")
	stranger, err := login("d3Jvbmc=")
	if err != nil {
		return
	}
	defer stranger.Close()
	if _, err = submit(stranger, "g.V()"); err == nil {
		t.Fatal("a wrong key was accepted")
	}
}
