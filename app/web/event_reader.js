// Server-sent events as they come off a stream, in pieces that end anywhere.

export class EventReader {
  #rest = "";

  /** The events that are whole with this piece: `{event, data}`. Comments are passed over. */
  *read(piece) {
    const blocks = (this.#rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.#rest = blocks.pop();
    for (const block of blocks) {
      const event = parsed(block.split("\n"));
      if (event) yield event;
    }
  }
}

function parsed(lines) {
  let event = "message";
  const data = [];
  for (const line of lines) {
    const at = line.indexOf(":");
    if (at < 1) continue;
    const value = line.slice(at + 1).replace(/^ /, "");
    if (line.startsWith("event:")) event = value;
    else if (line.startsWith("data:")) data.push(value);
  }
  return data.length ? { event, data: data.join("\n") } : null;
}
