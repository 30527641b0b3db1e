#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the documented Prometheus with its alerts, and the queries of the Grafana dashboard, beside a running server.

script/check monitoring [--binary PATH]: promtool reads Examples/SelfHost/prometheus.yml; each alert of landfall-alerts.yml fires over a series
that it is for, and does not over a sound one; a Prometheus scrapes a server, evaluates every rule and answers every query of grafana.json;
and no rule and no query names a metric that docs/operating/metrics.md lacks. Some seconds. Needs Debian's prometheus.
"""
import json, pathlib, re, shutil, socket, subprocess, tempfile, time, urllib.parse, urllib.request

from claims import Claims
from server import ROOT, Arguments, Server

FILES = ROOT / "Examples/SelfHost"
NODE = 'instance="a",job="landfall"'
# Of each alert: series at which it fires, and at which it does not; one value a minute.
CASES = {
    "LandfallDown": (["up{%s} 0x20"], ["up{%s} 1x20"]),
    "LandfallNotReady": (["landfall_ready{%s} 0x20"], ["landfall_ready{%s} 1x20"]),
    "LandfallFails": (
        ['landfall_requests_total{status="5xx",%s} 0+2x20', 'landfall_requests_total{status="2xx",%s} 0+98x20'],
        ['landfall_requests_total{status="5xx",%s} 0x20', 'landfall_requests_total{status="2xx",%s} 0+98x20']),
    "LandfallFirstOpensUnstored": (
        ['landfall_first_opens_unstored_total{reason="late",%s} 0+1x20'], ['landfall_first_opens_unstored_total{reason="late",%s} 7x20']),
    "LandfallDiskLow": (["landfall_disk_free_ratio{%s} 0.09x20"], ["landfall_disk_free_ratio{%s} 0.11x20"]),
    "LandfallCommitsSlow": (
        ["landfall_store_commits_total{%s} 0+10x30", "landfall_store_commit_seconds_total{%s} 0+0.6x30"],
        ["landfall_store_commits_total{%s} 0+10x30", "landfall_store_commit_seconds_total{%s} 0+0.1x30"]),
    "LandfallLogLarge": (["landfall_store_log_bytes{%s} 2e9x30"], ["landfall_store_log_bytes{%s} 5e8x30"]),
    "LandfallBackupOld": (
        ["landfall_ready{%s} 1x100"], ["landfall_ready{%s} 1x100", "landfall_backup_age_seconds{%s} 90000x100"]),
    "LandfallStreamBehind": (["landfall_stream_behind_seconds{%s} 1000x40"], ["landfall_stream_behind_seconds{%s} 12x40"]),
    "LandfallFilesLow": (
        ["process_open_fds{%s} 95x20", "process_max_fds{%s} 100x20"], ["process_open_fds{%s} 50x20", "process_max_fds{%s} 100x20"]),
    "LandfallLimitHit": (
        ['landfall_limit_hit_total{limit="writer",%s} 0+1x40'], ['landfall_limit_hit_total{limit="writer",%s} 3x40']),
    "LandfallConfigurationBehind": (
        ["landfall_configuration_file_refused{%s} 1x20"], ["landfall_configuration_behind{%s} 0x20", "landfall_configuration_file_refused{%s} 0x20"]),
    "LandfallClockRefused": (["landfall_retention_clock_refused{%s} 1x40"], ["landfall_retention_clock_refused{%s} 0x40"]),
    "LandfallAppleAdsSilent": (["landfall_apple_ads_waiting{%s} 1001x40"], ["landfall_apple_ads_waiting{%s} 12x40"]),
    "LandfallAppleAdsReportsFailing": (
        ["landfall_apple_ads_reports_failing{%s} 1x1500"], ["landfall_apple_ads_reports_failing{%s} 1x1000 0x500"]),
    "LandfallNotificationsUnworked": (
        ['landfall_app_store_notifications_processed_total{outcome="failed",%s} 0+1x90'],
        ['landfall_app_store_notifications_processed_total{outcome="done",%s} 0+1x90']),
    "LandfallForwardingFails": (
        ['landfall_app_store_forwardings_total{outcome="failed",%s} 0+1x200'],
        ['landfall_app_store_forwardings_total{outcome="delivered",%s} 0+1x200']),
    "LandfallWebhookFails": (
        ["landfall_webhook_endpoints_off{%s} 1x200"],
        ['landfall_webhook_deliveries_total{outcome="delivered",%s} 0+1x200', "landfall_webhook_endpoints_off{%s} 0x200"]),
    "LandfallDatabaseAway": (["landfall_store_away{%s} 1x20"], ["landfall_store_away{%s} 0x20"]),
    "LandfallDatabaseLost": (
        ['landfall_database_repeats_total{cause="lost",%s} 0+1x40'], ['landfall_database_repeats_total{cause="conflict",%s} 0+1x40']),
    "LandfallFeedBehind": (["landfall_feed_age_seconds{%s} 11x20"], ["landfall_feed_age_seconds{%s} 1x20"]),
    "LandfallClockDiffers": (["landfall_clock_ahead_seconds{%s} -6x20"], ["landfall_clock_ahead_seconds{%s} 1x20"]),
}
claims = Claims()


def promtool(*arguments):
    done = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True, timeout=120)
    return done.returncode == 0, done.stdout + done.stderr


def test_file(folder):
    """Every alert at its last minute: how many fire."""
    tests = []
    for alert, cases in CASES.items():
        for fires, lines in zip((True, False), cases):
            series = [dict(zip(("series", "values"), (line % NODE).split(" ", 1))) for line in lines]
            minutes = int(re.findall(r"x(\d+)", lines[0])[-1]) if fires else sum(map(int, re.findall(r"x(\d+)", lines[0])))
            tests.append({
                "interval": "1m", "name": f"{alert} {'fires' if fires else 'is quiet'}", "input_series": series,
                "promql_expr_test": [{
                    "expr": f'count(ALERTS{{alertname="{alert}",alertstate="firing"}})', "eval_time": f"{minutes}m",
                    "exp_samples": [{"labels": "{}", "value": 1}] if fires else []}]})
    path = folder / "tests.yml"
    # JSON is YAML.
    path.write_text(json.dumps({"rule_files": [str(FILES / "landfall-alerts.yml")], "evaluation_interval": "1m", "tests": tests}))
    return path


def queries():
    """Of every panel, with the values of Grafana's variables."""
    dashboard = json.loads((FILES / "grafana.json").read_text())
    found = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    found += [annotation["expr"] for annotation in dashboard["annotations"]["list"]]
    return [text.replace("$instance", ".*").replace("$__rate_interval", "1m") for text in found]


