import { Link } from "./route";
import styles from "./brand.module.css";

/** The mark and the name, which lead to the start page. */
export function Brand({ size }: { size: number }) {
  return (
    <Link href="/" className={styles.brand}>
      <img src="/mark.svg" alt="" width={size} height={size} />
      <span>Inquery</span>
    </Link>
  );
}
