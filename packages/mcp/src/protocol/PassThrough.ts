import type { StandardSchemaV1 } from "@modelcontextprotocol/client";

/**
 * Values of the protocol go through Quartermaster unchanged, in both directions: what another server
 * or client adds to the specification is theirs to judge. These take the place of the SDK's checks.
 */

/** A schema that every value fits. */
export const anything: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "quartermaster", validate: (value) => ({ value }) },
};

/** A validator of JSON Schema that every value passes. */
export const jsonSchemaValidator = {
  getValidator: () => (value: unknown) => ({
    valid: true as const,
    data: value as never,
    errorMessage: undefined,
  }),
};