def metrics(text):
    return {re.sub(r"_(bucket|sum|count)$", "", name) if "seconds" in name else name for name in re.findall(r"\b(?:landfall|process)_[a-z_]+", text)}


def port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Prometheus:
    def __init__(self, folder, target):
        self.port = port()
        text = (FILES / "prometheus.yml").read_text().replace("15s", "1s").replace("127.0.0.1:8080", f"127.0.0.1:{target}")
        (folder / "prometheus.yml").write_text(text)
        shutil.copy(FILES / "landfall-alerts.yml", folder)
        self.log = open(folder / "log", "w+")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=warn"], stdout=self.log, stderr=self.log)

    def ask(self, path, **values):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(values)}"
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)["data"]

    def has(self, query, seconds=40):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if self.ask("query", query=query)["result"]:
                    return True
            except OSError:
                pass
            time.sleep(0.2)
        return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        self.log.close()


def main():
    Arguments(__doc__).parse_args()
    if not shutil.which("promtool"):
        print("Prometheus is not installed: its configuration is not checked on this machine.")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        alerts = re.findall(r"- alert: (\w+)", (FILES / "landfall-alerts.yml").read_text())
        claims.check("each alert has a case at which it fires", sorted(alerts) == sorted(CASES), set(alerts) ^ set(CASES))
        fine, output = promtool("check", "config", FILES / "prometheus.yml")
        claims.check("promtool reads prometheus.yml and its rules", fine, output)
        fine, output = promtool("test", "rules", test_file(folder))
        claims.check(f"{len(alerts)} alerts fire when they should, and only then", fine, output)

        page = metrics((ROOT / "docs/operating/metrics.md").read_text())
        named = metrics((FILES / "landfall-alerts.yml").read_text() + " ".join(queries()))
        claims.check("alerts and dashboard name metrics that are on the page", named <= page, named - page)

        with Server(folder / "server") as server, Prometheus(folder, server.port) as prometheus:
            claims.check("Prometheus scrapes the server", prometheus.has('up{job="landfall"} == 1'))
            # A rate needs two scrapes.
            claims.check("its figures come", prometheus.has("rate(process_cpu_seconds_total[10s])"))
            wrong = []
            for query in queries():
                try:
                    prometheus.ask("query", query=query)
                except OSError as error:
                    wrong.append((query, error))
            claims.check(f"{len(queries())} queries of the dashboard are answered", not wrong, wrong)
            end = time.monotonic() + 20
            while True:
                rules = [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]
                if all(rule["health"] != "unknown" for rule in rules) or time.monotonic() > end:
                    break
                time.sleep(0.2)
            unsound = [(rule["name"], rule["health"], rule.get("lastError")) for rule in rules if rule["health"] != "ok"]
            claims.check("every rule is evaluated", len(rules) == len(alerts) and not unsound, unsound)
            states = {rule["name"] for rule in rules if rule["state"] != "inactive"}
            claims.check("only the missing backup waits at a new server", states <= {"LandfallBackupOld"}, states)
    claims.end("The documented Prometheus watches a server; its alerts and its dashboard work.")


main()
