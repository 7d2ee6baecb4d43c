import { Context } from "effect";

/** Settings of webhooks that a host may provide. */
export const WebhookOptions = Context.Reference<{
  /** Whether URLs may have `http:` and addresses of this machine. Default: false. */
  readonly local: boolean;
  /** The ports on which the service listens: no webhook connects to them on this machine. */
  readonly ownPorts: Set<number>;
  /**
   * The URL of the page, such as `https://quartermaster.example.com`; null for requests without URLs. Read at each
   * attempt: a server may learn its port after its start.
   */
  publicUrl: string | null;
  /** The version in `User-Agent`. */
  readonly version: string;
}>("@quartermaster/core/deliveries/WebhookOptions", {
  defaultValue: () => ({ local: false, ownPorts: new Set(), publicUrl: null, version: "0" }),
});
