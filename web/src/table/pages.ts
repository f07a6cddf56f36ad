import { useCallback, useEffect, useRef, useState } from "react";
import { get } from "../api/client";
import type { Cell } from "../api/types";
import { PAGE, pagesOf } from "./window";

/** Rows by number: those at hand, and pages of the result fetched when they scroll into view. */
export function usePages(resultId: string | null, known: Cell[][], total: number) {
  const pages = useRef(new Map<number, Cell[][] | "asked">());
  const [, redraw] = useState(0);
  const [failed, setFailed] = useState<{ resultId: string; error: unknown } | null>(null);
  useEffect(() => {
    pages.current = new Map();
  }, [resultId]);

  const need = useCallback(
    (first: number, last: number) => {
      if (!resultId || last < known.length) return;
      for (const page of pagesOf(Math.max(first, known.length), Math.min(last, total - 1))) {
        if (pages.current.has(page)) continue;
        pages.current.set(page, "asked");
        const found = pages.current;
        get("/results/{result_id}", { path: { result_id: resultId }, query: { page, page_size: PAGE } }).then(
          (result) => {
            found.set(page, result.rows);
            redraw((count) => count + 1);
          },
          (error: unknown) => {
            found.delete(page);
            setFailed({ resultId, error });
          },
        );
      }
    },
    [resultId, known.length, total],
  );

  const row = (index: number): Cell[] | undefined => {
    if (index < known.length) return known[index];
    const page = pages.current.get(Math.floor(index / PAGE) + 1);
    return page === "asked" ? undefined : page?.[index % PAGE];
  };
  return { row, need, error: failed?.resultId === resultId ? failed.error : null };
}
