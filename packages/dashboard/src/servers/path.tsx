import { Link } from "@tanstack/react-router";

/** Links of the way to a screen below the servers. */
export const toServers = (
  <Link to="/servers" activeOptions={{ exact: true }}>
    Servers
  </Link>
);

export const toCatalog = (
  <Link to="/servers/catalog" activeOptions={{ exact: true }}>
    Catalog
  </Link>
);
