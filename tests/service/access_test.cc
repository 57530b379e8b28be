#include "access.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "http.h"
#include "support/scratch_folder.h"

namespace twinset::service {
namespace {

const std::string secret = "0123456789abcdef";

TEST(Access, KnowsTheTokenAlone) {
  const Access access({"127.0.0.1", {}, secret});
  EXPECT_TRUE(access.needs_token());
  EXPECT_TRUE(access.knows_token("Bearer " + secret));
  EXPECT_TRUE(access.knows_token("bEARER " + secret));
  for (const std::string& wrong :
       {std::string(), std::string("Bearer"), std::string("Bearer "), secret, "Basic " + secret,
        "Bearer " + secret + "0", "Bearer " + secret.substr(1),
        std::string("Bearer 1123456789abcdef")}) {
    EXPECT_FALSE(access.knows_token(wrong)) << wrong;
  }
  EXPECT_FALSE(Access({"127.0.0.1", {}, ""}).needs_token());
}

TEST(Access, KnowsTheNamesByWhichItIsAsked) {
  const Access access({"10.0.0.7", {"search.example", "other.example:8443"}, secret});
  for (const char* known :
       {"localhost", "LOCALHOST:80", "127.0.0.1:8080", "127.1.2.3", "[::1]:80", "10.0.0.7:1",
        "search.example", "Search.Example.:443", "other.example:8443"}) {
    EXPECT_TRUE(access.knows_host(known)) << known;
  }
  for (const char* unknown :
       {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[::1", "[::1]x",
        "10.0.0.8", "search.example.evil", ":80"}) {
    EXPECT_FALSE(access.knows_host(unknown)) << unknown;
  }
}

TEST(Access, APageOfAnotherSiteIsNotOurs) {
  EXPECT_TRUE(Access::is_own_page("", "localhost:80"));
  EXPECT_TRUE(Access::is_own_page("http://localhost:80", "localhost:80"));
  EXPECT_TRUE(Access::is_own_page("https://search.example", "search.example"));
  EXPECT_FALSE(Access::is_own_page("null", "localhost"));
  EXPECT_FALSE(Access::is_own_page("http://localhost:81", "localhost:80"));
  EXPECT_FALSE(Access::is_own_page("http://evil.example", "localhost"));
}

TEST(TokenFile, IsALineThatOthersCannotRead) {
  const testing::ScratchFolder scratch;
  const std::string path = scratch / "token";
  const auto write = [&](const std::string& text, unsigned mode) {
    std::ofstream(path, std::ios::binary) << text;
    ::chmod(path.c_str(), mode);
    return read_token_file(path);
  };
  EXPECT_EQ(write(secret + "\r\nmore", 0600).value().token, secret);
  EXPECT_EQ(write(secret, 0600).value().warning, "");
  EXPECT_NE(write(secret, 0644).value().warning, "");
  for (const std::string& wrong :
       {std::string("short"), std::string("0123456789 abcdef"),
        std::string("0123456789\xc3\xa9 abcdef"), std::string(5000, 'x')}) {
    EXPECT_FALSE(write(wrong, 0600).ok()) << wrong;
  }
  EXPECT_EQ(read_token_file(scratch / "none").error().code, ErrorCode::io);
}

TEST(Address, HasAPort) {
  EXPECT_EQ(parse_address("127.0.0.1:8080").value(),
            std::pair(std::string("127.0.0.1"), std::uint16_t{8080}));
  EXPECT_EQ(parse_address("[::1]:0").value().first, "::1");
  EXPECT_EQ(parse_address("localhost:1").value().first, "127.0.0.1");
  for (const char* wrong : {"", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536",
                            "::1:80", "nowhere.example:80", "127.0.0.1:-1"}) {
    EXPECT_FALSE(parse_address(wrong).ok()) << wrong;
  }
}

TEST(Loopback, IsThisMachine) {
  EXPECT_TRUE(is_loopback("127.9.9.9"));
  EXPECT_TRUE(is_loopback("::1"));
  EXPECT_FALSE(is_loopback("0.0.0.0"));
  EXPECT_FALSE(is_loopback("::"));
  EXPECT_FALSE(is_loopback("localhost.example"));
}

}  // namespace
}  // namespace twinset::service
