import { JsonSchema } from "@quartermaster/core";
import { Predicate, SchemaAST } from "effect";
import * as Problem from "./Problem.ts";

/** The parts of the OpenAPI document that Effect does not generate from the contract. */

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  Predicate.isObject(value) && !Array.isArray(value);

const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "An API key, or the bearer token of a session.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "qm_session",
    description:
      "The session of a person in a browser. Over HTTPS its name is `__Host-qm_session`, below a path prefix `__Secure-qm_session`. Writes must come from the same origin, with the session's secret in the header `Quartermaster-Session`.",
  },
};

/** Descriptions of the RFC 9457 members that Effect adds to every problem. */
const members: Readonly<Record<string, string>> = {
  type: "Identifies the kind of problem. Programs should decide by this member.",
  title: "A short name of the kind of problem.",
  status: "The HTTP status.",
  instance: "Identifies this occurrence: the request id as a URN.",
};

const problems = new Map(
  Object.entries(Problem).map(([name, problem]) => [
    `${name}Encoded`,
    SchemaAST.resolve(problem.ast)?.["description"],
  ]),
);

/** Adds the member descriptions to a problem's schema: its class cannot annotate the encoded form. */
const describeProblem = ([name, schema]: readonly [string, unknown]): readonly [string, unknown] =>
  problems.has(name) && isObject(schema) && isObject(schema["properties"])
    ? [
        name,
        {
          ...schema,
          description: problems.get(name),
          properties: Object.fromEntries(
            Object.entries(schema["properties"]).map(([member, value]) => [
              member,
              member in members && isObject(value)
                ? { ...value, description: members[member] }
                : value,
            ]),
          ),
        },
      ]
    : [name, schema];

/**
 * Moves a parameter's description from its schema to the parameter. `contentSchema` is the schema
 * of the decoded value, such as an integer: OpenAPI describes the value, Effect the text.
 */
const describeParameter = (parameter: Json): Json => {
  if (!isObject(parameter["schema"])) return parameter;
  const { description, contentSchema, ...text } = parameter["schema"];
  return { ...parameter, description, schema: contentSchema ?? text };
};

const describeParameters = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(describeParameters);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === "parameters" && Array.isArray(member)
        ? member.map((parameter) =>
            isObject(parameter) ? describeParameter(parameter) : parameter,
          )
        : describeParameters(member),
    ]),
  );
};

/** Completes the generated document. The result is served and committed. */
export const transform = (generated: Record<string, unknown>): Record<string, unknown> => {
  const { components, paths, ...document } = JsonSchema.liftAnnotations(generated);
  const schemas =
    isObject(components) && isObject(components["schemas"]) ? components["schemas"] : {};
  return {
    ...document,
    paths: describeParameters(paths),
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).map(describeProblem)),
      securitySchemes,
    },
  };
};
