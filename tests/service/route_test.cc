#include "route.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "service.h"

namespace twinset::service {
namespace {

TEST(MatchPath, NamesArePartsOfIt) {
  Parameters names;
  EXPECT_TRUE(match_path("/", "/", names));
  EXPECT_TRUE(match_path("/clusters/{cluster}", "/clusters/a%2fb%20c", names));
  EXPECT_EQ(names, (Parameters{{"cluster", "a/b c"}}));
  for (const char* other : {"/clusters", "/clusters/", "/clusters/1/2", "clusters/1", "", "/x/1",
                            "/clusters/%zz", "/clusters/%ff"}) {
    EXPECT_FALSE(match_path("/clusters/{cluster}", other, names)) << other;
  }
}

TEST(Openapi, DescribesEachRoute) {
  State state;
  const Service service(state, Access({"127.0.0.1", {}, "0123456789abcdef"}), {}, false);
  const Result<JsonTree> tree = JsonTree::parse(state.openapi, 1'000'000);
  ASSERT_TRUE(tree.ok()) << tree.error().message;
  for (const JsonMember& member : tree.value().root().members()) {
    if (member.name != "paths") continue;
    for (const Route& route : service.routes()) {
      bool found = false;
      for (const JsonMember& path : member.value.members()) found |= path.name == route.path;
      EXPECT_TRUE(found) << route.path;
    }
  }
  EXPECT_NE(state.openapi.find("\"securitySchemes\""), std::string::npos);
}

/// A row for each route; members that must be there come first, in bold.
std::string table_of(const std::vector<Route>& routes) {
  std::string table = "| Request | Answer | Members |\n|---|---|---|\n";
  for (const Route& route : routes) {
    std::string needed;
    std::string others;
    const auto add = [&](std::string_view name, bool is_needed) {
      std::string& to = is_needed ? needed : others;
      const std::string shown = "`" + std::string(name) + "`";
      to += (to.empty() ? "" : ", ") + (is_needed ? "**" + shown + "**" : shown);
    };
    route.with_members([&](const Members& members) {
      for (const Field& field : members.fields) {
        add(field.name, field.presence == Presence::always);
      }
      for (const Option& option : members.options) add(option.name(), option.is_required);
    });
    table += "| " + std::string(route.method) + " `" + std::string(route.path) + "` | " +
             std::string(route.summary) + " | " + needed +
             (needed.empty() || others.empty() ? "" : ", ") + others + " |\n";
  }
  return table;
}

/// With TWINSET_UPDATE_DOCS=1 it is written.
TEST(Routes, AreThoseOfTheDocumentation) {
  State state;
  const Service service(state, Access({"127.0.0.1", {}, ""}), {}, false);
  const std::string path = TWINSET_SOURCE "/docs/serve.md";
  std::ifstream in(path, std::ios::binary);
  std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::string mark = "<!-- routes -->\n";
  const std::size_t begin = page.find(mark) + mark.size();
  const std::size_t end = page.find("<!-- end -->", begin);
  ASSERT_LT(end, page.size());
  const std::string table = table_of(service.routes());
  if (std::getenv("TWINSET_UPDATE_DOCS") != nullptr) {
    std::ofstream(path, std::ios::binary) << page.replace(begin, end - begin, table);
  } else {
    EXPECT_EQ(page.substr(begin, end - begin), table)
        << "run TWINSET_UPDATE_DOCS=1 service_test --gtest_filter='Routes.*'";
  }
}

TEST(Failure, IsAnObject) {
  EXPECT_EQ(failure_json({400, "usage", "a \"b\"\xff"}),
            "{\"error\": {\"code\": \"usage\", \"message\": \"a \\\"b\\\"\\\\xff\"}}");
  EXPECT_EQ(failure_of(usage_error("x")).status, 400U);
  EXPECT_EQ(failure_of(io_error("cannot write a: No space left on device")).status, 507U);
  EXPECT_EQ(failure_of(io_error("cannot read a: Input/output error")).status, 500U);
}

TEST(Metrics, CountByRouteAndStatus) {
  Metrics metrics;
  metrics.count("/query", 200, 10, 100, 0.003);
  metrics.count("/query", 200, 10, 100, 20);
  metrics.count("/query", 400, 1, 1, 0.0001);
  const std::string text = metrics.text({{"twinset_ready", "Ready.", 1}});
  for (const char* line :
       {"twinset_requests_total{route=\"/query\",status=\"200\"} 2\n",
        "twinset_requests_total{route=\"/query\",status=\"400\"} 1\n",
        "twinset_request_seconds_bucket{route=\"/query\",le=\"0.001\"} 1\n",
        "twinset_request_seconds_bucket{route=\"/query\",le=\"0.005\"} 2\n",
        "twinset_request_seconds_bucket{route=\"/query\",le=\"+Inf\"} 3\n",
        "twinset_request_body_bytes_total 21\n", "twinset_answer_body_bytes_total 201\n",
        "# TYPE twinset_ready gauge\ntwinset_ready 1\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

}  // namespace
}  // namespace twinset::service
