// What the browser keeps for this page, as far as its storage is not turned off.

/** The text that was kept, or null. */
export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text; it lasts as long as the page where storage is turned off. */
export function remember(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Nothing can be kept.
  }
}
