import type { ComponentProps, ElementType } from "react";

/** Class names in one line; what is not set is left out. */
export const classes = (...names: (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(" ") || undefined;

type Dressed<Tag extends ElementType, Variant extends string> = { as?: Tag; className?: string } & {
  [Name in Variant]?: boolean;
} & Omit<ComponentProps<Tag>, Variant | "as" | "className">;

/**
 * A component that is an element with a look of its own. `as` makes it another element, each variant is switched on by a
 * property of its name, and `className` adds what its place wants of it.
 */
export function dressed<Default extends ElementType, Variant extends string = never>(
  tag: Default,
  look: string | undefined,
  variants = {} as Record<Variant, string | undefined>,
) {
  const names = Object.keys(variants) as Variant[];
  return function Dressed<Tag extends ElementType = Default>({ as, className, ...given }: Dressed<Tag, Variant>) {
    const Element: ElementType = as ?? tag;
    const rest: Record<string, unknown> = { ...given };
    const on = names.filter((name) => rest[name]).map((name) => variants[name]);
    for (const name of names) delete rest[name];
    return <Element className={classes(look, ...on, className)} {...rest} />;
  };
}
