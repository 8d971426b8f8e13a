// Everything that can be wrong before the first operation: each has its code, and a message that
// says what to do.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "ceph_under_test.h"

namespace orrery::storage::rados {
namespace {

using testing::HasSubstr;

class ConnectTest : public CephTest {
 protected:
  void SetUp() override {
    CephTest::SetUp();
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string File(const std::string& name, const std::string& text) {
    const std::string path = directory_ / name;
    std::ofstream(path) << text;
    return path;
  }
  // The cluster's configuration with more lines at its end.
  std::string ConfWith(const std::string& text) {
    std::ifstream in(NewOptions().conf);
    const std::string conf((std::istreambuf_iterator<char>(in)), {});
    return File("ceph.conf", conf + "\n" + text);
  }
  // A user with the capabilities given, and a configuration that has its key.
  LibradosStore::Options WithUser(const std::string& user, const std::string& caps) {
    const std::string keyring = directory_ / (user + ".keyring");
    Ceph("ask", fmt::format("auth get-or-create client.{} {} -o {}", user, caps, keyring));
    LibradosStore::Options options = NewOptions();
    options.user = user;
    options.conf = ConfWith(fmt::format("[client.{}]\nkeyring = {}\n", user, keyring));
    return options;
  }
  static Error Refusal(const LibradosStore::Options& options) {
    auto store = LibradosStore::Connect(options);
    EXPECT_FALSE(store.has_value());
    return store.has_value() ? Error(Code::kInternal, "connected") : store.error();
  }
  static void ExpectRefusal(const LibradosStore::Options& options, Code code,
                            const std::string& words) {
    const Error error = Refusal(options);
    EXPECT_EQ(CodeName(error.code()), CodeName(code));
    EXPECT_THAT(error.message(), HasSubstr(words));
  }

  const std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / fmt::format("orrery_connect_{}", getpid());
};

TEST_F(ConnectTest, NoConfiguration) {
  LibradosStore::Options options = NewOptions();
  options.conf = "/nowhere/ceph.conf";
  ExpectRefusal(options, Code::kInvalidArgument, "no Ceph configuration at '/nowhere/ceph.conf'");
}

TEST_F(ConnectTest, AConfigurationThatIsNone) {
  LibradosStore::Options options = NewOptions();
  options.conf = File("ceph.conf", "{\"this\": \"is JSON\"}\n");
  ExpectRefusal(options, Code::kInvalidArgument, options.conf);
  options.conf = File("ceph.conf", "[global]\nfsid = 6fa783ea-fb28-453b-872b-4d73799876cd\n");
  ExpectRefusal(options, Code::kInvalidArgument, "names no monitors");
}

TEST_F(ConnectTest, MonitorsThatDoNotAnswer) {
  LibradosStore::Options options = NewOptions();
  options.conf = ConfWith("[global]\nmon_host = [v2:127.0.0.1:1]\n");
  options.connect_timeout = std::chrono::seconds(2);
  ExpectRefusal(options, Code::kUnavailable, "answers within 2 s");
}

TEST_F(ConnectTest, NoSuchPool) {
  LibradosStore::Options options = NewOptions();
  options.pool = "elsewhere";
  ExpectRefusal(options, Code::kNotFound, "ceph osd pool create elsewhere");
}

TEST_F(ConnectTest, AUserWithoutAKey) {
  LibradosStore::Options options = NewOptions();
  options.user = "nobody";
  ExpectRefusal(options, Code::kForbidden, "no key of client.nobody");
}

TEST_F(ConnectTest, AWrongKey) {
  LibradosStore::Options options = NewOptions();
  options.conf = ConfWith(fmt::format(
      "[client.orrery]\nkeyring = {}\n",
      File("keyring", "[client.orrery]\n\tkey = AQCnS2Rn3QvGGBAAdUTTuWm9mXDT4Bu2R4QZPQ==\n")));
  ExpectRefusal(options, Code::kForbidden, "does not know client.orrery by the key");
}

TEST_F(ConnectTest, TooFewCapabilities) {
  const std::string mon = "mon 'profile simple-rados-client-with-blocklist' ";
  const std::string enough = "ceph auth caps client.";
  ExpectRefusal(WithUser("reader", mon + "osd 'allow r pool=orrery'"), Code::kForbidden, enough);
  ExpectRefusal(WithUser("unlocking", mon + "osd 'allow rw pool=orrery'"), Code::kForbidden,
                enough);
  ExpectRefusal(WithUser("unfencing", "mon 'allow r' osd 'allow rwx pool=orrery'"),
                Code::kForbidden, enough);
  auto store = LibradosStore::Connect(WithUser("able", mon + "osd 'allow rwx pool=orrery'"));
  EXPECT_TRUE(store.has_value()) << store.error().ToString();
}

}  // namespace
}  // namespace orrery::storage::rados
