import { type Answer, nothing, refused } from "./Answer.ts";
import * as M from "./Model.ts";
import { fenced } from "./ModelAgents.ts";
import { viewLink } from "./ModelView.ts";

/** The contract's rules for links. */

export type LinkType = "Blocks" | "BlockedBy" | "RelatedTo" | "DuplicateOf";

/** Whether a chain of Blocks links leads from one issue to another. */
export const leads = (model: M.Model, from: number, to: number): boolean =>
  from === to || M.dependents(model, from).some((next) => leads(model, next.n, to));

export const link = (
  model: M.Model,
  input: {
    readonly issue: number;
    readonly target: number;
    readonly linkType: LinkType;
    readonly run: number | null;
  },
): Answer => {
  const { issue, target, linkType } = input;
  const refusal = fenced(model, input.run, "writes");
  if (refusal !== null) return refusal;
  if (!model.issues.has(issue)) return refused("NotFound", "issue");
  if (!model.issues.has(target)) return refused("UnknownReference", "targetIssueId");
  if (issue === target) return refused("SelfLink");
  const relation = linkType === "BlockedBy" ? "Blocks" : linkType;
  const [from, to] = linkType === "BlockedBy" ? [target, issue] : [issue, target];
  const same = [...model.links.values()].find(
    (other) =>
      other.relation === relation &&
      ((other.source === from && other.target === to) ||
        (relation !== "Blocks" && other.source === to && other.target === from)),
  );
  if (same !== undefined) return refused("LinkExists", same.n);
  if (relation === "Blocks" && leads(model, to, from)) return refused("DependencyCycle");
  const n = model.made.links++;
  const made: M.ModelLink = { n, relation, source: from, target: to };
  model.links.set(n, made);
  if (relation === "Blocks") wait(model, to);
  return { did: "link", link: viewLink(made, issue) };
};

/** Makes an issue in any status wait for its blockers, unless all of them are done. */
const wait = (model: M.Model, n: number): void => {
  const issue = model.issues.get(n);
  if (issue === undefined) return;
  M.stop(model, n, "blocked");
  M.change(model, issue, { status: "WaitingOnDependency" });
  M.blockersFewer(model, n);
};

export const unlink = (
  model: M.Model,
  input: { readonly link: number; readonly run: number | null },
): Answer => {
  const refusal = fenced(model, input.run, "writes");
  if (refusal !== null) return refusal;
  const link = model.links.get(input.link);
  if (link === undefined) return refused("NotFound", "link");
  model.links.delete(link.n);
  if (link.relation === "Blocks") M.blockersFewer(model, link.target);
  return nothing;
};
