import { Link } from "@tanstack/react-router";
import styles from "./Servers.module.css";

/** The way back: to the servers, and to the catalog from one of its entries. */
export const Path = ({ catalog = false }: { readonly catalog?: boolean }) => (
  <nav className={styles["path"]} aria-label="Path">
    <Link to="/servers" activeOptions={{ exact: true }}>
      Servers
    </Link>
    <span aria-hidden="true">/</span>
    {catalog ? (
      <>
        <Link to="/servers/catalog" activeOptions={{ exact: true }}>
          Catalog
        </Link>
        <span aria-hidden="true">/</span>
      </>
    ) : null}
  </nav>
);
