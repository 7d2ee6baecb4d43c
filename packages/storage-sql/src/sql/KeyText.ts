/** The keys of issues as expressions. */

/** The key of an issue, a row of `alias`. */
export const of = (alias: string): string =>
  `coalesce((SELECT prefix FROM projects WHERE projects.id = ${alias}.project_id), '')
    || '-' || ${alias}.number`;

/** The key of the issue with this id; null without one. */
export const ofId = (id: string): string =>
  `(SELECT ${of("keyed")} FROM issues AS keyed WHERE keyed.id = ${id})`;

/** The key of the issue of an event, a row of `alias`. Only events of a timeline store it. */
export const ofEvent = (alias: string): string => `coalesce(${alias}.issue_key,
  ${ofId(`CASE WHEN ${alias}.kind LIKE 'issue.%' THEN ${alias}.subject_id
    WHEN ${alias}.kind LIKE 'run.%' THEN ${alias}.data ->> 'issueId' END`)})`;
