/** How an answer stands in a document. */
export type Kind = "value" | "table" | "chart" | "text";

/** What stands in a template for a question; braces and bars of the question's own would end it. */
export const placeholderOf = (kind: Kind, question: string): string =>
  `{{${kind}: ${question.replace(/[{}|]/g, " ").replace(/\s+/g, " ").trim()}}}`;

/** Addresses as people write several: with commas, semicolons or on lines of their own. */
export const addressesOf = (text: string): string[] => text.split(/[,;，；\s]+/).filter(Boolean);
