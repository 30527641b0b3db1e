// The console works without this file: it only moves rows by itself or by a mouse, ticks the checklist and boxes, shows a link and a rule while they are written, shortens the way through a chart, picks colours, computes, asks before a draft is left, says dates, finds, and listens for keyboard shortcuts.
const live = document.getElementById("live");
if (live) watch(live);
const checklist = document.querySelector("[data-checklist]");
if (checklist) tick(checklist);
const alert = document.querySelector(".alert[tabindex]");
if (alert) alert.focus();
const bar = document.getElementById("find");
if (bar) finds(bar);
const help = document.getElementById("shortcuts");
if (help) listen(help);
const rule = document.querySelector("form[data-rule]");
if (rule) renews(rule);
if (rule || document.querySelector("[data-draft]")) keeps();
for (const button of document.querySelectorAll("[data-copy]")) copies(button);
for (const button of document.querySelectorAll("[data-share]")) shares(button);
for (const form of document.querySelectorAll("[data-parts]")) shows(form);
for (const all of document.querySelectorAll("[data-all]")) chooses(all);
for (const grip of document.querySelectorAll("[data-move]")) drags(grip);
for (const file of document.querySelectorAll("[data-fills]")) fills(file);
for (const field of document.querySelectorAll("[type=date], [type=datetime-local]")) reads(field);
document.querySelectorAll("svg .day").forEach(walks);
for (const picker of document.querySelectorAll("[data-picks]")) picks(picker);
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
  document.addEventListener("submit", (event) => { isCarried = !event.defaultPrevented && Boolean(event.target.elements.namedItem("text")); });
  document.addEventListener("input", ({ target }) => {
    if (target.name === "message") for (const one of document.querySelectorAll("[name=message]")) one.value = target.value;
  });
  window.addEventListener("beforeunload", (event) => { if (!isCarried && document.querySelector("[data-draft]")) event.preventDefault(); });
}

function copies(button) {
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = button.dataset.done;
  });
}

function shares(button) {
  if (!navigator.share) return;
  button.hidden = false;
  button.addEventListener("click", () => navigator.share({ url: document.getElementById(button.dataset.share).value }).catch(() => {}));
}

// What follows from a form is asked for while somebody types. No text may become markup here, so the browser reads the answer as a page.
function shows(form) {
  const button = document.querySelector("[name=show]");
  let request, timer;
  const ask = () => {
    request = new XMLHttpRequest();
    request.open("POST", form.dataset.parts);
    request.responseType = "document";
    for (const end of ["load", "error"]) request.addEventListener(end, ({ target }) => {
      const parts = target.response?.querySelectorAll("[data-part]") ?? [];
      button.hidden = parts.length > 0;
      parts.forEach(renew);
    });
    request.send(new URLSearchParams(new FormData(form)));
  };
  button.hidden = true;
  form.addEventListener("input", ({ target }) => {
    // What was wrong was said of another value.
    target.removeAttribute("aria-invalid");
    document.getElementById(target.id + "-problem")?.remove();
    request?.abort();
    clearTimeout(timer);
    timer = setTimeout(ask, 250);
  });
}

