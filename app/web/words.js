// Numbers, times and names of the graph in words. Without Intl: to make its formats took three quarters of the time that
// a page's script runs before it asks for its data.

const UNITS = [["min", 60], ["hr", 3600], ["day", 86_400], ["wk", 604_800], ["mo", 2_629_800], ["yr", 31_557_600]];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];

/** "2,280", "0.125". */
export function number(value) {
  const [whole, fraction] = String(Math.round(value * 1000) / 1000).split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction ? `${grouped}.${fraction}` : grouped;
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
  const many = Math.floor(past / length);
  if (unit === "day") return many === 1 ? "yesterday" : `${many} days ago`;
  return `${many} ${unit} ago`;
}

/** "21 Nov 2026, 14:05", of a time in seconds since 1970. */
export function moment(seconds) {
  const at = new Date(seconds * 1000);
  const clock = [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
  return `${at.getDate()} ${MONTHS[at.getMonth()]} ${at.getFullYear()}, ${clock}`;
}

/** "directed by" of DIRECTED_BY, directed_by, directedBy or example.org/directedBy. */
export function relationWords(relation) {
  const last = relation.slice(relation.lastIndexOf("/") + 1);
  const parted = last.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ");
  return parted.split(/[^\p{L}\p{N}]+/u).filter(Boolean).join(" ").toLowerCase() || relation;
}

/** A name as it is spoken: "Costa Rica" of Costa_Rica, "Blue River Systems" of BlueRiverSystems. As `shown` of
 * tools/graph/identifiers.py: JavaScript, CONSTANTS, addresses and file names stay as they are. */
export function shownName(name) {
  return String(name).replace(/(?<![\p{L}\p{N}_`/.@$])[\p{L}\p{N}][\p{L}\p{N}_]*(?![\p{L}\p{N}_`/@]|\.[\p{L}\p{N}_])/gu, (word) => {
    if (word.includes("_")) return /\p{Ll}/u.test(word) ? word.replace(/(?<=[^_])_+(?=[^_])/g, " ") : word;
    return /^[A-Z][a-z]+(?:[A-Z][a-z]+){2,}$/.test(word) ? word.replace(/(?<=[a-z])(?=[A-Z])/g, " ") : word;
  });
}

/** The words of a label: "Order Detail" of OrderDetail or order_detail. As `shown_label` of tools/graph/identifiers.py. */
export function labelWords(label) {
  return (label ?? "").replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|_+/gu, " ").trim();
}

/** A long text, cut at a word. */
export function shortened(text, most) {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const space = cut.lastIndexOf(" ");
  return `${space > most / 2 ? cut.slice(0, space) : cut}…`;
}
