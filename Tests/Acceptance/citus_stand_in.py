# SPDX-License-Identifier: Apache-2.0
"""Tries script/check citus without a cluster: functions with Citus's names note their calls in a plain PostgreSQL, and distribute nothing.

What this shows: that each part runs, and that what a database refuses is listed with its place. What it cannot show: what Citus refuses.
"""
import pathlib, subprocess, sys

from claims import Claims
from postgres import Postgres
from server import ROOT, built, free_ports

# Citus's functions are in pg_catalog too, so that every search_path finds them. A table that `stand_in.refuses` names refuses deletions.
FUNCTIONS = """
CREATE TABLE public.stand_in_call (place TEXT NOT NULL, told TEXT NOT NULL);

CREATE FUNCTION public.stand_in_refuses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a stand-in for what Citus does not support' USING ERRCODE = '0A000';
END $$;

CREATE FUNCTION pg_catalog.create_distributed_table(
  place regclass, spread text, distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default'
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own name := (SELECT relname FROM pg_class WHERE oid = place);
BEGIN
  IF colocate_with NOT IN ('default', 'none') THEN PERFORM CAST(colocate_with AS regclass); END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = place AND attname = spread) THEN
    RAISE EXCEPTION '% has no column %', own, spread USING ERRCODE = '42703';
  END IF;
  INSERT INTO public.stand_in_call VALUES (own, spread);
  IF own = current_setting('stand_in.refuses', true) THEN
    EXECUTE format('CREATE TRIGGER refuses BEFORE DELETE ON %s EXECUTE FUNCTION public.stand_in_refuses()', place);
  END IF;
END $$;

CREATE FUNCTION pg_catalog.create_reference_table(place regclass) RETURNS void LANGUAGE sql AS $$
  INSERT INTO public.stand_in_call SELECT relname, 'whole' FROM pg_class WHERE oid = place
$$;
"""


def main(parts, phones):
    claims = Claims()
    check = claims.check

    def runs(*arguments):
        done = subprocess.run(
            [sys.executable, pathlib.Path(__file__).with_name("citus.py"), *arguments], cwd=ROOT, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def ends(claim, wanted, sentence, *arguments):
        status, output = runs(*arguments)
        check(claim, status == wanted and sentence in output, f"{status}: {output[-2000:]}")
        return output

    # It makes functions where only the system's own are.
    with Postgres(allow_system_table_mods="on") as server:
        for name in ("plain", "cluster"):
            server.psql(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'")

        def url(name):
            return f"postgres:///{name}?host={server.folder}&user=postgres&pool=4"

        ends("Without a URL it says that nothing was tried, and ends well", 0, "not tried")
        ends("It refuses what is no URL", 2, "--url is the URL", "--url", "cluster")
        ends("It refuses an unknown part", 2, "invalid choice", "--url", url("cluster"), "--only", "nothing")
        ends("It refuses a number of phones that is none", 2, "is no number of phones", "--url", url("cluster"), "--phones", "none")
        ends("It says so where nothing answers", 1, "does not answer", "--url", f"postgres://127.0.0.1:{free_ports(1)[0]}/landfall")
        ends("It says so where Citus is not installed", 1, "CREATE EXTENSION citus", "--url", url("plain"), "--only", "texts")

        server.psql(FUNCTIONS, "cluster")
        called = subprocess.run([built(), "schema", "--citus"], capture_output=True, text=True, check=True).stdout
        tables = {line.split("'")[1] for line in called.splitlines() if line.startswith("SELECT ")}
        for part in parts:
            output = ends(
                f"The part '{part}' runs to its end", 0, "The stand-ins took everything", "--url", url("cluster"), "--only", part, "--phones",
                str(phones))
            print("".join(f"    {line}\n" for line in output.splitlines()), end="", flush=True)
            told = set(server.psql("DELETE FROM public.stand_in_call RETURNING place", "cluster").split())
            check(f"The part '{part}' has distributed each of the {len(tables)} tables", told == tables, told ^ tables)
        left = server.psql("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'landfall%'", "cluster")
        check("No schema is left", left == "", left)

        if "texts" in parts:
            server.psql("ALTER DATABASE cluster SET stand_in.refuses = 'absence'")
            output = ends(
                "A statement that is refused is listed with its place", 1, "SQLSTATE 0A000", "--url", url("cluster"), "--only", "texts")
            wanted = ["RetentionTexts.swift:", "ErasureTables.swift:", "DELETE FROM absence"]
            check("Each of them is in the list", all(word in output for word in wanted), output[-2000:])
    claims.end("script/check citus works on stand-ins. Nothing of this has run on Citus.")
