// Local sockets: made for one user, in place of dead ones alone, and read and written without
// waiting.
#include "system/local_socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>

#include "support/scratch_folder.h"

namespace twinset::testing {
namespace {

LocalSocket connected_to(const std::string& path) {
  OwnedDescriptor descriptor(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  EXPECT_EQ(
      ::connect(descriptor.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return LocalSocket(std::move(descriptor));
}

TEST(LocalSocket, CarriesBytesBothWays) {
  const ScratchFolder folder;
  const auto listener = LocalListener::open(folder / "s").value();
  EXPECT_FALSE(listener->accept().has_value());
  std::optional<LocalSocket> client = connected_to(folder / "s");
  const std::optional<LocalSocket> server = listener->accept();
  ASSERT_TRUE(server.has_value());
  char bytes[16];
  EXPECT_EQ(server->read(bytes, sizeof bytes).state, LocalSocket::State::busy);
  EXPECT_EQ(client->write("hello").bytes, 5U);
  EXPECT_EQ(server->read(bytes, sizeof bytes).bytes, 5U);
  // What does not fit is told, and nothing waits for it.
  const std::string large(1 << 20, 'x');
  LocalSocket::Moved moved;
  for (int i = 0; i < 100 && moved.state == LocalSocket::State::open; ++i)
    moved = server->write(large);
  EXPECT_EQ(moved.state, LocalSocket::State::busy);
  client.reset();
  EXPECT_EQ(server->read(bytes, sizeof bytes).state, LocalSocket::State::closed);
  EXPECT_EQ(server->write("x").state, LocalSocket::State::closed);
}

TEST(LocalSocket, APathIsTakenOnlyFromADeadSocket) {
  const ScratchFolder folder;
  const std::string path = folder / "s";
  {
    const auto listener = LocalListener::open(path).value();
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    EXPECT_EQ(LocalListener::open(path).error().code, ErrorCode::usage);
  }
  EXPECT_NE(::access(path.c_str(), F_OK), 0) << "the listener removes it";
  {
    // As a kill leaves it.
    const OwnedDescriptor dead(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    ASSERT_EQ(::bind(dead.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  EXPECT_TRUE(LocalListener::open(path).ok());
  {
    // The path has another one's socket when the first goes.
    const auto other = [&] {
      const auto first = LocalListener::open(path).value();
      ::unlink(path.c_str());
      return LocalListener::open(path).value();
    }();
    EXPECT_EQ(::access(path.c_str(), F_OK), 0);
  }
  folder.write("file", "mine");
  EXPECT_EQ(LocalListener::open(folder / "file").error().code, ErrorCode::usage);
  EXPECT_EQ(folder.read("file"), "mine");
  EXPECT_EQ(LocalListener::open(folder / "no/such/s").error().code, ErrorCode::io);
  EXPECT_EQ(LocalListener::open(folder / std::string(200, 's')).error().code, ErrorCode::usage);
}

TEST(LocalSocket, AWakerEndsAWait) {
  const auto poller = Poller::make().value();
  const auto waker = Waker::make().value();
  ASSERT_TRUE(poller->watch(waker->descriptor(), 7, {.read = true}).ok());
  std::uint64_t woken = 0;
  const auto note = [&](std::uint64_t token, Poller::Ready ready) {
    EXPECT_TRUE(ready.read);
    woken = token;
  };
  ASSERT_TRUE(poller->wait(0, note).ok());
  EXPECT_EQ(woken, 0U);
  std::thread other([&] { waker->wake(); });
  ASSERT_TRUE(poller->wait(60'000, note).ok());
  other.join();
  EXPECT_EQ(woken, 7U);
  waker->clear();
  woken = 0;
  ASSERT_TRUE(poller->wait(0, note).ok());
  EXPECT_EQ(woken, 0U);
  EXPECT_GE(most_descriptors(), 64U);
}

}  // namespace
}  // namespace twinset::testing
