// The server's routes: JSON, event streams and files, with the token where there is one.

import { EventReader } from "./event_reader.js";

const TOKEN = "clew-token";
let askForToken = null;
let asking = null;

/** What the server refused, or that it does not answer (status 0). */
export class ApiError extends Error {
  constructor(status, detail, remedy = "", errors = []) {
    super(detail);
    this.wait = 0; // Seconds after which the server may accept it.
    this.status = status;
    this.detail = detail;
    this.remedy = remedy;
    this.errors = errors;
  }
}

/** What went wrong and what to do, in one text. */
export function told(error) {
  if (!(error instanceof ApiError)) return `The page failed: ${error.message}`;
  return [error.detail, ...error.errors.map((each) => each.msg.replace(/^Value error, /, "")), error.remedy].filter(Boolean).join(" ");
}

export const token = {
  get: () => sessionStorage.getItem(TOKEN),
  set: (secret) => sessionStorage.setItem(TOKEN, secret),
  clear: () => sessionStorage.removeItem(TOKEN),
};

/** `ask(wasWrong)` gives a promise that holds when the user has entered a token. Requests without one wait for it. */
export function whenTokenIsNeeded(ask) {
  askForToken = ask;
}

export function get(path, options = {}) {
  return json(path, { ...options, method: "GET" });
}

export function post(path, body, options = {}) {
  return json(path, { ...options, method: "POST", body });
}

export function put(path, body, options = {}) {
  return json(path, { ...options, method: "PUT", body });
}

export function patch(path, body) {
  return json(path, { method: "PATCH", body });
}

export function remove(path) {
  return json(path, { method: "DELETE" });
}

/** The events of a stream, each `{event, data}` with its data read as JSON. A consumer that stops, or aborts `signal`,
 *  ends the run. */
export async function* events(path, body, { signal } = {}) {
  const response = await answered(path, { method: "POST", body, signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventReader();
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((error) => Promise.reject(lost(error, signal)));
      if (done) return;
      for (const each of parser.read(value)) yield { event: each.event, data: JSON.parse(each.data) };
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Saves what a route gives as a file of that name. */
export async function download(path, name) {
  const response = await answered(path, { method: "GET" });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A part of a path, whatever it holds. */
export function part(text) {
  return encodeURIComponent(text);
}

async function json(path, options) {
  const response = await answered(path, options);
  return [202, 204].includes(response.status) ? null : response.json();
}

async function answered(path, options) {
  for (;;) {
    const used = token.get();
    const response = await sent(path, options, used);
    if (response.ok) return response;
    if (response.status !== 401 || askForToken === null) throw await refusal(response);
    if (token.get() !== used) continue; // Another request has asked for it meanwhile.
    asking ??= askForToken(used !== null).finally(() => (asking = null));
    await asking;
  }
}

async function sent(path, { method, body, signal }, secret) {
  const headers = new Headers();
  if (secret !== null) headers.set("Authorization", `Bearer ${secret}`);
  const isFile = body instanceof Blob;
  if (body !== undefined) headers.set("Content-Type", isFile ? "application/octet-stream" : "application/json");
  const text = body === undefined || isFile ? body : JSON.stringify(body);
  try {
    return await fetch(path, { method, headers, signal, body: text, credentials: "omit", redirect: "error" });
  } catch (error) {
    throw lost(error, signal);
  }
}

async function refusal(response) {
  const said = await response.json().catch(() => ({}));
  const detail = typeof said.detail === "string" ? said.detail : `The server answered ${response.status}.`;
  const errors = Array.isArray(said.errors) ? said.errors : [];
  const wait = response.headers.get("Retry-After");
  const remedy = said.remedy ?? (wait ? `Try again in ${wait} second${wait === "1" ? "" : "s"}.` : "");
  return Object.assign(new ApiError(response.status, detail, remedy, errors), { wait: Number(wait) || 0 });
}

function lost(error, signal) {
  if (signal?.aborted) return error;
  return new ApiError(0, "The server does not answer.", "Check that `clew serve` is running, then try again.");
}
