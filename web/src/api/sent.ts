import type { Cell, Undescribed } from "./undescribed";

/** Fields whose value says only what there is to say, so that parts of it are missing: of an answer, an option, a fact. */
type Sparse = "reading" | "provenance" | "cache" | "error" | "detail";

/**
 * A described value as the server sends it: with every field, though OpenAPI calls those with a default optional, and
 * with JSON where nothing is described. What has no content is void.
 */
export type Sent<T> = [T] extends [never]
  ? void
  : unknown extends T
    ? Cell
    : T extends (infer Each)[]
      ? Sent<Each>[]
      : T extends object
        ? {
            [Key in keyof T]-?: Key extends Sparse
              ? T[Key]
              : Key extends keyof Undescribed
                ? Described<T[Key], Undescribed[Key]>
                : Sent<T[Key]>;
          }
        : T;

/** The type written by hand for as long as the schema says no more than "an object". */
type Described<T, ByHand> = T extends (infer Each)[]
  ? Described<Each, ByHand>[]
  : [string, unknown] extends [keyof T, T[keyof T]]
    ? ByHand
    : Sent<T>;
