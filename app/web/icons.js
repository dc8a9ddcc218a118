// Line icons, drawn on 24 × 24.

import { svg } from "./dom.js";

const PATHS = {
  again: ["M4 12a8 8 0 1 0 2.300-5.700", "M6.500 2.500v4h4"],
  arrow: ["M5 12h14", "m13 6 6 6-6 6"],
  check: ["m5 12.5 4.5 4.5L19 7.5"],
  chevron: ["m6 9 6 6 6-6"],
  close: ["M6 6l12 12", "M18 6 6 18"],
  copy: ["M9 9h11v11H9z", "M5 15H4V4h11v1"],
  download: ["M12 4v11", "m7 10.5 5 5 5-5", "M5 20h14"],
  fit: ["M4 9V4h5", "M15 4h5v5", "M20 15v5h-5", "M9 20H4v-5"],
  fork: ["M6 4v16", "M6 14c0-5 11-3 11-9", "m13.500 8 3.500-3.500L20.500 8"],
  graph: ["M6 8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z", "M18 13.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z",
    "M8 20.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z", "m8.300 7 7.400 3", "m16 12.700-6 4"],
  key: ["M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8Z", "m11 12 8-8", "m15.500 7.500 3 3"],
  menu: ["M4 7h16", "M4 12h16", "M4 17h16"],
  minus: ["M5 12h14"],
  moon: ["M20 14.500A8 8 0 0 1 9.500 4 8 8 0 1 0 20 14.500Z"],
  more: ["M6 12h.01", "M12 12h.01", "M18 12h.01"],
  pen: ["m4 20 1-4L16 5l3 3L8 19l-4 1Z", "m13.500 7.500 3 3"],
  plus: ["M12 5v14", "M5 12h14"],
  question: ["M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z", "M9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.7.3-1 .9-1 1.700", "M12 16.800h.01"],
  schema: ["M4 4h6v5H4z", "M14 15h6v5h-6z", "M7 9v8.500h7", "M10 6.500h7V15"],
  send: ["M12 19V5", "m6 11 6-6 6 6"],
  signout: ["M10 4H5v16h5", "M14 8l4 4-4 4", "M18 12H9"],
  stop: ["M7 7h10v10H7z"],
  sliders: ["M4 7h10", "M18 7h2", "M4 17h2", "M10 17h10", "M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z", "M8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z"],
  thumbup: ["M7 11v9H4v-9Z", "M7 11l4-7c1.500 0 2.300 1 2 2.500L12.500 10H18a2 2 0 0 1 2 2.400l-1.200 6A2 2 0 0 1 16.800 20H7"],
  thumbdown: ["M17 13V4h3v9Z", "M17 13l-4 7c-1.500 0-2.300-1-2-2.500l.500-3.500H6a2 2 0 0 1-2-2.400l1.200-6A2 2 0 0 1 7.200 4H17"],
  sun: ["M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Z", "M12 2.500v2", "M12 19.500v2", "m5.300 5.300 1.400 1.400", "m17.300 17.300 1.400 1.400",
    "M2.500 12h2", "M19.500 12h2", "m5.300 18.700 1.400-1.400", "m17.300 6.700 1.400-1.400"],
  upload: ["M12 16V5", "m7 9.500 5-5 5 5", "M5 20h14"],
  trace: ["M5 4v16", "M5 7h10", "M5 12h14", "M5 17h7"],
  trash: ["M4 7h16", "M9 7V4h6v3", "M6 7l1 13h10l1-13"],
  warning: ["M12 4 2.500 20h19L12 4Z", "M12 10v4.500", "M12 17.300h.01"],
};

/** Shown beside words or on a button that has a name: readers pass it over. */
export function icon(name) {
  const paths = PATHS[name].map((d) => svg("path", { d }));
  return svg("svg", { class: "icon-mark", viewBox: "0 0 24 24", "aria-hidden": "true" }, paths);
}

/** Puts the icon that `data-icon` names first into each element under `root` that has one. */
export function placeIcons(root = document) {
  for (const place of root.querySelectorAll("[data-icon]")) {
    place.prepend(icon(place.dataset.icon));
    delete place.dataset.icon;
  }
}