function renew(part) {
  const place = document.getElementById(part.id), focus = document.activeElement;
  if (part.matches("input")) {
    if (!place || place.value.trim() === part.value) return;
    const caret = place.selectionStart;
    place.value = part.value;
    if (place === focus) place.setSelectionRange(caret, caret);
  } else if (place && place.innerHTML !== part.innerHTML) {
    const id = place.contains(focus) && focus.id;
    place.replaceChildren(...part.childNodes);
    place.querySelectorAll("[data-copy]").forEach(copies);
    if (id) document.getElementById(id)?.focus();
  }
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
  const row = grip.closest("li");
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

// Each answer of the form has its parts anew. An answer without them, as after the session's end, is left to the browser.
function renews(form) {
  const parts = ["carried", "rule-values", "rule-now", "rule-yaml", "draft"];
  let timer = 0;
  let number = 0;
  let edits = 0;
  let isWhole = false;
  let isPlain = false;

  const take = (page, ids) => {
    const focused = document.activeElement;
    const marked = page.querySelector("[autofocus]");
    marked?.removeAttribute("autofocus");
    for (const id of ids) {
      const old = document.getElementById(id);
      const part = page.getElementById(id);
      const text = old?.querySelector("textarea");
      if (!old || !part || text?.value !== text?.defaultValue) continue;
      if (old.querySelector("details[open]")) part.querySelector("details")?.setAttribute("open", "");
      const [reason, said] = [part, old].map((one) => one.querySelector("[name=message]"));
      if (reason && said) reason.value = said.value;
      old.replaceWith(part);
    }
    const next = document.getElementById((marked ?? focused).id);
    if (!next || next === focused) return;
    next.focus();
    if (next.id === focused.id) next.setSelectionRange?.(focused.selectionStart, focused.selectionEnd);
  };
  // A draft that lacks what is typed does not go on.
  const waits = (isWaiting) => document.querySelectorAll("#draft button").forEach((button) => { button.disabled = isWaiting; });
  const send = (change, fail) => {
    const mine = ++number;
    const before = edits;
    const ids = fail || isWhole ? ["rule-form", ...parts] : parts;
    const fields = new FormData(form);
    const call = new XMLHttpRequest();
    clearTimeout(timer);
    fields.set("change", change);
    fields.delete("yaml");
    call.open("POST", form.action);
    call.responseType = "document";
    call.onload = call.onerror = () => {
      if (!call.response?.getElementById("rule-now")) {
        waits(false);
        return fail?.();
      }
      // What was typed meanwhile has an answer of its own.
      if (mine !== number && !fail) return;
      // And the button is pressed again, with what was typed.
      if (before !== edits && fail) return send(change, fail);
      isWhole = false;
      take(call.response, ids);
    };
    call.send(new URLSearchParams(fields));
  };
  const edit = (event) => {
    if (event.isComposing || event.target.name === "yaml") return;
    const isChosen = event.target.matches("select");
    number += 1;
    edits += 1;
    waits(true);
    clearTimeout(timer);
    isWhole ||= isChosen;
    timer = setTimeout(send, isChosen ? 0 : 500, "show");
  };
  form.addEventListener("input", edit);
  form.addEventListener("compositionend", edit);
  // The field that a new page begins in is not somebody's first step.
  const enter = (event) => {
    if (event.target.autofocus) return;
    form.removeEventListener("focusin", enter);
    send("show");
  };
  form.addEventListener("focusin", enter);
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (isPlain || !/^(show|add|nest|remove|up|down)\b/.test(button?.value)) return;
    event.preventDefault();
    send(button.value, () => {
      isPlain = true;
      button.click();
    });
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

// A browser shows a date in its own form: below the field it is in that of the page's language.
function reads(field) {
  const { lang } = document.documentElement, said = element("output", "", { class: "hint", for: field.id });
  const form = new Intl.DateTimeFormat(lang === "en" ? "en-GB" : lang, { dateStyle: "long", timeZone: "UTC" });
  const say = () => { said.textContent = field.value && form.format(field.valueAsNumber); };
  field.after(said);
  field.addEventListener("input", say);
  say();
}

// The command bar: the focus stays in the field, and the list has what the server finds for its text.
function finds(bar) {
  const [field, list, state] = bar.querySelectorAll("[role=combobox], [role=listbox], [role=status]");
  const { memory, place, section } = bar.dataset, { lang } = document.documentElement;
  let asking, timer, options = [], at, answered;

  // A browser may keep nothing.
  const kept = (things) => {
    try {
      if (things) localStorage.setItem(memory, JSON.stringify(things.slice(0, 8)));
      // Their titles are those of pages in one language.
      return (JSON.parse(localStorage.getItem(memory)) || []).filter((thing) => thing.lang === lang);
    } catch { return []; }
  };
  if (place) kept([{ title: document.querySelector("h1").textContent, detail: section, place, lang }, ...kept().filter((thing) => thing.place !== place)]);
  document.addEventListener("submit", (event) => { if (event.target.getAttribute("action") === "/console/sign-out") kept([]); });

  const choose = (next) => {
    options[at]?.setAttribute("aria-selected", "false");
    const option = options[at = next];
    field.setAttribute("aria-activedescendant", option?.id || "");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
  };
  const row = ({ title, detail, place }) => element("a", [element("span", title), element("span", detail || "", { class: "quiet" })], {
    role: "option", "aria-selected": "false", tabindex: "-1", href: place,
  });
  const group = ({ name, things }) => element("div", [element("span", name, { class: "group", "aria-hidden": "true" }), ...things.map(row)], {
    role: "group", "aria-label": name,
  });
  const ask = async () => {
    asking?.abort();
    asking = new AbortController();
    const text = field.value.trim(), things = text ? [] : kept();
    try {
      const { groups } = await (await fetch("/console/find.json?q=" + encodeURIComponent(text), { signal: asking.signal })).json();
      if (things.length) groups.unshift({ name: state.dataset.recent, things });
      list.replaceChildren(...groups.map(group));
      options = list.querySelectorAll("a");
      // Two things can lead to one page.
      options.forEach((option, index) => { option.id = "found-" + index; });
      list.hidden = !options.length;
      field.setAttribute("aria-expanded", !list.hidden);
      choose(0);
      answered = text;
      state.textContent = list.hidden ? state.dataset.none : "";
    } catch (error) {
      if (error.name !== "AbortError") state.textContent = state.dataset.failed;
    }
  };

  document.querySelector("[data-find]").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    bar.showModal();
    field.select();
    ask();
  });
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 150);
  });
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // Enter before there is an answer leads to the page with all of them.
    const isEnter = event.key === "Enter" && answered === field.value.trim();
    if (event.isComposing || list.hidden || !(step || isEnter)) return;
    event.preventDefault();
    if (step) choose((at + step + options.length) % options.length);
    else options[at].click();
  });
}

