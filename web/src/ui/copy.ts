/** Copies text; where the clipboard is closed to the page, through a selection. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "visually-hidden";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

const LONGEST_NAME = 60;

/** A file's name from what it answers, without what file systems refuse. */
export function fileStem(words: string): string {
  const plain = words
    .replace(/[\p{C}\\/:*?"<>|？：。，]+/gu, " ")
    .trim()
    .replace(/\s+/g, "-");
  const short = [...plain]
    .slice(0, LONGEST_NAME)
    .join("")
    .replace(/[.-]+$/, "");
  return short || "inquery";
}

/** Lets the browser save bytes or a server's file under a name. */
export function saveAs(source: Blob | string, name: string): void {
  const address = typeof source === "string" ? source : URL.createObjectURL(source);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  if (typeof source !== "string") setTimeout(() => URL.revokeObjectURL(address), 1000);
}
