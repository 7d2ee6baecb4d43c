import type { ApiKeyCreate, Role } from "../data/keys.ts";

/** The state of the form for a new key. */
export interface KeyForm {
  readonly name: string;
  readonly actor: "agent" | "person" | "none";
  readonly actorId: string;
  readonly role: Role;
  /** Project ids. Empty means access to all projects. */
  readonly projects: ReadonlyArray<string>;
  /** The typed project id that is not added yet. */
  readonly project: string;
  readonly expires: Expires;
  /** A day in the format of `<input type="date">`: `2026-01-31`. */
  readonly date: string;
}

const days = { "30": 30, "90": 90, "365": 365 } as const;

export type Expires = keyof typeof days | "never" | "date";

/** The end of the day in the user's time zone, as an ISO timestamp. */
const endOf = (date: string) => new Date(`${date}T23:59:59`).toISOString();

const expiresAt = ({ date, expires }: KeyForm, now: number): string | null =>
  expires === "never"
    ? null
    : expires === "date"
      ? endOf(date)
      : new Date(now + days[expires] * 86_400_000).toISOString();

/** The request body. A key with the Metrics role has no projects, agent or user. */
export const bodyOf = (form: KeyForm, now: number): ApiKeyCreate => {
  const { actor, actorId, name, project, role } = form;
  const projects = [...new Set([...form.projects, project.trim()])].filter((id) => id !== "");
  const body = { name: name.trim(), role, expiresAt: expiresAt(form, now) };
  if (role === "Metrics") return body;
  return {
    ...body,
    projects: projects.length === 0 ? null : projects,
    ...(actor === "agent" ? { agentId: actorId.trim() } : {}),
    ...(actor === "person" && actorId.trim() !== "" ? { userId: actorId.trim() } : {}),
  };
};

const roles: ReadonlyArray<{ readonly role: Role; readonly does: string }> = [
  { role: "Viewer", does: "reads" },
  { role: "Editor", does: "also changes issues and runs agents" },
  { role: "Admin", does: "also manages agents, keys and MCP servers" },
  { role: "Owner", does: "also manages Owner keys" },
  { role: "Metrics", does: "can only read metrics" },
];

/** The roles available for this kind of actor, up to the user's own role. */
export const rolesFor = (actor: KeyForm["actor"], own: Role) => {
  const ranks: ReadonlyArray<Role> = ["Metrics", "Viewer", "Editor", "Admin", "Owner"];
  return roles.filter(({ role }) =>
    actor === "agent"
      ? role === "Viewer" || role === "Editor"
      : ranks.indexOf(role) <= ranks.indexOf(own) && (role !== "Metrics" || actor === "none"),
  );
};
