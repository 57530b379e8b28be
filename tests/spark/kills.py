"""Kills an executor of the cluster in the middle of a call."""

import os
import pathlib
import signal
import threading

from pyspark.sql import SparkSession

from twinset import spark


def executors():
    """The processes of the executors."""
    application = SparkSession.active().sparkContext.applicationId.encode()
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in words and application in words:
            found.append(int(path.parent.name))
    return found


def kill_executor_after(test, seconds, of=spark, name="_check_workers"):
    """Kills an executor so many seconds after the next call of this function. Returns a function that says whether it is
    dead by now, which fails the test if it is not."""
    killed, function = [], getattr(of, name)

    def kill():
        victim = executors()[0]
        os.kill(victim, signal.SIGKILL)
        killed.append(victim)

    def called(*arguments):
        setattr(of, name, function)
        result = function(*arguments)
        threading.Timer(seconds, kill).start()
        return result

    def check():
        test.assertEqual(len(killed), 1, "the executor was to die before the end")
        test.assertNotIn(killed[0], executors())
    setattr(of, name, called)
    test.addCleanup(setattr, of, name, function)
    return check
