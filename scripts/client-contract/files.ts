import { format } from "oxfmt";
import { isObject, type Json, listAt, objectAt, textAt } from "./json.ts";
import { comment, keyOf, fieldsOf, typeOf } from "./types.ts";

/**
 * The contract in the form that packages/client has: types without Effect, and the table of routes.
 * This script writes it from the OpenAPI document, so the package has no dependencies and its types
 * resolve everywhere.
 */

const header = "// Written by `npm run openapi` from the contract in packages/http/src/api.\n";

interface Operation {
  readonly group: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly about: string;
  readonly parameters: ReadonlyArray<unknown>;
  readonly body: Json;
  readonly success: unknown;
}

const operationsOf = (document: Json): ReadonlyArray<Operation> =>
  Object.entries(objectAt(document, "paths")).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).map(([method, operation]) => {
      const [group = "", name = ""] = textAt(operation, "operationId").split(".");
      const responses = objectAt(operation, "responses");
      const successes = Object.keys(responses).filter((status) => status.startsWith("2"));
      // Only callers that request 202 by a header get it, unless it is the only success.
      const status = successes.find((status) => status !== "202") ?? successes[0];
      return {
        group,
        name,
        method: method.toUpperCase(),
        path,
        about: `${textAt(operation, "summary")}.\n\n${textAt(operation, "description")}`,
        parameters: listAt(operation, "parameters"),
        body: objectAt(objectAt(operation, "requestBody"), "content"),
        success: status === undefined ? undefined : responses[status],
      };
    }),
  );

const parametersIn = (operation: Operation, where: string) =>
  operation.parameters.filter((parameter) => textAt(parameter, "in") === where);

const namesIn = (operation: Operation, where: string) =>
  parametersIn(operation, where).map((parameter) => textAt(parameter, "name"));

/** The return type of a method: `response` for streams, which the caller reads incrementally. */
const returnsOf = (operation: Operation) => {
  const content = objectAt(operation.success, "content");
  const types = Object.keys(content);
  if (textAt(operation, "path") === "/mcp") return "response";
  if (types.length === 0) return "nothing";
  if (types.includes("text/event-stream")) return "events";
  if (types.includes("application/json")) {
    return namesIn(operation, "query").includes("cursor") ? "pages" : "json";
  }
  return types.some((type) => type.startsWith("text/")) ? "text" : "response";
};

/** The views of a list: the first one is the default, and each has its own item type. */
const viewsOf = (operation: Operation): ReadonlyArray<unknown> => {
  const view = operation.parameters.find((parameter) => textAt(parameter, "name") === "view");
  return listAt(objectAt(view, "schema"), "enum");
};

const resultOf = (operation: Operation, view: number): string => {
  const content = objectAt(objectAt(operation.success, "content"), "application/json");
  const members = listAt(content["schema"], "anyOf");
  const schema = viewsOf(operation).length === 0 ? content["schema"] : members[view];
  switch (returnsOf(operation)) {
    case "nothing":
      return "Promise<void>";
    case "events":
      return "Promise<EventStream<Schemas.Event>>";
    case "text":
      return "Promise<string>";
    case "response":
      return "Promise<Response>";
    case "pages":
      return `Pages<${typeOf(objectAt({ schema }, "schema")["items"])}>`;
    default:
      return `Promise<${typeOf(schema)}>`;
  }
};

const optionsOf = (operation: Operation): string => {
  const headers = namesIn(operation, "header");
  if (headers.includes("idempotency-key")) return "CreateOptions";
  if (headers.includes("if-match")) return "ChangeOptions";
  return headers.includes("last-event-id") ? "EventOptions" : "CallOptions";
};

/** The signature of a method: for one view if the operation has several. */
const signatureOf = (document: Json, operation: Operation, view: number): string => {
  const parameters = [...parametersIn(operation, "path"), ...parametersIn(operation, "query")];
  const own = parameters.map((parameter) => {
    const isView = textAt(parameter, "name") === "view";
    const isRequired =
      (isObject(parameter) && parameter["required"] === true) || (isView && view > 0);
    const type = isView
      ? JSON.stringify(viewsOf(operation)[view])
      : isObject(parameter)
        ? typeOf(parameter["schema"])
        : "unknown";
    return `${comment(textAt(parameter, "description"))}readonly ${keyOf(textAt(parameter, "name"))}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"};`;
  });
  const json = objectAt(operation.body, "application/json");
  const isForm = "multipart/form-data" in operation.body;
  const body = json["schema"];
  const hasBody = isObject(body);
  const reference = hasBody ? textAt(body, "$ref") : "";
  const schema =
    reference === ""
      ? body
      : objectAt(
          objectAt(objectAt(document, "components"), "schemas"),
          reference.slice(reference.lastIndexOf("/") + 1),
        );
  const isOptional =
    !isForm &&
    listAt(schema, "required").length === 0 &&
    (!hasBody || isObject(objectAt({ schema }, "schema")["properties"])) &&
    view === 0 &&
    parameters.every((parameter) => isObject(parameter) && parameter["required"] !== true);
  const bodyType =
    hasBody && typeOf(body) === "unknown" ? "Readonly<Record<string, unknown>>" : typeOf(body);
  const args = [
    ...(own.length === 0 ? [] : [`{ ${own.join("\n")} }`]),
    ...(hasBody ? [bodyType] : []),
    ...(isForm ? ["Upload"] : []),
  ].join(" & ");
  return `(args${isOptional ? "?" : ""}: ${args || "Readonly<Record<never, never>>"}, options?: ${optionsOf(operation)}) => ${resultOf(operation, view)}`;
};

