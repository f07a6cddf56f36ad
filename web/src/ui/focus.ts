import { flushSync } from "react-dom";

/** Closes what stood in the place of its own button, and gives the focus to the button that is there again. */
export function closeInto(close: () => void, button: () => HTMLElement | null | undefined): void {
  flushSync(close);
  button()?.focus();
}

/** Gives the focus to the page where it would be nowhere, as after the deletion of the line whose button was pressed. */
export function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
  });
}
