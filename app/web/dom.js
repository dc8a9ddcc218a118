// Elements from plain data. Texts become text nodes, whatever they hold; nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element: `element("a.button", {href: "/"}, "Text", child)`. Names of properties that begin with "on" are listeners;
 *  null, undefined and false leave one out. */
export function element(what, properties = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const made = document.createElement(tag || "div");
  if (classes.length) made.className = classes.join(" ");
  return filled(made, properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

/** Replaces what `parent` holds. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter(isThere));
  return parent;
}

/** Calls `then` once the browser has shown what there is. */
export function whenPainted(then) {
  if (document.hidden) setTimeout(then);
  else requestAnimationFrame(() => setTimeout(then));
}

export function byId(id) {
  return document.getElementById(id);
}

function filled(made, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (!isThere(value)) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(Infinity).filter(isThere));
  return made;
}

function isThere(value) {
  return value !== null && value !== undefined && value !== false;
}
