import { Link } from "@tanstack/react-router";

/** The breadcrumb links of a screen below the servers. */
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
