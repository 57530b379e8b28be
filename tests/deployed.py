"""Checks of deploy/, which need neither Docker nor systemd: what the image and the unit run is run here, with another
port and folder. Imported by install_test.py, whose programs these are. Standard library only."""

import json
import pathlib
import re
import shlex
import shutil
import signal
import subprocess

HOUSE = pathlib.Path(__file__).resolve().parent.parent
DOCKERFILE = HOUSE / "deploy/Dockerfile"
UNIT = HOUSE / "deploy/twinset.service"


class Wrong(Exception):
    pass


def of_dockerfile(instruction):
    """Its JSON array."""
    return json.loads(re.search(rf"^{instruction} (\[.*\])$", DOCKERFILE.read_text(), re.M)[1])


def serves(program, folder, words, healthy):
    """Runs the program with `words`, and healthy(port) while it serves and after it ended."""
    with subprocess.Popen([program, *words], cwd=folder, stderr=subprocess.PIPE, text=True) as service:
        try:
            said, found = "", None
            while not found and (line := service.stderr.readline()):
                said += line
                found = re.search(r"http://[\d.]+:(\d+)/$", line)
            if not found:
                raise Wrong(f"twinset {shlex.join(words)} says {said}")
            if not healthy(found[1]):
                raise Wrong(f"it serves, and the check of its health fails: {shlex.join(words)}")
            service.send_signal(signal.SIGTERM)
            if service.wait(30) != 0:
                raise Wrong(f"ended by SIGTERM with {service.returncode}: {service.stderr.read()}")
            if healthy(found[1]):
                raise Wrong("the check of its health passes after it has ended")
        finally:
            service.kill()


def image(program, folder):
    if of_dockerfile("ENTRYPOINT") != ["twinset"]:
        raise Wrong("the image's program is not twinset")
    words = [{"0.0.0.0:8080": "0.0.0.0:0", "/run/secrets/token": str(folder / "token")}.get(word, word)
             for word in of_dockerfile("CMD")]
    check_health = of_dockerfile(r"HEALTHCHECK .*\\\n  CMD")
    serves(program, folder, words, lambda port: subprocess.run(
        [word.replace("/8080", f"/{port}") for word in check_health], capture_output=True, timeout=30, check=False).returncode == 0)


def libraries(program):
    """The image has the packages of the libraries that the program is linked with; where Debian 12 can tell."""
    if 'VERSION_ID="12"' not in pathlib.Path("/etc/os-release").read_text() or not shutil.which("dpkg-query"):
        return
    needed = re.findall(r"NEEDED.*\[(.*)\]", subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout)
    told = subprocess.run(["dpkg-query", "-S", *(f"*/{library}" for library in needed)], capture_output=True, text=True, check=False).stdout
    owners = {package for package in re.findall(r"^([\w.+-]+)(?::\w+)?: ", told, re.M) if not re.match("libc6|lib32|libgcc", package)}
    installed = set(re.search(r"--no-install-recommends (.*?) \\", DOCKERFILE.read_text())[1].split())
    if owners != installed:
        raise Wrong(f"the image has {sorted(installed)}, the program needs {sorted(owners)}")


def build_steps():
    presets = {each["name"] for each in json.loads((HOUSE / "CMakePresets.json").read_text())["configurePresets"]}
    text = DOCKERFILE.read_text()
    for preset in re.findall(r"--preset (\S+)", text):
        if preset not in presets:
            raise Wrong(f"the image is built with the preset {preset}, which is not there")
    for path in re.findall(r"^COPY (\S+/\S+) ", text, re.M):
        if not (HOUSE / path).exists():
            raise Wrong(f"the image copies {path}, which is not there")


def unit(program, folder):
    command = re.search(r"^ExecStart=(.*)$", UNIT.read_text(), re.M)[1]
    words = shlex.split(command.replace("%d/", f"{folder}/").replace(":8080", ":0"))
    if words[0] != "/usr/local/bin/twinset" or words[-1] != "-q":
        raise Wrong(f"the unit runs {command}")

    def healthy(port):
        asked = f"exec 3<>/dev/tcp/127.0.0.1/{port} && printf 'GET /ready HTTP/1.1\\r\\nHost: twinset.example\\r\\n\\r\\n' >&3 && read -r answer <&3 && [[ $answer == *' 200 '* ]]"
        return subprocess.run(["bash", "-c", asked], capture_output=True, timeout=30, check=False).returncode == 0

    # Without -q it says its address.
    serves(program, folder, words[1:-1], healthy)
    if shutil.which("systemd-analyze"):
        copy = folder / UNIT.name
        copy.write_text(UNIT.read_text().replace(words[0], str(program)).replace("Documentation=man:twinset(1)\n", ""))
        done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False)
        if done.returncode or copy.name in done.stderr:
            raise Wrong(f"systemd-analyze verify: {done.stderr}")


def check(program, folder):
    folder.mkdir()
    (folder / "token").write_text("a-token-of-some-length\n")
    subprocess.run([program, "index", "create", "crawl.index"], cwd=folder, check=True, capture_output=True)
    build_steps()
    libraries(program)
    image(program, folder)
    unit(program, folder)
