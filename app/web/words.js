// Numbers, times and names of the graph in words.

const NUMBER = new Intl.NumberFormat("en-GB");
const RELATIVE = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto", style: "short" });
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const UNITS = [["minute", 60], ["hour", 3600], ["day", 86_400], ["week", 604_800], ["month", 2_629_800], ["year", 31_557_600]];

export function number(value) {
  return NUMBER.format(value);
}

/** "1 node", "2,280 nodes". */
export function counted(count, one, several = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : several}`;
}

/** "48 ms", "1.2 s", "2 min 5 s". */
export function lasting(ms) {
  if (ms < 1) return "under 1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** "3 hr ago", of a time in seconds since 1970. */
export function ago(seconds, now = Date.now() / 1000) {
  const past = Math.max(0, now - seconds);
  if (past < 60) return "just now";
  const [unit, length] = UNITS.findLast(([, each]) => past >= each);
  return RELATIVE.format(-Math.floor(past / length), unit);
}

/** "21 Nov 2026, 14:05", of a time in seconds since 1970. */
export function moment(seconds) {
  return MOMENT.format(new Date(seconds * 1000));
}

/** "directed by" of DIRECTED_BY, directed_by, directedBy or example.org/directedBy. */
export function relationWords(relation) {
  const last = relation.slice(relation.lastIndexOf("/") + 1);
  const parted = last.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ");
  return parted.split(/[^\p{L}\p{N}]+/u).filter(Boolean).join(" ").toLowerCase() || relation;
}

/** A long text, cut at a word. */
export function shortened(text, most) {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const space = cut.lastIndexOf(" ");
  return `${space > most / 2 ? cut.slice(0, space) : cut}…`;
}
