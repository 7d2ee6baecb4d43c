import type { StandardSchemaV1 } from "@modelcontextprotocol/client";

/**
 * Values of the protocol pass through Quartermaster unchanged in both directions: servers and
 * clients validate each other's extensions. These schemas replace the SDK's validation.
 */

/** A schema that accepts every value. */
export const anything: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "quartermaster", validate: (value) => ({ value }) },
};

/** A JSON Schema validator that accepts every value. */
export const jsonSchemaValidator = {
  getValidator: () => (value: unknown) => ({
    valid: true as const,
    data: value as never,
    errorMessage: undefined,
  }),
};
