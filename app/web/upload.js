// Files that people give: from a drop or a field, and to the server in parts.

import { put } from "./api.js";

const PART = 4_000_000; // Bytes, as the server takes them at most.

/** `[{path, file}]` of a drop; folders with all that is below them. Entries have to be asked for at once, in the event. */
export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return chosen(transfer.files);
  const found = await Promise.all(entries.map((entry) => below(entry, "")));
  return found.flat().filter(isVisible);
}

/** `[{path, file}]` of a field's files. */
export function chosen(files) {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })).filter(isVisible);
}

/** A name for a graph of these files: that of their folder, or of the first. */
export function graphName(files) {
  const [first] = files[0].path.split("/");
  const name = first.replace(/(\.\w{1,8}){1,2}$/, "").normalize("NFD").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return name.toLowerCase().slice(0, 60) || "graph";
}

/** Sends files to an import; `sent` is called with the bytes that were sent so far. Raises ApiError. */
export async function upload(id, files, sent, signal) {
  let done = 0;
  for (const { path, file } of files) {
    for (let offset = 0; offset === 0 || offset < file.size; offset += PART) {
      const part = file.slice(offset, offset + PART);
      const query = new URLSearchParams({ path, offset });
      await patiently(() => put(`/api/imports/${id}/files?${query}`, part, { signal }));
      done += part.size;
      sent(done);
    }
  }
}

/** Sends again where the server says when it will accept it. */
async function patiently(send) {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (error.status !== 429 || !error.wait) throw error;
      await new Promise((then) => setTimeout(then, error.wait * 1000));
    }
  }
}

async function below(entry, folder) {
  const path = folder + entry.name;
  if (entry.isFile) return [{ path, file: await new Promise((then, failed) => entry.file(then, failed)) }];
  const reader = entry.createReader();
  const found = [];
  for (;;) { // A reader gives a hundred at a time.
    const some = await new Promise((then, failed) => reader.readEntries(then, failed));
    if (!some.length) break;
    found.push(...some);
  }
  return (await Promise.all(found.map((each) => below(each, `${path}/`)))).flat();
}

function isVisible({ path }) {
  return !path.split("/").some((part) => part.startsWith("."));
}
