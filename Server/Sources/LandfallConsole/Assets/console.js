// The console works without this file: it only moves rows by itself or by a mouse, ticks the checklist and boxes, computes, asks before a draft is left, and listens for keyboard shortcuts.
const live = document.getElementById("live");
if (live) watch(live);
const checklist = document.querySelector("[data-checklist]");
if (checklist) tick(checklist);
const alert = document.querySelector(".alert[tabindex]");
if (alert) alert.focus();
const help = document.getElementById("shortcuts");
if (help) listen(help);
if (document.querySelector("[data-draft]")) keeps();
for (const button of document.querySelectorAll("[data-copy]")) copies(button);
for (const all of document.querySelectorAll("[data-all]")) chooses(all);
for (const grip of document.querySelectorAll("[data-move]")) drags(grip);
for (const file of document.querySelectorAll("[data-fills]")) fills(file);
const plan = document.getElementById("plan");
if (plan) computes(plan);

function element(name, content, attributes = {}) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (typeof content === "string") made.textContent = content;
  else made.append(...content);
  return made;
}

// The page alone has the draft: its own forms carry it on, and every other way loses it.
function keeps() {
  let isCarried = false;
  document.addEventListener("submit", (event) => { isCarried = Boolean(event.target.elements.namedItem("text")); });
  window.addEventListener("beforeunload", (event) => { if (!isCarried) event.preventDefault(); });
}

function copies(button) {
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = button.dataset.done;
  });
}

function chooses(all) {
  const boxes = [...all.form.querySelectorAll("[type=checkbox][name^=link]")];
  const count = () => {
    all.checked = boxes.every((box) => box.checked);
    all.indeterminate = !all.checked && boxes.some((box) => box.checked);
  };
  all.closest("[hidden]").hidden = false;
  all.addEventListener("change", () => boxes.forEach((box) => { box.checked = all.checked; }));
  boxes.forEach((box) => box.addEventListener("change", count));
  count();
}

// A row that is dropped on another one takes its place: the same as its buttons several times.
let dragged = null;
function drags(grip) {
  const row = grip.closest("tr");
  const leave = () => row.classList.remove("target");
  grip.hidden = !matchMedia("(any-pointer: fine)").matches;
  grip.draggable = true;
  grip.addEventListener("dragstart", (event) => {
    dragged = grip;
    event.dataTransfer.effectAllowed = "move";
    // Some browsers drag nothing that carries no data.
    event.dataTransfer.setData("text/plain", "");
    event.dataTransfer.setDragImage(row, 0, 0);
  });
  grip.addEventListener("dragend", () => { dragged = null; });
  row.addEventListener("dragleave", leave);
  row.addEventListener("dragover", (event) => {
    if (!dragged || dragged === grip || dragged.closest("form") !== row.closest("form")) return;
    event.preventDefault();
    row.classList.add("target");
  });
  row.addEventListener("drop", (event) => {
    event.preventDefault();
    leave();
    if (!dragged) return;
    const button = element("button", "", { name: "change", value: `move.${dragged.dataset.move}.${grip.dataset.move}`, hidden: "" });
    row.closest("form").append(button);
    button.click();
  });
}

// The text of a file comes into a field.
function fills(input) {
  const problem = document.getElementById(input.id + "-problem");
  input.closest("[hidden]").hidden = false;
  input.addEventListener("change", async () => {
    const file = input.files[0];
    if (!file) return;
    problem.hidden = file.size <= Number(input.dataset.most);
    if (problem.hidden) document.getElementById(input.dataset.fills).value = await file.text();
    else input.value = "";
  });
}

// A change is computed at once, by the same form as the button.
function computes(plan) {
  let last = 0;
  plan.form.addEventListener("change", async () => {
    const number = ++last;
    const body = new URLSearchParams(new FormData(plan.form));
    body.set("change", "compute");
    const answer = await fetch(plan.form.action, { method: "POST", body, headers: { accept: "application/json" } }).catch(() => null);
    if (number !== last || !answer?.headers.get("content-type")?.startsWith("application/json")) return;
    plan.replaceChildren(...(await answer.json()).map((text) => element("span", text, { class: "line" })));
  });
}

