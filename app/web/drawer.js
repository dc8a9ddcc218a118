// A dialog that stands beside the page where there is room, and over it where there is none.

export class Drawer {
  #opener = null;

  /** `room` is the media query that says there is room. */
  constructor(dialog, room) {
    this.dialog = dialog;
    this.room = matchMedia(room);
    dialog.querySelector(".close-drawer").addEventListener("click", () => this.close());
    dialog.addEventListener("click", (event) => event.target === dialog && this.isOver && this.close());
    dialog.addEventListener("close", () => this.#closed());
    this.room.addEventListener("change", () => this.#move());
  }

  get isOver() {
    return this.dialog.open && this.dialog.matches(":modal");
  }

  get isBeside() {
    return this.dialog.open && !this.isOver;
  }

  get hasRoom() {
    return this.room.matches;
  }

  /** The focus stays where it is beside the page; `opener` gets it back when the dialog is closed. */
  open(opener = null) {
    this.#opener = opener ?? this.#opener;
    if (this.dialog.open) return;
    const focused = document.activeElement;
    if (this.hasRoom) {
      this.dialog.show();
      focused?.focus({ preventScroll: true });
    } else this.dialog.showModal();
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }

  #closed() {
    if (this.#opener?.isConnected) this.#opener.focus();
    this.#opener = null;
    this.onClose?.();
  }

  /** From beside the page to over it closes it; the other way it stays. */
  #move() {
    if (!this.dialog.open) return;
    const opener = this.#opener;
    this.#opener = null;
    this.dialog.close();
    if (this.hasRoom) this.open(opener);
  }
}
