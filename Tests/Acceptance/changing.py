# SPDX-License-Identifier: Apache-2.0
"""Changes of a store's file by SQLite alone, past Landfall."""
import contextlib, sqlite3


@contextlib.contextmanager
def changing(path, **options):
    """A connection that writes. What it wrote is committed at the end and stays in the log, until Landfall moves it into the file.

    Pages of the file have checksums that this SQLite does not know: a page that it changes and moves into the file is taken for damaged.
    It would move the log when it is long, and when the last connection ends, unless that one only reads."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as last:
        last.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
        with contextlib.closing(sqlite3.connect(path, **options)) as store, store:
            store.execute("PRAGMA wal_autocheckpoint = 0")
            yield store
