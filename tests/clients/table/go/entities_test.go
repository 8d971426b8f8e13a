// Everyday jobs with Microsoft's Go client, on both ports, plain and over TLS.
package table

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"syscall"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"
)

const (
	accountKey  = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
	emulatorKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

var services map[string]*aztables.ServiceClient

func start(data string) (*exec.Cmd, string, error) {
	command := exec.Command(os.Getenv("ORRERY"), "serve", "--data", data, "--sql-port", "0", "--sql-direct-port", "0",
		"--cassandra-port", "0", "--table-port", "any,any", "--durability", "os", "--log-level", "warn")
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

func connect(endpoint, account, key string, trusted *x509.CertPool) (*aztables.ServiceClient, error) {
	credential, err := aztables.NewSharedKeyCredential(account, key)
	if err != nil {
		return nil, err
	}
	options := azcore.ClientOptions{InsecureAllowCredentialWithHTTP: true}
	if strings.HasPrefix(endpoint, "https:") {
		options = azcore.ClientOptions{Transport: &http.Client{
			Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}}}
	}
	return aztables.NewServiceClientWithSharedKey(endpoint, credential, &aztables.ClientOptions{ClientOptions: options})
}

// certificates of a server, which it has made itself.
func certificates(data string) (*x509.CertPool, error) {
	text, err := os.ReadFile(filepath.Join(data, "tls", "tls-certificate.pem"))
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM(text) {
		return nil, errors.New("the certificate is malformed")
	}
	return trusted, nil
}

func TestMain(m *testing.M) {
	root, err := os.MkdirTemp("", "orrery_tables_")
	if err != nil {
		panic(err)
	}
	command, welcome, err := start(filepath.Join(root, "data"))
	if err != nil {
		panic(err)
	}
	found := regexp.MustCompile(`TableEndpoint=http://127\.0\.0\.1:(\d+)/;\n\s+127\.0\.0\.1:(\d+) `).FindStringSubmatch(welcome)
	if found == nil {
		panic("the server did not start: " + welcome)
	}
	trusted, err := certificates(filepath.Join(root, "data"))
	if err != nil {
		panic(err)
	}
	services = map[string]*aztables.ServiceClient{}
	for door, scheme := range map[string]string{"": "http", "Tls": "https"} {
		if services["cosmos"+door], err = connect(scheme+"://localhost:"+found[1], "localhost", accountKey, trusted); err != nil {
			panic(err)
		}
		storage := scheme + "://127.0.0.1:" + found[2] + "/devstoreaccount1"
		if services["storage"+door], err = connect(storage, "devstoreaccount1", emulatorKey, trusted); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	command.Process.Signal(syscall.SIGTERM)
	command.Wait()
	os.RemoveAll(root)
	os.Exit(code)
}

func onEach(t *testing.T, name string, job func(t *testing.T, table *aztables.Client)) {
	for door, service := range services {
		t.Run(door, func(t *testing.T) {
			table := service.NewClient(name + door)
			must(t, second(table.CreateTable(context.Background(), nil)))
			job(t, table)
			must(t, second(table.Delete(context.Background(), nil)))
		})
	}
}

func second[T any](_ T, err error) error { return err }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func refused(t *testing.T, err error, code string) {
	t.Helper()
	var response *azcore.ResponseError
	if !errors.As(err, &response) || response.ErrorCode != code {
		t.Fatalf("not refused with %s: %v", code, err)
	}
}

func entity(partition, row string, more map[string]any) []byte {
	properties := map[string]any{"PartitionKey": partition, "RowKey": row}
	for name, value := range more {
		properties[name] = value
	}
	text, _ := json.Marshal(properties)
	return text
}

func TestEntities(t *testing.T) {
	ctx := context.Background()
	onEach(t, "Entities", func(t *testing.T, table *aztables.Client) {
		must(t, second(table.AddEntity(ctx, entity("Smith", "Ben", map[string]any{"age": 33}), nil)))
		refused(t, second(table.AddEntity(ctx, entity("Smith", "Ben", nil), nil)), "EntityAlreadyExists")
		ben, err := table.GetEntity(ctx, "Smith", "Ben", nil)
		must(t, err)
		must(t, second(table.UpdateEntity(ctx, entity("Smith", "Ben", map[string]any{"city": "Rome"}),
			&aztables.UpdateEntityOptions{IfMatch: &ben.ETag, UpdateMode: aztables.UpdateModeMerge})))
		refused(t, second(table.UpdateEntity(ctx, entity("Smith", "Ben", nil),
			&aztables.UpdateEntityOptions{IfMatch: &ben.ETag, UpdateMode: aztables.UpdateModeReplace})), "UpdateConditionNotSatisfied")
		ben, err = table.GetEntity(ctx, "Smith", "Ben", nil)
		must(t, err)
		var read map[string]any
		must(t, json.Unmarshal(ben.Value, &read))
		if read["age"] != 33.0 || read["city"] != "Rome" {
			t.Fatal(read)
		}
		must(t, second(table.UpsertEntity(ctx, entity("Smith", "Jeff", nil), nil)))
		must(t, second(table.DeleteEntity(ctx, "Smith", "Ben", nil)))
		refused(t, second(table.GetEntity(ctx, "Smith", "Ben", nil)), "ResourceNotFound")
	})
}

func TestQueriesAndTransactions(t *testing.T) {
	ctx := context.Background()
	onEach(t, "Queries", func(t *testing.T, table *aztables.Client) {
		var actions []aztables.TransactionAction
		for i := 0; i < 30; i++ {
			actions = append(actions, aztables.TransactionAction{ActionType: aztables.TransactionTypeAdd,
				Entity: entity("p", fmt.Sprintf("%02d", i), map[string]any{"n": i})})
		}
		must(t, second(table.SubmitTransaction(ctx, actions, nil)))
		if err := second(table.SubmitTransaction(ctx, actions[:2], nil)); err == nil || !strings.Contains(err.Error(), "0:The specified entity already exists") {
			t.Fatal(err)
		}
		must(t, second(table.AddEntity(ctx, entity("a", "x", map[string]any{"n": 29}), nil)))
		filter, top := "n ge 20", int32(3)
		var keys []string
		for pager := table.NewListEntitiesPager(&aztables.ListEntitiesOptions{Filter: &filter, Top: &top}); pager.More(); {
			page, err := pager.NextPage(ctx)
			must(t, err)
			for _, text := range page.Entities {
				var read map[string]any
				must(t, json.Unmarshal(text, &read))
				keys = append(keys, read["PartitionKey"].(string)+read["RowKey"].(string))
			}
		}
		if len(keys) != 11 || !sort.StringsAreSorted(keys) {
			t.Fatal(keys)
		}
	})
}
