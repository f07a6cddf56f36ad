import type { DataProfile } from "../api/types";

/** A table's name without the schema, where all that are named are in one: nobody called it `main`. */
export function plainTable(name: string, { main, notes }: Pick<DataProfile, "main" | "notes">): string {
  const [first = "", ...others] = [...main, ...notes].map(({ table }) => table.slice(0, table.lastIndexOf(".") + 1));
  return name.startsWith(first) && others.every((each) => each === first) ? name.slice(first.length) : name;
}
