// Calls every route of the contract at QM_URL by the client without Effect, with unknown ids, and
// prints whether each call reached its route. It also runs in a page, which has the two settings as
// globals.
import { connect, Problem, routes } from "@quartermaster/client";

const { QM_KEY: key, QM_URL: url } = globalThis.process?.env ?? globalThis;
const qm = connect({ url, key, retries: 0 });

const argsOf = ({ path }) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, "none"]));

const end = async (value) => {
  if (value instanceof Response) await value.body?.cancel();
  else await value?.return?.();
};

const missed = [];
for (const [group, methods] of Object.entries(routes)) {
  for (const [name, route] of Object.entries(methods)) {
    const args = { ...argsOf(route), ...(route.body === "form" ? { file: new Blob(["a"]) } : {}) };
    const options = { signal: AbortSignal.timeout(20_000) };
    try {
      const result = qm[group][name](args, options);
      await end(await (route.returns === "pages" ? result.page() : result));
    } catch (error) {
      const isReached =
        error instanceof Problem &&
        error.status < 500 &&
        error.status !== 405 &&
        error.members.resource !== "path";
      if (!isReached) missed.push(`${group}.${name}: ${error}`);
    }
  }
}
console.log(missed.length === 0 ? "every route is reached" : missed.join("\n"));