const methodOf = (document: Json, operation: Operation): string => {
  const views = viewsOf(operation).map((_, view) => signatureOf(document, operation, view));
  const type =
    views.length === 0
      ? signatureOf(document, operation, 0)
      : views.map((signature) => `(${signature})`).join(" & ");
  return `${comment(operation.about)}readonly ${operation.name}: ${type};`;
};

const groupsOf = (operations: ReadonlyArray<Operation>) =>
  [...new Set(operations.map(({ group }) => group))].map(
    (group) => [group, operations.filter((operation) => operation.group === group)] as const,
  );

const methodsFile = (document: Json, operations: ReadonlyArray<Operation>) =>
  `${header}
import type { EventStream } from "../Events.ts";
import type { CallOptions, ChangeOptions, CreateOptions, EventOptions, Upload } from "../Options.ts";
import type { Pages } from "../Pages.ts";
import type * as Schemas from "./Schemas.ts";

/** A method for each endpoint of the contract, by group. */
export interface Methods {
${groupsOf(operations)
  .map(
    ([group, members]) =>
      `readonly ${group}: {\n${members.map((operation) => methodOf(document, operation)).join("\n")}\n};`,
  )
  .join("\n")}
}
`;

const routeOf = (operation: Operation): string => {
  const query =
    operation.method === "GET" || operation.method === "DELETE" ? [] : namesIn(operation, "query");
  const returns = returnsOf(operation);
  const words = [
    operation.method === "GET" ? [] : operation.method,
    operation.path,
    "multipart/form-data" in operation.body ? "form" : [],
    "application/json" in operation.body ? "json" : [],
    namesIn(operation, "header").includes("idempotency-key") ? "key" : [],
    query.length === 0 ? [] : `?${query.join(",")}`,
    returns === "json" ? [] : returns,
  ];
  return JSON.stringify(words.flat().join(" "));
};

const routesFile = (operations: ReadonlyArray<Operation>) =>
  `${header}
import { parse } from "../Route.ts";

/** The route of each method. */
export const routes = parse({
${groupsOf(operations)
  .map(
    ([group, members]) =>
      `${group}: {\n${members.map((operation) => `${operation.name}: ${routeOf(operation)},`).join("\n")}\n},`,
  )
  .join("\n")}
});
`;

const isProblem = ([name]: readonly [string, unknown]) => name.endsWith("Encoded");

const schemasFile = (schemas: Json) =>
  `${header}
${Object.entries(schemas)
  .filter((entry) => !isProblem(entry))
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, schema]) => {
    const about = comment(textAt(schema, "description"));
    return isObject(schema) && isObject(schema["properties"])
      ? `${about}export interface ${name} { ${fieldsOf(schema)} }`
      : `${about}export type ${name} = ${typeOf(schema)};`;
  })
  .join("\n\n")
  .replaceAll(/\bSchemas\.(?=[A-Z])/g, "")}
`;

const standard = new Set(["type", "title", "status", "detail", "instance"]);

const problemsIn = (schemas: Json): string =>
  Object.entries(schemas)
    .filter(isProblem)
    .flatMap(([, schema]) => {
      const properties = objectAt(schema, "properties");
      const [urn] = listAt(objectAt(properties, "type"), "enum");
      if (typeof urn !== "string") return [];
      const own = Object.fromEntries(
        Object.entries(properties).filter(([name]) => !standard.has(name)),
      );
      const slug = urn.slice(urn.lastIndexOf(":") + 1);
      const fields = fieldsOf({ properties: own, required: listAt(schema, "required") });
      const about = comment(textAt(schema, "description"));
      return [[slug, `${about}readonly ${JSON.stringify(slug)}: { ${fields} };`] as const];
    })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, member]) => member)
    .join("\n");

const problemsFile = (schemas: Json) => {
  const members = problemsIn(schemas);
  const imports = members.includes("Schemas.")
    ? `import type * as Schemas from "./Schemas.ts";\n`
    : "";
  return `${header}
${imports}
/** The members of each type of problem beyond the standard ones, by its slug. */
export interface Problems {
${members}
}
`;
};

/** The files of packages/client/src/contract by name, formatted. */
export const clientFiles = async (
  document: Json,
  options: Json,
): Promise<ReadonlyArray<readonly [string, string]>> => {
  const operations = operationsOf(document);
  const schemas = objectAt(objectAt(document, "components"), "schemas");
  const files = {
    "Methods.ts": methodsFile(document, operations),
    "Problems.ts": problemsFile(schemas),
    "Routes.ts": routesFile(operations),
    "Schemas.ts": schemasFile(schemas),
  };
  return Promise.all(
    Object.entries(files).map(async ([name, text]) => {
      const { code, errors } = await format(name, text, options);
      if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`);
      return [name, code] as const;
    }),
  );
};
