// How wide a text is in the font of the page, before it is shown.

let pen = null;

/** In pixels. `font` is its weight and size, as in "500 12px". */
export function widthOf(text, font) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.textRendering = "geometricPrecision";
  pen.font = `${font} ${getComputedStyle(document.documentElement).getPropertyValue("--font-text")}`;
  return pen.measureText(text).width;
}
