// What went wrong, as a box in the page.

import { told } from "./api.js";
import { element } from "./dom.js";
import { icon } from "./icons.js";

export function fault(error, ...rest) {
  return element("div.notice.bad", { role: "alert" }, icon("warning"),
    element("strong", {}, error.detail ?? "The page failed."),
    element("p", {}, told(error).replace(error.detail ?? "The page failed: ", "").trim()), rest);
}