// The days of a chart are one stop of the keyboard: the newest, and arrows go on from there.
function walks(day, index, days) {
  day.tabIndex = index < days.length - 1 ? -1 : 0;
  day.addEventListener("keydown", (event) => {
    const next = days[index + { ArrowLeft: -1, ArrowRight: 1 }[event.key]];
    if (!next) return;
    event.preventDefault();
    day.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

// The browser's picker in the place of a colour that only shows.
function picks(picker) {
  const field = document.getElementById(picker.dataset.picks);
  picker.parentElement.querySelector("svg")?.remove();
  picker.hidden = false;
  picker.addEventListener("input", () => { field.value = picker.value; });
  field.addEventListener("input", () => { if (/^#[0-9a-f]{6}/i.test(field.value)) picker.value = field.value.slice(0, 7); });
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
    if (event.defaultPrevented || event.isComposing || event.altKey || document.querySelector("dialog[open]")) return;
    const isHeld = event.ctrlKey || event.metaKey;
    if (isHeld && (event.key !== "k" || event.shiftKey)) return;
    const field = event.target.closest?.("input, select, textarea, [contenteditable]");
    if (event.key === "Escape") {
      const menu = document.querySelector(".menu[open]");
      if (menu) {
        menu.open = false;
        menu.querySelector("summary").focus();
      } else if (field) field.blur();
      return;
    }
    if (field && !isHeld) return;
    const goes = !isHeld && event.timeStamp - began < 1500;
    began = event.key === "g" && !goes ? event.timeStamp : -Infinity;
    if (goes) {
      const place = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
      if (!place) return;
      event.preventDefault();
      place.click();
    } else if (event.key === "?") {
      event.preventDefault();
      help.showModal();
    } else if (isHeld || event.key === "/") {
      event.preventDefault();
      document.querySelector("[data-find]").click();
    }
  });
}
