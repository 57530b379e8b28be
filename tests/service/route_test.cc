#include "route.h"

#include <gtest/gtest.h>

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
