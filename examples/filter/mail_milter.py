#!/usr/bin/python3
"""A milter for Postfix and Sendmail, which asks `twinset filter` about each mail.

    twinset filter --set spam.index --listen /run/twinset/filter.sock
    examples/filter/mail_milter.py --filter /run/twinset/filter.sock --listen unix:/run/twinset/milter.sock

    # /etc/postfix/main.cf
    smtpd_milters = unix:/run/twinset/milter.sock
    milter_default_action = accept

A mail that is like a prototype gets the header `X-Twinset: match`, with the prototype and the resemblance;
with --reject it is refused. Others get `pass` or `unknown`, and `unchecked` if the filter does not answer:
mail is never lost for that, nor if it is broken so that it cannot be read. A header of that name that comes with a mail is
taken off. Mails go to the filter as they come, and it compares what docs/mail.md says; a reported mail is
added in the same way: `{"op": "add", "id": ..., "format": "eml", "raw": ...}`, with its bytes in base64.

The socket of the filter is its user's alone, so the milter runs as the same user. Needs Debian's
python3-milter.
"""

import argparse
import base64

import Milter

from client import Client, FilterError

HEADER = "X-Twinset"
MOST_BYTES = 1 << 20  # of a mail; what comes after is not read


class TwinsetMilter(Milter.Base):
    client = None  # of all mails
    rejects = False

    def envfrom(self, sender, *parameters):
        self.raw, self.forged = bytearray(), 0
        return Milter.CONTINUE

    @Milter.decode("bytes")
    def header(self, name, value):
        if name.lower() == HEADER.lower():
            self.forged += 1
            return Milter.CONTINUE
        value = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
        self.raw += name.encode("latin-1", "replace") + b": " + value + b"\n"
        return Milter.CONTINUE

    def eoh(self):
        self.raw += b"\n"
        return Milter.CONTINUE

    def body(self, chunk):
        self.raw += chunk[:max(0, MOST_BYTES - len(self.raw))]
        return Milter.CONTINUE

    def eom(self):
        for number in range(self.forged, 0, -1):
            self.chgheader(HEADER, number, "")
        try:
            answer = self.client.ask(op="check", format="eml", raw=base64.b64encode(self.raw).decode())
        except FilterError:
            self.addheader(HEADER, "unchecked")
            return Milter.CONTINUE
        verdict = answer["verdict"]
        if verdict == "match" and self.rejects:
            self.setreply("550", "5.7.1", "like a message that was reported")
            return Milter.REJECT
        told = ""
        if verdict == "match":
            name = "".join(c if c.isascii() and c.isprintable() else "?" for c in str(answer["prototype"]))
            told = f"; prototype={name[:200]}"
            if "resemblance" in answer:
                told += f"; resemblance={answer['resemblance']['value']:.2f}"
        self.addheader(HEADER, verdict + told)
        return Milter.CONTINUE


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--filter", required=True, help="the socket of twinset filter")
    parser.add_argument("--listen", required=True, help="of the milter, as unix:PATH or inet:PORT@HOST")
    parser.add_argument("--reject", action="store_true", help="refuse mails that match")
    options = parser.parse_args()
    TwinsetMilter.client = Client(options.filter)
    TwinsetMilter.rejects = options.reject
    Milter.factory = TwinsetMilter
    Milter.set_flags(Milter.ADDHDRS | Milter.CHGHDRS)
    Milter.runmilter("twinset", options.listen, timeout=60)


if __name__ == "__main__":
    main()
