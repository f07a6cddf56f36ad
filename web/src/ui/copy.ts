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
