import { saveAs } from "../ui/copy";

const KEPT = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "fill-opacity",
  "stroke-opacity",
  "opacity",
  "font-size",
  "font-family",
  "font-weight",
  "text-anchor",
];
const SCALE = 2;

/** The chart's SVG as text that needs no style sheet: what CSS decided is written into the elements. */
function standalone(svg: SVGSVGElement): { text: string; width: number; height: number } {
  // The ground is drawn in the page for a moment: of a variable alone the browser tells the text, not the colour.
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", "var(--surface)");
  svg.prepend(ground);
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, place) => {
    const style = getComputedStyle(originals[place]!);
    for (const name of KEPT) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("style");
    element.removeAttribute("class");
  });
  ground.remove();
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

const svgOf = (svg: SVGSVGElement): Blob => new Blob([standalone(svg).text], { type: "image/svg+xml" });

async function pngOf(svg: SVGSVGElement): Promise<Blob> {
  const { text, width, height } = standalone(svg);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * SCALE;
    canvas.height = height * SCALE;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("the browser draws no picture");
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export type PictureKind = "png" | "svg";

const drawn = (svg: SVGSVGElement, kind: PictureKind): Promise<Blob> =>
  kind === "png" ? pngOf(svg) : Promise.resolve(svgOf(svg));

export async function savePicture(svg: SVGSVGElement, kind: PictureKind, name: string): Promise<void> {
  saveAs(await drawn(svg, kind), `${name}.${kind}`);
}

/** Puts the picture where it can be pasted from: PNG as a picture, SVG as its text; false where the browser refuses. */
export async function copyPicture(svg: SVGSVGElement, kind: PictureKind): Promise<boolean> {
  try {
    if (kind === "svg") await navigator.clipboard.writeText(standalone(svg).text);
    else await navigator.clipboard.write([new ClipboardItem({ "image/png": pngOf(svg) })]);
    return true;
  } catch {
    return false; // only pages that came over TLS or from this machine may
  }
}
