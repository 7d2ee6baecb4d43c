/**
 * The promises of the service, as data: one entry per behavior that is visible from outside the
 * process. A test cites the ids that it proves, in square brackets at the start of its name.
 * `source` is the section of docs/contract that makes the promise; its pages have each heading
 * once.
 */
export interface Requirement {
  readonly id: string;
  readonly source: string;
  /** The promise as one sentence. */
  readonly text: string;
}

const from = (
  section: string,
  texts: Readonly<Record<string, string>>,
): ReadonlyArray<Requirement> =>
  Object.entries(texts).map(([id, text]) => ({ id, source: `contract#${section}`, text }));

export const requirements: ReadonlyArray<Requirement> = [
  ...from("values", {
    "timestamp.input":
      "The service reads ISO 8601 with Z or an offset and stores UTC with milliseconds.",
    "timestamp.invalid": "The service rejects text that is not a timestamp.",
    "timestamp.add": "Adding seconds to a timestamp, positive or negative, gives a timestamp.",
  }),
  ...from("ids", {
    "ids.sortable": "Ids of one process sort in the order of creation, also within a millisecond.",
  }),
  ...from("directory", {
    "directory.path": "An id in a path that the host's directory does not know is a 404.",
    "directory.slow": "A slow directory does not delay the changes of other callers.",
    "directory.body":
      "An id in a body that the host's directory does not know is a 422 that names the field.",
    "agents.registered": "PUT, a heartbeat and an assignment register an agent; a read does not.",
  }),

  ...from("requests", {
    "body.malformed": "A body that is not a JSON object is a 400.",
    "body.utf8": "A body that is not valid UTF-8 is a 400.",
    "body.charset": "A charset other than UTF-8 is a 415.",
    "body.deep": "A body nested deeper than the limit is a 400.",
    "body.unknown": "An unknown property in a body is a 400 that names it.",
    "body.empty": "A POST without a body accepts an absent body and {}.",
    "body.pieces": "The service reads a body that arrives in pieces as one body.",
    "body.mounted": "Mounted in a host that declares no length, the routes still read the body.",
    "body.truncated": "A body that ends early changes nothing.",
    "body.too-large": "A JSON body beyond its limit is a 413, with and without Content-Length.",
    "request.head": "HEAD works wherever GET does and returns no body.",
    "request.path": "The service validates path values and rejects reserved project ids.",
    "request.query": "The service rejects invalid values of known query parameters by name.",
    "request.query.strict":
      "An unknown or repeated query parameter under /api/ is a 400 that names the closest one.",
    "body.time": "No body takes much longer to check than a plain body of the same size.",
    "request.methods": "The service rejects methods it does not know and keeps running.",
    "request.version":
      "A request line with another version than HTTP/1.x is a 505 and runs nothing.",
    "request.cache": "Responses of the API, downloads and refusals are not stored by caches.",
    "request.nosniff": "Every response forbids content sniffing.",
    "client.layer": "The typed client calls every kind of route.",
    "client.promise": "The typed client works without layers.",
    "core.root": "The root of core exports nothing that is internal.",
    "core.no-node": "Core imports no module of a JavaScript runtime.",
  }),
  ...from("order-of-checks", {
    "access.order": "The service checks authentication and role before it reads the body.",
    "body.order": "The service reports 415 before 413, and 413 before 400.",
    "comments.as-agent": "A call that acts for a run may comment in the name of the run's agent.",
    "comments.refusals": "For a comment the service reports 403, 400 and 404 in this order.",
    "links.refusals.order":
      "For a link the service reports 403, 400, 404, 422 and 409 in this order.",
  }),
  ...from("request-ids", {
    "request.id": "The service echoes a valid X-Request-Id and replaces any other.",
  }),
  ...from("conditional-requests", {
    "issues.if-match":
      "A version that is not current is refused, after 404 and before any other rule.",
    "if-match.routes":
      "If-Match accepts * or versions on PUT, DELETE, close, pause and resume of an issue.",
    "if-match.elsewhere": "Other routes ignore If-Match, and no response is a 304.",
  }),
  ...from("lists", {
    "page.cursor": "Pages follow each other while issues are added.",
    "page.exact": "A last page that is full has no next link.",
    "page.refusals": "A limit outside 1 to 500, and the cursor of another query, are a 400.",
    "paging.link": "Following Link walks every list in both orders without a gap.",
    "paging.query": "The next link keeps the other query parameters.",
    "paging.stable": "Rows added between two pages neither repeat nor hide a row.",
    "paging.public-url": "The next link is absolute where the public URL is configured.",
    "paging.bytes": "A page ends at 16 MiB, and its next link continues it.",
    "paging.in-flight":
      "Too many large responses in flight are a 503, and small requests do not wait for them.",
    "paging.in-flight.released":
      "A client that gives up a large response leaves room for other responses.",
  }),
  ...from("idempotency-keys", {
    "idempotency.once": "The same request returns what the first one did, in its current state.",
    "idempotency.replay":
      "Over HTTP a repeated request returns the first result and creates nothing.",
    "idempotency.others": "Links and comments support idempotency keys.",
    "idempotency.comments": "Comments support idempotency keys over HTTP.",
    "idempotency.links": "Links support idempotency keys over HTTP.",
    "idempotency.attachments": "The service compares repeated uploads by name, type and content.",
    "attachments.idempotent": "Repeating an upload with its key returns the first attachment.",
    "idempotency.restart": "A restart forgets no idempotency key.",
    "idempotency.concurrent":
      "Of concurrent requests with one key, one creates the object and all return it.",
    "idempotency.mismatch": "Another request with the same key is a 422.",
    "idempotency.per-key": "Two API keys do not share idempotency keys.",
    "idempotency.failed": "A refused request may be sent again with the same key.",
    "idempotency.refusals":
      "The service checks role and body before it looks up the idempotency key.",
    "idempotency.access": "Over HTTP the service checks the role before the idempotency key.",
    "idempotency.day": "After 24 hours an idempotency key is new again.",
    "idempotency.key": "An idempotency key has 1 to 128 characters.",
    "idempotency.refused": "On keys and sessions the header is a 400.",
    "idempotency.rotation": "A new master key forgets nothing while the old one is configured.",
    "idempotency.secret-free": "Of a request the service stores only an HMAC.",
  }),

  ...from("problems", {
    "errors.message": "Every error of the library has a message that says what to do.",
    "errors.print": "console.log prints an error's stack, message and fields.",
    "input.sentences":
      "An InvalidRequest says in a sentence what each invalid value should have been.",
    "problem.invalid-request": "A 400 lists every invalid value with its path.",
    "problem.detail-value":
      "The detail of a 400 names the first invalid value and what it should be.",
    "problem.confirmation-required":
      "A deletion without confirm=true is a 400, and the issue still exists.",
    "problem.unauthenticated":
      "Missing, wrong and revoked credentials get the same 401 with WWW-Authenticate: Bearer.",
    "problem.forbidden":
      "A 403 names the required role, or null where another kind of key is needed.",
    "problem.not-found": "A 404 has the id of an unknown resource, and null for an unknown path.",
    "problem.method-not-allowed": "Another method on a known path is a 405 with Allow.",
    "problem.open-dependents": "Open dependents make a close a 409, and nothing changes.",
    "problem.blocked": "A status that open blockers forbid is a 409 that names them.",
    "problem.dependency-cycle": "A cycle is a 409 that lists it from the issue to itself.",
    "problem.link-exists": "A relation that exists is a 409 that names its link.",
    "problem.external-ref-taken": "An external reference in use is a 409 that names its issue.",
    "problem.not-executing": "A pause of an issue that is not executing is a 409 with its status.",
    "problem.not-paused": "A resume of an issue that is not paused is a 409 with its status.",
    "problem.run-ended": "A turn or finish of a run that holds no issue is a 409 with the reason.",
    "problem.last-owner-key": "Deleting the last Owner key is a 409, and the key stays.",
    "problem.precondition-failed": "A version that is not current is a 412 with the current one.",
    "problem.payload-too-large": "Too many bytes are a 413 with the limit.",
    "problem.unsupported-media-type": "A media type that is missing or not accepted is a 415.",
    "problem.unknown-reference": "A body that names an unknown object is a 422 with the field.",
    "problem.self-link": "A link of an issue to itself is a 422.",
    "problem.limit-exceeded": "One item more than a limit allows is a 422 with the limit.",
    "problem.internal": "A defect is a 500, and only the log has its cause, under the request id.",
    "problem.everywhere": "Every response of 400 or above is a problem.",
    "problem.unavailable":
      "A storage failure is a 503 with Retry-After and leaves nothing half done.",
    "problem.ids-100": "A problem lists at most 100 ids.",
  }),

  ...from("issues", {
    "issues.list.200": "The list of a project's issues is an array.",
    "issues.create.201": "A creation returns 201 with the issue, its URL and its version.",
    "issues.get.200": "An issue is read by its id without its project's id.",
    "issues.update.200": "An update returns the issue in its new state.",
    "issues.204": "Close, pause, resume and delete return 204 without a body.",
    "issues.roles": "A Viewer reads issues and writes nothing.",
    "issues.readiness.200": "The readiness route says whether an issue is ready, and why not.",
    "issues.activity.200": "The timeline lists each change with its kind, actor and data.",
  }),
  ...from("plans", {
    "plan.created": "A plan creates its issues in order, each waiting for its blockers.",
    "plan.refs": "Refs are unique, and every blocker is a ref of the plan or an id.",
    "plan.cycle": "A cycle in a plan is refused with its refs.",
    "plan.atomic": "A plan that is refused creates nothing.",
    "plan.limit": "A plan creates no more links than an issue may have.",
    "plan.idempotent": "The same plan with the same key creates its issues once.",
    "plan.http": "POST of a plan takes 8 MiB and returns its issues in order.",
  }),
  ...from("graphs", {
    "graph.issue": "An issue's graph has its transitive blockers and dependents, and their edges.",
    "graph.depth": "A graph goes 1 to 50 links far, and says whether there are more issues.",
    "graph.project": "A project's graph has its issues, and visible ones of other projects.",
    "graph.limit": "A graph has up to 500 issues, open issues first.",
    "graph.http": "GET returns the graph of an issue and of a project.",
  }),
  ...from("issue-fields", {
    "issues.version.untouched":
      "Links, comments and the pick-up of a resumed issue do not change the version.",
    "issues.labels": "Labels are trimmed, distinct and sorted, and a PUT replaces them.",
    "issues.metadata": "Metadata are texts by key, and a PUT replaces all of it.",
    "issues.external-ref": "At most one issue of a project has an external reference.",
    "links.first-hundred": "An issue shows its first 100 links, oldest first.",
    "status.timestamps":
      "The service sets and clears startedAt, resolvedAt and closedAt as specified.",
  }),
  ...from("creating-issues", {
    "issues.create.fields": "A new issue has the fields of the request and its creator.",
    "issues.create.invalid":
      "A creation needs a title, and each invalid value is refused by its path.",
    "status.initial": "A new issue is Open at version 1.",
  }),
  ...from("updating-issues", {
    "issues.update.fields":
      "An omitted field stays, null clears where allowed, and an equal value changes nothing.",
    "issues.update.whole": "An update happens completely or not at all.",
  }),
  ...from("deleting-issues", {
    "issues.remove":
      "A deletion needs a confirmation and removes everything that belongs to the issue.",
  }),

  ...from("status", {
    "issues.status.values": "A status is one of six values; any other is refused.",
    "status.law.create-blocked": "An issue created with an open blocker waits and is linked to it.",
    "status.law.link-blocked-by": "A BlockedBy link makes an issue wait, from every status.",
    "status.law.unlink-last": "A waiting issue becomes Open when its last blocker is unlinked.",
    "status.law.blocker-resolved":
      "A waiting issue becomes Open when its blocker is resolved, and its agent gets it next.",
    "status.law.pause": "A paused issue is Open, and its agent stops at its next turn.",
    "status.law.resume": "A resumed issue is InProgress, and its agent gets it next as a new run.",
    "status.law.resolve": "PUT Resolved resolves an issue from every status.",
    "status.law.close":
      "A close works from every status unless dependents are open and force is not true.",
    "status.link.others": "RelatedTo and DuplicateOf change no status.",
    "status.put.resolved.frees": "A resolve frees the dependents that have no other open blocker.",
    "status.put.closed": "PUT Closed is a close without force.",
    "status.put.waiting.blocked": "PUT WaitingOnDependency needs an open blocker.",
    "status.put.open.blocked": "An open blocker forbids PUT Open, InProgress and PendingReview.",
    "status.put.any":
      "PUT Open, InProgress and PendingReview work from every status, Closed included.",
    "status.put.executing":
      "PUT of another status stops the run of an executing issue; PUT InProgress changes nothing.",
    "status.close.idempotent": "Closing a Closed issue changes nothing.",
    "status.close.resolved": "Open dependents also block the close of a Resolved issue.",
    "status.close.forced-frees":
      "A forced close frees the dependents that have no other open blocker.",
    "status.close.executing": "A close stops the run with the reason closed.",
    "status.link.done-blocker":
      "A link to a finished blocker takes the issue through waiting to Open.",
    "status.link.done-blocker.other-open":
      "An issue linked to a finished blocker waits while another blocker is open.",
    "status.link.done-blocker.executing":
      "A link to a finished blocker stops the run of an executing issue with the reason blocked.",
    "status.link.reopens":
      "A link to a finished blocker reopens a Closed issue, whose dependents wait again.",
    "status.create.done-blocker": "An issue created with a finished blocker is Open at version 1.",
    "status.link.blocks": "Blocks from A to B affects B as BlockedBy from B to A does.",
    "status.link.executing":
      "A new blocker stops the run of an executing issue with the reason blocked.",
    "status.unlink.other-status": "Deleting a link changes no status except WaitingOnDependency.",
    "status.unlink.done-remains": "A finished blocker that is still linked makes no issue wait.",
    "status.delete.frees": "Deleting a blocker removes its links and frees its dependents.",
    "status.delete.executing": "A deletion stops the run with the reason deleted.",
    "status.reopen": "Reopening a blocker makes its Open dependents without a run wait again.",
    "status.pause.not-executing": "Only an issue that is InProgress can be paused.",
    "status.resume.not-paused": "Only a paused issue can be resumed.",
    "status.resume.blocked": "An issue with an open blocker cannot be resumed.",
    "status.finish": "Each outcome of a finish leads to its status.",
    "status.finish.blocked": "An issue that is released or failed while a blocker is open waits.",
    "status.finish.frees": "A run that resolves its issue frees the dependents.",
    "status.reassign":
      "A reassignment stops the run and keeps the status, and the new agent follows.",
    "model.equivalence": "For random calls the service does what an independent model predicts.",
    "hammer.invariants": "Concurrent calls leave every invariant true.",
    "hammer.if-match": "Of concurrent writers that require one version, one succeeds.",
    "hammer.cycle": "Of concurrent links that would close a cycle, one is refused.",
    "hammer.link-exists": "The same link created concurrently from both ends exists once.",
    "hammer.resolve-or-link": "No issue waits for a blocker that is finished.",
  }),
  ...from("pause", {
    "status.put.unpauses": "A PUT of status ends the pause, also with the current status.",
    "status.pause.timeline": "The timeline has every pause and resume.",
    "status.pause.never-picked-up": "No agent picks up a paused issue, whatever its status.",
    "status.resume.while-stopping":
      "A resume works while the old run is stopping, and the new run follows it.",
    "status.paused.cleared":
      "Resume, a PUT of status and close clear paused; automatic moves keep it.",
  }),
  ...from("readiness", {
    "readiness.codes":
      "Readiness reports each obstacle: notOpen, paused, blocked, unassigned and running.",
    "readiness.silent": "Readiness reports a silent agent and leaves ready true.",
    "readiness.blockers": "Readiness names the open blockers and the roots of the chain.",
    "readiness.run": "Readiness names the run that holds the issue, and the run that died.",
  }),
  ...from("listing-issues", {
    "issues.across": "A list over all projects has the issues of visible projects only.",
    "issues.across.http": "GET /api/projects/issues lists issues of several projects.",
    "issues.brief":
      "A brief issue has the numbers of open blockers, blocked issues and questions, and the live run.",
    "issues.brief.visible": "The numbers of a brief issue leave out issues that are not visible.",
    "issues.brief.http": "view=brief lists brief issues; another view is a 400.",
    "issues.list.filters":
      "The list filters by status, either assignee, goal, priority and updatedSince together.",
    "issues.list.labels": "Every given label has to match, and filters by externalRef and paused.",
    "issues.list.ready": "The filter ready lists what the next heartbeat of its agent picks up.",
    "issues.list.sort":
      "A list is sorted by creation, update or priority, in both orders, page by page.",
    "issues.list.http": "Every filter and order is a query parameter; another value is a 400.",
    "issues.list.search":
      "The search finds all words in any order and case, comments included, without syntax.",
    "issues.list.search-words": "A search of more than 32 distinct words is a 400.",
    "search.words": "A search word is a run of letters, marks and digits, whatever its case.",
  }),

  ...from("links", {
    "links.seen": "A link of each type is visible from both ends with its own type and direction.",
    "links.201": "A POST of target and type creates a link.",
    "links.list.200": "The list of links has both directions.",
    "links.delete.204": "A deleted link is gone from both ends.",
    "links.exists": "The same relation is refused from either end, mutual duplicates included.",
    "links.cycle": "A cycle of blockers is refused from either end.",
    "links.cycle.done": "Finished issues count in a cycle.",
    "links.limit": "An issue has no more links than the limit allows.",
    "links.remove": "A removal is on both timelines, and a second one is a 404.",
  }),
  ...from("visibility", {
    "visibility.links":
      "A bound caller neither sees nor reaches links to issues of other projects.",
    "visibility.blocked": "Hidden blockers and dependents count, and no response names them.",
    "visibility.cycle": "A reported cycle names only visible issues.",
    "visibility.freed": "An issue that a hidden blocker frees does not name the blocker.",
    "visibility.activity": "The timeline and the events omit entries about hidden issues.",
  }),

  ...from("comments", {
    "comments.create": "A comment has its content and author and is on the timeline.",
    "comments.201": "A POST of content creates a comment.",
    "comments.list.200": "The comments of an issue are listed.",
    "comments.author-type": "Users, agents and the service send only their own authorType.",
    "comments.author-default": "A comment without an authorType has the type of its author.",
  }),

  ...from("inbox", {
    "inbox.question": "An open question is in the inbox until it is closed.",
    "inbox.expired": "An expired question is never in the inbox, recorded or not.",
    "inbox.detail": "The detail of a question has its first 500 characters.",
    "inbox.review": "An issue in PendingReview is in the inbox until it leaves the review.",
    "inbox.paused":
      "An issue that failed or had too many attempts is in the inbox until it is resumed.",
    "inbox.root":
      "A root that is not picked up and blocks an open issue is in the inbox, with the reasons.",
    "inbox.once":
      "A root with an item of its own, or an active run, is left out of the blocked chains.",
    "inbox.silent": "A silent agent is in the inbox while it has a ready or running issue.",
    "inbox.halted": "An agent whose runner is halted is in the inbox until it works again.",
    "inbox.server-error": "A server with the status error is in the inbox until it works again.",
    "inbox.tools": "A server with changed tools is in the inbox until they are accepted.",
    "inbox.servers": "Only an Admin that is bound to no project has servers in the inbox.",
    "inbox.order": "Items come by priority, then time, then id, in pages.",
    "inbox.stable": "Changes between two pages neither repeat nor skip another item.",
    "inbox.visible": "An issue that the caller may not see is neither in the inbox nor counted.",
    "inbox.http": "projectId may be repeated, and kind is a list separated by commas.",
    "inbox.paging": "The next link of the inbox keeps every projectId.",
    "inbox.invalid": "An unknown kind is a 400.",
  }),
  ...from("statistics", {
    "stats.window": "A window is whole hours, or days for 30d, up to the end of the current one.",
    "stats.series": "Events count in the hour or day in which they happened.",
    "stats.runs": "Runs count by how they started and ended.",
    "stats.issues": "The number of issues by status is the current one.",
    "stats.stays": "The time in a status is at most 10 % off, and null without a stay that ended.",
    "stats.stay-ends": "A stay has its length however it is counted.",
    "stats.deleted": "What is counted of an issue remains when the issue is deleted.",
    "stats.visible": "Numbers are only of projects that the caller may see.",
    "stats.agents": "An agent is active for 10 minutes after its last heartbeat.",
    "stats.once": "Each event counts once, also when nodes count at the same time.",
    "stats.as-of": "asOf says how far a log is counted.",
    "stats.retention": "Statistics are retained for 35 days, longer than events.",
    "stats.calls": "Calls count for their server, with durations at most 10 % off.",
    "stats.servers": "Only an Admin that is bound to no project gets servers.",
    "stats.http": "GET /api/stats responds with the numbers of a window.",
    "stats.invalid": "An unknown window and a repeated projectId are a 400.",
    "stats.nodes": "Two nodes and a restart count each event once, within seconds.",
  }),
  ...from("attachments", {
    "attachments.upload":
      "An upload returns size, hash and download path, and the bytes come back.",
    "attachments.upload.201": "A multipart upload returns the attachment with its download URL.",
    "attachments.list.200": "The list of attachments has no bytes.",
    "attachments.download.200":
      "A download has the bytes and their type, and browsers do not run it as a page.",
    "attachments.delete.204": "A deleted attachment is gone.",
    "attachments.streamed": "The service does not hold a large file in memory.",
    "attachments.limit": "Core stops reading and refuses a file beyond the limit.",
    "attachments.upload.413": "An upload beyond the limit is a 413, and nothing is stored.",
    "attachments.interrupted": "An interrupted upload leaves nothing.",
    "attachments.upload.beside": "A multipart body has at most 64 KiB in addition to the file.",
    "attachments.upload.disconnect": "An upload whose client disconnects leaves nothing.",
    "attachments.upload.400": "An upload needs exactly one part named file with a file name.",
    "attachments.upload.404": "An upload to an unknown issue is a 404.",
    "attachments.upload.type": "A part without a type is application/octet-stream.",
    "attachments.upload.empty": "An empty file is a valid attachment.",
    "attachments.file-name": "A file name keeps its last segment without control characters.",
    "attachments.upload.name":
      "Over HTTP a file name keeps its last segment without control characters.",
    "attachments.download.206": "A download with one range is a 206.",
    "attachments.download.416": "A range out of bounds is a 416.",
    "attachments.remove": "The bytes are removed with the attachment and with its issue.",
    "attachments.bound": "A key bound to other projects finds no attachment.",
  }),

  ...from("timeline", {
    "activity.kinds":
      "The timeline has every kind of change, statusChanged with from, to and cause.",
  }),

  ...from("changes-by-agents", {
    "by-agent.paused":
      "An agent changes neither status, agent nor deferral of a paused issue, and does not resume, close or delete it.",
    "by-agent.held":
      "An agent does not change, pause, close or delete an issue that another agent's live run holds.",
    "by-agent.no-run": "An agent sets InProgress only where its own run holds the issue.",
    "by-agent.hand-in":
      "A PUT of PendingReview, Resolved or Open by the agent whose run holds the issue finishes the run.",
    "by-agent.hand-in.stopped":
      "A run that was told to stop is not handed in by a PUT, and stops at its next turn.",
    "by-agent.free":
      "An agent changes, closes and deletes an issue that is neither paused nor held, and its own.",
    "by-agent.people": "A person may do all of it.",
    "hand-in.acting": "An agent changes what a run protects only by a call that acts for that run.",
    "hand-in.only-run":
      "A change of only the status needs no run to be named if the agent had no other on the issue.",
    "hand-in.ended":
      "A call that acts for a run that ended or has to stop changes no status of any issue.",
    "hand-in.http":
      "The header, `_meta` and `runId` name the run that a request acts for; two that differ are 400, and a foreign one 403.",
    "hand-in.mcp": "Over /mcp a call acts for the worker's own live run.",
    "hand-in.sent":
      "The command line, the client, tasks and the stdio bridge send the run that they act for.",
    "reviews.people": "An agent's key does not end a review.",
    "reviews.taken-back":
      "The agent that handed an issue in opens it again until a person comments.",
    "reviews.review": "With `review`, what an agent resolves becomes a review.",
    "reviews.approve": "With `approve`, agents end reviews.",
    "reviews.project": "A person's Editor key sets agentsMay, with an event.",
    "by-agent.http": "Changes that an agent's key may not make are 409 paused, held and no-run.",
  }),

  ...from("projects", {
    "projects.role": "An Editor that sees the project pauses it, an agent does not.",
    "projects.updated": "A pause and its end emit project.updated, and a repeat nothing.",
    "projects.list":
      "The list of projects has the visible ones that have an issue or are paused, with their counts.",
    "projects.activity.hidden":
      "An event about an issue of a hidden project does not count as activity of a project.",
    "projects.list.http": "GET /api/projects is paged by id.",
    "projects.http": "PUT pauses a project, and an agent's key is refused.",
  }),

  ...from("agents", {
    "agents.updated": "A change of an agent emits agent.updated, and a repeat nothing.",
    "agents.paused.http": "PUT pauses an agent and sets its tool mode, which GET shows.",
    "agents.get": "GET returns the agent of the list, with the runs that the caller may see.",
    "agents.delete": "A deleted agent is unknown, and its ended runs stay.",
    "agents.delete.in-use":
      "An agent that holds a live run or has an issue assigned is not deleted.",
    "agents.delete.role": "Only an Admin that is bound to no project deletes an agent.",
    "agents.strict":
      "With strict agents, an assignment to an agent that is not registered is refused.",
    "agents.limit": "No call registers more agents than the limit.",
    "agents.limit.bound": "An assignment by a key that is bound to projects registers no agent.",
    "agents.limit.access": "A grant to a new agent beyond the limit is refused as a whole.",
    "agents.http": "GET returns an agent, DELETE is a 204, and a 409 while the agent is in use.",
  }),
  ...from("paused-agents-and-projects", {
    "agents.paused":
      "A pause stops the agent's live runs, and no heartbeat claims for it until it ends.",
    "projects.paused":
      "A pause stops the live runs of the project's issues, and none is claimed until it ends.",
    "tools.call.agent-paused":
      "A paused agent's call is refused, and a call that was sent before is not affected.",
  }),
  ...from("acting-for-agents", {
    "runs.acting":
      "An agent's key acts for its agent, a project's key for none, an Editor's key for every agent.",
    "runs.acting.bound-agent":
      "A bound agent's key claims, renews and sees only runs in its projects.",
    "access.agent": "Over HTTP an agent's key acts only for its agent.",
    "tools.call.who": "An agent's key calls only its agent's tools.",
    "tools.acting": "Over HTTP the tools of an agent follow the rules for acting.",
  }),
  ...from("questions", {
    "questions.ask": "A question has its asker, the asker's live run, and defaults.",
    "questions.ask.values": "Options belong to a choice, and every value of a question has limits.",
    "questions.ask.key": "While a question with the same key is open, no second one is created.",
    "questions.ask.limit": "At most 20 questions of an issue are open.",
    "questions.ask.done": "An issue that is Resolved or Closed takes no question.",
    "questions.ask.agent":
      "An agent asks a blocking question only on an issue that is assigned to it.",
    "questions.answer": "An answer closes the question and is a comment by the person.",
    "questions.answer.values": "A choice takes one of its options, a confirm yes or no.",
    "questions.answer.limits": "The longest answer to the longest prompt is a comment.",
    "questions.answer.agent": "An agent answers no question.",
    "questions.answer.again":
      "The same answer by the same person returns the question; any other answer is refused.",
    "questions.claim": "A blocking question keeps heartbeats from its issue while it is open.",
    "questions.started":
      "A run starts with the questions that were closed since the previous run started.",
    "questions.readiness": "Readiness says awaitingAnswer while a blocking question is open.",
    "questions.withdraw": "An open question is withdrawn once, a closed one is not.",
    "questions.withdraw.done": "An issue that is done or deleted withdraws its open questions.",
    "questions.visibility": "A question in a project that the caller may not see is not found.",
    "questions.expiry.read": "An expired question never reads as open, recorded or not.",
    "questions.expiry.continue": "After the expiry a claim picks the issue up.",
    "questions.expiry.pause": "onExpiry pauses the issue whatever its status.",
    "questions.expiry.claim": "A claim records an expiry that pauses, and takes the next issue.",
    "questions.expiry.answer": "An answer that comes too late records the expiry and is refused.",
    "questions.expiry.turn": "A turn records an expiry, and stops if it pauses.",
    "questions.expiry.finish": "A finish after an expiry that pauses is refused.",
    "questions.expiry.housekeeping": "Housekeeping records expiries and tells live runs to stop.",
    "questions.expiry.change": "A change of the issue follows the record of the expiry.",
    "questions.http.ask": "POST of a question is 201, and 200 while one with its key is open.",
    "questions.http.list": "GET lists an issue's questions, filtered by status.",
    "questions.http.answer": "A person's answer is 200, an agent's key 403.",
    "questions.http.withdraw": "DELETE of a question is 204.",
    "questions.http.refusals": "Refused questions have their problems.",
    "questions.http.idempotency": "An Idempotency-Key asks and answers once.",
  }),
  ...from("attempts", {
    "attempts.expiry": "An expired lease counts an attempt, and the first retry has no delay.",
    "attempts.delay":
      "After attempt n the next run starts 60 s × 2^(n-2) later, at most 30 minutes.",
    "attempts.limit": "At maxAttempts the issue is paused and Open.",
    "attempts.limit.waiting": "At maxAttempts an issue with an open blocker waits.",
    "attempts.claim":
      "A claim counts an expired lease that is not recorded, and takes the next issue.",
    "attempts.claim.reassigned": "The claim of another agent counts it as well.",
    "attempts.stopping":
      "The expired lease of a run that was told to stop does not change its issue.",
    "attempts.retry": "A failed run with retry counts like an expired lease.",
    "attempts.failed": "A failed run pauses its issue and counts an attempt.",
    "attempts.reset.finish": "A run that hands its issue in starts the attempts again.",
    "attempts.reset.put": "A status or an agent from a user starts the attempts again.",
    "attempts.settle": "A change of an issue whose lease expired follows the record of the expiry.",
    "attempts.setting": "QM_MAX_ATTEMPTS limits the attempts.",
    "deferral.post": "An issue with notBefore is not claimed before that time.",
    "deferral.put": "An update sets and clears notBefore, as deferred on the timeline.",
    "deferral.released": "A run may be released for later.",
    "deferral.released.only":
      "retryAfterSeconds belongs to the outcome released, and retry to failed.",
  }),
  ...from("claims", {
    "status.pickup": "A claimed issue becomes or stays InProgress.",
    "status.pickup.blocked": "No agent claims an issue with an open blocker.",
    "runs.heartbeat.order":
      "A heartbeat claims up to its capacity: resumed issues, then by priority, then the oldest.",
    "runs.once": "However many concurrent heartbeats one agent sends, an issue starts once.",
    "hammer.claim": "However many agents race, one gets the issue.",
  }),
  ...from("heartbeat", {
    "runs.heartbeat.answer": "A heartbeat returns the runs it started, renewed and has to stop.",
    "heartbeat.started.comments": "A started run has the newest 20 comments, oldest first.",
    "runs.heartbeat.invalid": "Capacity is 0 to 50, and a lease 5 to 86,400 seconds.",
    "heartbeat.halted.attempts":
      "The runs of a halted runner give their attempts back once, unless a person changed the issue since.",
    "heartbeat.halted.note": "A halted runner is the agent's note until a heartbeat without it.",
    "runs.stop.unacknowledged": "A run listed in stop keeps its issue.",
  }),
  ...from("turn", {
    "runs.turn.renews": "A turn renews the lease.",
    "runs.turn.comments": "A turn returns the comments by others since the previous turn.",
  }),
  ...from("finish", {
    "runs.finish.attempts": "A released run keeps the number of attempts if it says so.",
    "runs.finish.comment":
      "The agent of the path is the author of a finish's comment, and a second finish is refused.",
  }),
  ...from("runs", {
    "runs.lease": "An expired lease frees the issue, and turn and finish of its run are refused.",
    "runs.attempt": "A run shows its attempt, and why it had to stop.",
    "runs.lease.no-revival": "No heartbeat renews an expired run.",
    "runs.foreign": "Turn and finish of another agent's run, and an unknown agent, are a 404.",
    "runs.list": "The list of an agent's runs shows their current status and filters by it.",
  }),
  ...from("tools-of-an-agent", {
    "tools.list": "An agent's tools come from the servers that are enabled and granted to it.",
    "tools.list.404": "The tools of an unknown agent are a 404, which does not register it.",
    "tools.list.fields":
      "The list shows a tool's names, title, description, schema and annotations.",
    "tools.list.order": "The oldest server is first, and each server's tools keep its order.",
    "tools.list.names":
      "A long or invalid name is cut at 64 characters with a hash; all names are unique and callable.",
    "tools.list.rename": "The names of tools follow the server's name.",
    "tools.list.independent": "A server that hangs or fails delays no list.",
    "tools.list.nodes": "A change on one node is in the lists of the others.",
    "tools.list.unread": "A heartbeat does not read tools that it has read before.",
    "tools.revision": "The revision is equal exactly when the list is equal.",
    "tools.revision.heartbeat": "Heartbeats and turns return the same revision.",
    "tools.revision.restart": "The revision is the same after a restart and on another node.",
  }),
  ...from("tool-calls", {
    "tools.call": "A call returns content, structuredContent and isError.",
    "tools.call.invalid": "An invalid call is refused by the path of the value.",
    "tools.call.result": "Arguments reach the server unchanged, and its result comes back.",
    "tools.call.rpc-error": "A JSON-RPC error is a result with isError.",
    "tools.call.rpc-error-data":
      "The data of a JSON-RPC error is text and structured content, and a URL in it is text.",
    "mcp.outage.sentence":
      "A call that was not sent says since when its server is not reachable and when it is tried again.",
    "tools.call.advice": "A refused call says whether it was sent, and when to call again.",
    "mcp.install.limits":
      "maxResultBytes and idleSeconds are set by install and PUT, null restores the default, others are refused.",
    "mcp.update.limits":
      "A changed maxResultBytes closes no connection, a changed idleSeconds does.",
    "mcp.idle.server": "A connection closes after idleSeconds of its server, and never with 0.",
    "tools.call.maxResultBytes":
      "A result of more than maxResultBytes is a result with isError that has its size.",
    "tools.call.tooLarge":
      "A result beyond its limit is a result with isError that has its size; the server and other calls go on.",
    "tools.call.readable": "Of a result, everything is retained that clients can read.",
    "agents.mcp.readable": "The official SDKs and REST return every result.",
    "tools.call.nested": "A result nested too deep is a result with isError.",
    "tools.call.granted": "The list and each call check the grants.",
    "tools.call.refused":
      "Unknown tools, unknown agents and servers that are not enabled are refused.",
    "tools.call.timeout": "A call ends after 60 s without progress and is never repeated.",
    "tools.call.progress": "Progress reaches the caller and extends the time of a call.",
    "tools.call.crashed": "A call whose server dies fails and is not repeated.",
    "tools.call.failing": "A call that the connector cannot make fails with a reason.",
    "tools.call.revoked": "A revocation ends calls in flight, at the server too.",
    "tools.call.agent-deleted": "The deletion of an agent ends its calls in flight.",
    "tools.call.uninstalled": "An uninstall ends calls in flight.",
    "tools.call.disabled": "A disable ends calls in flight.",
    "tools.call.updated":
      "An update ends calls in flight, and the next call uses a new connection.",
    "tools.call.unsent": "A call not yet sent when its server changes uses the new connection.",
    "tools.call.cancelled": "An interruption cancels the call at the server.",
    "tools.call.cancel": "A caller that disconnects cancels the call at the server.",
    "tools.unavailable": "A call that is not possible is a 409 with the reason.",
  }),
  ...from("record-of-tool-calls", {
    "tools.calls": "The record of calls is paged and filters by agent and server.",
    "tools.calls.record": "Each call is recorded without arguments and result, newest first.",
    "tools.calls.retention": "Records are retained for 90 days.",
  }),

  ...from("agents-in-process", {
    "host.task": "A task offers turn and finish on behalf of the agent.",
    "host.tools": "A task offers the tools that the agent was granted.",
    "host.stop": "An agent that has to stop learns it at a turn and leaves the issue as it is.",
    "host.comments": "A task can read every comment of its issue.",
    "host.failed": "Work that fails is finished as failed with the reason.",
    "host.interrupted": "Work that is interrupted is released.",
    "host.capacity":
      "The host works on no more issues than its capacity and takes the next when one ends.",
    "host.released": "A released issue comes back with the next heartbeat, not immediately.",
    "host.lease": "Heartbeats keep the leases of running tasks.",
    "host.rhythm": "A heartbeat interval that cannot keep the lease is refused.",
    "host.transient": "The host retries storage that fails for a moment.",
    "host.promises": "The promise host has the same as promises and an async iterator.",
  }),

  ...from("agents-over-mcp", {
    "agents.mcp.list":
      "The list has the agent's tools as their servers define them, and the issue tools.",
    "agents.mcp.list-own": "The tools of another agent are neither listed nor known.",
    "agents.mcp.call": "Arguments and results pass through unchanged.",
    "agents.mcp.call-error":
      "A tool that fails, or whose server fails, returns a result with isError.",
    "agents.mcp.unknown":
      "A tool that the agent may not use is a result with isError that names the reason, or the nearest name.",
    "agents.mcp.progress": "Progress arrives before the result.",
    "agents.mcp.cancel": "A cancelled call is cancelled at its server.",
    "agents.mcp.revoked": "A call of a tool that is revoked during it fails immediately.",
    "agents.mcp.changed": "The endpoint announces every change of the list, whatever its cause.",
    "agents.mcp.changed-first":
      "The endpoint announces the tools of a server that was never verified.",
    "agents.mcp.changed-own": "An agent whose list did not change gets no announcement.",
    "agents.mcp.pages": "A long list has pages, and an unknown cursor is refused.",
    "agents.mcp.errors": "A protocol error is a JSON-RPC error.",
    "agents.mcp.key": "Only an agent's key is accepted; others are a 401 or 403 problem.",
    "agents.mcp.viewer": "A Viewer's key sees no tools of servers.",
    "agents.mcp.http": "Problems come before protocol errors, in the order of every route.",
    "agents.mcp.rate": "The rate limit of keys applies.",
    "agents.mcp.host": "Host and Origin must be served or allowed ones.",
    "agents.mcp.cors":
      "A page of an allowed origin can send every request and read every response.",
    "agents.mcp.challenge": "A 401 of /mcp names invalid_token and says what to configure.",
    "agents.mcp.oauth":
      "The paths of OAuth answer OAuth's errors, and clients report the sentence.",
    "agents.mcp.stateless": "The current protocol version needs no session.",
    "agents.mcp.stateless-plain":
      "Requests of the current version follow the same rules with and without progress.",
  }),
  ...from("work-loop", {
    "agents.mcp.instructions":
      "Accepted instructions of granted servers follow the service's own, quoted.",
    "agents.mcp.instructions.room":
      "Instructions beyond 16,384 characters are left out, and their servers named.",
    "mcp.instructions.granted":
      "Agents read instructions of offered servers of which they may use a tool.",
  }),
  ...from("pinned-tools", {
    "mcp.instructions.pinned":
      "The first instructions are accepted, and later ones are withheld until they are accepted.",
    "mcp.instructions.new": "Instructions of a server that had none are withheld.",
    "mcp.instructions.text":
      "2,048 characters of instructions are used, without control characters and secrets.",
  }),
  ...from("acceptance", {
    "mcp.instructions.accept":
      "An acceptance names the digest of the instructions, which stay as they are without it.",
    "mcp.instructions.verify":
      "A verify accepts the instructions that were recorded before it, and no others.",
  }),
  ...from("resources", {
    "agents.mcp.resources.list":
      "Resources and templates of granted servers are listed and read by URIs that name the server.",
    "agents.mcp.resources.uri": "Every URI of a server becomes a URI that leads back to it.",
    "agents.mcp.resources.uri-other": "What is not a URI of a server leads nowhere.",
    "agents.mcp.resources.links":
      "Links and embedded resources in results have URIs that can be read.",
    "agents.mcp.resources.granted":
      "Resources belong to offered servers that the agent was granted as a whole.",
    "agents.mcp.resources.viewer": "A Viewer's key and another agent's key see no resources.",
    "agents.mcp.resources.paused": "A paused agent reads nothing.",
    "agents.mcp.resources.asked": "A server without resources is not contacted for a list.",
    "agents.mcp.resources.independent":
      "A server that hangs or fails costs no other server's list more than 5 s, once.",
    "agents.mcp.resources.out":
      "The resources of a server that is out stay listed, and reading one says when it is tried again.",
    "agents.mcp.resources.malformed":
      "A resource that clients could not read is left out alone, and secrets are replaced.",
    "agents.mcp.resources.bounded": "Of a server, 2,000 resources and 1 MiB are used.",
    "agents.mcp.resources.pages": "A long list has pages, and an unknown cursor is refused.",
    "agents.mcp.resources.next": "Later pages have what the first page found.",
    "agents.mcp.resources.read":
      "A read returns the contents with the URIs of agents, without secrets, as far as clients can read it.",
    "agents.mcp.resources.errors":
      "An unknown resource and a failed read are errors of the protocol.",
    "agents.mcp.resources.failed":
      "A read ends like a call: in time, with its server, and with its access.",
    "agents.mcp.resources.updated": "A read whose server is updated is read once more.",
    "agents.mcp.resources.limits": "Reads and calls share the limits of the access entry.",
    "agents.mcp.resources.record": "A read is recorded as a call of resources/read.",
    "agents.mcp.resources.changed": "The endpoint announces changed resources.",
    "agents.mcp.resources.announced": "A server's announcements are gathered for a second.",
    "connector.resources": "A connection lists and reads resources, of all pages.",
    "connector.resources.none": "A server without resources is not asked for them.",
    "connector.resources.endless": "A list of resources without end is cut.",
    "connector.resources.modern":
      "Resources of a server of the version 2026-07-28 are read, and their changes heard.",
  }),
  ...from("issue-tools", {
    "agents.mcp.names": "The issue tools have the names of the contract.",
    "agents.mcp.issues": "An agent works on an issue from its creation to its review.",
    "agents.mcp.issues-refused": "A refusal is a result with the sentence and the problem.",
    "agents.mcp.issues-seen": "The issue tools see what the key may see.",
    "agents.mcp.issues-role": "A role that is too low is reported as such.",
    "agents.mcp.parameters":
      "Each parameter of the service's tools has a description, and offers null only to clear.",
    "agents.mcp.refusals": "A refusal of a tool says what to do by tools.",
  }),
  ...from("work-loop", {
    "work.loop": "An agent works by tools: it gets an issue, takes turns, stops and hands in.",
    "work.instructions": "The instructions name the agent, its projects and the work loop.",
    "work.bridge": "The bridge names its process as the worker of each call.",
    "work.next": "work_next claims an issue, and returns the worker's live run again.",
    "work.next.once": "Calls of one worker at the same time start one run.",
    "work.next.shared": "A worker that only its key identifies is busy while it holds a run.",
    "work.next.nothing": "Without an issue, work_next returns the reason and when to ask again.",
    "work.next.awaiting":
      "Without work, an issue that waits for an answer is the reason, and its answer wakes the worker.",
    "work.next.paused": "work_next says that the agent or the project is paused.",
    "work.next.project": "work_next claims in one project if it names one that the key may see.",
    "work.next.header": "A worker of one run claims nothing.",
    "work.quoted": "What people, agents and servers write cannot pass for the service.",
    "work.wait": "A waiting worker gets an issue as soon as there is one.",
    "work.worker.meta": "_meta identifies a worker.",
    "work.worker.key": "Two processes with the same key do not share a run.",
    "work.worker.session": "A session identifies a worker.",
    "work.worker.header": "Quartermaster-Run names a run of the key's agent, or is a 403.",
    "work.worker.header-empty": "An empty Quartermaster-Run names no run.",
    "work.take-over": "A worker takes over the run that it names.",
    "work.heartbeat": "The run of a heartbeat belongs to no worker.",
    "work.renew": "A call renews the lease, at most every 10 seconds.",
    "work.renew.short": "A short lease is renewed before it expires.",
    "work.renew.calls": "A call renews before it is carried out and while it is in flight.",
    "work.stop": "A run that was told to stop is not renewed.",
    "work.stop.tools": "Every result carries the stop until a turn acknowledges it.",
    "work.stop.structured": "A stop turns structured content into text.",
    "work.stop.schema":
      "A tool with an output schema keeps its structured content beside the stop.",
    "work.lost": "A lost lease is a stop until a turn acknowledges it.",
    "work.lost.header": "A worker of one run is notified of its lost lease.",
    "work.lost.next": "The next claim acknowledges a lost lease.",
    "work.search": "In search mode three tools find, describe and call the granted ones.",
    "work.search.direct": "In direct mode the granted tools are listed, without the search.",
    "work.search.connection": "?tools=search sets the mode of a connection.",
    "work.search.rank": "The search ranks by words in name, title and description.",
    "work.search.bytes": "A search returns at most 8 KB.",
    "work.ask":
      "An agent asks about its issue, and gets the answer by waiting or with its next run.",
    "work.arguments.lenient":
      "Numbers as text, and arrays of one value, are taken where only one value can be meant.",
    "work.arguments": "The work tools refuse arguments that are not valid.",
    "agents.seen": "Any request of an agent's key is a sign of life.",
  }),
  ...from("mcp-sessions", {
    "agents.mcp.session": "A client of a legacy version starts, uses and ends a session.",
    "agents.mcp.session-key": "A session does not exist for another key.",
    "agents.mcp.session-bounds":
      "The number of sessions is bounded, and the least recently used one makes room.",
    "agents.mcp.session-busy":
      "A session that waits for a response counts as used, so others end before it.",
    "agents.mcp.plain": "A plain request gets the reply that the SDK's own transports give.",
    "agents.mcp.version":
      "The endpoint and the client introduce themselves by the package's version.",
    "agents.mcp.session-plain": "A request without progress gets its response as plain JSON.",
    "agents.mcp.session-cancelled":
      "A request that is cancelled, or whose session ends, finishes immediately.",
    "agents.mcp.session-idle":
      "A node releases an unused session and rebuilds it on its next request.",
    "agents.mcp.session-rebuilt": "A session continues after a restart and at every node.",
    "agents.mcp.session-forged": "An id that was not issued to the calling key is unknown.",
    "agents.mcp.session-ended": "A session ended by DELETE stays unknown at every node.",
    "agents.mcp.session-rotated":
      "An id is good while the master key exists that it was issued under.",
    "agents.mcp.key-deleted": "Sessions and streams end with their key.",
    "agents.mcp.subscriptions": "The number of a key's streams of changes is bounded.",
  }),
  ...from("stdio-bridge", {
    "agents.bridge.messages": "The bridge passes messages in both directions.",
    "agents.bridge.session": "The bridge starts a new session if the server lost the old one.",
    "agents.bridge.end": "The bridge exits when its input ends, after the last response.",
    "agents.bridge.refused":
      "The bridge says on stderr why it cannot continue, and exits with the code of it.",
    "agents.bridge.unreached": "The bridge retries a server that is not reachable.",
    "agents.bridge.restart": "The bridge continues with a server that was killed and restarted.",
    "agents.bridge.cancelled": "The bridge drops a request cancelled before it was sent.",
    "agents.bridge.initializing":
      "A message that the host sends before the answer to initialize waits for it.",
    "agents.bridge.refusal": "A refused message is answered with the sentence of the server.",
    "agents.bridge.renewals": "A message that meets forgotten sessions only fails in the end.",
    "agents.bridge.once": "A call in flight when the server dies fails and is not repeated.",
  }),
  ...from("host-plugins", {
    "agents.plugins.parse": "Each host's configuration parses and leads to the endpoint.",
    "agents.plugins.names": "The tools and commands that plugins name exist.",
    "agents.plugins.hooks-renew":
      "A hook for Claude Code renews the session's run, at most every 30 seconds.",
    "agents.plugins.hooks-stop": "A hook stops Claude Code when its run was told to stop.",
    "agents.plugins.hooks-own":
      "Only the service's own tools tell the hooks what the session holds.",
    "agents.plugins.hooks-remind":
      "A hook reminds Claude Code once to hand in the run that it holds.",
    "agents.plugins.hooks-silent": "Hooks without a key, a server or a run do nothing.",
  }),

  ...from("mcp-servers", {
    "mcp.admins": "No caller below Admin, and no key bound to projects, manages servers.",
    "mcp.unknown": "An unknown server is a NotFound error.",
    "mcp.404": "A server that is not installed is a 404 on each of its routes.",
    "mcp.list": "The list of installed servers is complete, oldest first.",
    "mcp.bearer": "A session cookie is a 401 under /api/mcp; its token is accepted.",
  }),
  ...from("catalog", {
    "mcp.catalog.200": "The catalog is listed completely in the order of its files.",
    "mcp.catalog.category": "The catalog filters by category and rejects another value.",
    "mcp.catalog.entry": "An entry in detail has its manifest and variables.",
    "mcp.catalog.404": "An unknown entry is a 404.",
    "catalog.entries": "Entries of Owners follow the entries of the host; each says its source.",
    "catalog.own.routes": "An Owner manages entries by the API, over a confidential connection.",
    "catalog.own.create": "An Owner's entry can be installed and is never verified.",
    "catalog.own.invalid": "An invalid entry is refused by its field.",
    "catalog.own.variables": "A variable of a loader or a runtime is refused by its path.",
    "catalog.own.paths":
      "An own entry's sandbox opens only folders that the operator allows, also by variables.",
    "catalog.own.locked": "An own entry's dependencies are locked at its creation.",
    "catalog.own.taken": "An entry's id that is in use is refused.",
    "catalog.own.put": "A replaced entry reaches an installed server when it moves to it.",
    "catalog.own.in-use": "Entries of the host and installed entries are protected.",
    "catalog.own.events": "Each change of the catalog is an event.",
    "catalog.own.owner": "Only an Owner without projects changes the catalog.",
    "catalog.own.hidden": "An entry of the host hides an Owner's of the same id.",
    "server.catalog": "An invalid catalog file stops the start with its name and the field.",
  }),
  ...from("runtimes", {
    "mcp.runtime": "The report has no version and no path of a runtime that is not detected.",
    "probe.all": "The probe finds Python with its version, and pipx.",
    "probe.none": "The probe finds only Node.js where nothing else is installed.",
    "probe.module": "The probe finds pipx as a module of Python, under Python's other name.",
    "probe.failing": "The probe does not report a program that fails.",
    "probe.timeout": "The probe waits three seconds at most.",
  }),
  ...from("installed-servers", {
    "mcp.install.fields": "An installed server is disabled and shows no value.",
  }),
  ...from("install", {
    "mcp.install.201": "An install returns 201 with the server, its URL and no value.",
    "mcp.install.starts-nothing": "An install prepares and starts nothing.",
    "mcp.install.names": "The name is the entry's id, then -2, -3: the first free one.",
    "mcp.install.name-taken": "A given name that is taken is refused.",
    "mcp.install.unknown-entry": "An entry that the catalog does not have is refused.",
    "mcp.install.unknown-env": "A variable that the entry does not declare is refused.",
    "mcp.install.missing-env": "A required variable that is absent, null or empty is refused.",
    "mcp.install.bad-value": "A value with a line end or NUL is refused.",
    "mcp.install.redacted": "A caller in process may give values as redacted strings.",
    "mcp.install.forbidden-path":
      "A path inside or above the data directory is refused, and an option instead of an argument.",
    "mcp.install.runtime-missing": "A server whose runtime is not detected is refused.",
    "mcp.install.idempotent": "The same request returns the same server, whatever has changed.",
    "mcp.install.event":
      "The event names the user who installed, in the transaction of the change.",
    "mcp.install.refusals": "Over HTTP each refusal of an install has its problem.",
    "mcp.install.values": "A response never repeats a value that it refuses.",
  }),
  ...from("update", {
    "mcp.update": "Over HTTP an omitted field stays, values merge, and null removes one.",
    "mcp.update.values": "Values merge, null removes an optional one, and the next use has them.",
    "mcp.update.same": "An update that changes nothing closes nothing and emits no event.",
    "mcp.update.refused": "A refused update changes nothing.",
    "mcp.update.version": "The version moves if the newer one verifies; otherwise nothing changes.",
    "mcp.update.version-uninstalled": "An uninstall ends a move to a newer version.",
    "mcp.update.version-package": "The package of a move is retained while it is verified.",
    "mcp.update.version-concurrent": "A move preserves another update made in the meantime.",
  }),
  ...from("verify", {
    "mcp.verify.200": "A verify returns the response time and the tools in the server's order.",
    "mcp.verify.ok": "A successful verify names the tools in order and the time.",
    "mcp.verify.fresh": "A verify starts a process of its own, once, even if one is warm.",
    "mcp.verify.error": "A failed verify has the reason, no capabilities, and sets error.",
    "mcp.verify.back": "A verify that succeeds after error restores the former status.",
    "mcp.verify.nested": "A definition nested too deep is invalid.",
    "mcp.verify.outdated": "A verify that a change overtakes is returned and not saved.",
    "mcp.verify.timeout": "A server has 30 s to respond, tools/list included.",
    "mcp.verify.uninstalled": "An uninstall ends a verify and everything it started.",
    "mcp.verify.uninstalled-waits":
      "An uninstall returns after the processes of pending verifies have exited.",
    "mcp.verify.arguments": "A verify warns of secrets that the entry passes as arguments.",
    "mcp.verify.prepares": "A verify prepares the package first, under its own limit.",
    "mcp.verify.target":
      "A program gets its variables, arguments and folder; a URL gets its values encoded.",
    "mcp.verify.sandbox-missing":
      "A verify whose sandbox the host does not have is refused and starts nothing.",
    "mcp.verify.hang-up": "A verify stores its result whether its caller waits or not.",
    "mcp.verify.started":
      "A verify that is only started returns the server, or the refusals that need no connection.",
    "mcp.verify.shared": "Verifies of one server at the same time are one, unless they accept.",
    "mcp.verify.accept": "A verify reports changed tools and accepts them only on request.",
  }),
  ...from("preparation", {
    "mcp.prepare.events":
      "Events report the start and the result of the preparation for a verify and an enable.",
    "mcp.prepare.remote": "A remote server is not prepared, and a local program has no package.",
    "mcp.async.verify":
      "With Prefer: respond-async, a verify responds with 202 and the server, and the result follows.",
    "mcp.async.enable": "With Prefer: respond-async, an enable responds with 202 and the server.",
    "mcp.async.hang-up":
      "A verify whose client disconnects stores its result, and a second client waits for it.",
  }),
  ...from("enable-and-disable", {
    "mcp.enable.204": "Enable and disable return 204, however often they are called.",
    "mcp.status.idempotent": "Enable and disable are idempotent and emit one event per change.",
    "mcp.status.from-error": "Enable from error tries again, and disable leads to disabled.",
    "mcp.connect.slot":
      "A connection that stops accepts no calls, closes, and is never used again.",
    "mcp.connect.background": "Enable opens the connection in the background.",
    "mcp.drop.closed":
      "Disable and uninstall wait until all connections are closed, all at the same time.",
    "mcp.drop.opening": "Disable ends a connection that is opening and fails its waiters.",
    "mcp.drop.enable": "Enable after an error closes the connections opened before.",
  }),
  ...from("uninstall", {
    "mcp.uninstall": "An uninstall removes connection, folder and package and frees the name.",
    "mcp.uninstall.204": "An uninstall returns 204, and a second one 404.",
    "mcp.uninstall.wiped": "An uninstall leaves no sealed value in a file of the database.",
  }),
  ...from("pinned-tools", {
    "mcp.pins.first": "The first connection records the definitions as a verify does.",
    "mcp.pins.changed":
      "A changed or new tool is withheld from lists and calls, and an event says so.",
    "mcp.pins.accept": "Only an acceptance makes a changed or new tool available.",
    "mcp.pins.back": "A tool that matches its accepted definition again is available again.",
    "mcp.pins.gone": "A tool that is gone is in no agent's list and has the state gone.",
    "mcp.pins.announced":
      "The service reads a change that the server announces before a call goes through.",
    "mcp.pins.flood":
      "A server that announces changes without end is listed a few times a second; only its own calls wait.",
    "mcp.pins.reconnect": "A new connection compares the definitions before its first call.",
    "mcp.pins.twice": "Of several tools with one name the first one counts.",
  }),
  ...from("acceptance", {
    "mcp.accept.digest":
      "Each tool has the digest of its repaired definition, the server one of all.",
    "mcp.accept.tools": "Tools are accepted as they were shown, and gone ones are removed.",
    "mcp.accept.differs": "A digest that differs accepts nothing and names the tool.",
    "mcp.accept.invalid": "No acceptance makes an invalid tool available.",
    "mcp.accept.recorded": "verify?accept=true accepts only what was recorded before the request.",
    "mcp.accept.tools-digest":
      "verify?accept=<toolsDigest> accepts what it was shown with, or nothing.",
    "mcp.accept.unseen": "Nothing unseen is served, however often a server changes its tools.",
    "mcp.accept.200": "Over HTTP, accept, block and unblock return the server's tools.",
    "mcp.block": "A blocked tool is withheld, whatever its server lists.",
    "mcp.unblock": "An unblocked tool has the state of its definitions.",
    "mcp.block.call": "A block ends the calls of the tool that are in flight.",
    "mcp.block.limit": "At most 2,000 tools are blocked that the server does not list.",
    "mcp.tokens":
      "A tool, a server, a verify, an access entry and an agent's list have their tokens.",
  }),
  ...from("tool-definitions", {
    "mcp.definitions.repaired": "A definition is repaired where its meaning stays the same.",
    "mcp.definitions.invalid": "A definition that breaks a protocol version is invalid.",
    "mcp.definitions.size": "A definition of more than 64 KiB is invalid.",
    "mcp.definitions.alone": "Only the invalid definition is withheld, and it is reported.",
    "mcp.definitions.limits": "Of a server's list, the first 2,000 tools and 8 MiB are used.",
    "mcp.definitions.upgrade": "An upgrade shows no stored definition as changed.",
    "mcp.definitions.output": "An output schema that validators cannot compile is invalid.",
    "mcp.definitions.sdk": "What is not invalid passes the schemas of the official SDKs.",
    "agents.mcp.definitions.unsupported":
      "Apps, tasks and members of the service leave the definitions of servers.",
    "agents.mcp.definitions":
      "The official SDKs list the other tools, whatever one definition of a server is.",
  }),
  ...from("connections", {
    "mcp.connect.demand": "A call opens the connection, also of a server whose tools are unknown.",
    "mcp.connect.demand-granted": "An agent without a grant opens no connection.",
    "mcp.connect.shared": "One warm connection serves all agents and calls.",
    "mcp.connect.once": "Concurrent callers open one connection.",
    "mcp.connect.isolation":
      "With isolation agent, each agent has a connection and a folder of its own.",
    "mcp.connect.isolation-first":
      "The service reads the tools of a server with isolation agent when it is enabled.",
    "mcp.connect.idle": "An unused connection closes after 5 minutes.",
    "mcp.connect.restart": "A crashed server restarts after 0.5 s, then after twice the delay.",
    "mcp.connect.given-up":
      "Five failures within a minute put the server in error, and a verify restores it.",
    "mcp.connect.given-up-slow":
      "A server that hangs at its start five times in a row is given up.",
    "mcp.connect.given-up-not": "Failures that are far apart do not put the server in error.",
    "mcp.connect.unlisted": "A connection whose tools cannot be read again is replaced.",
    "mcp.connect.hanging-list": "A tool list that never arrives does not block calls forever.",
    "mcp.failures.delay": "The first delay is half a second, and each next one is twice as long.",
    "mcp.failures.clock": "A clock that is set back prolongs no delay.",
    "mcp.failures.window":
      "The fifth failure within a minute is the last; older ones do not count.",
    "mcp.failures.in-vain": "The fifth attempt in a row without a connection is the last.",
    "mcp.failures.generation": "A changed server starts with no failures.",
    "mcp.nodes.drop": "A change on one node closes the connections of the others.",
    "mcp.nodes.drop-enabled": "Enable after an error closes the connections of other nodes.",
    "mcp.nodes.drop-each": "A server that is slow to stop delays no other server.",
    "mcp.update.no-late-drop":
      "The event of a change does not close a connection opened after the change.",
  }),
  ...from("outages", {
    "mcp.outage.heals":
      "A server that is out is tried again after 30 s, 1, 2, 4 and 5 minutes, and its first success enables it.",
    "mcp.outage.hour": "A server that comes and goes for an hour ends enabled.",
    "mcp.outage.crashes": "A server that one agent's calls crash serves all again after 30 s.",
    "mcp.outage.calls":
      "A remote server that five calls do not reach is out, and back once it lists its tools.",
    "mcp.outage.nodes":
      "Nodes make each attempt once, and the first success on any node ends the outage.",
    "mcp.outage.restart": "A node that starts tries servers that are out when they are due.",
    "mcp.outage.clock": "A wrong clock delays an attempt by 6 minutes at most.",
    "mcp.outage.agent": "With isolation agent, an agent's failures refuse only that agent's calls.",
    "mcp.outage.now": "Verify, enable and a change of a server that is out try it immediately.",
    "mcp.outage.verify":
      "A failed verify takes an enabled server out, and changes no outage that there is.",
    "mcp.outage.not": "A server that was disabled before its error is not tried again.",
    "mcp.outage.disabled": "A server that is disabled during an attempt stays disabled.",
    "mcp.outage.bounded": "A node tries at most three servers at the same time.",
    "mcp.outage.listed":
      "The tools of a server that is out stay listed, and a call fails immediately with the times.",
    "mcp.outage.unlisted": "A server that never listed its tools has them once it is back.",
    "mcp.outage.shown": "An installed server shows since when and why it is out.",
    "agents.mcp.out":
      "Over MCP, the tools of a server that is out stay listed without notification.",
  }),
  ...from("stdio-servers", {
    "connector.stdio.list": "The connector lists tools with every property, in order.",
    "connector.stdio.call": "The connector returns results unchanged, of known and unknown kinds.",
    "connector.stdio.revisions": "A server may speak any supported protocol version.",
    "connector.stdio.newest": "A server may speak only the version 2026-07-28.",
    "connector.stdio.noTools": "A server may have no tools.",
    "connector.stdio.chatty": "A server may write plain lines.",
    "connector.stdio.unknownIds": "A server may respond to requests that were never sent.",
    "connector.stdio.asksBack":
      "The connector answers a ping of the server and refuses other requests.",
    "connector.stdio.pages": "The connector reads all pages of tools.",
    "connector.stdio.many": "The connector stops reading a list without end.",
    "connector.stdio.listChanged":
      "The connector reports changed tools, also those announced before a subscription.",
    "connector.stdio.environment": "A server sees nothing of the service's environment.",
    "connector.stdio.exited": "A failure reports the exit code and the last lines.",
    "connector.stdio.spawnFailed": "A failure reports that the program is missing.",
    "connector.stdio.silent": "A silent server times out.",
    "connector.stdio.garbage": "A failure distinguishes garbage from silence.",
    "connector.stdio.refused": "A failure reports why the server refused.",
    "connector.stdio.notMcp": "A failure reports a response that is not MCP.",
    "connector.stdio.stderr": "Of stderr, a reason has the first 5 and the last 15 lines.",
    "connector.answered": "A response that is not exactly JSON-RPC ends its call.",
    "connector.stdio.listFailed": "A failure reports that the server could not list its tools.",
    "connector.stdio.listTimeout":
      "A failure distinguishes a missing tool list from a silent server.",
    "connector.stdio.rpcError": "A call fails with the server's JSON-RPC error.",
    "connector.stdio.progress": "The connector reports progress, which extends the time.",
    "connector.stdio.callTimeout": "A call that takes too long is given up and cancelled.",
    "connector.stdio.cancelled": "An interrupted call is cancelled at the server.",
    "connector.stdio.lost": "A call fails immediately when the server dies.",
    "connector.stdio.concurrent": "The connector keeps the responses of concurrent calls apart.",
    "connector.stdio.large": "A server may send a message of 30 MB to a call that takes one.",
    "connector.stdio.tooLarge":
      "A response beyond the limit is skipped and not held; its call fails with its size, and nothing else does.",
    "connector.stdio.endlessLine":
      "A line without end is not held, and its server is stopped once no call waits.",
    "connector.stdio.unread":
      "Messages that a server does not read are bounded and refused unsent.",
    "connector.stdio.largeCall": "A server that reads gets messages of any size and number.",
    "connector.stdio.floods": "The connector drains a flood on stderr.",
    "connector.stdio.floodsUnasked":
      "A server that writes too much unasked is slowed down, then stopped; other servers stay fast.",
    "connector.stdio.floodsOut": "A flood on stdout ends with the time limit of the connection.",
    "connector.stdio.end": "Closing a connection stops the server and removes its record.",
    "connector.stdio.group": "Closing a connection stops the whole process group.",
    "connector.stdio.orphans": "Closing a connection stops children whose leader is dead.",
    "connector.stdio.interrupted": "An interrupted connection attempt leaves no process.",
    "processes.abandoned":
      "The next start ends an abandoned process, also one that ignores SIGTERM.",
    "processes.abandoned.early":
      "A program is recorded before it starts, and found without its leader.",
    "processes.abandoned.leaderless":
      "The next start ends an abandoned group whose leader is dead.",
    "processes.priority": "A started program goes after the service when processors are short.",
    "processes.left": "The next start ends processes that left their group, session and parent.",
    "processes.left.program":
      "Nothing survives an uninstall during a verify, a disable, SIGTERM, or SIGKILL with a restart.",
    "processes.living": "A start leaves processes alone while their service lives.",
    "processes.reused": "A start does not confuse a process with another one of its pid.",
    "processes.foreign": "A start leaves the processes of another host alone.",
    "connector.real.everything": "The everything server lists, is called, and reports progress.",
    "connector.real.canary": "A real server sees nothing of the service's environment.",
    "connector.real.filesystem": "The filesystem server reads a file of its folder.",
    "connector.real.memory": "The memory server stores data in its own folder.",
    "mcp.real.everything":
      "A real server is installed, verified, enabled, granted, called and uninstalled without remains.",
    "mcp.real.filesystem":
      "A path is a variable of a real server, never inside the data directory.",
  }),
  ...from("sandboxes", {
    "sandbox.unvetted":
      "The program of an Owner's entry never runs direct unless QM_ALLOW_DIRECT is set.",
    "sandbox.choice": "The setting and the entry choose the layer, as far as the host has it.",
    "sandbox.direct": "Under direct a program has limits, and nothing that it starts is left.",
    "sandbox.node.modules":
      "Under node no function of Node's modules reads or writes an undeclared file.",
    "sandbox.variables": "A variable that could change Node's permissions is refused under node.",
    "sandbox.allowed": "A path is allowed by its real path.",
    "sandbox.node":
      "Under node a program reads and writes nothing undeclared with Node's functions.",
    "sandbox.bubblewrap":
      "Under bubblewrap a program reaches no undeclared file, process or socket of the host, and its variables reach only the program.",
    "sandbox.bubblewrap.links": "A program starts below /bin, where that is a link.",
    "sandbox.bubblewrap.network": "Under bubblewrap a program has the network if it declares it.",
    "sandbox.docker":
      "Under docker a program runs in the image of its runtime, with its own mounts.",
    "sandbox.docker.refused": "A value that docker cannot read from a file is refused.",
    "sandbox.missing": "A missing sandbox is reported with the reason.",
    "sandbox.own":
      "A host's own spawner starts the programs, by the example of docs/operating/sandboxes.md.",
    "mcp.sandbox": "An installed server shows its sandbox, and a remote server shows none.",
    "mcp.sandbox.422": "Over HTTP a verify without its sandbox is a problem that names it.",
    "mcp.sandbox.paths": "Declared paths have the values of variables.",
    "mcp.sandbox.forbidden":
      "A declared path that is not absolute, or above the data directory, fails the verify.",
    "mcp.sandbox.declared": "Every built-in program says what it needs.",
  }),
  ...from("remote-servers", {
    "connector.http.bundled": "The built program reaches remote servers, or says why it does not.",
    "connector.http.call": "The connector lists and calls with the headers of the target.",
    "connector.http.credentials": "A URL may have a name and a password.",
    "connector.http.progress": "The connector reports progress, which extends the time.",
    "connector.http.redirect.same": "The connector follows a redirect within the origin.",
    "connector.http.retry-after": "A 429 reports its Retry-After.",
    "connector.http.cancelled": "An interrupted call ends its request.",
    "connector.http.refused": "A failure reports a refused connection.",
    "connector.http.status": "A failure reports the HTTP status.",
    "connector.http.unauthorized": "A failure reports that the server requires authorization.",
    "connector.http.scope": "A failure reports the scopes that the server requires.",
    "connector.http.redirect.other": "The connector does not follow a redirect to another origin.",
    "connector.http.private":
      "A name that resolves to a private or loopback address is refused unless it is allowed.",
    "connector.http.tls": "A failure reports what is wrong with the certificate.",
    "connector.http.endless": "A body that never ends does not block the connector.",
    "connector.http.tooLarge":
      "A response of more than 32 MiB fails its call with its size, and nothing else.",
    "connector.http.notMcp": "A failure reports a response that is not MCP.",
    "connector.http.badVariables": "A failure reports an invalid URL or header.",
    "connector.http.session.renewed": "A session that the server forgot is renewed without notice.",
    "connector.http.session.changed": "A session is not renewed if the tools have changed.",
    "connector.http.session.lost": "The connection closes if no new session is possible.",
    "connector.http.session.ended": "A session ends with its connection.",
    "connector.http.lost": "A call whose response is lost fails immediately.",
    "connector.sse.call": "The connector lists and calls over SSE.",
    "connector.sse.tooLarge":
      "An event of more than 32 MiB is skipped; its call fails with its size, and nothing else does.",
    "connector.sse.lost": "An SSE connection closes when its stream ends.",
    "connector.sse.status": "A failure over SSE reports the HTTP status.",
    "connector.sse.refused": "A failure over SSE reports a refused connection.",
  }),
  ...from("packages", {
    "packages.npm":
      "npm packages are installed once, at the exact version, with lock file, without scripts.",
    "packages.npm.together": "Several services may prepare a package at the same time.",
    "packages.integrity": "A package that does not match the catalog's integrity is refused.",
    "packages.npm.missing": "A package that does not exist fails with the words of npm.",
    "packages.npm.program": "A package without the program, or with one outside of it, is refused.",
    "packages.npm.single": "The only program of a package is found by the name of the package.",
    "packages.npm.time": "A package that takes too long is given up and leaves nothing.",
    "packages.npm.before": "Dependencies are resolved as of the date of the entry.",
    "packages.npm.foreign":
      "A dependency by repository, address or file is refused, and git is not started.",
    "packages.npm.tree": "Every package of a tree is from the registry and has an integrity.",
    "packages.python.before": "Pip gets the date that dependencies are resolved as of.",
    "packages.pipx.without": "An entry for pipx runs with Python where pipx is missing.",
    "packages.retain": "A package stays while a server uses it.",
    "packages.npm.environment": "npm sees only its settings of the service's environment.",
    "packages.npm.none": "A missing npm is reported.",
    "packages.leftovers": "A start removes what a dead service left, and nothing of a live one.",
    "packages.npm.real": "The npm registry delivers a package of the catalog.",
    "packages.python": "Python packages are installed in a virtual environment of their own.",
    "packages.python.missing": "Python packages need a Python.",
    "packages.python.failed": "A failure reports the words of pip.",
    "packages.python.unreachable": "An index that cannot be reached is reported in one line.",
    "packages.python.integrity":
      "A Python package with an integrity is refused: it cannot be checked.",
    "packages.local": "A local program is found on PATH or at its path.",
    "packages.folders.removed":
      "A server's folder is removed whatever modes, names and depth its files have.",
    "packages.folder":
      "The folders of servers are private, shared or per agent, and can be removed.",
    "packages.forbidden":
      "A path inside or above the data directory is forbidden, however it is written.",
  }),
  ...from("grants", {
    "mcp.access":
      "Over HTTP the access list has one entry per registered agent and changes in one transaction.",
    "mcp.access.default":
      "The access list has each registered agent, by id, not granted by default.",
    "mcp.access.pages": "The access list of a server has pages.",
    "mcp.access.put": "PUT changes the named agents, registers them, and returns all entries.",
    "mcp.access.tools":
      "Omitted tools stay, null allows all, [] allows none, and a revocation resets them.",
    "mcp.access.limits":
      "Omitted limits of an access entry stay, null clears them, and a revocation resets them.",
    "mcp.access.readOnly":
      "A read-only grant lists and allows only tools whose accepted definition has readOnlyHint: true.",
    "mcp.access.callsPerMinute":
      "Calls beyond callsPerMinute are not sent: a result with isError has the delay.",
    "mcp.access.maxConcurrentCalls":
      "Calls beyond maxConcurrentCalls are not sent, until a call of the agent ends.",
    "agents.mcp.limits":
      "Over REST and /mcp, a call beyond a limit is a result with isError that has the delay.",
    "mcp.access.twice": "The same agent twice, and an invalid agent id, are refused as a whole.",
    "mcp.access.none": "An install grants no access, and an uninstall removes all grants.",
    "mcp.access.event": "An event names the agents that were granted or revoked.",
  }),
  ...from("import", {
    "mcp.import.200": "An import reports each server in the order of the configuration.",
    "mcp.import.vscode":
      "An import accepts servers and inputs; a value to be filled in is missing.",
    "mcp.import.toml": "An import reads Codex's TOML, and a refusal has no value of it.",
    "mcp.import.codex": "An import reads headers and variables as Codex names them.",
    "mcp.import.registry": "An Owner imports a server.json of the registry as a catalog entry.",
    "mcp.import.registry.owner": "A server.json needs an Owner.",
    "mcp.import.registry.package": "A package of npm or PyPI becomes a program.",
    "mcp.import.registry.remote": "A remote becomes a remote server with its headers.",
    "mcp.import.registry.inputs": "Inputs have their values, or become variables of the entry.",
    "mcp.import.registry.choice":
      "The first usable package, else the first usable remote, is used.",
    "mcp.import.registry.refused": "Parts that cannot be used are named with a sentence each.",
    "mcp.import.names": "An import adapts a name to the rules and numbers it where it is taken.",
    "mcp.import.runtime": "An import reports a missing runtime.",
    "mcp.import.400": "A body that is not a configuration is a 400.",
    "mcp.import.match":
      "An import recognizes packages by every launcher, with and without a version.",
    "mcp.import.foreign": "An import does not take anything else for a package.",
    "mcp.import.url": "An import compares URLs up to a trailing slash.",
    "mcp.import.values": "An import extracts variables from headers, URLs and arguments.",
    "mcp.import.options": "An import finds options by name at any position.",
    "mcp.import.invalid": "A server with neither a command nor a URL is not installed.",
  }),
  ...from("authorization", {
    "mcp.oauth.begin": "An Admin gets a URL for the browser with a state that cannot be guessed.",
    "mcp.oauth.which":
      "Only a remote server without a filled Authorization header can be authorized.",
    "mcp.oauth.flow": "Discovery, registration and consent turn a 401 into a usable server.",
    "mcp.oauth.event": "An event names the user who started, and the next use has the token.",
    "mcp.oauth.state-reused": "A state works once.",
    "mcp.oauth.state-unknown": "An unknown state is refused.",
    "mcp.oauth.state-expired": "A state works for 10 minutes.",
    "mcp.oauth.state-many": "The number of pending authorizations of a server is bounded.",
    "mcp.oauth.callback-once": "A second visit or a HEAD of the callback changes nothing.",
    "mcp.oauth.page": "The callback page escapes everything and runs no script.",
    "mcp.oauth.pkce": "S256 binds the code to its verifier.",
    "mcp.oauth.issuer": "The service refuses a response of another issuer before it uses the code.",
    "mcp.oauth.mix-up": "Over HTTP a wrong issuer, or a required one that is missing, is refused.",
    "mcp.oauth.redirect-uri": "The redirect URI is exactly the one of the public URL.",
    "mcp.oauth.client-document":
      "Without registration, the Client ID Metadata Document identifies the service.",
    "mcp.oauth.registered": "A client registered by hand is configured by two variables.",
    "mcp.oauth.no-metadata": "Metadata that is missing, foreign or insecure is reported.",
    "mcp.oauth.private": "No authorization server is asked at a private or loopback address.",
    "mcp.oauth.token-redirect": "The service follows no redirect of the token endpoint.",
    "mcp.oauth.bad-answers": "A malformed token response yields no tokens and is reported.",
    "mcp.oauth.sealed": "States, verifiers and tokens are sealed like secrets.",
    "mcp.oauth.origin": "A token goes only to the origin it was issued for.",
    "mcp.oauth.unauthorized": "A 401 of a server is reported as such, with what to do.",
    "mcp.oauth.refresh": "Tokens are refreshed in time, and the refresh interrupts no call.",
    "mcp.oauth.refresh-pins":
      "The connection with the new token compares the tools, and a drop closes the old one too.",
    "mcp.oauth.refresh-shared": "Concurrent callers share one refresh.",
    "mcp.oauth.refresh-nodes": "Nodes share one refresh.",
    "mcp.oauth.refresh-early": "A valid token is used while its refresh fails.",
    "mcp.oauth.refresh-later": "A failed refresh is not repeated by each call.",
    "mcp.oauth.refresh-fails": "Failures other than invalid_grant remove no tokens.",
    "mcp.oauth.invalid-grant": "invalid_grant removes the tokens and is reported.",
    "mcp.oauth.renewal":
      "Over HTTP 20 callers cause one request, a 500 keeps the tokens, and invalid_grant removes them.",
    "mcp.oauth.refused-token": "A token that is refused before it expires is refreshed once.",
    "mcp.oauth.refused-consent": "Without consent, agents read that only a person can help.",
    "mcp.oauth.refused-call":
      "A token that is rejected during a call is refreshed, and the call is sent again.",
    "mcp.oauth.scope": "The next authorization requests the scopes that a call turned out to need.",
    "mcp.oauth.no-refresh": "Without a refresh token, a token is used until the server refuses it.",
    "mcp.oauth.uninstall": "An uninstall removes tokens and pending authorizations.",
    "mcp.oauth.scrubbed": "A token that a server repeats is replaced.",
    "mcp.oauth.canary":
      "No response, event or log line contains a token, code, verifier or client secret.",
  }),

  ...from("event-stream", {
    "events.200": "The stream sends headers immediately, then each event with id, kind and object.",
    "events.now": "Without Last-Event-ID the stream starts now and sends each change once.",
    "events.400": "An unknown id, kind or project is refused before the stream starts.",
    "events.head": "HEAD returns only the headers.",
    "events.resume": "Last-Event-ID continues after that event and misses none.",
    "events.filter": "The stream filters by project and by kinds, families included.",
    "events.keep-alive": "A comment line arrives every 15 seconds.",
    "events.ends.key": "The stream ends when its key does.",
    "events.ends.session": "The stream ends when its session does.",
    "events.session-idle": "An open stream does not extend its session.",
    "events.ends.immediately":
      "Deleting a key ends its streams immediately, and ending a session its streams and its tokens' streams.",
    "events.ends.expiry": "A stream ends when its key expires.",
    "events.ends.elsewhere":
      "A stream ends within 15 seconds of the end of its session on another node.",
    "events.idle": "The idle streams of a key ask storage together, every 15 seconds.",
    "events.ends.shutdown": "The stream ends when the server starts to shut down.",
    "events.other-node": "A change of another node arrives within half a second.",
    "events.retry": "A stream that failed continues where it was.",
  }),
  ...from("event-kinds", {
    "events.projects":
      "A bound key receives events of its projects, and only Admins receive events about keys and agents.",
    "events.admin": "Only unbound Admins receive events about keys and agents.",
    "events.bound": "A bound caller receives only events of its projects, whatever the filter.",
    "events.rolled-back": "A change that is rolled back has no event.",
  }),
  ...from("retention", {
    "events.retention":
      "Events are retained for their days, and older ones cannot be resumed from.",
    "housekeeping.runs": "Ended runs are retained for 90 days, events for 30.",
    "housekeeping.leases": "Housekeeping records expired leases.",
    "housekeeping.sessions": "Housekeeping removes expired sessions.",
    "housekeeping.clock.question":
      "A question that was asked while the clock was ahead expires in its time.",
    "housekeeping.clock.lease":
      "A lease that was given while the clock was ahead expires in its time, once the clock is set.",
    "housekeeping.clock.start":
      "After a start with a clock that may be ahead, nothing is removed by age for an hour.",
    "housekeeping.clock.behind":
      "A start with a clock behind the newest stored change logs a warning.",
    "housekeeping.run": "Housekeeping runs immediately and every minute.",
  }),

  ...from("roles", {
    "access.table": "Every route states who may call it.",
    "access.matrix": "Viewers read, Editors write and Admins manage, on every route.",
    "access.delete": "The service checks the role before it deletes anything.",
    "access.other-project": "Other projects are a 404 for a bound key on every route.",
    "issues.bound": "A caller bound to other projects finds no issue.",
  }),
  ...from("api-keys", {
    "keys.metrics": "A Metrics key reads the metrics and is forbidden everywhere else.",
    "keys.metrics.session": "A Metrics key starts no session.",
    "keys.metrics.create":
      "A Metrics key is created by an Admin, without projects, agent and user.",
    "keys.create": "A creation returns the key once, and it authenticates as its principal.",
    "keys.create.invalid":
      "An agent's Admin, an agent with a user, and an empty list of projects are refused.",
    "keys.names": "A Viewer reads the names of keys by their ids.",
    "keys.names.200": "GET returns names by key, token and cookie.",
    "keys.roles": "No caller creates, sees or deletes a key above its own role.",
    "keys.manage": "An Admin that is bound to no project manages keys.",
    "keys.wrong": "Wrong, expired and revoked keys get the same response.",
    "keys.hashed": "Of a secret the service stores only a hash.",
    "keys.last-used": "lastUsedAt is precise to the minute.",
    "keys.last-owner": "The last Owner key cannot be deleted.",
    "keys.bootstrap": "The first start creates one Owner key if no Owner key exists.",
    "keys.admin-key": "The host's own key is an Owner's, and is neither listed nor deletable.",
  }),
  ...from("the-page", {
    "dashboard.page":
      "For a browser, every path outside of the API is the page, under a strict policy.",
    "dashboard.reserved": "The page changes nothing for the API and for other clients.",
    "dashboard.accept":
      "A browser's media type has no case and may have a weight; 0 refuses the page.",
    "dashboard.etag": "A page that did not change is a 304.",
    "dashboard.assets": "Files of the page are immutable and compressed.",
    "dashboard.compressed": "Every file that the page names is served compressed.",
    "dashboard.mounted": "A host decides whether the page is mounted, and at which prefix.",
    "dashboard.sign-in": "A person signs in by an API key, and out.",
    "dashboard.sign-in.link": "The token of a link does not stay in the address.",
    "dashboard.expired": "After the end of a session nothing typed is lost.",
    "dashboard.session.port":
      "A program at another port of the host cannot act with the session's cookie.",
    "dashboard.session.tabs":
      "Tabs share the session; a browser without its secret asks to sign in again.",
    "dashboard.sign-out": "Sign-out leaves nothing of the user for the next one, in any tab.",
    "dashboard.expired.other":
      "Another user's key loads the page again and sends nothing of the first user.",
    "dashboard.sign-in.cookies": "The form reports two cookies of the session's name.",
    "dashboard.expired.comment": "A comment that the end of a session held up is sent once.",
    "dashboard.expired.revoked": "After its key was revoked a page asks for another one.",
    "dashboard.together": "Two people on one issue see each other's changes and lose none.",
    "dashboard.gap": "A page whose last event is not retained any more reads again what it shows.",
    "dashboard.restart":
      "After a crash of the server the page has what changed, and what was typed.",
    "dashboard.hostile.issue": "Texts, names, labels and files of an issue are text, and fit.",
    "dashboard.hostile.tools": "Definitions of tools are text, and fit.",
    "dashboard.palette":
      "Commands, issues and agents are found only by keyboard, with the open screen first.",
    "dashboard.palette.recent":
      "Without a text the palette starts with the issues and agents that were opened last.",
    "dashboard.menu": "The account's menu has the version and leads to the documentation.",
    "dashboard.unknown-address": "An address without a screen says so.",
    "dashboard.unknown-parameters": "Unknown parameters of an address are ignored and never sent.",
    "dashboard.font": "The page uses the fonts of the system.",
    "dashboard.keys.shown": "Keys are shown by the names that people know.",
    "dashboard.keys.meaning": "A key means the same on every screen.",
    "dashboard.narrow": "A narrow screen has five screens in its bar, and the others under More.",
    "dashboard.updated": "A tab that is older than the server says so.",
    "dashboard.connection": "The page says whether it is up to date.",
    "dashboard.accessible": "Screens are accessible in both themes, on wide and narrow screens.",
    "dashboard.live": "Changes by others appear without a reload.",
    "dashboard.flood": "Many changes by others leave nothing behind in the page.",
    "dashboard.patch": "Changed issues enter, change and leave lists by their filters.",
    "dashboard.diff": "Two definitions are compared line by line, and nothing in them is hidden.",
    "dashboard.create": "An issue is created by keyboard, on every screen.",
    "dashboard.drag": "A card is dragged where the lifecycle allows it.",
    "dashboard.keyboard": "Issues are reached, selected and moved only by keyboard.",
    "dashboard.keyboard.alone": "From the sign-in to an answered question nothing needs a mouse.",
    "dashboard.filters": "Filters are in the address.",
    "dashboard.filters.state": "Labels, pauses and readiness filter lists, also as they change.",
    "dashboard.filters.none": "Filters that leave no issue are said, and removed together.",
    "dashboard.filters.remembered": "The last filters of a project come back with it.",
    "dashboard.inbox.question": "A question is answered in the inbox, by an option or in words.",
    "dashboard.inbox.choose": "An option of a question is chosen by its number.",
    "dashboard.inbox.words": "Items say what happened without names of the API.",
    "dashboard.inbox.request": "A text for an item opens with its buttons in view.",
    "dashboard.inbox.review": "A review is approved or sent back in the inbox, only by keyboard.",
    "dashboard.inbox.retry": "A failed issue is tried again or reopened in the inbox.",
    "dashboard.inbox.chain": "A blocked chain names its root, which gets an agent in the inbox.",
    "dashboard.inbox.tools":
      "Changed tools show what differs, and are accepted or blocked in the inbox.",
    "dashboard.inbox.refused": "A refused answer comes back with its text.",
    "dashboard.inbox.filters": "Filters of the inbox are in the address.",
    "dashboard.bulk": "Selected issues get a status, a label and an agent together.",
    "dashboard.end": "The page says what a close and a deletion do before it does them.",
    "dashboard.refused": "A refused change is taken back and explained.",
    "dashboard.hostile": "What others wrote is shown as text and does not break the layout.",
    "dashboard.tools": "Tools of all servers are found by words, server and state.",
    "dashboard.tools.effects": "What a changed definition does stands in words.",
    "dashboard.tools.review": "Several tools are accepted together once all changes were seen.",
    "dashboard.tools.accept": "Only what was shown is accepted.",
    "dashboard.tools.block": "Tools are accepted, blocked and unblocked only by keyboard.",
    "dashboard.servers.calls": "A server has its calls, with a histogram of how long they took.",
    "dashboard.servers.change":
      "Variables, limits and version are changed without reading a secret.",
    "dashboard.servers.import": "A pasted configuration is shown without values, then imported.",
    "dashboard.servers.authorize": "A person authorizes a remote server in another tab.",
    "dashboard.servers.install": "An entry of the catalog is installed by a form of its variables.",
    "dashboard.tools.tab": "A server's page has its tools.",
    "dashboard.access": "A server is granted, limited and revoked by keyboard.",
    "dashboard.access.all": "A server is granted to all agents after a confirmation.",
    "dashboard.access.names": "Access calls agents by name, and servers in error say so.",
    "dashboard.errors": "Errors on the page have no names of the API.",
    "dashboard.access.refused": "A refused grant is taken back and explained.",
    "dashboard.access.matrix": "Agents and servers are a grid that the arrows move in.",
    "dashboard.servers": "A server is found, verified, enabled and disabled only by keyboard.",
    "dashboard.agents": "Agents are listed with their current run, its lease and their queue.",
    "dashboard.agents.keyboard":
      "An agent is reached, opened, paused and resumed only by keyboard.",
    "dashboard.agents.refused": "A refused pause is taken back and explained.",
    "dashboard.overview": "The overview's numbers lead to the lists behind them.",
    "dashboard.overview.project": "The overview is narrowed to a project.",
    "dashboard.sparklines": "Newest runs and calls are drawn in the lists of agents and servers.",
    "dashboard.overview.empty": "The overview is readable without any data.",
    "dashboard.overview.roots": "Roots of blocked chains are ordered by how much they block.",
    "dashboard.prefix": "The page works below a prefix of another server.",
    "dashboard.one-stream": "The tabs of a browser share one event stream.",
    "dashboard.keys": "A key is created, shown once and revoked, by roles that may.",
    "dashboard.sessions": "A person sees where they are signed in, and ends other sessions.",
    "dashboard.issue": "An issue has a page with all that happens to it.",
    "dashboard.issue.names": "Authors are called by name, never only by the id of a key.",
    "dashboard.issue.siblings": "An issue leads to the next and the previous one of its list.",
    "dashboard.issue.linked": "The activity names the issues that were linked.",
    "dashboard.comment.tabs": "Tabs share the draft of a comment.",
    "dashboard.board.fold": "Columns of done work are narrower, and can be folded.",
    "dashboard.labels.color": "A label has the same color everywhere.",
    "dashboard.narrow.titles": "Titles of a list have two lines on a narrow screen.",
    "dashboard.agents.queue": "A long queue of an agent is folded.",
    "dashboard.agents.silent": "The run of a silent agent is not called stopping.",
    "dashboard.issue.open": "An issue is opened from the board, the list and the palette.",
    "dashboard.issue.edit": "Title and description are edited in place; a conflict shows both.",
    "dashboard.issue.autosave":
      "A description is saved while it is typed, also by a page that is left.",
    "dashboard.markdown": "Texts keep single line breaks, as on GitHub.",
    "dashboard.issue.title":
      "A title that is typed survives a reload, and the same text never conflicts.",
    "dashboard.issue.properties": "An issue's properties and links are changed only by keyboard.",
    "dashboard.issue.actions": "An issue's page has its actions, and says what they do.",
    "dashboard.issue.pause": "Work is paused, resumed and tried again on an issue's page.",
    "dashboard.instructions": "Changed instructions of a server are compared and accepted.",
    "dashboard.names.assign": "People are chosen by name on the board.",
    "dashboard.issue.defer":
      "A deferral is set by a date; Start now ends it, or the delay of a retry.",
    "dashboard.issue.end": "A close and a deletion say before what they do.",
    "dashboard.issue.approve": "A review is approved by keyboard.",
    "dashboard.issue.viewer": "A Viewer sees all of an issue, changes nothing, and reads why.",
    "dashboard.issue.graph": "An issue's page leads to its graph.",
    "dashboard.issue.withdraw": "A question is withdrawn on its issue's page.",
    "dashboard.issue.question": "A question is answered on its issue's page.",
    "dashboard.issue.files": "Files are attached, shown and removed on an issue's page.",
    "dashboard.comment": "A comment that is being written is not lost.",
    "dashboard.graph":
      "Dependencies are a picture and a list, with what blocks most and the longest chain.",
    "dashboard.graph.fast": "A graph of 500 issues opens without a long wait.",
    "dashboard.missing": "A page that was not built says how to build it.",
  }),
  ...from("login-sessions", {
    "access.cookie":
      "The session cookie works only for projects, the inbox, statistics, agents, events and the session.",
    "session.create.201":
      "A key starts a session with a cookie that scripts and other sites do not get.",
    "session.create.401": "A wrong key starts no session.",
    "session.create.403": "An agent's key starts no session.",
    "session.get.200": "GET returns the caller's principal, for a key and for a cookie.",
    "session.end.204": "DELETE ends the session and its token.",
    "session.routes": "The cookie works only for its routes.",
    "session.token.201": "A session gets a bearer token for the other routes.",
    "session.token.limit": "A session has at most 100 valid tokens.",
    "session.cookie-name":
      "Over HTTPS the cookie has the prefix `__Host-`, or `__Secure-` below a path prefix.",
    "session.cookie-twice": "Two cookies of the session's name are a 401.",
    "session.migrated": "A session that started before sessions had secrets has ended.",
    "session.bearer-first": "A wrong bearer key is a 401 even with a valid cookie.",
    "session.key-deleted": "Deleting a key ends its sessions and tokens.",
    "sessions.create": "A session stands for its key.",
    "sessions.sliding": "Each use extends a session to 12 hours.",
    "sessions.check": "Checking a session does not extend it.",
    "sessions.end": "A session lasts 7 days at most.",
    "sessions.key-deleted": "A session and its token end with the key.",
    "sessions.token": "A token expires after 15 minutes and is not a cookie.",
    "sessions.remove": "An ended session takes its tokens with it and leaves others alone.",
    "sessions.sign-in": "A sign-in token works once, for 5 minutes, and ends with its key.",
    "sessions.list": "A key reaches its own sessions, and an Owner all.",
    "sessions.list.200": "GET lists the sessions of the caller's key.",
    "sessions.list.owner": "An Owner lists and ends the sessions of all keys.",
    "sessions.end.204": "DELETE ends a session of the list.",
    "session.sign-in.invalid": "A wrong sign-in token is a 401 and limited like a wrong key.",
    "sessions.limit": "A key has no more sessions than the limit.",
    "session.create.422": "One session too many is a 422 with the limit.",
    "sessions.admin-key": "The host's own key can start sessions.",
  }),
  ...from("same-origin", {
    "csrf.same-origin": "A write by cookie must come from the same origin.",
    "csrf.secret": "A write by cookie needs the session's secret in a header.",
    "csrf.public-url": "The public URL is the origin where it is configured.",
  }),
  ...from("https-for-secrets", {
    "https.loopback": "The service accepts secrets from loopback unless a header reveals a proxy.",
    "https.proxy": "The service accepts secrets only from a trusted proxy that sends https.",
    "https.tls": "The service accepts secrets over its own HTTPS from every peer.",
    "https.order": "The check follows 401 and 403 of the role and precedes the body.",
    "https.claimed": "A URL in the request line makes a connection no safer.",
    "https.others": "Routes without secrets do not require HTTPS.",
  }),
  ...from("encryption-at-rest", {
    "mcp.secrets.box": "A sealed value opens to what it was.",
    "mcp.secrets.sealed": "Each value has a fresh nonce and opens only for its owner and key.",
    "mcp.secrets.stored":
      "All stored values are sealed, also values of variables that are not secret.",
    "mcp.secrets.wiped": "An update leaves no removed value in a file of the database.",
    "mcp.secrets.wrong-key": "With a wrong key core starts, reports it and loses nothing.",
    "rotate.wrong-key": "With a wrong key the server starts, reports it and loses nothing.",
  }),
  ...from("secrets-in-output", {
    "mcp.secrets.scrub":
      "Values of 6 characters or more of secret variables are replaced, no others.",
    "mcp.secrets.scrub-overlap":
      "The longer value is replaced first, and a replacement is not searched again.",
    "mcp.secrets.scrub-nested": "Secrets are replaced in JSON in JSON, which stays JSON.",
    "mcp.secrets.scrub-forms": "Percent-encoded and JSON forms of a value are replaced too.",
    "mcp.secrets.scrub-encoded": "Base64 and hex of a value are replaced too.",
    "mcp.secrets.scrub-prefix":
      "Prefixes of a value are replaced: 8 or more characters, 12 or more of a word.",
    "mcp.secrets.scrub-json": "Values are replaced in strings and keys at any depth, nowhere else.",
    "mcp.secrets.scrubbed":
      "Values are replaced in results, errors, progress, details, definitions, events and logs.",
    "mcp.real.canary": "No response, event, log line or file contains a given secret.",
  }),
  ...from("key-rotation", {
    "mcp.secrets.rotate": "A rotation seals every value under the new key.",
    "mcp.secrets.rotate-interrupted": "A rotation continues where an interrupted one stopped.",
    "rotate.wiped": "A rotation leaves nothing under the old key in a file of the database.",
    "rotate.file": "rotate-key creates a new key while a server runs, without a restart.",
    "rotate.killed": "rotate-key continues where a killed one stopped, wherever that was.",
    "rotate.env": "rotate-key re-encrypts under the first key of QM_SECRET_KEY.",
    "rotate.help": "The help of rotate-key says what running servers have to know.",
    "rotate.no-data":
      "A rotation in a directory without a database is refused and creates nothing.",
  }),
  ...from("rate-limits", {
    "rate.key": "After a burst of twice the limit, only that key gets 429 with Retry-After.",
    "rate.key.none": "A limit of 0 means no limit.",
    "rate.failures":
      "Too many wrong keys are a 429; a valid key and missing credentials never are.",
    "rate.streams": "Beyond the limit of open event streams, only that key gets 429.",
    "rate.streams.none": "A limit of 0 event streams means no limit.",
    "rate.streams.refused": "A request that opens no event stream does not count as one.",
    "rate.clock": "A clock that is set back makes no caller wait.",
    "rate.failures.ipv6": "The addresses of one IPv6 /64 network count as one address.",
    "rate.failures.proxy": "The address is the last one that no trusted proxy has.",
  }),

  ...from("command-line", {
    "cli.login":
      "login stores a URL and a key that works, in a private file, and logout removes them.",
    "cli.key": "The stored key is sent only to the server that it was stored for.",
    "cli.exit": "The exit code says what went wrong, and stderr says why.",
    "cli.bridge": "The bridge takes server and key as every command does.",
    "cli.not-before": "A time is given as a duration from now or in ISO 8601, and cleared by none.",
    "cli.issue": "Issues are created, changed, linked and listed from the command line.",
    "cli.issue.plan": "issue plan creates the issues of a file, all or none.",
    "cli.issue.files": "issue attach streams a file, and issue graph prints what waits for what.",
    "cli.issue.fields": "Labels, metadata and external references are set, removed and listed by.",
    "cli.issue.ready": "issue ready lists what the next heartbeat starts.",
    "cli.ask":
      "The open questions of all projects, and the questions on an issue, are listed and answered.",
    "cli.help": "The help of each command has an example that the command accepts.",
    "cli.limit": "A list is read to its end, or up to its limit.",
    "cli.admin": "Keys, agents and events are managed from the command line.",
    "cli.status": "status lists what waits for a person over all projects, and the running issues.",
    "cli.prime": "prime prints in under 1 KB what an agent has to know; completions exist.",
    "cli.output": "Text of others cannot control a terminal.",
    "cli.duration": "A duration is a number of seconds, or a number with a unit.",
    "cli.compiled": "The program stores compiled code for its next start, where it can.",
    "cli.start": "A short command loads no part of the platform that it does not use.",
  }),
  ...from("steps-of-a-run", {
    "cli.steps": "A script holds a run with work next, work turn and work finish.",
  }),
  ...from("servers-and-tools-on-the-command-line", {
    "cli.server": "Servers are installed, verified, granted and removed from the command line.",
    "cli.server.out":
      "A server that does not start is refused, and the list of servers says since when it is out.",
    "cli.server.progress": "A terminal shows what a verify prepares.",
    "cli.server.accept":
      "Tools are accepted as they were shown, blocked and unblocked from the command line.",
    "cli.values": "Values of a server come from files, stdin and variables, never from an option.",
    "cli.tool": "An agent's tools are searched, described and called from the command line.",
  }),
  ...from("runner", {
    "runner.command":
      "The command gets prompt, files and environment; an Admin's key stays with the runner.",
    "runner.hidden": "A runner hides its key from the processes that COMMAND starts.",
    "runner.prompt": "The prompt has at most 96 KiB and says where the rest is.",
    "runner.script": "A prompt is never the script of a shell.",
    "runner.exit":
      "The end of the command decides how its run is handed in, and with --once the exit code.",
    "runner.output":
      "Output is a code block unless it is Markdown; what stopped commands wrote is retained.",
    "runner.comment": "A comment has the end of the output, without the key.",
    "runner.stop": "A run that has to stop ends with every process of its command.",
    "runner.signal": "A runner that is stopped gives its issues back.",
    "runner.guard":
      "A runner that is killed leaves no process of its commands, and no folder after the next start.",
    "runner.away": "No issue is lost or held by two while the server is away or busy.",
    "runner.handed-in": "A runner adds nothing to a run that its command handed in.",
    "runner.two": "Two runners of one agent never hold an issue twice, and both go on.",
    "runner.restart": "A restart of the server loses no issue of a runner.",
    "runner.key":
      "A runner with an Admin's key replaces the agent's key every 12 hours, and deletes its keys when it exits.",
    "runner.kill":
      "Runners that are killed do each issue exactly once: one run hands it in, and other results are discarded.",
    "runner.idle": "A runner without work says so on a terminal, with what is queued and blocked.",
    "runner.refused": "A runner that cannot work says why, and starts no issue.",
  }),

  ...from("program", {
    "server.help": "--help explains each command.",
    "server.bin": "npm ci links the program quartermaster without a build.",
    "server.start": "npm start builds what is stale and serves, and signals reach the server.",
  }),
  ...from("environment-variables", {
    "server.config": "An invalid variable stops the start with a sentence that names it.",
    "server.plain-http":
      "The server accepts plain HTTP from other machines only if QM_ALLOW_HTTP says so.",
    "server.config.unknown": "A misspelled variable stops the start with the nearest name.",
    "server.config.defaults": "Without variables the server has the documented defaults.",
    "server.config.values": "The server accepts sizes, lists and keys as operators write them.",
    "server.reach": "QM_ALLOWED_HOSTS and QM_ALLOWED_ORIGINS open /mcp to names and web pages.",
    "server.names":
      "Advice to change a setting names its variable; in a library it names the option.",
    "server.durability": "full survives a power cut, and normal survives a process crash.",
  }),
  ...from("start", {
    "server.welcome": "The server prints its URL, the path of the key and the URL of the docs.",
    "server.welcome.try": "The server prints a first command that works as printed.",
    "server.sign-in":
      "The link on the terminal signs in once, and no other output has a sign-in token.",
    "server.owner-key": "Key files are private, and the output does not contain the key.",
    "server.port": "A port in use is reported.",
    "server.database": "A file that is not a database is reported.",
    "server.database.log": "A removed write-ahead log of a killed process stops the start.",
    "server.database.emptied": "An emptied, removed or zeroed database stops the start.",
    "server.database.page": "A zeroed page of the database stops the start.",
    "server.database.killed": "A process that was killed loses no committed change.",
    "server.database.private": "Only their owner can read files of the database.",
    "server.gitignore": "A repository that contains the data directory ignores it.",
    "server.data-dir": "A data directory that is not writable is reported.",
    "server.data-dir.reason":
      "A data directory that cannot be created is reported with the reason.",
    "server.secret-key": "A damaged file of master keys is reported.",
    "server.tls": "With certificate and key the server speaks HTTPS.",
    "server.tls.missing": "Missing TLS files are reported.",
    "server.tls.mismatch": "A key of another certificate is reported.",
    "server.race": "Two concurrent first starts agree on the keys.",
    "server.leftovers": "A start removes what a dead process left and keeps what was committed.",
  }),
  ...from("operational-routes", {
    "server.health": "The server reports that it is alive and ready.",
    "server.ready.unavailable": "/readyz is a 503 while storage is unreachable.",
    "server.metrics": "Admins get metrics in Prometheus' format.",
    "server.metrics.issues": "The metrics count issues by status, for a Metrics key.",
    "server.strict-agents":
      "QM_STRICT_AGENTS refuses an assignment to an agent that is not registered.",
    "server.max-streams": "QM_MAX_STREAMS limits the event streams of a key.",
    "server.metrics.questions": "The metrics count open questions.",
    "server.metrics.domain": "The metrics count heartbeats, claims and finished runs.",
    "server.openapi": "The server serves its OpenAPI document.",
    "contract.openapi": "The document is OpenAPI 3.1 with both security schemes.",
    "contract.words": "Every endpoint has a summary, a description and typed errors.",
    "contract.descriptions": "The OpenAPI document describes every schema, property and parameter.",
    "contract.parameters":
      "Parameters in the OpenAPI document have the type of their value, such as integer.",
    "contract.optional-body": "The body of a heartbeat is optional.",
    "mcp.real.calls": "The metrics count MCP connections and tool calls by outcome.",
  }),
  ...from("documentation", {
    "server.docs": "The documentation and the page of the API need no internet access.",
    "docs.pages":
      "Every page of the documentation is served under a strict policy, and its links lead somewhere.",
    "docs.search":
      "The search finds sections that have all words, as a page and as JSON, and shows a query as text.",
    "docs.screen":
      "The documentation passes axe in both themes at both widths, and is searched by keyboard.",
    "docs.prefix": "Below a prefix, the links of the documentation contain the prefix.",
  }),
  ...from("http-connections", {
    "server.silent-body": "A connection that is silent for a minute during a body is closed.",
    "server.idle-connection": "A connection that starts no request within 30 seconds is closed.",
    "server.slow-body": "After a minute a body must have arrived at 1 KiB per second on average.",
    "server.upgrade":
      "The connection ends after the response to a request that asks for an upgrade.",
    "server.malformed-head": "A malformed HEAD request gets no body.",
    "server.hsts": "Over HTTPS, browsers learn to use only HTTPS for the host.",
    "server.connections-per-address":
      "An address may have 1,000 connections; loopback and trusted proxies are exempt.",
    "server.long-answer": "A response may take as long as it needs.",
    "server.malformed": "Input that is not HTTP gets a problem.",
    "server.log": "The log has one line per request, without query and headers.",
  }),
  ...from("shutdown", {
    "unavailable.ending": "The server refuses requests while it shuts down.",
    "server.sigterm": "SIGTERM finishes requests in flight, ends streams and exits with 0.",
    "server.sigterm.limit": "A request that takes longer than 10 s is cut off.",
    "server.sigusr1": "SIGUSR1 does not start a debugger.",
    "server.sigterm.second": "A second signal skips the wait.",
    "server.sigint": "SIGINT exits with 0 immediately when nothing is in flight.",
    "mcp.real.sigterm": "SIGTERM stops every MCP server.",
  }),
  ...from("crashes-and-several-processes", {
    "server.sigkill": "After kill -9 no acknowledged write is lost.",
    "server.sigkill.load":
      "After repeated kill -9 under load no write is lost and nothing is half done.",
    "server.nodes": "Two processes on one data directory agree.",
    "server.nodes.chaos":
      "Every rule holds while runners, workers and people use both processes, and one is killed.",
  }),
  ...from("embedded", {
    "embedded.services": "Every service has promises and acts as the service itself by default.",
    "embedded.principal": "as returns services that act as the given principal.",
    "embedded.errors": "A promise rejects with an instance of core's error, with its message.",
    "embedded.files": "Files are attached from bytes or streams and read in parts.",
    "embedded.events": "Events are an async iterable that finishes when Quartermaster is closed.",
    "embedded.agent": "An agent's tasks are an async iterable.",
    "embedded.housekeeping": "Housekeeping runs while Quartermaster is open.",
    "embedded.again": "A folder that is opened again has what was written.",
    "embedded.twice": "Several programs share a folder.",
    "embedded.key": "open creates the master key in a private file and uses it again.",
    "embedded.secrets":
      "Values of MCP servers are readable after a restart, and close stops their processes.",
  }),
  ...from("client-without-effect", {
    "client.methods":
      "Every endpoint of the contract has a method, whose arguments travel by name.",
    "client.problems": "A refusal rejects as a problem with its status, type, detail and members.",
    "client.session": "A client writes by cookie if it has the session's secret.",
    "client.unreachable": "A call without a response rejects as Unreachable.",
    "client.pages": "A list is an async iterable that reads page by page.",
    "client.files": "Files are sent from blobs, bytes and streams, and read as streams.",
    "client.retries": "A call that is safe to repeat waits as long as the server says.",
    "client.abort": "A signal cancels a call, also while it waits.",
    "client.prefix": "The server may be mounted below a path.",
    "client.events": "A stream of events resumes after a restart of the server and misses nothing.",
    "client.tasks": "An agent picks issues up within its capacity and keeps their leases.",
    "client.stop": "A stop reaches the task by its signal, and the issue stays as it is.",
    "client.release": "What is held is released when the loop is left or aborted.",
    "client.away": "A server that is away is asked again; a lease that expires stops the task.",
    "client.work": "What work returns or throws is handed in, and a stop is acknowledged.",
  }),
  ...from("mounted-in-another-server", {
    "mount.frameworks":
      "The programs of docs/guides/mounting.md compile, serve below their prefix and exit on SIGTERM.",
    "mount.links": "Mounted with and without a prefix, Location and Link lead to their objects.",
    "mount.files": "Mounted routes stream uploads and downloads, and downloadUrl has the prefix.",
    "mount.streams": "A mounted event stream delivers events and ends when its client leaves.",
    "mount.abort": "A mounted request ends when its client disconnects.",
    "mount.mcp": "The official client uses /mcp of mounted routes.",
    "mount.routes": "Mounted routes answer below their prefix and leave other paths to the host.",
    "mount.description":
      "The OpenAPI document, the session cookie, OAuth's URLs and absolute links contain the prefix.",
    "mount.prefix": "A prefix is a path, and a request without it is a 404 that says so.",
    "mount.effect": "In an HttpRouter, a prefix keeps the routes apart from the host's routes.",
    "mount.body-read": "A body that the host has read is a 500 that says what to do.",
    "mount.peer": "The host passes the address of the peer with a request of the platform.",
    "mount.reach":
      "A mount takes allowed hosts and origins of /mcp, and rejects values of another form.",
    "mount.close":
      "Closing finishes event streams, refuses requests and waits for those in flight.",
  }),
  ...from("backup-and-restore", {
    "storage.schema":
      "The start, doctor, backup and restore refuse a database whose schema differs from the schema of this version.",
    "backup.file": "A backup is one file of mode 0600 that restores the database and attachments.",
    "backup.signed":
      "A backup has an HMAC under the master key, which a restore verifies or warns that it cannot.",
    "backup.running": "A backup of a running server restores issues, search, files and secrets.",
    "backup.load": "A backup under write load has everything that was acknowledged before it.",
    "backup.keys": "With --keys a backup has every master key that its secrets may need.",
    "backup.no-keys":
      "Without --keys a backup has no master key, and restore names the missing key.",
    "backup.deleted": "Bytes of a deleted attachment stay until a running backup has finished.",
    "backup.incomplete": "A backup fails if the bytes of an attachment are missing or damaged.",
    "backup.target": "A backup replaces an earlier backup and no other file.",
    "backup.killed": "A killed backup leaves no file under the name of the backup.",
    "restore.empty": "A restore refuses a directory that is not empty.",
    "restore.truncated": "A restore refuses a file that ends early.",
    "restore.foreign": "A restore refuses a file that is not a backup.",
    "restore.newer": "A restore refuses a backup of a newer version.",
    "restore.tampered": "A restore refuses a backup with a changed byte.",
    "restore.paths": "A restore writes no file outside of its directory.",
    "restore.refused": "A refused backup or restore exits with one sentence and writes nothing.",
    "restore.killed": "No server starts on a directory whose restore was interrupted.",
    "restore.newest-event": "A restore writes the file newest-event of the restored database.",
  }),
  ...from("doctor", {
    "doctor.clean": "Doctor finds nothing in a sound directory and changes nothing.",
    "doctor.exit": "Doctor exits with 0 only if nothing is wrong, and --json prints a document.",
    "doctor.configuration": "Doctor finds invalid variables and missing files that they name.",
    "doctor.permissions": "Doctor finds files of the service that other users can read.",
    "doctor.disk": "Doctor finds a disk that is almost full.",
    "doctor.integrity": "Doctor finds a database that is damaged, lost changes or is newer.",
    "doctor.attachments": "Doctor finds attachments whose bytes are missing.",
    "doctor.clock": "Doctor finds a clock that is behind the newest change.",
    "doctor.runtimes": "Doctor finds enabled MCP servers whose runtime is missing.",
    "doctor.secrets": "Doctor finds secrets that the master key does not decrypt.",
    "doctor.work": "Doctor finds expired runs that no server recorded, and exhausted issues.",
    "doctor.processes": "Doctor finds processes of MCP servers whose service crashed.",
  }),
];