// A browser ends a stream for good at an answer that is none: of a proxy, of a server that is busy or restarts, of the sign-in page.
function follow(address, after, show, say) {
  let stream = null;
  let last = after;
  let failures = 0;
  const open = () => {
    if (last) address.searchParams.set("after", last);
    stream = new EventSource(address);
    stream.addEventListener("open", () => {
      failures = 0;
      say("on");
    });
    stream.addEventListener("error", () => {
      if (stream.readyState === EventSource.CLOSED) {
        failures += 1;
        setTimeout(open, failures < 5 ? 3000 : 30000);
      }
      say(failures < 5 ? "off" : "over");
    });
    stream.addEventListener("row", (message) => {
      const row = JSON.parse(message.data);
      last = row.id;
      show(row);
    });
  };
  open();
}

function watch(list) {
  const most = Number(list.dataset.most);
  const state = document.getElementById("live-state");
  const news = document.getElementById("live-news");
  const pause = document.getElementById("pause");
  const empty = document.getElementById("live-empty");
  let held = null;
  let unsaid = 0;
  let link = "off";

  const say = (word) => { state.textContent = state.dataset[word]; state.dataset.state = word; };
  // Several nodes give a row the same key.
  const isThere = (key) => held?.some((row) => row.key === key) || list.querySelector(`[data-fact="${key}"]`);
  const take = (row) => {
    if (row.key && isThere(row.key)) return;
    if (!held) return show(row);
    held.push(row);
    if (held.length > most) held.shift();
  };
  follow(new URL(list.dataset.stream, location.href), list.dataset.after, take, (word) => {
    link = word;
    say(held && word === "on" ? "paused" : word);
  });

  function show(row) {
    const terms = row.details.map(([name, value, place]) => element("div", [
      element("dt", name), element("dd", place ? [element("a", value, { href: place })] : value),
    ]));
    const summary = element("summary", [
      element("time", row.clock, { datetime: row.iso }), element("span", row.name, { class: "badge" }),
      ...(row.badge ? [element("span", row.badge, { class: "badge" })] : []), element("span", row.subject, { class: "what" }),
    ]);
    const item = element("li", [element("details", [summary, element("dl", terms)])], { "data-id": row.id, "data-kind": row.kind, class: "new" });
    if (row.key) item.dataset.fact = row.key;
    list.prepend(item);
    while (list.children.length > most) list.lastElementChild.remove();
    empty.hidden = true;
    unsaid += 1;
  }

  // A reader hears how many came, not each of them.
  setInterval(() => {
    if (!unsaid) return;
    news.textContent = news.dataset.text + unsaid;
    unsaid = 0;
  }, 5000);

  pause.hidden = false;
  pause.addEventListener("click", () => {
    const rows = held;
    held = held ? null : [];
    pause.setAttribute("aria-pressed", held ? "true" : "false");
    pause.textContent = held ? pause.dataset.resume : pause.dataset.pause;
    say(held ? "paused" : link);
    if (rows) rows.forEach(show);
  });
}

function tick(section) {
  const steps = { firstOpen: ["keyUsed", "firstOpen"], tap: ["linkTapped"], attribution: ["attributed"], exposure: ["keyUsed", "paywallShown"] };
  const take = (row) => {
    for (const name of steps[row.kind] || []) {
      const step = section.querySelector(`.open[data-step="${name}"]`);
      if (!step) continue;
      step.className = "done";
      const state = step.querySelector(".state");
      state.textContent = state.dataset.done;
    }
  };
  follow(new URL("/console/live/stream", location.href), null, take, () => {});
}

// The dialog is on the page only while shortcuts are on.
function listen(help) {
  let began = -Infinity;
  help.querySelector("button").addEventListener("click", () => help.close());
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const field = event.target.closest?.("input, select, textarea, [contenteditable]");
    if (event.key === "Escape") {
      const menu = document.querySelector(".menu[open]");
      if (menu) {
        menu.open = false;
        menu.querySelector("summary").focus();
      } else if (field) field.blur();
      return;
    }
    if (field) return;
    const goes = event.timeStamp - began < 1500;
    began = event.key === "g" && !goes ? event.timeStamp : -Infinity;
    if (goes) {
      const place = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
      if (!place) return;
      event.preventDefault();
      place.click();
    } else if (event.key === "?") {
      event.preventDefault();
      help.showModal();
    } else if (event.key === "/") {
      const search = document.querySelector("[type=search]");
      event.preventDefault();
      if (!search) return document.querySelector("[data-search]")?.click();
      search.focus();
      search.select();
    }
  });
}
